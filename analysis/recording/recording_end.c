/* SPDX-License-Identifier: Apache-2.0
 *
 * See recording_end.h.
 */
#include "analysis/recording/recording_end.h"

#include <string.h>

struct rank_end {
    uint64_t events;
    const struct trace_site *site; /* of the last one; NULL: there is none */
};

static struct rank_end end_of(const struct trace *trace, int32_t rank) {
    struct rank_end end = {0};
    struct trace_cursor *cursor;
    struct trace_event event;
    struct error ignored = {0};
    if (trace_cursor_open(&cursor, trace, rank, TRACE_FROM_START, TRACE_TO_END, &ignored) != 0)
        return end;
    for (; trace_cursor_next(&event, cursor, &ignored) == 1; end.events++)
        end.site = trace_site(trace, event.site);
    trace_cursor_close(cursor);
    return end;
}

static bool ends_with(const struct rank_end *end, const char *function) {
    return end->site != NULL && strcmp(end->site->function, function) == 0;
}

static const char *last_call(struct arena *arena, const struct rank_end *end) {
    return end->site == NULL ? "with nothing recorded"
                             : arena_printf(arena, "with %llu events, the last one %s at %s",
                                            (unsigned long long)end->events, end->site->function,
                                            end->site->file);
}

const char *recording_end(struct arena *arena, const struct trace *trace) {
    struct rank_end furthest = {0};
    int32_t its_rank = -1, count = 0;
    for (int32_t rank = 0; rank < trace_ranks(trace); rank++) {
        struct rank_end end = end_of(trace, rank);
        if (ends_with(&end, "MPI_Abort"))
            return arena_printf(arena, "rank %d called MPI_Abort at %s", rank, end.site->file);
        if (ends_with(&end, "MPI_Finalize"))
            continue;
        if (count++ == 0 || end.events > furthest.events) {
            furthest = end;
            its_rank = rank;
        }
    }
    return count == 0
               ? NULL
               : arena_printf(arena, "%d of %d ranks are without MPI_Finalize: rank %d %s", count,
                              trace_ranks(trace), its_rank, last_call(arena, &furthest));
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * See recording_difference.h. Frames are compared as trees: what is equal in both has the same
 * number in a table for each trace.
 */
#include "analysis/recording/recording_difference.h"

#include "analysis/recording/run_recording.h"
#include "analysis/writer/trace_call_paths.h"
#include "base/arena.h"
#include "base/str.h"
#include "mpi/calls.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A trace, and the numbers that its frames have among those of both. */
struct compared_trace {
    const struct trace *trace;
    struct trace_cursor *cursor;
    uint32_t *frames;
};

struct recording_comparison {
    struct trace_call_paths paths; /* of both */
    struct compared_trace one, other;
    struct recording_difference *out;
};

/* ---- Frames ---- */

static void number_frames(struct compared_trace *of, struct trace_call_paths *paths) {
    uint32_t count = trace_frame_count(of->trace);
    of->frames = xmalloc(((size_t)count + 1) * sizeof *of->frames);
    of->frames[0] = 0;
    for (uint32_t i = 1; i <= count; i++) {
        struct trace_frame frame = *trace_frame(of->trace, i);
        struct trace_module module = *trace_module(of->trace, frame.module);
        frame.module = trace_call_paths_module(paths, &module);
        frame.parent = of->frames[frame.parent];
        of->frames[i] = trace_call_paths_frame(paths, &frame);
    }
}

/* ---- Events ---- */

/* The next that is no poll, nor a part of one. */
static int next(struct trace_event *out, const struct compared_trace *of, struct error *error) {
    int result = trace_cursor_next(out, of->cursor, error);
    while (result == 1 && run_recording_is_poll(trace_site(of->trace, out->site)->function))
        result = trace_cursor_next(out, of->cursor, error);
    return result;
}

static bool is_chance(const struct trace_event *event, const char *function) {
    return (event->asked & TRACE_ASKED_ANY_SOURCE) != 0 || mpi_function_is(function, MPI_IS_CHOICE);
}

/* The same members, by their ranks in MPI_COMM_WORLD. */
static bool same_communicator(const struct recording_comparison *of, int32_t one, int32_t other) {
    if (one < 0 || other < 0)
        return one == other;
    const struct trace_communicator *a = trace_communicator(of->one.trace, one);
    const struct trace_communicator *b = trace_communicator(of->other.trace, other);
    return a->size == b->size &&
           memcmp(a->members, b->members, (size_t)a->size * sizeof *a->members) == 0;
}

/* What differs, in a word; NULL: nothing. */
static const char *find_in_message(const struct recording_comparison *of,
                                   const struct trace_event *a, const struct trace_event *b) {
    return a->peer != b->peer                                         ? "peer"
           : a->tag != b->tag                                         ? "tag"
           : a->bytes != b->bytes                                     ? "bytes"
           : a->direction != b->direction                             ? "direction"
           : a->request != b->request                                 ? "request"
           : !same_communicator(of, a->communicator, b->communicator) ? "communicator"
                                                                      : NULL;
}

static const char *find_in_call(const struct recording_comparison *of, const struct trace_event *a,
                                const struct trace_event *b) {
    return a->root != b->root                           ? "root"
           : a->count != b->count                       ? "count"
           : a->other_bytes != b->other_bytes           ? "bytes of the other payload"
           : a->colour != b->colour || a->key != b->key ? "colour or key"
           : !same_communicator(of, a->made, b->made)   ? "communicator that is made"
                                                        : NULL;
}

static const char *find_difference(const struct recording_comparison *of,
                                   const struct trace_event *a, const struct trace_event *b) {
    const char *function = trace_site(of->one.trace, a->site)->function;
    if (strcmp(function, trace_site(of->other.trace, b->site)->function) != 0)
        return "function";
    if (of->one.frames[a->call_path] != of->other.frames[b->call_path])
        return "call path";
    const char *what = find_in_call(of, a, b);
    return what != NULL || is_chance(a, function) ? what : find_in_message(of, a, b);
}

/* ---- What is told ---- */

static void describe(struct str *out, const struct compared_trace *of,
                     const struct trace_event *event) {
    const struct trace_site *site = trace_site(of->trace, event->site);
    str_printf(out, "%s at %s (peer %d, tag %d, %" PRId64 " bytes)", site->function, site->file,
               event->peer, event->tag, event->bytes);
}

static void tell(const struct recording_comparison *of, const struct trace_event *a,
                 const struct trace_event *b, const char *what) {
    struct str text = {0};
    str_printf(&text, "%s: ", what);
    if (a != NULL)
        describe(&text, &of->one, a);
    else
        str_add(&text, "no more events");
    str_add(&text, " against ");
    if (b != NULL)
        describe(&text, &of->other, b);
    else
        str_add(&text, "no more events");
    of->out->differs = true;
    snprintf(of->out->text, sizeof of->out->text, "%s", str_text(&text));
    str_dispose(&text);
}

/* ---- Ranks ---- */

static int compare_events(struct recording_comparison *of, struct error *error) {
    struct trace_event a, b;
    for (of->out->at = 0;; of->out->at++, of->out->events++) {
        int first = next(&a, &of->one, error), second = next(&b, &of->other, error);
        if (first < 0 || second < 0)
            return -1;
        if (first == 0 && second == 0)
            return 0;
        const char *what = first == second ? find_difference(of, &a, &b) : "number of events";
        if (what != NULL) {
            tell(of, first == 1 ? &a : NULL, second == 1 ? &b : NULL, what);
            return 0;
        }
    }
}

static int compare_rank(struct recording_comparison *of, int32_t rank, struct error *error) {
    of->out->rank = rank;
    if (trace_cursor_open(&of->one.cursor, of->one.trace, rank, TRACE_FROM_START, TRACE_TO_END,
                          error) != 0)
        return -1;
    int result = trace_cursor_open(&of->other.cursor, of->other.trace, rank, TRACE_FROM_START,
                                   TRACE_TO_END, error);
    if (result == 0) {
        result = compare_events(of, error);
        trace_cursor_close(of->other.cursor);
    }
    trace_cursor_close(of->one.cursor);
    return result;
}

int recording_compare(struct recording_difference *out, const struct trace *one,
                      const struct trace *other, struct error *error) {
    struct recording_comparison of = {.one = {.trace = one}, .other = {.trace = other}, .out = out};
    int result = 0;
    *out = (struct recording_difference){0};
    if (trace_ranks(one) != trace_ranks(other)) {
        out->differs = true;
        snprintf(out->text, sizeof out->text, "ranks: %d against %d", trace_ranks(one),
                 trace_ranks(other));
        return 0;
    }
    number_frames(&of.one, &of.paths);
    number_frames(&of.other, &of.paths);
    for (int32_t rank = 0; rank < trace_ranks(one) && result == 0 && !out->differs; rank++)
        result = compare_rank(&of, rank, error);
    free(of.one.frames);
    free(of.other.frames);
    trace_call_paths_dispose(&of.paths);
    return result;
}

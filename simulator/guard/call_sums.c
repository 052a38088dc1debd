/* SPDX-License-Identifier: Apache-2.0 */
#include "simulator/guard/call_sums.h"

#include "model/verdict/verdict.h"
#include "mpi/calls.h"

#include <math.h>

/* Time decides how often it is called. */
static bool is_poll(const struct mpi_call *call) {
    return mpi_call_is(call, MPI_IS_POLL) || (mpi_call_is(call, MPI_IS_CHOICE) &&
                                              mpi_call_parameter(call, MPI_ROLE_INDICES_OUT) >= 0);
}

static bool sends(const struct mpi_call *call) {
    return mpi_call_parameter(call, MPI_ROLE_PAYLOAD_IN) >= 0 ||
           mpi_call_parameter(call, MPI_ROLE_PAYLOAD_INOUT) >= 0;
}

static bool moves_data(const struct mpi_call *call) {
    return sends(call) || mpi_call_parameter(call, MPI_ROLE_PAYLOAD_OUT) >= 0;
}

static void add(struct calls_of_rank *out, enum call_sum calls, enum call_sum bytes, double count,
                double sum) {
    out->of[calls] += count;
    out->of[bytes] += sum;
}

static void add_call(struct calls_of_rank *out, const struct mpi_call *call, double count,
                     double bytes) {
    switch (call->class) {
    case MPI_CLASS_P2P:
        if (sends(call))
            add(out, SUM_MESSAGES, SUM_MESSAGE_BYTES, count, bytes);
        break;
    case MPI_CLASS_COLLECTIVE:
        add(out, SUM_COLLECTIVES, SUM_COLLECTIVE_BYTES, count, bytes);
        break;
    case MPI_CLASS_RMA:
    case MPI_CLASS_FILE:
        if (moves_data(call))
            add(out, SUM_ACCESSES, SUM_ACCESS_BYTES, count, bytes);
        break;
    case MPI_CLASS_COMPLETION:
    case MPI_CLASS_PROBE:
    case MPI_CLASS_REQUEST:
        break;
    default:
        return;
    }
    out->of[SUM_CALLS] += count;
}

void call_sums_make(struct call_sums *out, struct arena *arena, int ranks) {
    *out = (struct call_sums){.ranks = ARENA_ARRAY(arena, struct calls_of_rank, (size_t)ranks + 1),
                              .rank_count = ranks};
}

void call_sums_add(struct call_sums *out, int rank, const char *name, double count, double bytes) {
    const struct mpi_call *call = mpi_call_find(name);
    if (call == NULL)
        return;
    if (is_poll(call)) {
        out->polls = true;
        return;
    }
    add_call(&out->all, call, count, bytes);
    if (rank >= 0)
        add_call(&out->ranks[rank], call, count, bytes);
}

/* ---- Differences ---- */

static double percent_of(double is, double was, double of) {
    if (is == was)
        return 0;
    return of > 0 ? fmin(100 * fabs(is - was) / of, VERDICT_PERCENT_MAX) : VERDICT_PERCENT_MAX;
}

static const char *name_of(enum call_sum sum) {
    static const char *const names[CALL_SUMS] = {"calls",
                                                 "messages",
                                                 "bytes of messages",
                                                 "collectives",
                                                 "bytes of collectives",
                                                 "accesses to windows and files",
                                                 "bytes of accesses to windows and files"};
    return names[sum];
}

static void compare_all(struct call_difference *out, const struct call_sums *is,
                        const struct call_sums *was) {
    for (int i = 0; i < CALL_SUMS; i++) {
        double percent = percent_of(is->all.of[i], was->all.of[i], was->all.of[i]);
        if (percent <= out->percent)
            continue;
        out->percent = percent;
        out->what = name_of((enum call_sum)i);
    }
}

static void compare_rank(struct call_difference *out, const struct call_sums *is,
                         const struct call_sums *was, int rank) {
    for (int i = 0; i < CALL_SUMS; i++) {
        double own = was->ranks[rank].of[i], mean = was->all.of[i] / was->rank_count;
        double percent = percent_of(is->ranks[rank].of[i], own, fmax(own, mean));
        if (percent <= out->rank_percent)
            continue;
        out->rank_percent = percent;
        out->rank_what = name_of((enum call_sum)i);
        out->rank = rank;
    }
}

double call_difference_percent(const struct call_difference *difference) {
    return fmax(difference->percent, difference->rank_percent);
}

void call_sums_compare(struct call_difference *out, const struct call_sums *is,
                       const struct call_sums *was) {
    *out = (struct call_difference){.what = "", .rank_what = ""};
    compare_all(out, is, was);
    for (int rank = 0; rank < is->rank_count && rank < was->rank_count; rank++)
        compare_rank(out, is, was, rank);
}

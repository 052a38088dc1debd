/* SPDX-License-Identifier: Apache-2.0
 *
 * Wait states by Scalasca's definitions ("Performance properties" of its manual): the time that a
 * rank spends in a call because another one has not come so far.
 *
 *   late sender      a receive, or the wait for one, before its send began
 *   late receiver    a send that is still under way when its receive begins
 *   late broadcast   from one to all: before the root began
 *   early reduce     from all to one: the root, before the first of the others began
 *   wait at NxN      from all to all: until the last one began
 *   wait at barrier  likewise
 *   early scan       prefix: until the last of the ranks before it began
 *
 * A call that waits for several messages waits for the last of them. What a call waits is at most
 * its duration, also where clocks of real runs disagree. Late receivers are known where the receive
 * blocks too; where it was posted before (MPI_Irecv), what the trace says that the send waited
 * counts.
 */
#pragma once

#include "analysis/views/run_view.h"

enum wait_kind {
    WAIT_NONE,
    WAIT_LATE_SENDER,
    WAIT_LATE_RECEIVER,
    WAIT_LATE_BROADCAST,
    WAIT_EARLY_REDUCE,
    WAIT_NXN,
    WAIT_BARRIER,
    WAIT_EARLY_SCAN,
    WAIT_KIND_COUNT,
};

/* What one call waited for. */
struct event_wait {
    enum wait_kind kind;
    int64_t waited_ns; /* > 0, or the kind is WAIT_NONE */
    uint32_t cause;    /* the event whose begin ends the waiting; VIEW_NONE: not known */
};

/* Of the call at position `event` in the view; parts belong to their call, and have none. */
struct event_wait wait_of(const struct run_view *view, uint32_t event);

/* "late sender". */
const char *wait_kind_name(enum wait_kind kind);

struct wait_sum {
    uint64_t count;
    int64_t waited_ns;
};

/* Sums over the whole run. */
struct wait_states {
    struct wait_sum kinds[WAIT_KIND_COUNT];
    struct wait_sum *sites; /* view->sites.count rows of WAIT_KIND_COUNT */
    struct wait_sum *ranks; /* of each rank that waits, all kinds */
    int64_t *caused_ns;     /* of each rank: for how long others wait for it */
};

/* *out is the caller's (wait_states_dispose). */
void wait_states_make(struct wait_states *out, const struct run_view *view);
void wait_states_dispose(struct wait_states *states);

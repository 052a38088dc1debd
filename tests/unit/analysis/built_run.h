/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs that are built event by event, whose answers are known.
 */
#pragma once

#include "analysis/views/run_view.h"

/* Sites of each run that is built, by number. */
enum built_site {
    SITE_WORK, /* regions */
    SITE_SOLVE,
    SITE_SEND,
    SITE_RECV,
    SITE_ISEND,
    SITE_WAITALL,
    SITE_SENDRECV,
    SITE_BCAST,
    SITE_REDUCE,
    SITE_ALLREDUCE,
    SITE_BARRIER,
    SITE_SCAN,
    SITE_PROBE,
    SITE_IPROBE,
    SITE_COUNT,
};

void built_run_init(struct run_view *out, int ranks);

/* On a rank from begin to end, in nanoseconds. */
void built_region(struct run_view *out, int rank, enum built_site site, int64_t begin_ns,
                  int64_t end_ns);
void built_call(struct run_view *out, int rank, enum built_site site, int64_t begin_ns,
                int64_t end_ns);
/* Number `id` of the messages, with the other end and its bytes; a part is of the call before. */
void built_send(struct run_view *out, int rank, enum built_site site, int64_t begin_ns,
                int64_t end_ns, uint64_t id, int to, int64_t bytes);
void built_receive(struct run_view *out, int rank, enum built_site site, int64_t begin_ns,
                   int64_t end_ns, uint64_t id, int from);
void built_part(struct run_view *out, bool receives, uint64_t id, int other);
/* Number `id` of the collectives; root -1: it has none. */
void built_collective(struct run_view *out, int rank, enum built_site site, int64_t begin_ns,
                      int64_t end_ns, uint64_t id, int root);

/* Fails the test where it cannot be finished. */
void built_run_finish(struct run_view *run);

/* SPDX-License-Identifier: Apache-2.0
 *
 * When the members of collectives came, where all ranks are in one process: whom a member waits
 * for. Memory is that of collectives that are not over.
 */
#ifndef ANALYSIS_WRITER_TRACE_ARRIVALS_H
#define ANALYSIS_WRITER_TRACE_ARRIVALS_H

#include "mpi/roles.h"

#include <stdbool.h>
#include <stdint.h>

struct trace_arrival {
    int32_t communicator;
    uint64_t number; /* of the collective */
    int32_t size;    /* of the communicator */
    int32_t rank;    /* in it */
    bool is_root;
};

struct trace_arrivals;

/* NULL: out of memory. */
struct trace_arrivals *trace_arrivals_new(void);
void trace_arrivals_free(struct trace_arrivals *arrivals);

void trace_arrivals_come(struct trace_arrivals *arrivals, const struct trace_arrival *who,
                         enum mpi_pattern pattern, int64_t now_ns);

/* Each member leaves once. Gives until when it waited for others: INT64_MIN if for nobody. */
int64_t trace_arrivals_leave(struct trace_arrivals *arrivals, const struct trace_arrival *who,
                             enum mpi_pattern pattern);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * What the devices of a rank did in a recording: by number of the operation, as calls name it.
 */
#ifndef SYNTHESIS_RECORDED_RECORDED_OPERATIONS_H
#define SYNTHESIS_RECORDED_RECORDED_OPERATIONS_H

#include "analysis/trace/trace_reader.h"
#include "base/error.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

struct recorded_operation {
    const char *name; /* the trace's: "kernel NAME", "copy to"; NULL: nothing is told of it */
    double seconds;
};

/* The call that enqueues one, until its parts have come. */
struct open_operation {
    bool is_open, is_blocking;
    const char *function;
    uint32_t frame;
    int tag;
    uint64_t number;
    long long bytes;
};

struct recorded_operations {
    VEC(struct recorded_operation) of; /* by number - 1 */
    uint64_t last;                     /* that was enqueued */
    uint32_t wait_frame;               /* of the last call that waits for events */
    struct open_operation open;
};

int recorded_operations_load(struct recorded_operations *out, const struct trace *trace, int rank,
                             struct error *error);
void recorded_operations_dispose(struct recorded_operations *operations);
/* NULL: nothing is told of it: a marker, or one that the library tells no times of. */
const struct recorded_operation *
recorded_operations_find(const struct recorded_operations *operations, uint64_t number);

#endif

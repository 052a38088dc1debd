/* SPDX-License-Identifier: Apache-2.0
 *
 * How much one rank of one side communicates: rank-N.volume beside its record
 * (docs/reference/run-files.md).
 *
 * In: the file, as the runtime writes it. Out: sums, and messages and bytes by receiver. Files that
 * are truncated, foreign or damaged are refused with the line.
 */
#pragma once

#include "base/error.h"
#include "base/vec.h"

#include <stddef.h>

enum volume_kind {
    VOLUME_CALLS,    /* of the record: the file does not tell them */
    VOLUME_MESSAGES, /* point-to-point sends that were started, and their bytes */
    VOLUME_BYTES,
    VOLUME_COLLECTIVES, /* and the bytes of their first buffer that MPI looks at */
    VOLUME_COLLECTIVE_BYTES,
    VOLUME_RECEIVED_BYTES, /* where each rank's part has a size of its own (MPI_Alltoallv) */
    VOLUME_ACCESSES,       /* to windows and files */
    VOLUME_ACCESS_BYTES,
    VOLUME_KINDS
};

/* To one receiver, a rank of MPI_COMM_WORLD. */
struct volume_flow {
    size_t to;
    unsigned long long messages, bytes;
};

struct volume {
    unsigned long long sums[VOLUME_KINDS];
    VEC(struct volume_flow) flows; /* by ascending receiver */
};

/* Receivers have to be below `ranks`. 0 or -1; after -1 there is nothing to dispose. */
int volume_read(struct volume *out, const char *path, size_t ranks, struct error *error);
void volume_dispose(struct volume *volume);

/* SPDX-License-Identifier: Apache-2.0
 *
 * BSIM_CACHE=cold: profiling as if other work had used the caches while the rank was inside MPI.
 * The first region after each MPI call finds what it needs evicted, as it does where many ranks
 * share a core: on an oversubscribed node, or in SMPI, which runs all ranks on one core and is the
 * ground truth that predictions are compared with here. By default caches are left alone, as on a
 * machine with a core per rank.
 *
 * For each MPI function that communicates a wrapper (from mpi/calls.def, through PMPI) notes that
 * it was called; the next timed region is preceded by a walk over a buffer (BSIM_CACHE_MB, default
 * 64).
 */
#include "mpi/sequence.h"
#include "runtime/profile.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_MB 64
#define LINE_BYTES 64

static bool cold, due;
static size_t size_bytes;
static volatile char *evictor;

void bsim__cache_start(void) {
    const char *wanted = getenv("BSIM_CACHE"), *megabytes = getenv("BSIM_CACHE_MB");
    long mb = megabytes != NULL ? strtol(megabytes, NULL, 10) : DEFAULT_MB;
    if (wanted == NULL || strcmp(wanted, "cold") != 0 || mb < 1 || mb > 4096)
        return;
    size_bytes = (size_t)mb << 20;
    evictor = calloc(size_bytes, 1);
    cold = due = evictor != NULL;
}

void bsim__cache_evict(void) {
    if (!cold || !due)
        return;
    for (size_t at = 0; at < size_bytes; at += LINE_BYTES)
        evictor[at]++;
    due = false;
}

bool bsim__cache_is_cold(void) {
    return cold;
}

#define WRAP(name, sequence)                                                                       \
    int name(MPI_PROTOTYPE(sequence)) {                                                            \
        due = true;                                                                                \
        return P##name(MPI_ARGUMENTS(sequence));                                                   \
    }
#define WRAP_P2P(name, sequence) WRAP(name, sequence)
#define WRAP_COMPLETION(name, sequence) WRAP(name, sequence)
#define WRAP_PROBE(name, sequence) WRAP(name, sequence)
#define WRAP_COLLECTIVE(name, sequence) WRAP(name, sequence)
#define WRAP_INIT(name, sequence)
#define WRAP_FINALIZE(name, sequence)
#define WRAP_ABORT(name, sequence)
#define WRAP_TIME(name, sequence)
#define WRAP_ENVIRONMENT(name, sequence)
#define WRAP_REQUEST(name, sequence)
#define WRAP_STATUS(name, sequence)
#define WRAP_COMMUNICATOR(name, sequence)
#define WRAP_TOPOLOGY(name, sequence)
#define WRAP_QUERY(name, sequence)
#define WRAP_GROUP(name, sequence)
#define WRAP_DATATYPE(name, sequence)
#define WRAP_OPERATION(name, sequence)
#define WRAP_ATTRIBUTE(name, sequence)
#define WRAP_INFO(name, sequence)
#define WRAP_ERROR(name, sequence)
#define WRAP_DYNAMIC(name, sequence)
#define WRAP_RMA(name, sequence)
#define WRAP_FILE(name, sequence)
#define MPI_ROW(name, class, criterion, support, result, sequence) WRAP_##class(name, sequence)
#define MPI_ROW_VARIADIC(name, class, criterion, support, result, sequence)

#include "mpi/calls.def"

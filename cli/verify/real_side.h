/* SPDX-License-Identifier: Apache-2.0
 *
 * The third side of `verify`: the original under mpirun, with the recorder that `record` has. Its
 * calls are compared with those of the simulated original, so that faults are seen which both
 * simulated sides share.
 */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "simulator/compare/real_verdict.h"
#include "simulator/run/bundle.h"

struct real_options {
    bool wanted, unwanted;       /* neither: where there are few ranks, and mpirun is there */
    const char *const *launcher; /* words; NULL: mpirun */
    size_t launcher_count;
    struct arena arena;  /* of those */
    const char *program; /* NULL: the bundle's profiling build, which measures nothing then */
    double limit_s;
    bool no_progress;
};

struct real_request {
    const struct real_options *options;
    const struct bundle *bundle;
    const char *directory; /* for records and logs */
    size_t ranks;
    char *const *arguments;
    size_t argument_count;
    const char *const *records; /* of both simulated sides */
    bool original_aborts;       /* or else it got through */
    bool sides_agree;
};

/* Whether there is to be a real run; if one was asked for that cannot be, there is an error. */
int real_side_choose(bool *out, const struct real_request *request, struct arena *arena,
                     struct error *error);

/* -1: interrupted, or it was asked for and could not be started. */
int real_side_compare(struct real_verdict *out, const struct real_request *request,
                      struct arena *arena, struct error *error);

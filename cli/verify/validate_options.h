/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line of `mpiskel validate`.
 */
#pragma once

#include "base/output_format.h"
#include "base/vec.h"
#include "cli/common/option_take.h"
#include "simulator/run/placement.h"

#include <stdbool.h>
#include <stddef.h>

struct argument_set {
    char **words;
    size_t count;
};

struct validate_options {
    struct arena arena; /* of what is split */
    const char *bundle;
    struct placement_options placement;
    VEC(size_t) ranks;
    VEC(struct argument_set) arguments;
    const char *const *launcher; /* words; NULL: mpirun, for the regions only */
    size_t launcher_count;
    const char *launcher_text;
    const char *clock;     /* NULL: not given */
    const char *synthesis; /* a bundle of `synthesize`; NULL: none */
    option_texts sets;     /* its parameters, a text for each set of arguments */
    bool no_original;
    const char *caches;    /* "warm", "cold": trained anew with such; NULL: as the bundle is */
    size_t repeat;         /* 0: as often as it takes */
    size_t most;           /* then at most so many originals */
    double standard_error; /* ... until that of their mean is as small: a share */
    size_t real_ranks, top;
    bool no_regions, no_progress;
    double host_speed_flops_per_s; /* 0: not given */
    double max_error_percent;      /* INFINITY: any */
    enum output_format format;
};

/* Parses; ends the process on mistakes, with EXIT_USAGE. There is at least one number of ranks and
 * one set of arguments then. */
void validate_options_parse(struct validate_options *out, int argc, char **argv);
void validate_options_dispose(struct validate_options *options);

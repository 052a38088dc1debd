/* SPDX-License-Identifier: Apache-2.0
 *
 * A bundle (docs/reference/bundle.md) that is about to be run.
 *
 * In: its directory. Out: its regions, its model if one is needed, and the paths of its programs.
 * Errors say which command makes what is missing. Whether the two programs fit the regions is not
 * checked here: the skeleton itself refuses the model of another bundle.
 */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "model/eval/eval.h"
#include "model/samples/region.h"
#include "model/varied/not_known.h"
#include "model/verdict/verdict.h"

#include <stdbool.h>

struct bundle {
    struct arena arena;
    const char *directory; /* absolute, as are the others */
    const char *skeleton, *original, *regions_file, *model_file;
    struct regions regions;
    struct bsim_model *model;        /* NULL: not asked for, or there are no regions */
    struct verdict verdict;          /* of the guard on model_file; not asked for: of no fit */
    struct varied varied;            /* in profiling runs; likewise: no run */
    struct not_known_list not_known; /* of these arguments; likewise: none */
};

int bundle_open(struct bundle *out, const char *directory, struct error *error);
void bundle_close(struct bundle *bundle);

/* Loads the model, unless the bundle has no regions. */
int bundle_load_model(struct bundle *bundle, struct error *error);

/* What is to be predicted; `name` of the bundle as the user has it. */
struct bundle_use {
    const char *name;
    size_t ranks; /* 0: several numbers */
    char *const *arguments;
    size_t argument_count;
    bool even_if_unknown;
    const bool *is_set; /* by region: the user says what the value is; NULL: none */
};

/* Reads what the guard said of the models. What it found wrong is an error or, with
 * `even_if_wrong`, a warning. */
int bundle_check_verdict(struct bundle *bundle, bool even_if_wrong, struct error *error);

/* Warns of arguments whose effect no profiled run shows, which the verdict does not hold for, if it
 * was read before. An error, unless `even_if_unknown`: a loop may iterate by them. */
int bundle_check_arguments(struct bundle *bundle, const struct bundle_use *use,
                           struct error *error);

/* Says where a program is simulated with one thread only (struct launch: has_one_thread), and which
 * libraries have MPI calls that may crash in a simulation. */
void bundle_tell_limits(const struct bundle *bundle);

/* Fails where --clock was given (`clock`; NULL: it was not) and the bundle's programs do not count.
 */
int bundle_check_clock(const struct bundle *bundle, const char *clock, struct error *error);

/* A program without MPI calls has one. */
int bundle_check_ranks(const struct bundle *bundle, size_t ranks, struct error *error);

/* Checks that the skeleton (or the original) is there, and builds what was left for now. */
int bundle_check_program(const struct bundle *bundle, const char *program, struct error *error);

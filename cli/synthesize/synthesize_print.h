/* SPDX-License-Identifier: Apache-2.0
 *
 * What `synthesize` tells: what was learned and how much of the recorded runs it gives; what came
 * of runs that were left out.
 */
#pragma once

#include "base/output_format.h"
#include "synthesis/compare/ambiguity.h"
#include "synthesis/compare/run_check.h"
#include "synthesis/learn/learned_program.h"

struct checked_run {
    const char *directory;
    bool made; /* its calls could be synthesised; else `problem` */
    char problem[1024];
    struct run_check check;
};

/* The parameters of a recorded run by the names of those that were learned from. */
int checked_parameters(double *out, const struct recorded_runs *learned,
                       const struct recorded_runs *others, const char *directory,
                       struct error *error);

/* "ranks=64,n=800": all parameters of the model. */
int target_parse(int *out_ranks, double *out, const struct synth_model *model, const char *text,
                 struct error *error);

struct synthesize_report {
    const struct learned_program *learned;
    const struct recorded_runs *runs;
    const struct checked_run *checks;
    size_t check_count;
    const char *target; /* NULL: none was asked for */
    const ambiguity_list *ambiguities;
};

void synthesize_print(const struct synthesize_report *report, enum output_format format);

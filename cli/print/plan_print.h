/* SPDX-License-Identifier: Apache-2.0
 *
 * The report of `mpiskel plan`, on the standard output.
 */
#pragma once

#include "cli/common/opened.h"
#include "model/findings/findings.h"
#include "simulator/experiments/experiments.h"

struct plan_report {
    const struct experiments *plan;
    const struct regions *regions;
    const char *machine;
    int run_count; /* that there are */
    double budget_s;
    const char *const *commands;     /* one for each run, as a shell takes it */
    const char *fit;                 /* the one behind them */
    const struct findings *findings; /* what makes the target's prediction doubtful now */
};

void plan_print(const struct plan_report *report, enum output_format format);

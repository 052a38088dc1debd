/* SPDX-License-Identifier: Apache-2.0
 *
 * The report of `mpiskel fit` and `mpiskel models show`.
 */
#pragma once

#include "cli/common/opened.h"
#include "model/findings/unexplained.h"
#include "model/latency/latency.h"
#include "model/verdict/verdict.h"

struct models_style {
    enum output_format format;
    enum formula_style formulas;
    bool is_folded;     /* the text counts regions of less than a hundredth of the time instead of
                         * listing them */
    bool has_one_input; /* the runs had the same arguments */
    const char *name;   /* of the JSON form */
    const struct verdict *verdict;         /* of the guard */
    const struct unexplained *unexplained; /* of the profiling runs */
};

/* On the standard output. */
void models_print(const struct models *models, const struct regions *regions,
                  const struct models_style *style);

/* SPDX-License-Identifier: Apache-2.0
 *
 * The report of `mpiskel whatif --rank-all`.
 */
#pragma once

#include "base/output_format.h"
#include "base/vec.h"
#include "cli/print/forecast.h"

/* NaN: not known. */
struct sensitivity_candidate {
    const char *name, *place; /* "relax-3fa2c9d1", "stencil.c:33 relax: 2 loops" */
    const char *option, *value;
    double own_s;        /* that each rank spends in it, mean; of regions */
    double share;        /* of the time of all ranks; likewise */
    double saved_s;      /* of own_s */
    double gain_s, gain; /* of the predicted time, and as a part of it; the simulation failed */
    double of_saved;     /* gain_s as a part of saved_s */
    const char *error;   /* why it failed; NULL: it is fine */
};

struct sensitivity {
    struct forecast base;
    double by_percent, least_percent; /* how much faster; the least share of a region */
    VEC(struct sensitivity_candidate) candidates;
    size_t left_out; /* regions with less time */
};

/* On the standard output. `top`: candidates in text. */
void sensitivity_print(const struct sensitivity *report, enum output_format format, size_t top);

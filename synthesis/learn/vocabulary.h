/* SPDX-License-Identifier: Apache-2.0
 *
 * Which quantities and conditions hypotheses are made of, for some recorded runs and a number of
X */
#pragma once

#include "synthesis/recorded/recorded_runs.h"

#define VOCABULARY_AXES_MOST 16
#define VOCABULARY_COUNTS_MOST 64
/* Constants in conditions: the first, second and third, or last, of anything. More of them tell
 * recorded runs apart by heart. */
#define VOCABULARY_CONSTANTS 3

struct vocabulary {
    int parameter_count, parameters[SYNTH_PARAMETERS_MOST];
    bool is_block[SYNTH_PARAMETERS_MOST]
                 [SYNTH_PARAMETERS_MOST]; /* of the first the second may be */
    int axis_count, axes[VOCABULARY_AXES_MOST];
    int grid_count, grids[VOCABULARY_AXES_MOST];     /* groups with a Cartesian topology */
    int count_count, counts[VOCABULARY_COUNTS_MOST]; /* SYNTH_COUNT_: what a loop may iterate */
};

typedef VEC(struct synth_quantity) quantity_list;

/* Groups of all runs below `group_count` are looked at. */
void vocabulary_make(struct vocabulary *out, const struct recorded_runs *runs, int group_count);

/* All with arguments that there are; `depth` loops. */
void vocabulary_quantities(quantity_list *out, const struct vocabulary *of, int depth);
/* Of parameters, or of how many ranks there are: it tells recorded runs apart, which a measure is
 * not to be learned by. */
bool vocabulary_is_of_scale(const struct synth_quantity *condition);
void vocabulary_conditions(quantity_list *out, const struct vocabulary *of, int depth);

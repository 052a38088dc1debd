/* SPDX-License-Identifier: Apache-2.0
 *
 * Time steps of sizes that no profiling run had: on a mesh with twice as many cells in each
 * direction steps are half as long, by the Courant-Friedrichs-Lewy condition (Courant, Friedrichs
 * and Lewy, Mathematische Annalen 100, 1928), and the same time takes twice as many. In:
 * floating-point numbers of runs, one after the other; out: how long steps are as a product of
 * powers of the run's sizes, if the runs' curves over physical time are one and the same but for
 * that, and sizes that were left out were told well by it.
 */
#ifndef MODEL_VALUES_VALUE_STRETCH_H
#define MODEL_VALUES_VALUE_STRETCH_H

#include "base/str.h"
#include "model/eval/eval_stretch.h"
#include "model/values/value_points.h"

struct value_stretch {
    struct bsim_stretch law;
    bool is_found;
    bool is_untold; /* a clock, which runs of other sizes take from the nearest one, for nothing
                       tells how long their steps are */
    int alike;      /* so many numbers of the vector are the same where one run tells another */
    double error;   /* of the length of steps, for sizes left out */
};

/* `adds_up`: numbers are known to be what steps add up to. */
void value_stretch_find(struct value_stretch *out, const struct value_data *data,
                        struct arena *arena, bool adds_up);

/* For people. */
void value_stretch_print(struct str *out, const struct value_stretch *stretch,
                         const struct value_data *data, const struct region *region);

/* The words in model.bsim. */
void value_stretch_add(struct str *out, const struct value_stretch *stretch);

/* Those of each run that another one has gone farther than go on as the nearest such; `all` have
 * the whole context in their vectors. Patterns are from the arena. */
void value_stretch_go_on(value_seen_list *all, struct arena *arena,
                         const struct value_stretch *stretch);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * What was fitted to a value, and how it is told to people and to skeletons.
 */
#ifndef MODEL_VALUES_VALUE_WRITE_H
#define MODEL_VALUES_VALUE_WRITE_H

#include "base/str.h"
#include "model/eval/eval_draw.h"
#include "model/latency/latency.h"
#include "model/samples/region.h"
#include "model/values/value_form.h"
#include "model/values/value_points.h"
#include "model/values/value_position.h"
#include "model/values/value_relevance.h"
#include "model/values/value_stretch.h"

#define VALUE_FORMULAS_MAX 16

struct value_formula {
    double number; /* of the feature that splits */
    struct form form;
    struct form_fit fit;
    double error; /* of the values, where runs are left out, or of the fit itself */
    bool is_known;
};

struct value_solution {
    int dimension; /* of the vectors: the features, or the context as well */
    int split;     /* a feature, or -1 */
    struct value_formula formulas[VALUE_FORMULAS_MAX];
    int count;
    double error;
    enum latency_validation validation;
    const struct value_positions *positions; /* NULL: all ranks are alike */
    struct bsim_draws draws;
    struct value_relevance relevance;
    double untold;     /* how far off other runs, or ranks, may be; 0: they are told */
    bool differs;      /* ranks do, also in runs that were profiled */
    bool is_clock;     /* numbers that rise are sums up to now */
    bool without_seen; /* what runs had says nothing of others that are just the same */
    bool follows, is_as_nearest, is_decided; /* value_nearest.h */
    int total; /* the place of the size that, times the ranks, tells the nearest; -1: all sizes do
                */
    struct value_stretch stretch;
    int alike; /* so many numbers of the vector have to be the same to be as the nearest */
};

/* For people, on one line. */
void value_solution_print(struct str *out, const struct value_solution *solution,
                          const struct value_data *data, const struct region *region);

/* The lines of model.bsim. Vectors beyond the limit are left to the formula. */
void value_solution_add_lines(struct str *out, struct arena *arena,
                              const struct value_solution *solution, const struct value_data *data,
                              const struct region *region);

#endif

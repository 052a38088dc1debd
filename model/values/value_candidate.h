/* SPDX-License-Identifier: Apache-2.0
 *
 * Ways to tell a value, each of which is a candidate: it looks at the samples of the value and,
 * where it tells configurations that were left out of the fit clearly better than what stands in
 * the model so far, takes its part of it. It writes its line of model.bsim, which its counterpart
 * in model/eval reads and evaluates, and says for people what it does.
 *
 * A configuration that is left out is all runs with one key (value_key.h): runs on other numbers of
 * ranks, where these change nothing, would tell it by heart.
 */
#pragma once

#include "base/str.h"
#include "model/eval/eval_stretch.h"
#include "model/latency/latency.h"
#include "model/samples/region.h"
#include "model/values/value_form.h"
#include "model/values/value_key.h"
#include "model/values/value_points.h"

#define VALUE_FORMULAS_MAX 16

/* What is asked. `data` has the samples with the key only. */
struct value_question {
    struct arena *arena;
    const struct samples *all;
    const struct region *region;
    const struct value_key *key;
    const struct value_data *data;
};

struct value_formula {
    double number; /* of the feature that splits */
    struct form form;
    struct form_fit fit;
    double error; /* of the values, where configurations are left out, or of the fit itself */
    bool is_known;
};

struct value_formulas {
    int dimension; /* so many of the first numbers of vectors may be in them */
    int split;     /* a feature, or -1 */
    struct value_formula items[VALUE_FORMULAS_MAX];
    int count;
    double error; /* of all: differences over the sum of the values */
    enum latency_validation validation;
};

struct value_steps {
    bool is_taken, is_unknown; /* the latter: nothing tells how long they are with other sizes */
    struct bsim_stretch law;
};

/* What has been taken so far. */
struct value_model {
    bool without_recall; /* what runs had says nothing of others that are just the same */
    struct value_formulas formula;
    bool is_near;             /* as in runs with the same second key */
    struct value_steps steps; /* of time, stretched */
    double error;             /* of what was taken, on configurations that were left out */
    double untold;            /* how far off other runs, or ranks, may be; 0: they are told */
    bool differs;             /* ranks do, also in runs that were profiled */
};

struct value_candidate {
    const char *word; /* of its line in model.bsim */
    /* True: the model is complete, and no other candidate is asked. */
    bool (*propose)(struct value_model *model, struct value_question *question);
    bool (*is_taken)(const struct value_model *model);
    /* What comes behind the word, and lines behind that. */
    void (*write)(struct str *out, const struct value_model *model,
                  const struct value_question *question);
    /* Added to what others have printed; NULL: nothing is. */
    void (*print)(struct str *out, const struct value_model *model,
                  const struct value_question *question);
};

/* Their number, and each. */
void value_write_places(struct str *out, const int *places, int count);

/* In the order in which they are asked. */
extern const struct value_candidate value_recall_candidate, value_formula_candidate,
    value_near_candidate, value_stretch_candidate;

/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs of a program with a region whose size is its feature, and a value: all the way from samples
 * to what the skeleton reads.
 */
#pragma once

#include "base/vec.h"
#include "model/eval/eval_value.h"
#include "model/fit.h"

#include <stdbool.h>

enum { SWEEP, VALUE };

/* A sweep over n, and a value without features. */
struct world {
    struct arena arena;
    struct region items[2];
    struct regions regions;
    VEC(struct run) runs;
    VEC(struct sample) samples;
    struct models models;
    struct bsim_model *read;
    const struct bsim_value_model *value;
};

void world_init(struct world *world, enum value_kind kind);
void world_dispose(struct world *world);

/* Of the last run; `of`: as many features as the region has. */
void world_add_sample(struct world *world, int region, const double *of, const double *numbers,
                      size_t count);

/* A run with a sweep over n before the value, or behind it. */
void world_add_run(struct world *world, const char *arguments, double n, bool sweeps_first,
                   const double *numbers, size_t count);

void world_fit(struct world *world);

/* To nine digits. */
void assert_near(double found, double wanted);

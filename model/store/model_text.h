/* SPDX-License-Identifier: Apache-2.0
 *
 * model.bsim (docs/reference/model.md) as text, in pieces: one for each region or value, so that a
 * run can be given another one that differs in some of them.
 *
 * A latency is divided by dividing the coefficients of its terms: steps, the ratio and drawn noise
 * multiply them, and spreads are relative, so that nothing else changes. The text has been read by
 * the evaluator (eval.h) before; what it refuses is not looked for here.
 */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "base/vec.h"

#include <stdbool.h>

struct model_piece {
    int index; /* of the region or value */
    bool is_value;
    const char *lines;
};

struct model_text {
    struct arena arena; /* owns all texts */
    const char *bundle, *machine;
    const char *gaps; /* its lines; NULL: none */
    VEC(struct model_piece) pieces;
};

/* *out is the caller's (model_text_dispose), after -1 too. */
int model_text_read(struct model_text *out, const char *path, struct error *error);
void model_text_dispose(struct model_text *text);

/* Adds a region or value as it is in `lines`, or replaces the one that is there. */
void model_text_put(struct model_text *text, int index, bool is_value, const char *lines);

/* Every execution of the region takes 1 / `factor` of the time; INFINITY: none. Regions that are
 * not there are let be. */
void model_text_speed_up(struct model_text *text, int index, double factor);

int model_text_write(const struct model_text *text, const char *path, struct error *error);

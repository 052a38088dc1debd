/* SPDX-License-Identifier: Apache-2.0
 *
 * Values that models do not tell as well as somebody asked for: `untold.json` of a bundle
 * (docs/reference/regions.md). `fit --keep-untold` writes it, `generate` has those values computed.
 */
#pragma once

#include "base/vec.h"
#include "model/latency/latency.h"

#define UNTOLD_FILE "untold.json"

struct untold_value {
    const char *file, *function, *text; /* as regions.json has them */
    int line;
    double error; /* 0.05 is 5 % */
};

/* A zeroed structure is empty and valid; the items' texts are in the arena. */
struct untold {
    struct arena arena;
    VEC(struct untold_value) items;
};

/* Adds what the file has; one that is not there has none. -1: it is damaged. */
int untold_read(struct untold *out, const char *path, struct error *error);
int untold_write(const struct untold *untold, const char *path, struct error *error);

/* Those values whose models are off by more than `error` in runs that were left out of the fit, or
 * differ by more from rank to rank, and those that are any of a range,
 * unless a hint says that they are given. What is there is not added again. Returns how
 * many there are of this fit, be they new or not. */
int untold_add(struct untold *out, const struct models *models, const struct regions *regions,
               double error);

/* Adds one, unless it is there. Copies the texts. */
void untold_add_value(struct untold *out, const struct untold_value *value);

void untold_dispose(struct untold *untold);

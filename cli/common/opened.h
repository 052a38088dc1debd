/* SPDX-License-Identifier: Apache-2.0
 *
 * A bundle whose store is looked at: what machines, models and plan begin with.
 */
#pragma once

#include "base/arena.h"
#include "base/output_format.h"
#include "model/store/store.h"

struct opened {
    struct arena arena;
    const char *bundle;
    struct regions regions;
    struct store *store;
};

/* Opens regions.json and store.db of the bundle; `make`: a store that is not there is made,
 * otherwise that is an error. `out` is to be closed, after -1 too. */
int opened_open(struct opened *out, const char *bundle, bool make, struct error *error);
void opened_close(struct opened *opened);

/* 0, or -1 if what was printed on the standard output did not get there. */
int output_finish(struct error *error);

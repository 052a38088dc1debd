/* SPDX-License-Identifier: Apache-2.0
 *
 * Which values a skeleton was given: if it fails they are the first suspects, since a wrong number
 * of messages leaves a rank waiting. And which the original computed in their place, while its
 * calls were recorded (given_difference.h compares both).
 *
 * In: the file that the runtime maps (BSIM_GIVEN, docs/reference/run-files.md), and the bundle's
 * regions.json. Out: for each value how often each rank asked, what it got last and in all, and
 * whether it finalized since. The file is missing where no value was asked for; one that is damaged
 * is told and not used.
 */
#pragma once

#include "base/error.h"
#include "base/json.h"
#include "base/str.h"
#include "base/vec.h"
#include "model/samples/region.h"

#include <stdbool.h>
#include <stddef.h>

struct given_value {
    size_t rank;
    int region;
    unsigned long long count;
    double last, sum;
    bool has_finished; /* its rank */
};

/* By region; of each the ranks that did not finish first, by number. */
struct given {
    VEC(struct given_value) values;
};

/* 0 or -1; after -1 there is nothing to dispose. */
int given_read(struct given *out, const char *path, const struct regions *regions, size_t ranks,
               struct error *error);
void given_dispose(struct given *given);

/* The cuts of a bundle, the caller's (json_decref); NULL: its regions.json cannot be read, and
 * `error` says why. */
json_t *given_cuts(const struct regions *regions, struct error *error);
/* Adds what was cut at the region's line, as it is spelled in the program: `: n = count(x)`. */
void given_add_text(struct str *out, const json_t *cuts, const struct region *region);

/* Tells them on stderr; nothing if there are none. `replayed`: the original's, else of models. */
void given_tell(const char *path, const struct regions *regions, size_t ranks, bool replayed);

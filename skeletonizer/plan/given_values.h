/* SPDX-License-Identifier: Apache-2.0
 *
 * Values that the skeleton takes as given instead of computing them.
 */
#pragma once

#include "skeletonizer/plan/plan.h"
#include "skeletonizer/text/edits.h"

/* Adds a region for each of the function's values. */
void values_find(struct plan *plan, const struct function *function);

/* Features of exits that share a number are those that all of them have. */
void values_join_features(struct plan *plan);

/* What is given is an argument of a call, or what it sends. */
bool values_are_arguments(const struct code_region *region);

/* A switch chooses between cases that no formula tells. */
bool values_have_features(const struct code_region *region);

/* "integer", "floating", "branch" or "trips", as regions.json tells it. */
const char *values_kind(const struct code_region *region);

/* It is what a variable holds once more has been added to it, as `t = t + dt` does. */
bool values_add_up(const struct code_region *region);

/* "BSIM_VALUE_I(3, n)" in place of what the node computes; `calls` are those in it that stay, as
 * statements, or "". */
void values_take(struct edits *out, const struct plan *plan, const struct code_region *region,
                 const char *calls);

/* Records them where they are computed, in one function's text. */
void values_record(struct edits *out, const struct plan *plan, const struct function *function);

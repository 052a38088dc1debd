/* SPDX-License-Identifier: Apache-2.0
 *
 * The choice of a region's form: candidates are made from the dictionary (families of linear terms,
 * products and powers; the normal form; a step; powers that are fitted), each with its errors on
 * what was left out, and the best linear one is taken unless there is strong evidence for another
 * (docs/explanation/latency-models.md).
 */
#pragma once

#include "model/latency/design.h"

/* From the arena; *all is the caller's: what was tried. */
struct candidate choice_make(candidate_list *all, struct arena *arena, const struct design *design);

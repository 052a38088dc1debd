/* SPDX-License-Identifier: Apache-2.0
 *
 * The terms of a form, in the order in which people read them.
 */
#pragma once

#include "model/latency/design.h"

typedef VEC(struct term) term_list;

/* Terms are from the arena; those with a coefficient of 0 are left out. */
void terms_add(term_list *out, struct arena *arena, const struct candidate *chosen,
               const struct dictionary *dictionary);

/* SPDX-License-Identifier: Apache-2.0
 *
 * What `generate` says of what stays: values that are computed though a cut would save them, or
 * given though nobody can tell them; a share that is large; files that are included into functions;
 * memory that is not given back; loops that cannot be timed.
 */
#pragma once

#include "skeletonizer/generation.h"

/* What the cut leaves to be computed, or gives, against what is expected. */
void generate_notes_of_cut(struct generation *g);

/* Once all is planned and summarized. */
void generate_notes_of_share(const struct generation *g);
void generate_notes_of_included(struct generation *g);
void generate_notes_of_memory(struct generation *g);
void generate_notes_of_untimed(struct generation *g);

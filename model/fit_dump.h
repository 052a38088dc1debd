/* SPDX-License-Identifier: Apache-2.0
 *
 * What fitting has made of samples, as text for people (docs/reference/dump.md): one thing a line,
 * with its place in the source.
 */
#pragma once

#include "model/latency/design.h"
#include "model/samples/sample.h"

#include <stdio.h>

/* `what` of the region's times it is a design of. */
void fit_dump_design(FILE *out, const char *what, const struct design *design,
                     const struct region *region);

/* All forms that were tried, in that order. */
void fit_dump_choice(FILE *out, const char *what, const struct design *design,
                     const struct region *region, const candidate_list *all,
                     const struct candidate *chosen);

/* Of a given value: what was seen on ranks of runs, and its model. */
void fit_dump_value(FILE *out, const struct latency_model *model, const struct region *region,
                    const struct sample *samples, size_t count);

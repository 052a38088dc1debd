/* SPDX-License-Identifier: Apache-2.0
 *
 * What makes a region's samples doubtful, told for people in the note of its model: times of zero,
 * too few configurations, and samples that contradict each other (the same features, but times that
 * differ by factors: something that is no feature decides how long the region takes).
 */
#pragma once

#include "base/str.h"
#include "model/samples/sample.h"

/* Adds to *note, behind a semicolon if it is not empty. `samples` are those of one region, sorted
 * by features; `configurations` is how many of them differ (design.h), in what is `different`. */
void doubts_add(struct str *note, const struct sample *samples, size_t count, int configurations,
                const char *different);

/* Where they contradict each other so: by how much whole runs differ from the mean of those with
 * the same features (0.05 is 5 %), which no model in these features can be better than; else 0. */
double doubts_scatter(const struct sample *samples, size_t count, int run_count);

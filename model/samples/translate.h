/* SPDX-License-Identifier: Apache-2.0
 *
 * Samples of a bundle for another bundle of the same program, as far as the code that was timed is
 * the same: a later bundle, or one that was built with other compile-time constants.
 */
#pragma once

#include "model/samples/region.h"

enum sameness {
    SAME_CODE,   /* id, code and features are the same */
    SAME_FAMILY, /* all but the values of compile-time constants is */
};

bool regions_have_same_features(const struct region *one, const struct region *other,
                                enum sameness sameness);

/* For each region of `old` its number in `now`, -1 where there is none like it. `out` has room for
 * all of old's. Returns how many there are. */
int regions_map(int *out, const struct regions *old, const struct regions *now,
                enum sameness sameness);

/* Writes the file anew under another bundle's id, with the samples of regions that have a number in
 * `map`; *out_count of them. Where there is none, no file is written. */
int samples_translate(size_t *out_count, const char *to, const char *from,
                      const struct regions *old, const struct regions *now, const int *map,
                      struct error *error);

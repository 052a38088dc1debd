/* SPDX-License-Identifier: Apache-2.0
 *
 * Samples of a bundle for a later bundle of the same program, as far as the code that was timed is
 * still the same.
 */
#ifndef MODEL_TRANSLATE_H
#define MODEL_TRANSLATE_H

#include "model/region.h"

/* For each region of `old` its number in `now`, -1 where id, code or features differ. `out` has
 * room for all of old's. Returns how many there are. */
int regions_map(int *out, const struct regions *old, const struct regions *now);

/* Writes the file anew under another bundle's id, with the samples of regions that have a number in
 * `map`; *out_count of them. Where there is none, no file is written. */
int samples_translate(size_t *out_count, const char *to, const char *from,
                      const struct regions *old, const struct regions *now, const int *map,
                      struct error *error);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Regions, runs and samples as JSON values: what regions.json, samples files and the files that
 * carry a machine from store to store have in common (docs/reference/store.md).
 *
 * Readers check everything that regions_read and samples_read promise, put texts and lists into the
 * arena, and give 0 or -1. Writers give a new value, the caller's (json_decref).
 */
#pragma once

#include "base/arena.h"
#include "base/json.h"
#include "model/samples/file_place.h"
#include "model/samples/region.h"
#include "model/samples/sample.h"

/* In region.c. The region has to have this index. */
int region_from_json(struct region *out, struct arena *arena, const json_t *value, int index,
                     const struct file_place *place, struct error *error);

/* In sample.c. A sample has to be of one of the regions and of a rank of the run. */
int run_from_json(struct run *out, struct arena *arena, const json_t *value,
                  const struct file_place *place, struct error *error);
int sample_from_json(struct sample *out, struct arena *arena, const json_t *value,
                     const struct regions *regions, const struct run *run,
                     const struct file_place *place, struct error *error);

json_t *region_to_json(const struct region *region);
json_t *run_to_json(const struct run *run);
json_t *sample_to_json(const struct sample *sample);

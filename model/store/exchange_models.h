/* SPDX-License-Identifier: Apache-2.0
 *
 * The models of a machine file; for exchange_*.c only.
 */
#pragma once

#include "base/arena.h"
#include "model/latency/latency.h"
#include "model/samples/samples_json.h"

/* A new value, the caller's (json_decref). */
json_t *model_to_json(const struct latency_model *model, const struct region *region,
                      enum statistic statistic);

/* Checked, from the arena; the lines have to be those of the model's region. */
int model_from_json(struct latency_model *out, enum statistic *statistic, struct arena *arena,
                    const json_t *value, const struct regions *regions,
                    const struct file_place *place, struct error *error);

/* SPDX-License-Identifier: Apache-2.0
 *
 * The noise of a machine in the store: what `mpiskel calibrate --noise` found, one per machine.
 */
#pragma once

#include "base/arena.h"
#include "base/json.h"
#include "model/samples/file_place.h"
#include "model/store/store.h"

struct stored_noise {
    const char *made; /* YYYY-MM-DD HH:MM, UTC */
    const char *host, *cpu;
    const char *description; /* the text that docs/reference/noise.md tells of */
};

/* Replaces the machine's; the machine is made if it is not there. */
int store_write_noise(struct store *store, const char *machine, const struct stored_noise *noise,
                      struct error *error);

/* *out is in the arena, or NULL: the machine has none, or there is no such machine. */
int store_read_noise(const struct stored_noise **out, struct arena *arena, struct store *store,
                     const char *machine, struct error *error);

/* As regions and runs have them in model/samples/samples_json.h. */
int noise_from_json(struct stored_noise *out, struct arena *arena, const json_t *value,
                    const struct file_place *place, struct error *error);
json_t *noise_to_json(const struct stored_noise *noise);

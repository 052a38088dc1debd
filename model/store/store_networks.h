/* SPDX-License-Identifier: Apache-2.0
 *
 * The network of a machine in the store: what `mpiskel calibrate --network` found, one per machine.
 */
#pragma once

#include "base/arena.h"
#include "base/json.h"
#include "model/samples/file_place.h"
#include "model/store/store.h"

struct stored_network {
    const char *made; /* YYYY-MM-DD HH:MM, UTC */
    const char *host, *cpu, *launcher;
    const char *description; /* the text of a network description */
    double error, worst;     /* relative: median and largest of its own round trips */
};

/* Replaces the machine's; the machine is made if it is not there. */
int store_write_network(struct store *store, const char *machine,
                        const struct stored_network *network, struct error *error);

/* *out is in the arena, or NULL: the machine has none, or there is no such machine. */
int store_read_network(const struct stored_network **out, struct arena *arena, struct store *store,
                       const char *machine, struct error *error);

/* As regions and runs have them in model/samples/samples_json.h. */
int network_from_json(struct stored_network *out, struct arena *arena, const json_t *value,
                      const struct file_place *place, struct error *error);
json_t *network_to_json(const struct stored_network *network);

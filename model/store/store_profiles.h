/* SPDX-License-Identifier: Apache-2.0
 *
 * The profile of a machine in the store, as JSON (docs/reference/profile.md): what `mpiskel
 * calibrate --profile` found or took over, one per machine.
 */
#pragma once

#include "base/arena.h"
#include "model/store/store.h"

/* Replaces the machine's; the machine is made if it is not there. */
int store_write_profile(struct store *store, const char *machine, const char *description,
                        struct error *error);

/* *out is in the arena, or NULL: the machine has none, or there is no such machine. */
int store_read_profile(const char **out, struct arena *arena, struct store *store,
                       const char *machine, struct error *error);

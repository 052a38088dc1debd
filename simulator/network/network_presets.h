/* SPDX-License-Identifier: Apache-2.0
 *
 * Networks that have a name: real machines, `ideal`, and one example of each topology. Each is a
 * description in the text form that files have, with its sources as comments;
 * docs/reference/network.md tells what of it is a fact and what is an assumption.
 */
#pragma once

#include "simulator/network/network.h"

struct network_preset {
    const char *name, *summary, *text; /* a NULL name ends the table */
};

const struct network_preset *network_presets(void);

/* NULL: there is none of that name. */
const struct network_preset *network_preset_find(const char *name);

/* What people call a network: a topology (with all else by default), a preset, or a file. */
int network_load(struct network *out, const char *name, struct arena *arena, struct error *error);

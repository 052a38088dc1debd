/* SPDX-License-Identifier: Apache-2.0
 *
 * `run --dump=network`: what a simulation would be told of the network, as text for people
 * (docs/reference/dump.md).
 */
#pragma once

#include "simulator/run/placement.h"

/* `placement` and `launch` are prepared. */
int run_dump_network(FILE *out, const struct placement *placement, const struct launch *launch,
                     struct arena *arena, struct error *error);

/* SPDX-License-Identifier: Apache-2.0
 *
 * Code for devices: what a device computes takes no time in a simulation, which has none.
 */
#pragma once

#include "frontend/commands/compile_commands.h"

struct program;

/* Warns if a command compiles for devices (-fopenmp-targets), which is left out. */
void check_device_options(const struct commands *commands, const struct link_command *link);

/* Notes once for each of CUDA and HIP where the program calls it first, and where it has an
 * OpenMP directive `target`. */
void check_devices_tell(struct program *program);

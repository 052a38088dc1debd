/* SPDX-License-Identifier: Apache-2.0
 *
 * The options of a struct placement_options: ranks, network, hosts.
 */
#pragma once

#include "cli/common/command_option.h"
#include "simulator/run/placement.h"

extern const struct command_options placement_options;

/* A row of a command's table. */
#define PLACEMENT_OPTIONS(member)                                                                  \
    OPTION_SET("Ranks and platform:", &placement_options, struct placement_options, member)

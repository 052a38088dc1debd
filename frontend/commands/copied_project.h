/* SPDX-License-Identifier: Apache-2.0
 *
 * A project that was copied with its compile database, which goes on naming the sources of the
 * first one.
 */
#pragma once

#include "frontend/commands/compile_commands.h"

/* -1: the database lies beside other files of the same names as those that it names. */
int copied_project_check(struct commands *commands, struct error *error);

/* SPDX-License-Identifier: Apache-2.0
 *
 * A project that was copied with its compile database, which goes on naming the sources of the
 * first one.
 */
#ifndef FRONTEND_COMMANDS_COPIED_PROJECT_H
#define FRONTEND_COMMANDS_COPIED_PROJECT_H

#include "frontend/commands/compile_commands.h"

/* -1: the database lies beside other files of the same names as those that it names. */
int copied_project_check(struct commands *commands, struct error *error);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Sources and headers that a build removed or replaced after it had compiled them.
 *
 * In: the commands of a build that has ended. Out: what the programs that are still there were made
 * of lies where it was; commands whose sources went with all that came of them, as those of a
 * configure script's tests, are left out. A command that read another version of a file than a
 * later one did has it as "overwritten": nothing can be made of that command.
 */
#pragma once

#include "cli/capture/databases.h"

/* Takes "read" out of the compile commands. *out_changed: a file that is another one than it was
 * when it was compiled, in all commands alike; NULL: there is none. */
int restore_sources(const char **out_changed, struct databases *databases, struct error *error);

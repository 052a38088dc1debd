/* SPDX-License-Identifier: Apache-2.0
 *
 * C sources that a command compiles without naming them: what comes from standard input, and what
 * a preprocessed file was made of. The command is changed so that it names them; what is recorded
 * of it then is like any other compilation.
 */
#pragma once

#include "cli/capture/build_command.h"

/* The log has the preprocessor's calls. Standard input becomes that of a file, *written, which is
 * to be removed when the command has ended; NULL: there is none. Where it is not sure of what a
 * preprocessed file was made, that is told, and the command stays. */
void unnamed_sources_find(const char **written, struct arena *arena, struct build_command *command,
                          const char *log);

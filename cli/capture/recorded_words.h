/* SPDX-License-Identifier: Apache-2.0
 *
 * A command as it would be without the environment of the build, which generate does not have: what
 * the environment says to MPI's wrapper and to the compiler stands among the words, the compiler is
 * called by its path where the PATH of capture leads to another one. The rest, which no option
 * says, comes as NAME=value.
 */
#ifndef CLI_CAPTURE_RECORDED_WORDS_H
#define CLI_CAPTURE_RECORDED_WORDS_H

#include "base/json.h"
#include "cli/capture/build_command.h"

/* `scratch`: a file that does not exist yet. */
void recorded_words_take(struct build_command *command, struct arena *arena, const char *scratch);
/* A new list of texts. */
json_t *recorded_environment(void);

#endif

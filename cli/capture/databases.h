/* SPDX-License-Identifier: Apache-2.0
 *
 * From the log of a build to its compile and link commands.
 *
 * In: what stand-ins recorded (capture.h). Out: compiles and links as lists for
 * compile_commands.json and link_commands.json. Links name what they took by the outputs of the
 * commands that made it, whatever happened to the files in between: an object that was moved,
 * copied, packed into an archive or stripped is told by its contents.
 */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "base/json.h"
#include "cli/capture/provenance.h"

struct databases {
    struct arena arena;
    const char *log;
    json_t *compiles, *links;
    struct provenance provenance;
    const char *changed; /* an object that was changed before it was linked; NULL: there is none */
};

/* Reads the log; one that is not there has no commands. To be disposed in any case. */
int databases_read(struct databases *out, const char *log, struct error *error);
void databases_dispose(struct databases *databases);

/* What a command makes, as an absolute path from the arena. */
const char *databases_output(struct arena *arena, const json_t *command);
/* What word k of a link command names: what was made, or a path; NULL: an option. From the arena.
 */
const char *databases_input(struct arena *arena, const json_t *link, size_t k);

bool databases_has_output(struct arena *arena, const json_t *commands, const char *path);

/* SPDX-License-Identifier: Apache-2.0
 *
 * One command of a build: what it compiles, links or changes, as its words tell.
 *
 * Words come as they count: without a launcher in front (ccache, distcc), and with what response
 * files hold in their place.
 */
#pragma once

#include "base/arena.h"
#include "base/file.h"

#include <stdbool.h>

struct build_command {
    const char *directory; /* absolute */
    path_list words;       /* the program is the first one */
    path_list sources;     /* in C, as they were written */
    path_list files;       /* other words that name files, as they were written, and -lNAME */
    const char *output;    /* as it was written; NULL: none is named */
    bool compiles_only;    /* -c, -S */
    bool preprocesses;     /* nothing is made of C that could be linked */
    bool copies;           /* strip, objcopy: what comes out is what went in, but for its size */
};

/* The words live in the arena. No words come out: a launcher that launches no compiler. */
void build_command_read(struct build_command *out, struct arena *arena, const char *directory,
                        int argc, char *const *argv);
/* After `words` and `directory` were set. */
void build_command_classify(struct build_command *command);
void build_command_dispose(struct build_command *command);

/* The object that comes of source k: a path, or where it is compiled and linked in one go, a name
 * in place of one. From the arena. */
const char *build_command_object(struct arena *arena, const struct build_command *command,
                                 size_t k);

/* What the command makes of objects or assembly, as it was written or as it is called if nothing
 * was. */
const char *build_command_target(struct arena *arena, const struct build_command *command);

/* The files that the command makes or changes, as absolute paths in the arena; to be disposed. */
path_list build_command_outputs(struct arena *arena, const struct build_command *command);

/* The file that a word names, absolute: a path, or a library that -lNAME finds in the directories
 * that the command gives; NULL: it is not there. */
const char *build_command_file(struct arena *arena, const struct build_command *command,
                               const char *word);

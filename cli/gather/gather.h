/* SPDX-License-Identifier: Apache-2.0
 *
 * A case: a folder, packed as an archive, from which a bundle can be made again elsewhere
 * (docs/reference/case.md).
 *
 *     gather.json   of which mpiskel, of which bundle, and the command of generate
 *     tree/         the project's files that are needed, and the databases, in their folders
 *     bundle/       samples, store, and what the bundle was
 *
 * In place of the path of the project's root, its texts have GATHER_ROOT.
 */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"

#define GATHER_FORMAT "mpiskel-gather"
#define GATHER_ROOT "@ROOT@"

struct gather_options {
    const char *bundle; /* or, to replay, the archive */
    const char *output;
    bool is_anonymous, is_replay;
};

/* Packs the bundle's case; with `is_anonymous` without what names this machine and its user. */
int gather_pack(struct arena *arena, const struct gather_options *options, struct error *error);

/* Unpacks it, generates the bundle again, and prints whether it is the same. */
int gather_replay(struct arena *arena, const struct gather_options *options, struct error *error);

/* What `mpiskel --version` prints, from the arena. */
const char *gather_version(struct arena *arena);

/* The file with each path below `from` put below `to`, into the other file. */
int gather_rewrite(struct arena *arena, const char *out, const char *in, const char *from,
                   const char *to, struct error *error);

/* Runs the program; another exit code than 0 is an error with the last line that it printed. */
int gather_run(struct arena *arena, const char *const words[], const char *directory,
               struct error *error);

/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a bundle is written: a temporary directory, which takes the place of an older bundle once
 * it is whole; and the skeleton in it.
 */
#pragma once

#include "base/arena.h"
#include "base/error.h"

#define SYNTH_MODEL_FILE "synthesis.txt"
#define SYNTH_REPLAY_FILE "recorded.txt" /* of a run as it was recorded */

struct bundle_place {
    struct arena arena;
    const char *target, *directory; /* in the end, and until then */
};

/* 0, or -1: what is there is nothing that synthesize wrote. To be ended in either case. */
int bundle_place_begin(struct bundle_place *out, const char *directory, struct error *error);
/* `result` 0: the files are complete. Gives it, or -1 if they cannot take their place. */
int bundle_place_end(struct bundle_place *place, int result, struct error *error);

/* Links the interpreter with the text in a file of the directory. `id`: the bundle's. */
int bundle_place_link(struct bundle_place *place, const char *id, const char *text_file,
                      struct error *error);

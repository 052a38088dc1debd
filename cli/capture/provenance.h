/* SPDX-License-Identifier: Apache-2.0
 *
 * Which command of a build made what another one takes.
 *
 * In: what commands made, in the order in which they ended. Out: names, one for each thing that was
 * made: its path; another one, if the build made something else of that path that is used, too.
 */
#pragma once

#include "base/arena.h"
#include "base/vec.h"

#include <stdbool.h>

struct build_product {
    const char *path;     /* absolute: where it was made */
    const char *contents; /* as they came out; NULL: there was no file */
    const char *name;     /* absolute; unlike those of all others */
    bool is_used;         /* something was made of it */
};

struct provenance {
    struct arena arena;
    VEC(struct build_product) items;
};

void provenance_dispose(struct provenance *provenance);

/* The name of what was made. *out_replaces: it takes the place of what was made there before, which
 * nothing was made of. */
const char *provenance_add(struct provenance *provenance, const char *path, const char *contents,
                           bool *out_replaces);

/* The same under other contents: what strip makes of it. */
void provenance_alias(struct provenance *provenance, const char *path, const char *contents,
                      const char *name);

/* What has these contents; of several the one that was made at `path`, else one of that file's
 * name, else the last one. The name, or NULL. It counts as used. */
const char *provenance_find(struct provenance *provenance, const char *path, const char *contents);

/* What was made last at `path`, whatever it holds now, or NULL. It counts as used. */
const char *provenance_made_at(struct provenance *provenance, const char *path);

/* SPDX-License-Identifier: Apache-2.0
 *
 * Hints: what the user knows about an application and its source does not tell (docs/formats.md,
 * "Hints"). A file beside the application, so that nothing in the application is edited.
 */
#ifndef SKELETONIZER_HINTS_H
#define SKELETONIZER_HINTS_H

#include "skeletonizer/slice.h"

/* keep FILE:LINE */
struct hint_keep {
    const char *file;
    int at; /* the line in it */
    int line, column;
};

/* A zeroed structure is empty and valid. */
struct hints {
    struct arena arena;
    const char *path;
    VEC(struct hint_keep) keeps;
};

/* Reads the file; its `extern` rows are added to `externs`. */
int hints_read(struct hints *out, struct externs *externs, const char *path, struct error *error);

/* Demands what the hints keep. -1: a hint does not fit the program. */
int hints_apply(const struct hints *hints, struct slice *slice, struct error *error);

void hints_dispose(struct hints *hints);

#endif

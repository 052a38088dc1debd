/* SPDX-License-Identifier: Apache-2.0
 *
 * Hints: what the user knows about an application and its source does not tell
 * (docs/reference/hints.md, "Hints"). A file beside the application, so that nothing in the
 * application is edited.
 */
#pragma once

#include "skeletonizer/cut/cut.h"

struct hint_place {
    const char *file;
    int at;           /* the line in it */
    int line, column; /* of the hint */
    bool adds;        /* of a keep: something stays for it (hints_apply) */
    bool no_pin;      /* of a keep: nothing else is given for it (hints_idle.c) */
};

typedef VEC(struct hint_place) hint_places;

/* value FILE:LINE TARGET = uniform(LOW, HIGH) by KEY, ...; `= VALUE` is drawn between it and
 * itself. */
struct hint_value {
    struct hint_place place;
    const char *target, *text, *low, *high, *keys;
};

/* A zeroed structure is empty and valid. */
struct hints {
    struct arena arena;
    const char *path;
    hint_places keeps, cuts;
    VEC(struct hint_value) values;
};

/* Reads the file; its `extern` rows are added to `externs`. */
int hints_read(struct hints *out, struct externs *externs, const char *path, struct error *error);

/* -1: a hint does not fit the program, as far as its text tells. */
int hints_check(const struct hints *hints, struct program *program, struct error *error);

/* Demands what the hints keep, of checked hints. -1: it is never called. */
int hints_apply(struct hints *hints, struct slice *slice, struct error *error);

/* What the cut has to pass by and what it should take, in the program's arena. -1: as above. */
int hints_wishes(struct cut_wishes *out, const struct hints *hints, const struct slice *slice,
                 struct error *error);

/* By node: what no keep hint lets be given, but for those with no_pin; in the program's arena. */
int hints_pinned(bool **out, const struct hints *hints, const struct slice *slice,
                 struct error *error);

/* Statements with a number or decision at the place that could be given; for the caller to dispose.
 */
int hints_values(node_list *out, const struct hints *hints, const struct hint_place *place,
                 const struct slice *slice, struct error *error);

/* Statements that begin at the place, with all that they hold; for the caller to dispose. */
int hints_nodes(node_list *out, const struct hints *hints, const struct hint_place *place,
                const struct slice *slice, struct error *error);

void hints_dispose(struct hints *hints);

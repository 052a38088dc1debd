/* SPDX-License-Identifier: Apache-2.0
 *
 * Generating where nothing has changed: what an older bundle's analysis made and printed is what
 * this one would make and print, and is taken over.
 */
#pragma once

#include "base/error.h"
#include "base/file.h"
#include "base/str.h"

#include <stdbool.h>
#include <stdio.h>

struct generation;

struct unchanged {
    unsigned long long key; /* of all that the analysis goes by */
    struct str prints;      /* what the analysis prints on stderr */
    FILE *alone;            /* stderr, while it is listened to */
    bool is;                /* the older bundle's analysis is taken over: */
    path_list files;        /* what it wrote */
    unsigned programs;      /* which ones were built, by bits */
};

/* Behind all that is read: whether an older bundle was made of the same, and its files are as they
 * were written. Then g->summary is that of its analysis,
 * and what that printed is printed. */
void unchanged_find(struct generation *g);

/* Puts its files into the new bundle's directory, and builds the programs that were built. */
int unchanged_take(struct generation *g, struct error *error);

/* What is printed on stderr between these is kept. */
void unchanged_listen(struct generation *g);
void unchanged_listen_end(struct generation *g);

/* Keeps in the new bundle's cache what unchanged_find looks for; the directory has all files. */
int unchanged_keep(struct generation *g, struct error *error);

/* SPDX-License-Identifier: Apache-2.0
 *
 * The loops of a bundle (loops.json, docs/reference/regions.md), and which of them a user means.
 *
 * In: the file that generate writes. Out: struct loop_list in an arena of its own. Anything missing
 * or of a wrong type is an error that names the file.
 */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "simulator/run/bundle.h"

struct loop_info {
    int number;
    const char *file, *function, *kind, *variable;
    int line, column, exit_line; /* exit_line 0: it ends by its condition only */
    bool stays, talks, outermost;
    bool given;  /* a given value says how often it iterates */
    bool is_old; /* generated before it was known which loops these are */
    bool single; /* its condition has no other part than what tells how many iterations are left */
    const char *left; /* how many iterations are left, as C; "": not known, or it does not stay */
    const char *no_longer; /* why it must not become longer; "": it may */
    const char *obstacle;  /* why it cannot be set; "": it can */
    int *regions, *together;
    struct call_place {
        const char *file;
        int line;
    } *calls; /* of an outermost one: MPI calls in it */
    size_t call_count;
    size_t region_count, together_count;
};

struct loop_list {
    struct arena arena;
    struct loop_info *items; /* by place */
    size_t count;
};

int loops_read(struct loop_list *out, const struct bundle *bundle, struct error *error);
void loops_dispose(struct loop_list *loops);

/* The loop of this number, or NULL. */
const struct loop_info *loops_of_number(const struct loop_list *loops, int number);

/* The one loop that FILE:LINE, FILE:LINE:COLUMN or FILE:LINE:VARIABLE names, or NULL: the error
 * lists the nearest ones. FILE is the end of a path. */
const struct loop_info *loops_find(const struct loop_list *loops, const char *name,
                                   struct error *error);

/* Whether the simulation knows how often it will iterate, at the latest in its second iteration. */
bool loops_tells_trips(const struct loop_info *loop, struct arena *arena);

/* Why it may end before its iterations have been made; NULL: it does not, or does not tell. */
const char *loops_ends_sooner(const struct loop_info *loop, struct arena *arena);

/* "solver.c:45", or with the column where a line has several loops. */
const char *loops_label(const struct loop_list *loops, const struct loop_info *loop,
                        struct arena *arena);

/* The path ends in the name, at a slash. */
bool loops_is_file(const char *path, const char *name, size_t length);

/* SPDX-License-Identifier: Apache-2.0
 *
 * How often each line of the program was executed, in one run that somebody made: all ranks
 * together.
 */
#pragma once

#include "frontend/program/program.h"

#include "base/error.h"

/* Executions of the lines of one file; -1: nothing is known about the line. */
struct line_counts {
    long long *of_line; /* [1 .. line_count] */
    int line_count;
};

/* A zeroed structure knows nothing. */
struct counts {
    struct arena arena;
    const struct program *program;
    VEC(struct line_counts) files; /* as in program.files */
    bool known;
    const char *command; /* what was run */
};

void counts_dispose(struct counts *counts);

/* Adds what `gcov --json-format --stdout` printed about one unit, which was compiled in
 * `directory`. */
int counts_add_gcov(struct counts *counts, struct program *program, const char *text,
                    const char *directory, struct error *error);

/* The same for what `llvm-cov gcov --stdout` listed. */
void counts_add_listing(struct counts *counts, struct program *program, const char *text,
                        const char *directory);

/* counts.json of a bundle. Reading takes only functions whose text is still the same, and knows
 * nothing if the file is not there. */
int counts_write(const struct counts *counts, const char *path, struct error *error);
int counts_read(struct counts *counts, struct program *program, const char *path,
                struct error *error);

/* Executions of the node; -1: not known. */
long long counts_of(const struct counts *counts, const struct node *node);

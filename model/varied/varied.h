/* SPDX-License-Identifier: Apache-2.0
 *
 * What varied in the profiling runs: `varied.json` of a bundle (docs/reference/model.md), which
 * `fit` writes beside model.bsim.
 *
 * In: samples. Out: the configurations that were profiled, each once, as numbers of ranks and
 * arguments by name (model/eval/program_numbers.h); and of each given value the names that were
 * shown to change nothing: in two pairs of runs or more they were all that differed, and the value
 * was the same.
 *
 * Not handled: what a program reads from files, standard input or its environment.
 */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "model/samples/region.h"
#include "model/samples/sample.h"
#include "model/samples/vary.h"

#include <stddef.h>

#define VARIED_FILE "varied.json"
#define VARIED_RANKS "the number of ranks" /* its name beside those of arguments */

struct varied_word {
    const char *name, *text; /* "-t", "1e-8"; an option without a value: "" */
    double number;           /* NAN: a text */
    size_t word;             /* of the arguments; of the ranks: SIZE_MAX */
};

struct varied_run {
    size_t ranks;
    struct words words;
    struct varied_word *items; /* by name, the ranks first */
    size_t count;
};

struct varied_value {
    int region;
    const char *const *unaffected; /* by these names */
    size_t count;
};

/* A zeroed structure is one of no run. */
struct varied {
    struct arena arena;
    struct varied_run *runs;
    size_t run_count;
    struct varied_value *values; /* those that runs came to */
    size_t value_count;
};

void varied_make(struct varied *out, const struct samples *samples, const struct regions *regions);

/* Of the bundle in that directory. No file: no run; -1: it is damaged, and there is nothing to
 * dispose. */
int varied_read(struct varied *out, const char *directory, struct error *error);
int varied_write(const struct varied *varied, const char *directory, struct error *error);
void varied_dispose(struct varied *varied);

/* The arguments by name; the words are borrowed. */
void varied_run_make(struct varied_run *out, struct arena *arena, size_t ranks, struct words words);

/* NULL: it has none of that name. */
const struct varied_word *varied_word_find(const struct varied_run *run, const char *name);

/* As numbers or as texts; NULL, of none, is equal to none. */
bool varied_word_equal(const struct varied_word *one, const struct varied_word *other);

/* SPDX-License-Identifier: Apache-2.0
 *
 * What profiled runs cannot tell of a prediction: arguments that are others than in all of them.
 *
 * In: what varied (varied.h), and the ranks and arguments of the prediction. Out: a list of what
 * no run shows the effect of on given values: a number that never varied and is another one here;
 * a text, or an option, that no run had; one that all runs had and that is left out here; two
 * numbers that varied only together and are another pair here; and, of how often loops iterate,
 * another number of ranks than the one that all runs had.
 *
 * Two numbers varied together if each number of one came with one number of the other, in the same
 * order or the opposite one. A pair that goes on as the others do, by a power or a line, is known:
 * weak scaling is predicted by weak scaling. Not handled: three that varied only together, and what
 * a program reads.
 */
#pragma once

#include "base/str.h"
#include "model/varied/varied.h"

struct not_known {
    const char *names; /* "-t", or "-n and -t" */
    const char *text;  /* "-t is 1e-2 here and was 1e-8 in all profiled runs" */
    const struct region
        *value;         /* given, and may go by it: how often a loop iterates, if that may */
    bool is_waited_for; /* then: ranks wait for each other in a loop that may go by it */
};

/* A zeroed list is empty; texts are in the arena that was given. */
struct not_known_list {
    struct not_known *items;
    size_t count;
    struct varied_run *runs; /* that would tell: these arguments with sizes that were profiled, */
    size_t run_count;        /* the nearest first; at least one if something is unknown */
};

#define NOT_KNOWN_RUNS 3 /* that are proposed: two show that it changes, a third one how */

struct not_known_question {
    const struct varied *varied;
    const struct regions *regions;
    const bool *is_set; /* by region: the user has said what the value is; NULL: none */
    size_t ranks;       /* 0: any */
    struct words words;
};

void not_known_find(struct not_known_list *out, struct arena *arena,
                    const struct not_known_question *question);

/* "-t, -c". */
void not_known_add_names(struct str *out, const struct not_known_list *list);

/* Each, and the values that may go by them. */
void not_known_add_text(struct str *out, const struct not_known_list *list);

bool not_known_is_waited_for(const struct not_known_list *list);

/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether a skeleton with its models communicates as profiled runs did: what `fit` has checked
 * (simulator/guard), kept in `verdict.json` of the bundle (docs/reference/model.md), and the one
 * line that every report has of it.
 */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"
#include "base/vec.h"

#include <stdbool.h>

#define VERDICT_FILE "verdict.json"

enum check_kind {
    CHECK_OWN_RUN,       /* with models of all runs */
    CHECK_WITHOUT_SIZE,  /* with given values of all runs but those with the same arguments */
    CHECK_WITHOUT_RANKS, /* but those on as many ranks */
    CHECK_KINDS
};

enum check_result {
    CHECK_RIGHT,
    CHECK_WRONG,
    CHECK_NOT_MADE,
    CHECK_UNCERTAIN, /* off, by how often loops iterate, which is known of sizes that were profiled
                      */
    CHECK_RESULTS
};

/* The sums that differ most, in percent of the profiled run's, and which: "calls", "messages" and
 * others; 0 and "" where nothing differs. At most VERDICT_PERCENT_MAX. */
struct check_difference {
    double percent;
    const char *what;
};

/* One configuration, simulated and compared with the profiled run. */
struct verdict_check {
    enum check_kind kind;
    enum check_result result;
    int ranks;
    const char *arguments;                /* a JSON array of texts */
    struct check_difference all, of_rank; /* of all ranks together; of the one that differs most, */
    int rank;                             /* this one (simulator/guard/call_sums.h) */
    double allowed_percent;               /* of both */
    const char *why; /* of one that did not end, or was not made; "": it ended */
};

#define VERDICT_PERCENT_MAX 1e6

/* A given value by which the calls differ. */
struct verdict_blame {
    const char *file, *function, *text; /* as regions.json has them */
    int line;
};

enum verdict_state {
    VERDICT_NONE,      /* no fit has checked these models */
    VERDICT_CHANGED,   /* model.bsim is not the one that was checked */
    VERDICT_RIGHT,     /* nothing that was checked is wrong */
    VERDICT_WRONG,     /* not to be simulated */
    VERDICT_UNCHECKED, /* nothing could be checked */
    VERDICT_NOT_KNOWN, /* of a prediction whose arguments no run has shown; never in a file */
    VERDICT_STATES
};

/* A zeroed structure is one of no fit; texts are in the arena. */
struct verdict {
    struct arena arena;
    enum verdict_state state; /* of a file: as read */
    bool is_exact;            /* nothing that communication goes by is given */
    const char *model;        /* hash of the model.bsim that was checked */
    /* Why nothing was checked, or no size was left out, and what to do; why no value is to blame
     * where the calls are wrong; "". */
    const char *why;
    const char *why_no_ranks; /* likewise where the largest number of ranks was not left out */
    const char *not_known;    /* arguments of this prediction, "-t, -c"; NULL: there are none */
    const char *profiled;     /* then: what the line says of profiled ones */
    VEC(struct verdict_check) checks;
    VEC(struct verdict_blame) blame;
};

/* Copies the texts. Sets the state by all checks so far. */
void verdict_add(struct verdict *verdict, const struct verdict_check *check);
void verdict_add_blame(struct verdict *verdict, const struct verdict_blame *blame);
/* Those that are wrong are uncertain: no own run is among them. */
void verdict_make_uncertain(struct verdict *verdict);

/* "calls as in 9 of 9 profiled runs; sizes left out: within 0.4 %". */
void verdict_add_text(struct str *out, const struct verdict *verdict);

/* The check that differs most among those with this result; NULL: there is none. */
const struct verdict_check *verdict_worst(const struct verdict *verdict, enum check_result result);

/* "calls 14 % off on 4 ranks with `96 50`" or why it did not end, added to *out. */
void verdict_add_check_text(struct str *out, const struct verdict_check *check);

/* What is right in profiled runs is not known to be right with these arguments (model/varied). */
void verdict_set_not_known(struct verdict *verdict, const char *names);

/* "none", "changed", "right", "wrong", "unchecked", "not known". */
const char *verdict_state_name(enum verdict_state state);
const char *check_kind_name(enum check_kind kind);
const char *check_result_name(enum check_result result);

/* Of the bundle in that directory. No file: VERDICT_NONE; -1: it is damaged, and there is nothing
 * to dispose. */
int verdict_read(struct verdict *out, const char *directory, struct error *error);
int verdict_write(const struct verdict *verdict, const char *directory, struct error *error);

/* What `model` of a verdict is, of that file; "": it cannot be read. From the arena. */
const char *verdict_hash(struct arena *arena, const char *model_file);

void verdict_dispose(struct verdict *verdict);

/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of the skeleton's runtime know of loops: how often those that `mpiskel run --set`
 * names are to iterate (loop_hooks.c), and which are left early and extrapolated (iterations.c).
 */
#pragma once

#include "model/eval/arithmetic.h"
#include "runtime/smpi/runtime.h"

#define BSIM__MOST_FEATURES 64

struct bsim__mark { /* when an iteration began */
    double time_s, compute_s, calls;
    double early_s; /* so far: what was slower than late iterations are; not in the others */
};

/* A loop that a rank has entered. */
struct bsim__loop {
    bool left_early;     /* by a change, not by its condition */
    bool entered, fresh; /* fresh: its condition was not evaluated yet */
    double done;         /* iterations */
    double total;        /* as its bounds tell, or a given value; -1: they do not */
    bool is_told_late;   /* by a given value, once the condition was evaluated */
    double wanted;       /* -1: as often as its condition says */
    uint64_t entries;    /* so far */
    struct bsim__mark *marks;
    size_t mark_count, mark_capacity;
    struct bsim__totals noted; /* of sites, when they were noted */
    double noted_at;           /* iterations */
    double early_s; /* of its time: what its first iterations were slower than late ones */
    double begun_s; /* by the machine's clock */
};

/* What a loop or a feature is changed to, and what came of it. */
struct bsim__change {
    const char *label;     /* "solver.c:46" */
    const char *no_longer; /* why it must not iterate oftener; NULL: it may */
    int region, feature;   /* of a feature; else -1 */
    struct bsim_arithmetic to;
    uint64_t times;
    double least, most, to_least, to_most;
    double made; /* most iterations that one entry of a loop that stays has made */
};

struct bsim__decision { /* about one entry of a loop, made by the rank that gets there first */
    double next;        /* iterations after which it is decided again; 0: not entered yet */
    double leave;       /* after so many iterations; 0: not decided yet */
    double total;
    /* Of the rank whose computation has been slowed most by being new: an iteration, which part of
     * it late ones take, and how much it was slower. */
    double each_s, late, early_s;
};

struct bsim__candidate {
    int loop;
    struct bsim__decision *decisions; /* by entry */
    size_t decision_count;
    const char *label;
};

struct bsim__iterations {
    double first;       /* iterations after which it is decided; 0: nothing is extrapolated */
    double given_total; /* 0: the loop's own */
    double shortest_s;  /* of this machine's time: loops that take less are simulated in full */
    bool named;         /* by the user; else the first candidate that is worth it */
    int chosen;         /* candidate; -1: none so far */
    struct bsim__candidate *candidates;
    int candidate_count;
    /* What came of it: */
    uint64_t times;    /* ranks and entries that were extrapolated */
    uint64_t unsteady; /* of them those whose own iterations are not steady */
    double simulated, total_least, total_most;
    double more_s, off_s; /* of the rank where it is most, all its entries together */
    int start, period;
    bool unknown_total; /* some loop was not left since it does not tell its trips */
};

struct bsim__changes {
    struct bsim__change *of;
    int count;
    struct bsim__change **by_loop; /* NULL: not changed */
    int loop_count;
    struct bsim__iterations iterations;
};

/* Read from the environment at the first call. Never NULL. */
struct bsim__changes *bsim__changes(void);

/* The features that the model is asked for instead. */
struct bsim_stub;
const double *bsim__changed_features(double out[BSIM__MOST_FEATURES], const struct bsim_stub *stub);

/* True: the loop is left now, and the time of its further iterations has been charged. */
bool bsim__iterations_leave(struct bsim__rank *rank, struct bsim__loop *state, int loop);
/* Candidate of this number; NULL: the loop is none. */
struct bsim__candidate *bsim__iterations_candidate(int loop);
/* The rank leaves a loop that a given value counts (values_model.c). Weak: originals have no given
 * values, and are linked without these. */
__attribute__((weak)) void bsim__leave_trips(struct bsim__rank *rank, int region);
void bsim__iterations_read(struct bsim__iterations *out, const char *text);
void bsim__iterations_write(FILE *out, const struct bsim__iterations *iterations);

/* Stubs (stub.c): notes what they have counted; and adds `factor` times what came since. */
void bsim__note_stubs(void);
void bsim__extend_stubs(double factor);
/* Models with a ratio know that the first executions are slower: by how many seconds what was
 * executed since the last call is so; and by how many each of so many further iterations will be,
 * on average (the stubs were noted `noted_ago` iterations ago). */
double bsim__early_stubs_s(void);
double bsim__later_stubs_s(double noted_ago, double more);

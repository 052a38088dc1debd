/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of the profiling runtime share. It lives inside other people's programs under any
 * MPI: it never exits, prints nothing on stdout, and when something fails it says so once on
 * stderr, stops measuring and lets the program go on. Only the main thread
 * measures.
 */
#pragma once

#include "runtime/common/counted_clock.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

/* The same number so many times in a row. */
struct bsim__repeat {
    double number;
    uint64_t times;
};

/* The first numbers that a value had, in the order in which the rank computed them. */
struct bsim__sequence {
    size_t count, capacity;
    struct bsim__repeat *items;
};

/* Executions that were timed, by where in the run they happened (model/eval/context.h). */
struct bsim__timed_context {
    int execution, unchanged; /* buckets */
    int before;
    uint64_t timed;
    double seconds;
};

struct bsim__contexts {
    size_t count, capacity, last; /* `last` was used last */
    struct bsim__timed_context *items;
};

/* All executions of one region with one vector of features. */
struct bsim__sample {
    int region, feature_count;
    uint64_t count, timed, disturbed; /* `disturbed`: of the timed ones; then there are no others */
    double seconds, squares, min_s, max_s;
    double waited_s; /* of the seconds, for caches and memory: a counted clock's */
    double counted[BSIM_COUNTED_MOST]; /* what the timed ones executed */
    struct bsim__sequence *sequence;   /* of a value; NULL: a latency */
    struct bsim__contexts contexts;    /* of a latency */
    struct bsim__sample *next_in_order;
    double features[];
};

/* Samples by region and features: a hash table (open addressing) and a list in order of creation.
 */
struct bsim__samples {
    struct bsim__sample **slots;
    size_t capacity, count;
    struct bsim__sample *first, *last;
    int *per_region; /* distinct vectors so far */
    int region_capacity;
};

/* NULL: out of memory. values[0] is the region, the features follow. */
struct bsim__sample *bsim__sample_find(struct bsim__samples *samples, const double *values,
                                       int value_count);

struct bsim__profile {
    bool on;
    int rank, size;
    bool without_regions; /* only the time of the run is measured */
    clockid_t clock;
    const char *counted; /* the clock that counts (runtime/common/counted_clock.h); NULL: none */
    double overhead_s;
    double start_s, elapsed_s; /* end of MPI_Init; until MPI_Finalize, on rank 0: the longest */
    double reference_s;        /* of the slowest rank; 0: not gathered */
    char run[64];              /* names the file, the same on all ranks */
    struct bsim__samples samples;
    void (*finish_operations)(void); /* of devices, before samples are gathered; NULL: there were
                                        none (profile_operations.c) */
};

extern struct bsim__profile bsim__profile;

/* Adds one measured number, seconds or a value, to the sums. */
void bsim__sample_add(struct bsim__sample *sample, double number);

/* Writes ,"sequence":[...] if the sample has one. */
void bsim__sequence_write(FILE *out, const struct bsim__sequence *sequence);

/* Counts a timed execution in its context; what does not fit is left out. */
struct bsim_context;
void bsim__context_add(struct bsim__contexts *contexts, const struct bsim_context *context,
                       double seconds);
/* Writes ,"contexts":[...] if there are any. */
void bsim__contexts_write(FILE *out, const struct bsim__contexts *contexts);

/* Writes {"rank":R,"calls":[...]}: how often this rank communicated at each call site, and with how
 * many bytes (profile_counts.c). Returns the number of lines, 0 or 1. */
unsigned long bsim__calls_write(FILE *out);

/* True in the thread that measures. */
bool bsim__profile_measures(void);

/* True between the beginning and the end of an outermost region. */
bool bsim__region_is_open(void);

/* Before a message: a region that is open does not end here, so that it is not timed. */
void bsim__region_abandon(void);

/* Stops measuring, with one line on stderr. */
void bsim__profile_off(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* BSIM_CACHE=cold: evicts from the caches what other ranks would have, while this one has computed
 * for so many seconds, if an MPI call came since the last time. */
void bsim__cache_start(void);
void bsim__cache_computed(double seconds);
void bsim__cache_evict(void);
bool bsim__cache_is_cold(void);
/* An MPI call came. */
void bsim__cache_due(void);

/* One rank of a node computes at a time (profile_turns.c): collective, behind MPI_Init; before and
 * behind a region. */
void bsim__turns_start(void);
void bsim__turn_take(void);
void bsim__turn_leave(void);

/* Collective: gathers the samples of all ranks into one file, written by rank 0. */
void bsim__profile_gather(void);
/* This rank's samples alone, in a file of its own that is marked incomplete. */
void bsim__profile_write_alone(void);

/* SPDX-License-Identifier: Apache-2.0
 *
 * Which of the values that a skeleton takes as given differ from what the original computed in
 * their place, and by how much: where calls differ, this tells which model is to blame.
 *
 * In: both sides' files of given values (given.h) and the bundle's regions. Out: of each value that
 * differs how often it was asked for and its sum, of both sides, in all and of the rank where the
 * sums differ most, in percent of the original's; those that differ most come first. What differs
 * by less than GIVEN_AGREES percent on every rank, as often on both sides, agrees.
 */
#pragma once

#include "simulator/compare/given.h"
#include "simulator/compare/verify.h"

#define GIVEN_AGREES 0.005

struct given_sum {
    unsigned long long count;
    double sum;
};

struct given_row {
    int region;
    struct given_sum of[SIDE_COUNT];
    double percent, rank_percent; /* INFINITY: from 0, or no number */
    size_t rank;                  /* that differs most, if rank_percent is not 0 */
};

struct given_difference {
    const struct regions *regions; /* borrowed */
    bool replayed;                 /* for the caller to set: values were the original's */
    size_t values;                 /* that either side has */
    VEC(struct given_row) rows;
};

/* 0 or -1; after -1 there is nothing to dispose. A file that is not there has no values. */
int given_difference_make(struct given_difference *out, const char *const paths[SIDE_COUNT],
                          const struct regions *regions, size_t ranks, struct error *error);
void given_difference_dispose(struct given_difference *difference);

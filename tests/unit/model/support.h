/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tests of model/ share: random numbers that are the same everywhere, a bundle written by
 * hand, and damage to files.
 */
#pragma once

#include "tests/unit/unit.h"

#define TEST_BUNDLE "0123456789abcdef"

/* True if the file holds exactly these bytes. */
bool file_is(const char *path, const char *bytes, size_t length);

struct models;
struct bsim_model;
struct samples;
struct regions;

/* Fits the samples into *models, writes model.bsim in the directory and reads it as a skeleton
 * does. Both are the caller's. */
void fit_and_read(struct models *models, struct bsim_model **read, struct samples *samples,
                  const struct regions *regions);

struct bsim_value_model;
struct bsim_value_seen;

/* A value's vector, as a skeleton makes it: `names` are separated by spaces, first those of the
 * features and then of numbers of the run, of which the model takes what it knows. Valid until the
 * next one is made. */
const double *vector_of(const struct bsim_value_model *value, const char *names,
                        const double *numbers);
#define VECTOR(value, names, ...) vector_of((value), (names), (const double[]){__VA_ARGS__})

/* xorshift64 (G. Marsaglia, 2003): the same numbers on every machine. */
struct random {
    unsigned long long state;
};
void random_seed(struct random *random, unsigned long long seed);
unsigned long long random_bits(struct random *random);
double random_uniform(struct random *random); /* in [0, 1) */
double random_normal(struct random *random);

/* Overwrites, removes or inserts some bytes; *length may grow by up to 8. */
void damage(char *bytes, size_t *length, struct random *random);

/* Calls `check` for so many damaged copies of a file in the directory: first cut off at each byte
 * (is_cut: something is missing), then damaged at random. */
void each_damaged(const char *name, int count, unsigned long long seed,
                  void (*check)(const char *path, bool is_cut));

/* A regions.json with regions 0 (features n1, n2), 1 (no features) and 2 (feature n1). */
const char *regions_text(void);

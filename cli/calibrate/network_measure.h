/* SPDX-License-Identifier: Apache-2.0
 *
 * Compiling, starting and reading the program that measures messages
 * (runtime/benchmark/benchmark.c).
 */
#pragma once

#include "base/vec.h"
#include "cli/calibrate/calibrate.h"
#include "model/network/messages.h"

typedef VEC(const char *) word_list;

/* `COMMAND -O2 benchmark.c timing.c -o program`. */
int network_compile(const char *command, const char *program, struct arena *arena,
                    struct error *error);

/* The program's arguments: with these thresholds (-1: searched for) and sizes. */
void network_arguments(word_list *out, struct arena *arena, double budget_s, int samples, long seed,
                       const double *thresholds, const double *sizes, size_t size_count);

/* Compiles, starts and reads; names, processor and time are set as well. */
int network_measure(struct messages *out, const struct calibrate_options *options,
                    const char *directory, struct arena *arena, struct error *error);

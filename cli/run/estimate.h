/* SPDX-License-Identifier: Apache-2.0
 *
 * What a large simulation will cost, before it starts (docs/how-to/troubleshooting.md).
 *
 * In: the command line of `mpiskel run`. Out: memory and time, carried on from three small
 * simulations with the same options, the largest on about an eighth of the ranks (256 to 1,024);
 * memory by the flatter of two straight lines, time by the steeper of two power laws. Memory may be
 * off by a factor of two where a program's grid of ranks is uneven, and what grows with the square
 * of the ranks (communicators that every rank makes, messages that wait) is hardly seen in small
 * ones. A simulation whose memory would not fit is refused.
 */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum estimate_when {
    ESTIMATE_LARGE, /* from so many ranks on that it costs little beside the run */
    ESTIMATE_ONLY,  /* instead of the run */
    ESTIMATE_NEVER,
};

struct estimate_words;

/* Before argp puts the words in another order; NULL-safe to free. */
struct estimate_words *estimate_words_new(int argc, char **argv, char **arguments,
                                          size_t argument_count);
void estimate_words_free(struct estimate_words *words);

/* Tells the estimate (ESTIMATE_ONLY: on stdout, else as a note) where one is wanted. -1: the run
 * does not fit, or that could not be found out with ESTIMATE_ONLY. */
int estimate_tell(const struct estimate_words *words, enum estimate_when when, size_t ranks,
                  bool as_json, struct error *error);

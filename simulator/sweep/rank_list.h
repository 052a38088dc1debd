/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists of numbers of ranks, as the command line gives them.
 *
 * In: values and ranges between commas, as in sweeps (grid.h): `64`, `1..128:x2` (1, 2, 4, ...,
 * 128), `16..64:+16` (16, 32, 48, 64), `1..128:square` (1, 4, 9, ..., 121), `1..512:cube`. Out:
 * ascending, each once. At most 1,000 numbers of 1 to 100,000,000.
 */
#pragma once

#include "base/error.h"
#include "base/vec.h"

#include <stddef.h>

typedef VEC(size_t) rank_list;

/* Adds to the list. `what` names the option in the error. */
int rank_list_parse(rank_list *out, const char *text, const char *what, struct error *error);

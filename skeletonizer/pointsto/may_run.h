/* SPDX-License-Identifier: Apache-2.0
 *
 * Which functions a function may call, directly or not: once pointers are followed. A bit for each
 * pair of functions.
 */
#pragma once

#include "frontend/program/program.h"

#include <stdint.h>

struct may_run {
    uint64_t *rows; /* by function: the functions that it may call, itself included */
    size_t words;   /* of a row */
    size_t steps;   /* calls and functions that were looked at */
};

void may_run_find(struct may_run *out, const struct program *program);
void may_run_dispose(struct may_run *may_run);

static inline bool may_run_has(const struct may_run *may_run, int function, int callee) {
    return may_run->rows[(size_t)function * may_run->words + (size_t)callee / 64] >> (callee % 64) &
           1;
}

/* What the function may call is in the set as well, which has one of each function. */
void may_run_add(bool *functions, const struct may_run *may_run, int function);

/* The function may call one of these, which are as a row. */
bool may_run_any(const struct may_run *may_run, int function, const uint64_t *functions);

/* SPDX-License-Identifier: Apache-2.0
 *
 * Tables that the linker makes: all variables of one section, between `__start_NAME` and
 * `__stop_NAME`.
 */
#pragma once

#include "frontend/program/program.h"

struct section {
    VEC(const struct declaration *) variables;
};

/* Once all units are read, and before any is built. What cannot be followed is an error with its
 * place. */
void sections_note(struct program *program);

/* The section that the variable is a bound of; NULL: it is none. */
const struct section *sections_bounded_by(const struct program *program,
                                          const struct declaration *variable);

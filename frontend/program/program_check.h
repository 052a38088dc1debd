/* SPDX-License-Identifier: Apache-2.0
 *
 * The invariants of the program model (README.md, "What always holds").
 */
#pragma once

#include "base/error.h"
#include "frontend/program/program.h"

/* 0, or -1 with the first thing that does not hold. Takes time linear in the program. */
int program_check(const struct program *program, struct error *error);

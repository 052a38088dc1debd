/* SPDX-License-Identifier: Apache-2.0
 *
 * Other names of functions and variables: attributes alias and weakref, and #pragma weak.
 */
#pragma once

#include "frontend/program/program.h"

/* Once all units are read, and before any is built: notes them, so that program_declaration finds
 * what they name. What cannot be followed is an error with its place. */
void aliases_note(struct program *program);

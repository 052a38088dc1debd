/* SPDX-License-Identifier: Apache-2.0
 *
 * Does the program look at memory of one type through pointers to another?
 */
#ifndef SKELETONIZER_PUNS_H
#define SKELETONIZER_PUNS_H

#include "frontend/program.h"

/* A pointer to integers, floating-point numbers or pointers is cast into one to another of these:
 * then the type of a declaration or of a prototype says little about what is there. */
bool puns_found(const struct program *program);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * What cannot be handled is refused by name, with its place, before anything is written.
 */
#ifndef SKELETONIZER_CHECK_H
#define SKELETONIZER_CHECK_H

#include "frontend/program.h"

/* Calls that SimGrid lacks, functions named MPI_ that are none, setjmp and its kin, no MPI call at
 * all. Prints each; -1 if there was any. */
int check_program(struct program *program);

#endif

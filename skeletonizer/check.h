/* SPDX-License-Identifier: Apache-2.0
 *
 * What cannot be handled is refused by name, with its place, before anything is written.
 */
#ifndef SKELETONIZER_CHECK_H
#define SKELETONIZER_CHECK_H

#include "skeletonizer/slice.h"

/* Calls that SimGrid lacks, functions named MPI_ that are none, setjmp and its kin, threads, no MPI
 * call at all. Prints each; -1 if there was any. */
int check_program(struct program *program);

/* What only the slice tells: functions for the exit that communicate. */
int check_slice(const struct slice *slice);

/* Warns where SimGrid sends other data than MPI does, and they are needed. */
void check_persistent(const struct slice *slice);

#endif

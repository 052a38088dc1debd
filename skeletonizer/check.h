/* SPDX-License-Identifier: Apache-2.0
 *
 * What cannot be handled is refused by name, with its place, before anything is written.
 */
#pragma once

#include "skeletonizer/hot/counts.h"
#include "skeletonizer/slice/slice.h"

/* Warns of a main with parameters of other types. */
int check_program(struct program *program);

/* A program without MPI calls is one of one rank, which is noted. Shared libraries with MPI calls
 * of their own (check_libraries.h; NULL: none) would begin MPI a second time: -1. */
int check_ranks(bool *out_is_one_rank, struct program *program, const char *binary_mpi);

/* What needs no analysis, and so is told before one begins: calls as below in functions that main
 * gets to without a call through a pointer. Prints each; -1 if there was any. */
int check_reached(struct program *program, const struct counts *counts);

/* What the slice tells. Prints each; -1 if there was any. Functions named MPI_ that are none, in
 * functions that may be called; calls through pointers that nothing sets, of which the first is
 * noted; functions for the exit that communicate; files of C++ streams without the assumption
 * files-apart; what no simulation can do: calls that SimGrid lacks, threads, processes, switched
 * contexts. Where `counts` says that such a call was never made it is a warning only: a simulation
 * that comes there stops (runtime/smpi: state.c, libc_calls.c).
 */
int check_slice(const struct slice *slice, const struct counts *counts);

/* setjmp and its kin in functions of which something is kept: -1, and prints each. */
int check_jumps(const struct slice *slice);

/* Warns where SimGrid sends other data than MPI does, and they are needed. */
void check_persistent(const struct slice *slice);

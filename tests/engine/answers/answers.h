/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of the program share; see answers.c. Variables are on the stack or allocated,
 * since ranks share the program.
 */
#pragma once

#include <mpi.h>

#define WORLD MPI_COMM_WORLD
#define ABORT_CODE 5
#define RETURN_CODE 7 /* of rank 1, where it is asked for */

struct rank {
    int rank, size, next, last; /* next, last: its neighbours in a ring */
};

/* A line of this rank's: what was called, what was answered, and when. `what` is one word. */
void tell(const struct rank *rank, const char *what, long a, long b, long c);
/* Of the `count` ints. */
long sum(const int *ints, int count);
/* `count` ints from `first` on, each one larger by 1; the caller's. */
int *ints_from(int first, int count);

/* What is answered to arguments that are wrong. */
void mistakes(const struct rank *rank);
/* Communicators, groups, grids, and what is attached to objects. */
void objects(const struct rank *rank);
/* Datatypes: their bounds, what they were made of, what is packed of them. */
void types(const struct rank *rank);
/* One-sided operations between all kinds of synchronisation. */
void windows(const struct rank *rank);
/* Requests and statuses of all kinds. */
void requests(const struct rank *rank);
/* Collectives that choose an algorithm by their size, on both sides of each choice, or by whether
 * an operation commutes. */
void sizes(const struct rank *rank);
/* Of the engine alone: how many bytes are left behind by what was freed again. */
void leftovers(const struct rank *rank);
/* Who is first of those that send in one instant. */
void order(const struct rank *rank);
/* Which of three messages of one connection come first. */
void eager(const struct rank *rank);
/* All wait for each other. */
void deadlock(const struct rank *rank);
/* Rank 1 ends all of it by MPI_Abort. */
void abort_run(const struct rank *rank);

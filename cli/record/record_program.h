/* SPDX-License-Identifier: Apache-2.0
 *
 * Which of a command's words is the MPI program, and of which MPI it is, by the libraries that it
 * is linked with.
 */
#pragma once

#include "base/arena.h"
#include "base/error.h"

#include <stdbool.h>

enum record_mpi { RECORD_OPEN_MPI, RECORD_MPICH, RECORD_OTHER_MPI };

struct record_program {
    const char *path; /* NULL: none of the words is known to be one, as of a script */
    enum record_mpi mpi;
    bool is_static; /* no library can be loaded before it */
};

/* `words` ends with NULL. */
void record_program_find(struct record_program *out, struct arena *arena, char *const *words);

/* The library that records such programs: that of `mpicc`, compiled into the directory, or, where
 * that is NULL, one that is installed. NULL: there is none, and why is in `error`. */
const char *record_library(struct arena *arena, const struct record_program *program,
                           const char *mpicc, const char *directory, struct error *error);

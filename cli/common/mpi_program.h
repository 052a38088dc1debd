/* SPDX-License-Identifier: Apache-2.0
 *
 * Which of a command's words is the MPI program, of which MPI it is, by the libraries that it is
 * linked with, and what starts it.
 */
#pragma once

#include "simulator/run/real.h"

enum mpi_library { MPI_LIBRARY_OPEN_MPI, MPI_LIBRARY_MPICH, MPI_LIBRARY_OTHER };

struct mpi_program {
    const char *path; /* NULL: none of the words is known to be one, as of a script */
    enum mpi_library mpi;
    bool is_static; /* no library can be loaded before it */
};

/* `words` ends with NULL. */
void mpi_program_find(struct mpi_program *out, struct arena *arena, char *const *words);

/* The bundle's program at `path`. Unless it has a launcher, `command` gets mpirun of the program's
 * MPI, which may start more ranks than there are cores; a program of one rank needs none. */
struct mpi_program mpi_program_started(struct real_command *command, const struct bundle *bundle,
                                       const char *path, struct arena *arena);

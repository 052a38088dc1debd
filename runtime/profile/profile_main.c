/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a profiling build begins whose program never calls MPI: it is linked so that this is its
 * main, and the program's own has another symbol (bsim.h, BSIM_MAIN). It ends where main returns,
 * or with exit().
 */
#include "runtime/profile/profile.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

extern int program_main(int argc, char **argv, char **environment) __asm__("bsim__program_main")
    __attribute__((weak));
int bsim__main(int argc, char **argv, char **environment);
int bsim_MPI_Init(int *argc, char ***argv);
int bsim_MPI_Finalize(void);

static void end(void) {
    int finalized = 1;
    PMPI_Finalized(&finalized);
    if (!finalized)
        bsim_MPI_Finalize();
}

static int size_of_world(void) {
    int size = 1;
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    return size;
}

int bsim__main(int argc, char **argv, char **environment) {
    int begun = 0;
    PMPI_Initialized(&begun);
    if (begun) /* another unit calls main */
        return program_main(argc, argv, environment);
    bsim_MPI_Init(&argc, &argv);
    if (size_of_world() != 1) {
        if (bsim__profile.rank == 0)
            fputs("mpiskel: error: the program makes no MPI call, so that it is one of one rank: "
                  "start it without mpirun, or with -np 1\n",
                  stderr);
        PMPI_Abort(MPI_COMM_WORLD, 1);
    }
    atexit(end);
    int status = program_main(argc, argv, environment);
    end();
    return status;
}

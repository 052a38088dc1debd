/* SPDX-License-Identifier: Apache-2.0
 *
 * A place that one function sets is also read by another function, which one rank calls once more: there what is sent
 * arrives at another place.
 *
 * ranks: 2
 * engine: differs, since SMPI tells another extent of datatypes that do not begin at 0
 * kept: told.second = 3 + argc
 * gone: x[i] = i * 0.25
 */
#include <mpi.h>

struct numbers {
    int first, second, third, fourth;
};

static struct numbers told;
static int place[1], one[1] = {1};
static MPI_Datatype inner, outer;

static void make_inner(void) {
    MPI_Type_indexed(1, one, place, MPI_INT, &inner);
}

static void make_outer(void) {
    place[0] = 1;
    MPI_Type_indexed(1, one, place, inner, &outer);
}

int main(int argc, char **argv) {
    int rank;
    double x[30];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 30; i++)
        x[i] = i * 0.25;
    if (rank == 0)
        told.second = 3 + argc;
    if (rank == 1) {
        make_inner();
        make_outer();
    }
    make_inner();
    make_outer();
    MPI_Type_commit(&outer);
    MPI_Bcast(&told, 1, outer, 0, MPI_COMM_WORLD);
    for (int i = 0; i < told.third; i++)
        MPI_Barrier(MPI_COMM_SELF);
    MPI_Bcast(x, 30, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

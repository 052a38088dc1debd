/* SPDX-License-Identifier: Apache-2.0
 *
 * Communicators, datatypes, operations and requests lie in records and arrays and go through
 * functions that choose among them.
 *
 * ranks: 2 4
 * kept: level->comm
 * kept: types[1] = vector
 * gone: field[i] = 0.5 * i
 */
#include <mpi.h>
#include <stdlib.h>

struct level {
    MPI_Comm comm;
    int rank, size;
    struct {
        MPI_Request request;
        double *buffer;
        int count;
    } sides[2];
    struct level *coarser;
};

static MPI_Datatype types[2];
static MPI_Op operations[2];

static struct level *split(struct level *finer) {
    struct level *level = calloc(1, sizeof *level);
    MPI_Comm from = finer != NULL ? finer->comm : MPI_COMM_WORLD;
    int rank;
    MPI_Comm_rank(from, &rank);
    MPI_Comm_split(from, finer != NULL ? rank % 2 : 0, -rank, &level->comm);
    MPI_Comm_rank(level->comm, &level->rank);
    MPI_Comm_size(level->comm, &level->size);
    level->coarser = finer;
    return level;
}

static MPI_Datatype type_of(int side) {
    return types[side];
}

static void start(struct level *level, double *field) {
    for (int side = 0; side < 2; side++) {
        level->sides[side].buffer = field + 20 * side;
        level->sides[side].count = side + 1 + level->size;
        MPI_Irecv(level->sides[side].buffer, 64, MPI_DOUBLE, MPI_ANY_SOURCE, side, level->comm,
                  &level->sides[side].request);
        MPI_Send(field, level->sides[side].count, type_of(side),
                 (level->rank + 1) % level->size, side, level->comm);
    }
}

static void finish(struct level *level) {
    for (int side = 0; side < 2; side++)
        MPI_Wait(&level->sides[side].request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
    double field[300];
    MPI_Datatype vector;
    int sum = 3;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 300; i++)
        field[i] = 0.5 * i;
    MPI_Type_vector(2, 1, 3, MPI_DOUBLE, &vector);
    MPI_Type_commit(&vector);
    types[0] = MPI_DOUBLE;
    types[1] = vector;
    operations[0] = MPI_SUM;
    operations[1] = MPI_MAX;
    struct level *coarse = split(NULL), *fine = split(coarse);
    for (struct level *level = fine; level != NULL; level = level->coarser) {
        start(level, field);
        finish(level);
        MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, operations[level->coarser != NULL],
                      level->comm);
    }
    MPI_Bcast(field, sum, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Comm_free(&fine->comm);
    MPI_Comm_free(&coarse->comm);
    free(fine);
    free(coarse);
    MPI_Type_free(&vector);
    MPI_Finalize();
    return 0;
}

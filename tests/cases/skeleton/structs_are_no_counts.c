/* SPDX-License-Identifier: Apache-2.0
 *
 * A count is not received from a message of structs with the same tag, of doubles or of doubles and
 * longs; a struct of a double and an int is received from what MPI_MAXLOC takes.
 *
 * gone: cells[i].x = i * 0.5 + round
 * gone: marks[i].weight = i * 0.25
 * kept: pairs[0].index = 7 + 2
 */
#include <mpi.h>
#include <stddef.h>

#define TAG 3

struct cell {
    double x, y[2];
};

struct mark {
    double weight;
    long number;
};

struct pair {
    double value;
    int index;
};

static struct cell cells[50], other_cells[50];
static struct mark marks[50], other_marks[50];
static struct pair pairs[3];

static void make_cell(MPI_Datatype *type) {
    int lengths[] = {1, 2};
    MPI_Aint places[] = {offsetof(struct cell, x), offsetof(struct cell, y)};
    MPI_Datatype types[] = {MPI_DOUBLE, MPI_DOUBLE};
    MPI_Type_create_struct(2, lengths, places, types, type);
    MPI_Type_commit(type);
}

static void make_mark(MPI_Datatype *type) {
    int lengths[] = {1, 1};
    MPI_Aint places[] = {offsetof(struct mark, weight), offsetof(struct mark, number)};
    MPI_Datatype types[2];
    types[0] = MPI_DOUBLE;
    types[1] = MPI_LONG;
    MPI_Type_create_struct(2, lengths, places, types, type);
    MPI_Type_commit(type);
}

static void make_pair(MPI_Datatype *type) {
    int lengths[] = {1, 1};
    MPI_Aint places[] = {offsetof(struct pair, value), offsetof(struct pair, index)};
    MPI_Datatype types[] = {MPI_DOUBLE, MPI_INT};
    MPI_Type_create_struct(2, lengths, places, types, type);
    MPI_Type_commit(type);
}

int main(int argc, char **argv) {
    int rank, size, count, received, index;
    MPI_Datatype cell_type = MPI_DATATYPE_NULL, mark_type = {0}, pair_type;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    make_cell(&cell_type);
    make_mark(&mark_type);
    make_pair(&pair_type);
    count = 10 + rank;
    MPI_Sendrecv(&count, 1, MPI_INT, left, TAG, &received, 1, MPI_INT, right, TAG, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    for (int round = 0; round < 100; round++)
        for (int i = 0; i < 50; i++)
            cells[i].x = i * 0.5 + round;
    for (int round = 0; round < 100; round++)
        for (int i = 0; i < 50; i++)
            marks[i].weight = i * 0.25;
    MPI_Sendrecv(cells, count, cell_type, left, TAG, other_cells, received, cell_type, right, TAG,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(marks, count, mark_type, left, TAG, other_marks, received, mark_type, right, TAG,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    pairs[0].index = 7 + 2;
    MPI_Sendrecv(&pairs[0], 1, MPI_DOUBLE_INT, left, TAG + 1, &pairs[1], 2, pair_type, right,
                 TAG + 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    index = pairs[1].index;
    MPI_Bcast(cells, index, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Type_free(&cell_type);
    MPI_Type_free(&mark_type);
    MPI_Type_free(&pair_type);
    MPI_Finalize();
    return 0;
}

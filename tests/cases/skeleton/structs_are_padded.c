/* SPDX-License-Identifier: Apache-2.0
 *
 * An array of structs whose last bytes are padding, and one of structs of them, sent by a datatype
 * that nobody has resized. With another extent than in C this does not end.
 *
 * kept: items[3].steps
 * gone: x[0] += 0.5
 * args:
 * engine: differs, since SMPI forgets of what a struct without gaps was made
 */
#include <mpi.h>
#include <stddef.h>

struct item {
    double x;
    int steps;
};
struct pair {
    struct item item;
    char mark;
};

static MPI_Datatype make(int count, const MPI_Aint *places, const MPI_Datatype *types) {
    const int lengths[] = {1, 1, 1};
    MPI_Datatype type;
    MPI_Type_create_struct(count, lengths, places, types, &type);
    MPI_Type_commit(&type);
    return type;
}

static int extent_of(MPI_Datatype type) {
    MPI_Aint lower, extent;
    MPI_Type_get_extent(type, &lower, &extent);
    return (int)extent;
}

int main(int argc, char **argv) {
    struct item items[4] = {{0}};
    double x[40] = {0};
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Datatype item = make(2, (MPI_Aint[]){offsetof(struct item, x), offsetof(struct item, steps)},
                             (MPI_Datatype[]){MPI_DOUBLE, MPI_INT});
    MPI_Datatype pair = make(2, (MPI_Aint[]){offsetof(struct pair, item), offsetof(struct pair, mark)},
                             (MPI_Datatype[]){item, MPI_CHAR});
    MPI_Datatype row = make(2, (MPI_Aint[]){0, 8}, (MPI_Datatype[]){MPI_SHORT, MPI_CHAR});
    for (int i = 0; i < 4 && rank == 0; i++)
        items[i].steps = i + 1;
    x[0] += 0.5;
    MPI_Bcast(items, 4, item, 0, MPI_COMM_WORLD);
    MPI_Bcast(x, extent_of(item) + (extent_of(pair) == sizeof(struct pair)) + extent_of(row),
              MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int i = 0; i < items[3].steps; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    while (extent_of(item) != sizeof *items || extent_of(row) != 10)
        MPI_Barrier(MPI_COMM_SELF);
    MPI_Finalize();
    return 0;
}

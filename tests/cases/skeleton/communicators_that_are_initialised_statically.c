/* SPDX-License-Identifier: Apache-2.0
 *
 * MPI_COMM_WORLD in static initialisers, which other MPIs take: in a variable, behind a macro, in a
 * record, a packed one, a constant, a static local, in a list with other declarators, and two on a line.
 *
 * kept: static MPI_Comm world = MPI_COMM_WORLD, spare = MPI_COMM_NULL;
 * kept: {3, EVERYBODY}
 * kept: static MPI_Comm here = MPI_COMM_WORLD;
 * gone: unused = MPI_COMM_WORLD
 * gone: there = EVERYBODY
 * gone: sum += x[i]
 * flags: -O3
 */
#include <mpi.h>
#include <stdlib.h>

#define EVERYBODY ((MPI_Comm)MPI_COMM_WORLD)

struct context {
    int root;
    MPI_Comm comm;
};

struct __attribute__((packed)) tight {
    char kind;
    MPI_Comm comm;
};

static MPI_Comm world = MPI_COMM_WORLD, spare = MPI_COMM_NULL;
static MPI_Comm first = MPI_COMM_WORLD;static MPI_Comm second = MPI_COMM_WORLD;
static MPI_Comm unused = MPI_COMM_WORLD;
MPI_Comm named = EVERYBODY;
static struct context context = {3, EVERYBODY};
static struct tight tight = {'t', MPI_COMM_WORLD};
static MPI_Comm fixed[] = {MPI_COMM_NULL, MPI_COMM_WORLD, MPI_COMM_WORLD};
double sum;

/* Called by nobody. */
void meet(void);
void meet(void) {
    static MPI_Comm there = EVERYBODY;
    MPI_Barrier(there);
}

static int rank_of(void) {
    static MPI_Comm here = MPI_COMM_WORLD;
    int rank;
    if (here != MPI_COMM_WORLD)
        exit(1);
    MPI_Comm_rank(here, &rank);
    return rank;
}

int main(int argc, char **argv) {
    double x[100] = {1.0};
    int size, rank, known = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(world, &size);
    rank = rank_of();
    for (int i = 0; i < 100; i++)
        sum += x[i];
    MPI_Bcast(x, 100, MPI_DOUBLE, context.root % size, context.comm);
    MPI_Bcast(x, 50, MPI_DOUBLE, 0, named);
    MPI_Bcast(x, 25, MPI_DOUBLE, 0, tight.comm);
    MPI_Sendrecv_replace(x, 100, MPI_DOUBLE, (rank + 1) % size, 1, (rank + size - 1) % size, 1,
                         rank % 2 == 0 ? fixed[1] : MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    known = first == second && second == MPI_COMM_WORLD && fixed[0] == spare && fixed[2] == named && world == MPI_COMM_WORLD;
    if (known)
        MPI_Comm_split(world, rank % 2, rank, &spare);
    MPI_Barrier(spare);
    MPI_Finalize();
    return known && unused == world ? 0 : 1;
}

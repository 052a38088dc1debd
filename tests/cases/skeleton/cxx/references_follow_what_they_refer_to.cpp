/* A reference is what it refers to: what is written through it steers messages, what is read through
 * it is a feature, and a reference that is kept is bound to what it was bound to.
 *
 *  args: 5
 *  gone: heat += 0.5 * i
 *  kept: count = argc > 1
 *  kept: int &last = sizes[1]
 */
#include <mpi.h>
#include <cstdlib>

static void read_count(int &count, int argc, char **argv) {
    count = argc > 1 ? std::atoi(argv[1]) : 3;
}


static void warm(double &heat, const int &steps, const double &factor) {
    for (int i = 0; i < steps; i++)
        heat += 0.5 * i * factor;
}

int main(int argc, char **argv) {
    int count, other = 2, sizes[2] = {1, 2};
    double heat = 0, field[64] = {0};
    MPI_Init(&argc, &argv);
    read_count(count, argc, argv);
    int &last = sizes[1];
    last = count + 1;
    warm(heat, count, 3);
    MPI_Bcast(field, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(field, sizes[1], MPI_DOUBLE, 0, MPI_COMM_WORLD);
    int *p = &other;
    int &through = *p;
    through += 4;
    MPI_Bcast(field, other, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    const int twice = 2 * count;
    MPI_Bcast(field, twice, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    field[0] = heat;
    MPI_Finalize();
    return 0;
}

/* A blank line between a pragma and its loop does not part them: the timer of what stays, and the
 * stub of what goes, are in front of both.
 *
 *  flags: -fopenmp
 *  gone: x[i] = 0.5 * i
 *  kept: count += table[i]
 */
#include <mpi.h>

int main(int argc, char **argv) {
    static double x[1000];
    static int table[1000];
    int count = 0;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 1000; i++)
        table[i] = i % 2;
#pragma omp parallel for

    for (int i = 0; i < 1000; i++)
        x[i] = 0.5 * i;
    MPI_Bcast(x, 1000, MPI_DOUBLE, 0, MPI_COMM_WORLD);
#pragma omp parallel for reduction(+ : count)

    for (int i = 0; i < 1000; i++)
        count += table[i];
    MPI_Bcast(x, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

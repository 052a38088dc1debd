/* new and delete are malloc and free, streams that are written to print: what only they need goes.
 *
 *  args: 6
 *  gone: std::cout
 *  gone: new double[n + 2]
 *  kept: new int[2]()
 *  kept: std::sscanf("2", "%d", &more)
 */
#include <mpi.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iomanip>
#include <iostream>

static const double tolerance = 1e-3;

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int n(argc > 1 ? std::atoi(argv[1]) : 4), rank{0};
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double *u = new double[n + 2];
    int *counts = new int[2]();
    int more = 0;
    std::sscanf("2", "%d", &more);
    counts[1] += n + more;
    for (int i = 0; i < n + 2; i++)
        u[i] = std::sqrt(std::fabs(std::max(0.5 * i, tolerance)));
    if (rank == 0)
        std::cout << "first " << std::setw(8) << u[0] << " of " << n << std::endl;
    MPI_Bcast(u, counts[1], MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (rank == 0)
        std::cout << std::fixed << u[n] << '\n';
    delete[] u;
    delete[] counts;
    MPI_Finalize();
    return 0;
}

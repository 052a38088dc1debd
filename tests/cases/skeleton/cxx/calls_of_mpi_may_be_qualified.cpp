/* A call of MPI may have `::` in front of it, as where a class has a method of a similar name. It stays with it
 * in all three programs, and what nobody needs of its arguments goes.
 *
 *  flags: -std=c++17
 *  args: 3
 *  kept: ::MPI_Bcast(
 *  kept: ::MPI_Comm_size(MPI_COMM_WORLD, &ranks)
 *  gone: ::MPI_Comm_rank(
 *  gone: x[i] *= 1.01
 */
#include <cstdlib>
#include <mpi.h>

struct Line {
    int size;
    explicit Line(int n) : size(n) {}
    int bcast(double *x, int root) { return ::MPI_Bcast(x, size, MPI_DOUBLE, root, MPI_COMM_WORLD); }
};

int main(int argc, char **argv) {
    ::MPI_Init(&argc, &argv);
    int rank, ranks;
    ::MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    ::MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    double x[8] = {0};
    Line line(std::atoi(argv[1]));
    for (int i = 0; i < 8; i++)
        x[i] *= 1.01;
    for (int root = 0; root < ranks; root++)
        line.bcast(x, root);
    if (::MPI_Barrier(MPI_COMM_WORLD) != MPI_SUCCESS)
        return 1;
    return ::MPI_Finalize();
}

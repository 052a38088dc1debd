/* A loop over a range iterates as often as there are elements, and its variable is one of them: what
 * it writes through a reference is written to the range.
 *
 *  args: 4
 *  kept: counts.push_back(2)
 *  kept: count += 1
 *  kept: entry.second + 1
 *  gone: heat += x
 *  gone: for (double y
 */
#include <mpi.h>
#include <cstdlib>
#include <map>
#include <vector>

int main(int argc, char **argv) {
    double buf[64], heat = 0;
    int sizes[3] = {1, 2, 3}, n = argc > 1 ? std::atoi(argv[1]) : 3;
    MPI_Init(&argc, &argv);
    std::vector<double> v(n), w(n);
    std::vector<int> counts(n, 3);
    std::map<int, int> named;
    counts.push_back(2);
    named[3] = n;
    named[1] = 2;
    for (int &count : counts)
        count += 1;
    for (double x : v)
        heat += x;
    for (double y : w)
        heat -= y;
    for (int count : counts) {
        heat += 2;
        MPI_Bcast(buf, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    for (int size : sizes)
        MPI_Bcast(buf, size, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (const auto &entry : named)
        MPI_Bcast(buf, entry.second + 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &heat, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

/* What a vector holds is a buffer, and how many that is steers: what sets the size stays, what only
 * writes elements goes.
 *
 *  args: 4
 *  kept: sums.resize(steps)
 *  kept: grown.push_back(k)
 *  gone: u[i] = rank
 *  gone: std::sort
 *  feature: u.size()
 */
#include <algorithm>
#include <cstdlib>
#include <mpi.h>
#include <vector>

double step(const std::vector<double> &u, std::vector<double> &v) {
    double sum = 0;
    for (std::size_t i = 1; i + 1 < u.size(); i++) {
        v[i] = u[i] + 0.25 * (u[i - 1] - 2 * u[i] + u[i + 1]);
        sum += v[i];
    }
    return sum;
}

int main(int argc, char **argv) {
    int rank, steps = argc > 1 ? std::atoi(argv[1]) : 3;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::vector<double> u(steps + 2), v(u), sums;
    std::vector<int> grown;
    sums.resize(steps);
    for (int i = 0; i < steps + 2; i++)
        u[i] = rank + i;
    std::sort(u.begin(), u.end());
    for (int k = 0; k < steps; k++) {
        sums[k] = step(u, v);
        if (k % 2 == 0)
            grown.push_back(k);
        MPI_Bcast(&u[0], (int)u.size() - 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    MPI_Allreduce(MPI_IN_PLACE, sums.data(), sums.size(), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Bcast(grown.data(), (int)grown.size(), MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

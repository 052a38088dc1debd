/* A method is a function of its object: what it writes there steers messages, its object stays where
 * it is written, and an argument that nobody needs goes.
 *
 *  args: 4
 *  gone: sum += x[i]
 *  kept: grid.set(
 *  kept: p->count()
 *  kept: chosen->meet()
 *  feature: bsim_trips(0, grid.n, 1)
 */
#include <mpi.h>
#include <cstdlib>

struct Grid {
    int n, rank;
    static int made;
    void set(int n_, int rank_, double heat);
    int count() const { return n + made; }
    bool operator<(const Grid &other) const { return n < other.n; }
    double work(const double *x) const {
        double sum = 0;
        for (int i = 0; i < n; i++)
            sum += x[i];
        return sum;
    }
    void meet() const { MPI_Barrier(MPI_COMM_WORLD); }
    double h;
};

int Grid::made = 1;

void Grid::set(int n_, int rank_, double heat) {
    n = n_;
    this->rank = rank_;
    h = heat;
    made++;
}

int main(int argc, char **argv) {
    double x[64] = {0};
    int rank;
    Grid grid, copy;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    grid.set(argc > 1 ? std::atoi(argv[1]) : 3, rank, 2.5);
    copy = grid;
    Grid *p = &copy;
    p->n += 2;
    Grid idle, *chosen = &idle;
    chosen->meet();
    double all = 0, sum = grid.work(x);
    MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Bcast(x, p->count(), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (grid < *p)
        MPI_Bcast(x, grid.count(), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

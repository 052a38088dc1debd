/* Functions of one name are told apart by their parameters and namespaces, and what takes the place
 * of an argument does not choose another one.
 *
 *  gone: work(x
 *  made: send((double *)0, (long)n)
 *  made: both((double)0
 */
#include <mpi.h>
#include <cstdio>

namespace one {
enum class Kind { few = 2, many = 5 };
static int steps = 3;
int sizes(Kind kind, int factor = 2) { return static_cast<int>(kind) * factor; }
} // namespace one

namespace two {
int steps = 4;
int sizes(one::Kind) { return 1; }
namespace {
int hidden = 6;
}
} // namespace two

static void send(double *x, int n) { MPI_Bcast(x, n, MPI_DOUBLE, 0, MPI_COMM_WORLD); }
static void send(double *x, long n) { MPI_Bcast(x, (int)n + 1, MPI_DOUBLE, 0, MPI_COMM_WORLD); }

static double work(double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i];
    return sum;
}

static void both(double, int n) {
    double y[64] = {0};
    send(y, n);
}
static void both(int, int n) {
    double y[64] = {0};
    send(y, n + 7);
}

int main(int argc, char **argv) {
    double x[64] = {0}, sum = 0;
    int n = argc + 2;
    bool done = false;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < one::steps && !done; i++)
        send(x, one::sizes(one::Kind::many));
    for (int i = 0; i < two::steps; i++)
        send(x, two::sizes(one::Kind::many));
    {
        using namespace two;
        send(x, hidden + one::sizes(one::Kind::few, 3));
    }
    send(x, (long)n);
    sum = work(x, 64);
    both(sum, n);
    if (sum > 1e30)
        std::printf("%g\n", sum);
    MPI_Finalize();
    return 0;
}

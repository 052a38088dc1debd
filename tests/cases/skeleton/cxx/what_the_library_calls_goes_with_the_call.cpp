/* A function that is handed to the library is called by it, and a lambda reads and changes what
 * it names: whoever needs any of that keeps the call with its text. Others go. Without a try a throw
 * ends the program.
 *
 *  flags: -Wextra -Werror=uninitialized
 *  args: 4
 *  args: 7
 *  kept: std::sort(order.begin(), order.end(), more)
 *  kept: return calls++ < 0 || a > b
 *  kept: total += e
 *  kept: draws(engine)
 *  kept: throw std::runtime_error("none")
 *  gone: lost += e
 *  gone: other(apart)
 */
#include <algorithm>
#include <cstdlib>
#include <mpi.h>
#include <random>
#include <stdexcept>
#include <vector>

static int calls = 0;

static bool more(int a, int b) {
    return calls++ < 0 || a > b;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    double buf[1000];
    int n = argc > 1 ? std::atoi(argv[1]) : 3, total = 0, lost = 0, limit = 3;
    if (n > 100)
        throw std::runtime_error("none");
    std::vector<int> order(n), drawn(n), unused(n);
    for (int i = 0; i < n; i++)
        order[i] = i;
    std::sort(order.begin(), order.end(), more);
    std::for_each(order.begin(), order.end(), [&](int e) { total += e; });
    std::for_each(order.begin(), order.end(), [&](int e) { lost += e; });
    std::minstd_rand engine(3), apart(4);
    std::uniform_int_distribution<int> draws(1, 5), other(1, 6);
    std::generate_n(drawn.begin(), n, [&] { return draws(engine); });
    std::generate_n(unused.begin(), n, [&] { return other(apart); });
    int above = (int)std::count_if(drawn.begin(), drawn.end(), [=](int e) { return e > limit; });
    MPI_Bcast(buf, total + order[0] + above + drawn[n - 1] + calls, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    unused[0] = lost;
    MPI_Bcast(unused.data(), n, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

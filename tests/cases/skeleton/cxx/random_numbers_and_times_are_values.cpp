/* An engine has another state behind each number that it gave, so all draws in front of one that
 * steers stay, through a distribution as well; those of another engine go. A time that is printed
 * goes with its clock; an optional value and bits steer as others do.
 *
 *  flags: -Wextra -Werror=uninitialized
 *  args: 5
 *  args: 6
 *  kept: spread(steers)
 *  kept: steers.seed(argc)
 *  kept: steers();
 *  kept: bits[n] = true
 *  kept: bits[1] = !bits[0]
 *  gone: apart(other)
 *  gone: std::cout
 *  gone: now()
 *  scratch: 2
 */
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <mpi.h>
#include <optional>
#include <random>
#include <vector>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    double buf[100], sum = 0;
    int n = argc > 1 ? std::atoi(argv[1]) : 1;
    auto begin = std::chrono::steady_clock::now();
    std::mt19937 steers(7), other(8);
    std::uniform_int_distribution<int> spread(1, 9), apart(1, 9);
    steers.seed(argc);
    steers();
    int first = spread(steers);
    for (int i = 0; i < n; i++)
        first = spread(steers);
    std::uniform_real_distribution<double> fraction(0, 1);
    for (int i = 0; i < n; i++)
        sum += fraction(other) + apart(other);
    std::optional<int> twice;
    if (n % 2 == 0)
        twice = 2 * n;
    std::vector<bool> bits(20, false);
    bits[n] = true;
    bits[1] = !bits[0];
    int count = 0;
    for (int i = 0; i < 20; i++)
        if (bits[i])
            count++;
    auto end = std::chrono::steady_clock::now();
    std::chrono::duration<double> taken = end - begin;
    std::cout << taken.count() << " "
              << std::chrono::duration_cast<std::chrono::milliseconds>(end - begin).count() << sum
              << std::endl;
    MPI_Bcast(buf, first + twice.value_or(1) + count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (twice)
        MPI_Bcast(buf, *twice, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Three numbers that decide of no message tell how long loops take: nearly all of the time goes by the first one, a seventh
 * by the second one, and a hundredth by the third one, which needs no model of its own.
 *
 * ranks: 2
 * generate: --assume=cuts
 * scout: -
 * kept: all += shares[i];
 * kept: part += parts[i];
 * gone: little += pieces[i];
 * gone: sum += sin(x * i);
 */
#include <math.h>
#include <mpi.h>

static double sum;

static void work(double x, int n) {
    for (int i = 0; i < n; i++)
        sum += sin(x * i);
}

int main(int argc, char **argv) {
    static const int shares[4] = {20000, 20000, 20000, 24000}, parts[4] = {4000, 4000, 3000, 3000},
                     pieces[4] = {200, 300, 200, 300};
    int all = 0, part = 0, little = 0;
    double total;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 4; i++)
        all += shares[i];
    for (int i = 0; i < 4; i++)
        part += parts[i];
    for (int i = 0; i < 4; i++)
        little += pieces[i];
    for (int i = 0; i < all; i++)
        sum += cos(0.3 * i);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < part; i++)
        sum += cos(0.4 * i);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < little; i++)
        sum += cos(0.5 * i);
    work(0.1, 100);
    MPI_Allreduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return total > 1e9;
}

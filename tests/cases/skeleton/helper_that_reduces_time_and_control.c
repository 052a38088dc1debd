/* SPDX-License-Identifier: Apache-2.0
 *
 * One function reduces a residual that ends the loop and an energy that nobody looks at: the sum of
 * the energy goes, the residual's stays.
 *
 * kept: residual = global_sum(residual * 0.1)
 * gone: energy += u[i] * u[i]
 */
#include <mpi.h>

static double global_sum(double mine) {
    double all = 0;
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

int main(int argc, char **argv) {
    double u[100], residual = 1, energy = 0;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 100; i++)
        u[i] = i;
    while (residual > 0.1) {
        residual = global_sum(residual * 0.1);
        for (int i = 0; i < 100; i++)
            energy += u[i] * u[i];
        energy = global_sum(energy);
    }
    MPI_Finalize();
    return energy < 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Time steps go on until an end time that is in size.txt (a tenth of the number there). How long a
 * step is a hot loop decides, and the first rank collects what all of them found, so that the time
 * itself is what is given.
 */
#include <mpi.h>
#include <stdio.h>

#define CELLS 400

static void find_step(double *dt, const double *u, int rank, int size) {
    double most = 0, other;
    for (int i = 0; i < CELLS; i++)
        most = u[i] > most ? u[i] : most;
    if (rank == 0) {
        for (int r = 1; r < size; r++) {
            MPI_Recv(&other, 1, MPI_DOUBLE, r, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            most = other > most ? other : most;
        }
        *dt = 0.02 / most;
    } else {
        MPI_Send(&most, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Bcast(dt, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static void advance(double *u, double dt) {
    for (int i = 1; i < CELLS; i++)
        u[i] = (u[i] + 0.5 * (u[i - 1] - u[i])) * (1 - 0.01 * dt);
}

int main(int argc, char **argv) {
    static double u[CELLS];
    int rank, size, tenths = 1;
    double t = 0, end, dt;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    FILE *file = fopen("size.txt", "r");
    if (file == NULL || fscanf(file, "%d", &tenths) != 1)
        return 1;
    fclose(file);
    end = tenths / 10.0;
    for (int i = 0; i < CELLS; i++)
        u[i] = 1 + (i * 37 % 101) / 202.0;
    while (t < end) {
        find_step(&dt, u, rank, size);
        advance(u, dt);
        t = t + dt;
    }
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * The time step is the smallest of those that the ranks compute, stored through a pointer, reduced,
 * copied, and summed up in a record. A loop ends by the sum, so how often it steps is given: a step
 * is as large as the mesh lets it, and a model of it that is off adds up.
 *
 * args: 12
 * args: 30
 * ranks: 1 4
 * generate: --assume=cuts
 * scout: 20
 * cut: while (s.time < s.end)
 * gone: s.time += dt
 * gone: largest = speed[i] > largest ? speed[i] : largest;
 */
#include <mpi.h>
#include <stdlib.h>

struct state {
    int steps;
    double time, end;
};

static struct state s;

static void find_step(double *step, const double *speed, int n) {
    double largest = 0.5;
    for (int i = 0; i < n; i++)
        largest = speed[i] > largest ? speed[i] : largest;
    *step = 1.0 / (largest * n);
}

static void move(double *speed, int n, double dt) {
    for (int k = 0; k < 100; k++)
        for (int i = 1; i < n; i++)
            speed[i] += 0.01 * dt * (speed[i - 1] - speed[i]);
}

int main(int argc, char **argv) {
    int rank, ranks, n = 1000;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    double *speed = malloc((size_t)n * sizeof *speed), dt = 0;
    for (int i = 0; i < n; i++)
        speed[i] = (i * 37 + rank * 11) % 101 * 0.01;
    s.end = atoi(argv[1]) * 0.001;
    while (s.time < s.end) {
        find_step(&dt, speed, n);
        if (ranks > 1) {
            double smallest;
            MPI_Allreduce(&dt, &smallest, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
            dt = smallest;
        }
        move(speed, n, dt);
        s.time += dt;
        s.steps++;
        MPI_Barrier(MPI_COMM_WORLD);
    }
    free(speed);
    MPI_Finalize();
    return 0;
}

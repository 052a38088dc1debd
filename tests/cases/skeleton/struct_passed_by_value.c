/* SPDX-License-Identifier: Apache-2.0
 *
 * A record that is passed by value and returned steers messages.
 *
 * kept: count
 * gone: y[i] = 0.5 * y[i]
 * args: 20
 */
#include <mpi.h>
#include <stdlib.h>

struct task {
    double energy;
    int count, tag;
};

static struct task refine(struct task old, const double *x) {
    for (int i = 0; i < old.count; i++)
        old.energy += x[i] * x[i];
    old.count += 2;
    old.tag = old.count * 3;
    return old;
}

static void publish(struct task task, double *x) {
    x[0] = task.energy;
    MPI_Bcast(x, task.count, MPI_DOUBLE, task.tag % 2, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
    struct task task = {1.5, argc > 1 ? atoi(argv[1]) : 5, 0};
    double x[100] = {0}, y[100] = {0};
    MPI_Init(&argc, &argv);
    for (int step = 0; step < 3; step++) {
        task = refine(task, x);
        for (int i = 0; i < 100; i++)
            y[i] = 0.5 * y[i] + step;
        publish(task, x);
    }
    MPI_Finalize();
    return 0;
}

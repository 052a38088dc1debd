/* SPDX-License-Identifier: Apache-2.0
 *
 * Which of two tables is chosen decides about a message, and nothing that is in them: they are declared all the same, with
 * the functions that their initialisers name.
 *
 * kept: static double twice(double x)
 * kept: static double thrice(double x)
 * gone: sum += chosen->apply(0.5 * i)
 */
#include <mpi.h>
#include <stdio.h>

struct kind {
    double (*apply)(double);
    int order;
};

static double twice(double x) {
    return 2 * x;
}

static double thrice(double x) {
    return 3 * x;
}

static const struct kind linear = {twice, 1};

int main(int argc, char **argv) {
    static const struct kind cubic = {thrice, 3};
    const struct kind *chosen = argc > 7 ? &cubic : &linear;
    double sum = 0;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 1000; i++)
        sum += chosen->apply(0.5 * i);
    printf("%g\n", sum);
    if (chosen == &linear)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Hooks that this program does not use: a pointer that is NULL, one that other files could set, and a list that nobody
 * enrolls in.
 * What they could do with their arguments keeps nothing. One that was stored as an integer is
 * called.
 *
 * gone: y[i] = sin(y[i]) + i;
 * gone: gravity(y, 100);
 * gone: friction(y, 100);
 * gone: hooks[i](y, 100);
 * made: ((hook)kept)(0, 3);
 * note: note: nothing in the program sets this pointer to a function, so it is never called; likewise at 2 other places
 * args: 3
 */
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>

typedef void (*hook)(double *x, int n);

static hook gravity = NULL, hooks[4];
hook friction;
static int hook_count;
static uintptr_t kept;

void enroll(hook h);
void enroll(hook h) {
    hooks[hook_count++] = h;
}

static void meet(double *x, int n) {
    for (int i = 0; i < n; i++)
        MPI_Bcast(x, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
    double y[100] = {0};
    int steps = argc > 1 ? atoi(argv[1]) : 1;
    MPI_Init(&argc, &argv);
    kept = (uintptr_t)meet;
    for (int step = 0; step < steps; step++) {
        for (int i = 0; i < 100; i++)
            y[i] = sin(y[i]) + i;
        if (gravity != NULL)
            gravity(y, 100);
        if (friction != NULL)
            friction(y, 100);
        for (int i = 0; i < hook_count; i++)
            hooks[i](y, 100);
        ((hook)kept)(y, 3);
    }
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * A function that nobody calls passes a callback to one that is needed: the callback goes with it,
 * or the compiler would warn of a function that is defined and not used.
 *
 * kept: *(int *)context += value;
 * gone: *(int *)context *= value;
 */
#include <mpi.h>

static void for_each(const int *v, int n, void (*visit)(int, void *), void *context) {
    for (int i = 0; i < n; i++)
        visit(v[i], context);
}

static void add(int value, void *context) {
    *(int *)context += value;
}

static void scale(int value, void *context) {
    *(int *)context *= value;
}

int product_of(int *v, int n) {
    int product = 1;
    for_each(v, n, scale, &product);
    return product;
}

int main(int argc, char **argv) {
    int v[3] = {1, 2, 3}, count = 0;
    double x = 1;
    MPI_Init(&argc, &argv);
    for_each(v, 3, add, &count);
    for (int i = 0; i < count; i++)
        MPI_Bcast(&x, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts are kept in a table and in a tree of the C library, of which nothing is known: records
 * passed by value, pointers that come back later, callbacks that get them.
 *
 * note: nothing is known about 'hcreate'
 * note: nothing is known about 'hsearch'
 * note: nothing is known about 'tsearch'
 * note: nothing is known about 'twalk'
 * kept: counts[i] = 3 + i
 * kept: numbers[i] = 5 - i
 * gone: x[i] = 0.5 * i
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <search.h>
#include <stdlib.h>

static int total;

static int order(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}

static void visit(const void *node, VISIT which, int depth) {
    if (which == postorder || which == leaf)
        total = 2 * total + **(int *const *)node;
}

int main(int argc, char **argv) {
    char *names[3] = {"one", "two", "three"};
    int counts[3], numbers[3];
    double x[64];
    void *root = NULL;
    MPI_Init(&argc, &argv);
    hcreate(10);
    for (int i = 0; i < 3; i++) {
        ENTRY entry = {names[i], &counts[i]};
        hsearch(entry, ENTER);
        counts[i] = 3 + i;
        numbers[i] = 5 - i;
        tsearch(&numbers[i], &root, order);
    }
    for (int i = 0; i < 64; i++)
        x[i] = 0.5 * i;
    ENTRY wanted = {"two", NULL}, *found = hsearch(wanted, FIND);
    MPI_Bcast(x, *(int *)found->data, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    twalk(root, visit);
    MPI_Bcast(x, total, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * qsort orders pointers; its callback reads the keys behind them, bsearch finds one, qsort_r's
 * callback reads keys through its last argument and counts in it.
 *
 * kept: items[i].key = (7 * i) % 10
 * kept: weights[i] = 10 - i
 * kept: context->calls++
 * gone: items[i].mass = 0.5
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdlib.h>

struct item {
    int key, length;
    double mass;
};

struct context {
    const int *weights;
    int calls;
};

static int by_key(const void *one, const void *other) {
    const struct item *a = *(struct item *const *)one, *b = *(struct item *const *)other;
    return (a->key > b->key) - (a->key < b->key);
}

static int by_weight(const void *one, const void *other, void *with) {
    struct context *context = with;
    context->calls++;
    return context->weights[*(const int *)one] - context->weights[*(const int *)other];
}

int main(int argc, char **argv) {
    struct item items[10], *order[10], wanted = {4, 0, 0}, *key = &wanted;
    int weights[6], places[6];
    double x[64] = {0};
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 10; i++) {
        items[i].key = (7 * i) % 10;
        items[i].length = 3 + i;
        items[i].mass = 0.5;
        order[i] = &items[i];
    }
    for (int i = 0; i < 6; i++) {
        weights[i] = 10 - i;
        places[i] = i;
    }
    qsort(order, 10, sizeof *order, by_key);
    struct item **found = bsearch(&key, order, 10, sizeof *order, by_key);
    for (int i = 0; i < 3; i++)
        MPI_Bcast(x, order[i]->length + (*found)->length, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    struct context context = {weights, 0};
    qsort_r(places, 6, sizeof *places, by_weight, &context);
    MPI_Bcast(x, 1 + places[0], MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(x, context.calls, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

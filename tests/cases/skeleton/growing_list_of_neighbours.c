/* SPDX-License-Identifier: Apache-2.0
 *
 * A vector that grows by realloc, filled through a helper, sorted, made unique, freed by another.
 *
 * ranks: 2 4 5
 * kept: v->items[v->count++] = item
 * gone: field[i] * 0.25
 */
#include <mpi.h>
#include <stdlib.h>

struct vector {
    int *items;
    int count, capacity;
    double *weights;
};

static void push(struct vector *v, int item) {
    if (v->count == v->capacity) {
        v->capacity = v->capacity ? 2 * v->capacity : 2;
        v->items = realloc(v->items, v->capacity * sizeof *v->items);
        v->weights = realloc(v->weights, v->capacity * sizeof *v->weights);
    }
    v->weights[v->count] = 0.5;
    v->items[v->count++] = item;
}

static int order(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}

static void unique(struct vector *v) {
    int kept = 0;
    qsort(v->items, v->count, sizeof *v->items, order);
    for (int i = 0; i < v->count; i++)
        if (i == 0 || v->items[i] != v->items[kept - 1])
            v->items[kept++] = v->items[i];
    v->count = kept;
}

static void release(struct vector *v) {
    free(v->items);
    free(v->weights);
}

int main(int argc, char **argv) {
    struct vector near = {0};
    double field[100] = {1}, *in;
    int rank, size;
    MPI_Request *requests;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int step = 1; step <= 3; step++) {
        push(&near, (rank + step) % size);
        push(&near, (rank + size * step - step) % size);
    }
    unique(&near);
    requests = malloc(2 * near.count * sizeof *requests);
    in = malloc(near.count * 10 * sizeof *in);
    for (int step = 0; step < 2; step++) {
        for (int i = 0; i < near.count; i++) {
            MPI_Irecv(in + 10 * i, 10, MPI_DOUBLE, near.items[i], 0, MPI_COMM_WORLD, &requests[i]);
            MPI_Isend(field + i, 10 - step, MPI_DOUBLE, near.items[i], 0, MPI_COMM_WORLD,
                      &requests[near.count + i]);
        }
        MPI_Waitall(2 * near.count, requests, MPI_STATUSES_IGNORE);
        for (int i = 0; i < 100; i++)
            field[i] = field[i] * 0.25 + in[i % (10 * near.count)] * near.weights[0];
    }
    release(&near);
    free(in);
    free(requests);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Pointers and counts go through buffers of bytes, a union and a queue of untyped items.
 *
 * kept: box.count = 6
 * kept: memcpy(bytes + 8, &length, sizeof length)
 * kept: again.number = 3
 * gone: box.mass = 0.5
 */
#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct box {
    double mass;
    int count;
};

union word {
    void *pointer;
    uintptr_t number;
    unsigned char bytes[8];
};

struct queue {
    void *items[8];
    int head, tail;
};

static void put(struct queue *q, void *item) {
    q->items[q->tail++ % 8] = item;
}

static void *take(struct queue *q) {
    return q->items[q->head++ % 8];
}

int main(int argc, char **argv) {
    struct box box, *found, *pointer = &box;
    unsigned char bytes[16], other[16];
    int length = 4, got, *number = malloc(sizeof *number);
    double x[64];
    union word word, again;
    struct queue queue = {.head = 0};
    MPI_Init(&argc, &argv);
    box.count = 6;
    box.mass = 0.5;
    for (int i = 0; i < 64; i++)
        x[i] = box.mass * i;
    memcpy(bytes, &pointer, sizeof pointer);
    memcpy(bytes + 8, &length, sizeof length);
    for (int i = 0; i < 16; i++)
        other[i] = bytes[i];
    memcpy(&got, other + 8, sizeof got);
    memcpy(&found, bytes, sizeof found);
    MPI_Bcast(x, found->count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(x, got, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    word.pointer = &box;
    again.number = word.number;
    MPI_Bcast(x, ((struct box *)again.pointer)->count + 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    again.number = 3;
    MPI_Bcast(x, again.bytes[0], MPI_DOUBLE, 0, MPI_COMM_WORLD);
    *number = 11;
    put(&queue, &box);
    put(&queue, number);
    MPI_Bcast(x, ((struct box *)take(&queue))->count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(x, *(int *)take(&queue), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    free(number);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Members are written through offsetof, found through container_of, cleared by memset, reached by a
 * negative index and behind a flexible array.
 *
 * kept: (char *)&box + offsetof(struct box, count)
 * kept: tail->items[i] = i + 1
 * gone: box.mass[i] = 0.5
 */
#include <mpi.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define CONTAINER(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))

struct link {
    struct link *next;
};

struct box {
    double mass[8];
    int count, steps;
    struct link link;
};

struct tail {
    int length;
    int items[];
};

static struct link *all;

int main(int argc, char **argv) {
    struct box box;
    double x[64];
    int around[9], *middle = around + 4;
    MPI_Init(&argc, &argv);
    memset(&box, 0, sizeof box);
    *(int *)((char *)&box + offsetof(struct box, count)) = 7;
    box.steps = 2;
    for (int i = 0; i < 8; i++)
        box.mass[i] = 0.5;
    box.link.next = all;
    all = &box.link;
    for (int i = -4; i <= 4; i++)
        middle[i] = i + 6;
    struct tail *tail = malloc(sizeof *tail + 3 * sizeof(int));
    tail->length = 3;
    for (int i = 0; i < tail->length; i++)
        tail->items[i] = i + 1;
    for (int i = 0; i < 64; i++)
        x[i] = box.mass[i % 8];
    struct box *found = CONTAINER(all, struct box, link);
    for (int i = 0; i < found->steps; i++)
        MPI_Bcast(x, found->count + around[0], MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int i = 0; i < tail->length; i++)
        MPI_Bcast(x, tail->items[i] + middle[-1], MPI_DOUBLE, 0, MPI_COMM_WORLD);
    free(tail);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * A record is assigned, in an array and through pointers; its count arrives where it is needed.
 *
 * kept: queue[tail++] = next
 * kept: *out = queue[0]
 * gone: y[i] -= 7
 */
#include <mpi.h>

struct job {
    int length, root;
};

static struct job queue[10];
static int tail;

static void push(int length, int root) {
    struct job next = {length, root};
    queue[tail++] = next;
}

static void pop(struct job *out) {
    *out = queue[0];
    for (int i = 1; i < tail; i++)
        queue[i - 1] = queue[i];
    tail--;
}

int main(int argc, char **argv) {
    double y[100] = {0};
    struct job job;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 6; i++)
        push(i * 7, i % 2);
    for (int i = 0; i < 100; i++)
        y[i] -= 7;
    while (tail > 0) {
        pop(&job);
        MPI_Bcast(y, job.length, MPI_DOUBLE, job.root, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}

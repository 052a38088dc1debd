/* SPDX-License-Identifier: Apache-2.0
 *
 * Members are copied to other members of the same record by a function that copies anything: where
 * pointers may then lie is not followed from offset to offset without end. The numbers behind the
 * pointer that was copied so are how long the message is.
 *
 * gone: b->scratch[i] = i * 0.5;
 * kept: b->lengths[i] = 3 + i % 4;
 * args: 3
 * args: 40
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

struct box {
    struct box *target;
    int *lengths, *copied;
    double *scratch;
    int n;
};

static int copy(void *to, const void *from, size_t n) {
    memcpy(to, from, n);
    return 0;
}

int main(int argc, char **argv) {
    int steps = argc > 1 ? atoi(argv[1]) : 1;
    MPI_Init(&argc, &argv);
    struct box *b = calloc(1, sizeof *b);
    b->target = b;
    b->lengths = calloc(10, sizeof *b->lengths);
    b->scratch = calloc(100, sizeof *b->scratch);
    for (int i = 0; i < 10; i++)
        b->lengths[i] = 3 + i % 4;
    for (int i = 0; i < 100; i++)
        b->scratch[i] = i * 0.5;
    copy(&b->target->copied, &b->lengths, sizeof b->lengths);
    copy(&b->n, &steps, sizeof steps);
    for (int step = 0; step < b->n; step++)
        MPI_Bcast(b->scratch, b->copied[step % 10], MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

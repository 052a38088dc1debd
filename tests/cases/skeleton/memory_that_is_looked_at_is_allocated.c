/* SPDX-License-Identifier: Apache-2.0
 *
 * As much as the program allocates stays where something that is needed is in it, where a call that
 * stays writes to it, or where nothing tells what is done with it.
 *
 * kept: counts = malloc(n * sizeof *counts)
 * kept: line = malloc(LINE)
 * kept: table = calloc(n, sizeof *table)
 * kept: first = second = malloc(n * sizeof(int))
 * kept: packed = malloc(n * sizeof *packed)
 * kept: own = malloc(n * sizeof *own)
 * kept: zeros = calloc(n, sizeof *zeros)
 * kept: mirror = malloc(n * sizeof *mirror)
 * kept: attached = malloc(n + MPI_BSEND_OVERHEAD)
 * kept: double stack[500], vla[n]
 * kept: name = strdup(argv[1])
 * gone: table[i].weight[3] = i
 * args: 7
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE 4096

struct entry {
    double weight[64];
    int count;
};

static int *shared(int n) {
    int *block = malloc(n * sizeof(int));
    if (block == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    return block;
}

/* The size of one is asked for, the other one is read. */
static int arrays(int n) {
    double stack[500], vla[n];
    for (int i = 0; i < n; i++)
        stack[i] = n;
    MPI_Bcast(vla, sizeof vla / sizeof *vla, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return (int)stack[n / 2];
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 5, rank, total = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *counts = malloc(n * sizeof *counts), *unused = shared(n), *used = shared(n);
    int *first, *second, *packed, *own;
    char *line = malloc(LINE);
    struct entry *table = calloc(n, sizeof *table);
    first = second = malloc(n * sizeof(int));
    packed = malloc(n * sizeof *packed);
    own = malloc(n * sizeof *own);
    int *zeros = calloc(n, sizeof *zeros), *mirror = malloc(n * sizeof *mirror);
    char *name = strdup(argv[1]);
    char *attached = malloc(n + MPI_BSEND_OVERHEAD);
    if (counts == NULL || line == NULL || table == NULL || first == NULL || packed == NULL ||
        own == NULL || zeros == NULL || mirror == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < n; i++) {
        counts[i] = used[i] = i + 1;
        unused[i] = i;
        table[i].count = 2 * i + 1;
        table[i].weight[3] = i;
        second[i] = 3;
    }
    snprintf(line, LINE, "%*d", LINE / 2, n);
    mirror[n - 1] = total = (int)strlen(line);
    MPI_Buffer_attach(attached, n + MPI_BSEND_OVERHEAD);
    MPI_Buffer_detach(&attached, &rank);
    memcpy(packed, counts, n * sizeof *packed);
    memcpy(own, packed, n * sizeof *own);
    MPI_Bcast(own, n, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; i < n; i++)
        MPI_Bcast(unused, (counts[i] + used[i] + table[i].count + first[i] + own[i]) % n, MPI_INT,
                  0, MPI_COMM_WORLD);
    MPI_Bcast(unused, (total + arrays(n) + name[rank]) % n + zeros[n / 2], MPI_INT, 0, MPI_COMM_WORLD);
    free(name);
    free(attached);
    free(mirror);
    free(zeros);
    free(own);
    free(packed);
    free(second);
    free(table);
    free(line);
    free(used);
    free(unused);
    free(counts);
    MPI_Finalize();
    return 0;
}

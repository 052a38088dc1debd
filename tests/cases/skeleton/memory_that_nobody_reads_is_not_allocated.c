/* SPDX-License-Identifier: Apache-2.0
 *
 * Allocations whose failure would end the program stay, but take next to no memory where nobody
 * looks at them, and arrays, static or on the stack, are shared: from all allocators, through a wrapper, in structures,
 * grown. Of a row of pointers, and of a record in front of an array, as much stays as is looked at.
 *
 * made: BSIM_UNREAD_malloc(0, n * sizeof *plain)
 * made: BSIM_UNREAD_calloc(0, (size_t)count, sizeof(double))
 * made: BSIM_UNREAD_aligned_alloc(0, 64, 64 * (size_t)n)
 * made: BSIM_UNREAD_posix_memalign(0, (void **)&posix, 64, n * sizeof *posix)
 * made: BSIM_UNREAD_malloc(0, n * n * sizeof(double))
 * made: BSIM_UNREAD_malloc(8, sizeof(struct block) + n * sizeof(double))
 * made: BSIM_UNREAD_realloc(0, plain, 2 * n * sizeof *plain)
 * made: rows[i] = BSIM_UNREAD_malloc(0, n * sizeof(double))
 * made: BSIM_SHARED static double fixed[1000][100]
 * made: BSIM_SHARED static double zeroes[500]; BSIM_SHARED static double stack[2][500]; double
 * made: vla[BSIM_UNREAD_LENGTH(n)][n + 1]
 * made: name = BSIM_UNREAD_strdup(0, argv[0])
 * kept: rows = malloc(n * sizeof *rows)
 * gone: plain[i] = i
 * gone: grid.cells[i] = fixed[i][1] = i
 * gone: b->data[i] = i
 * gone: rows[i][k] = k
 * args: 9
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIELD(n) make(n)

static double fixed[1000][100];
static int looked_at[16];

struct grid {
    int size;
    double *cells;
};

struct block {
    int used, tag;
    double data[];
};

static void *must(void *memory) {
    if (memory == NULL) {
        fprintf(stderr, "no memory\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return memory;
}

static void send(double *line, int n) {
    if (line == NULL)
        MPI_Abort(MPI_COMM_WORLD, 4);
    MPI_Bcast(line, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

/* Who knows its address may look at it, and it stays. */
static void keep(struct grid *out, double *cells) {
    out->cells = cells;
    MPI_Bcast(&out->size, 1, MPI_INT, 0, MPI_COMM_WORLD);
}

static double arrays(int n) {
    double sum = 0, zeroes[500] = {0}, stack[2][500], *at, vla[n][n + 1];
    struct grid kept[3] = {{n, NULL}, {n, NULL}, {n, NULL}};
    keep(&kept[0], zeroes);
    keep(&kept[1], stack[1]);
    keep(&kept[2], vla[n - 1]);
    for (int i = 0; i < n; i++)
        stack[1][i] = vla[n - 1][i] = zeroes[i] + i;
    for (int k = 0; k < 3; k++) {
        at = kept[k].cells;
        for (int i = 0; i < n; i++)
            sum += at[i];
        send(at, kept[k].size);
    }
    return sum;
}

static double *make(int count) {
    double *field = calloc((size_t)count, sizeof(double));
    if (field == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    return field;
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 5;
    double sum = 0;
    MPI_Init(&argc, &argv);
    double *plain = must(malloc(n * sizeof *plain));
    double *one = FIELD(n), *other = make(2 * n), *posix = NULL;
    double *line = must(aligned_alloc(64, 64 * (size_t)n));
    if (posix_memalign((void **)&posix, 64, n * sizeof *posix) != 0)
        MPI_Abort(MPI_COMM_WORLD, 2);
    struct grid grid = {n, NULL};
    grid.cells = must(malloc(n * n * sizeof(double)));
    struct block *b = must(malloc(sizeof(struct block) + n * sizeof(double)));
    b->used = n + 1;
    b->tag = 3;
    double **rows = malloc(n * sizeof *rows);
    char *name = strdup(argv[0]);
    if (name == NULL)
        MPI_Abort(MPI_COMM_WORLD, 5);
    for (int i = 0; i < n; i++)
        if ((rows[i] = malloc (n * sizeof(double))) == NULL)
            MPI_Abort(MPI_COMM_WORLD, 3);
    plain = must(realloc(plain, 2 * n * sizeof *plain));
    for (int i = 0; i < n; i++) {
        plain[i] = i;
        one[i] = other[i] = posix[i] = line[i] = i;
        grid.cells[i] = fixed[i][1] = i;
        looked_at[i % 16] = i;
        b->data[i] = i;
        for (int k = 0; k < n; k++)
            rows[i][k] = k;
    }
    for (int i = 0; i < n; i++)
        sum += plain[i] + one[i] + other[i] + posix[i] + line[i] + grid.cells[i] + b->data[i] +
               rows[i][i];
    MPI_Bcast(&sum, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(plain, b->used + b->tag, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    send(fixed[2], looked_at[3]);
    MPI_Bcast(rows[n / 2], grid.size, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    printf("%s %g\n", name, sum + arrays(n));
    free(name);
    for (int i = 0; i < n; i++)
        free(rows[i]);
    free(rows);
    free(b);
    free(grid.cells);
    free(posix);
    free(line);
    free(other);
    free(one);
    free(plain);
    MPI_Finalize();
    return 0;
}

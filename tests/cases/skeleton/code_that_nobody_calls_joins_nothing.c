/* SPDX-License-Identifier: Apache-2.0
 *
 * What functions do with pointers that main never gets to does not count: one would join the work
 * with the lengths of messages, another one is only called by it. Nor does what is stored through a
 * pointer that may be a string literal change another literal.
 *
 * kept: counts[i] = i + 1
 * gone: state.work[i] = state.work[i] * 3 + k
 * gone: to[i] = 'a' + k % 26
 * args: 20
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

struct state {
    int *work, *counts;
};

static struct state state;

static void join(int **to, int *from) {
    *to = from;
}

void nobody_calls_this(void) {
    join(&state.work, state.counts);
}

void nor_this(int **to) {
    for (int i = 0; i < 100; i++)
        state.counts[i] = state.work[i] + *to[i];
}

static void compute(int n) {
    for (int k = 0; k < 10; k++)
        for (int i = 0; i < n; i++)
            state.work[i] = state.work[i] * 3 + k;
}

static void fill(char *to, int n) {
    for (int k = 0; k < 10; k++)
        for (int i = 0; i < n; i++)
            to[i] = 'a' + k % 26;
}

int main(int argc, char **argv) {
    int size;
    char name[64] = "";
    const char *names[] = {"one", "three"};
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int n = atoi(argv[1]);
    char *to = n > 100 ? "never written" : name;
    state.work = calloc(n, sizeof *state.work);
    state.counts = calloc(size, sizeof *state.counts);
    for (int i = 0; i < size; i++)
        state.counts[i] = i + 1;
    compute(n);
    fill(to, n);
    MPI_Bcast(state.work, state.counts[size - 1], MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(name, (int)strlen(names[n % 2]), MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

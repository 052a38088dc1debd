/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a loop may end before its bound (another condition, break), elements of arrays are read
 * within the array, nothing is followed, and no division traps, that only further iterations would
 * not reach. A step is not followed of a loop that does not iterate. What labels and cases lie behind is
 * not what stands in front of them; functions that call each other have several of each variable;
 * products that only fit into a long are made as such.
 *
 * args: 10 5 0
 * args: 100000 5 0
 * ranks: 2
 * gone: work[0] +=
 * gone: work[1] +=
 * gone: work[2] +=
 * gone: work[3] +=
 * gone: work[4] +=
 * gone: work[5] +=
 * gone: work[6] +=
 * gone: work[7] +=
 * kept: MPI_Barrier
 * feature: bsim_trips(0, (((long)n * (long)n) / 1000000), 1)
 * feature: bsim_trips(0, m, 1)
 * feature: BSIM_SUM(bsim_i1, bsim_last, 0, bsim_trips(0, 5, 1), 1, bsim_trips(0, lengths[bsim_within(table[bsim_within(bsim_i1, 5)], 5)], 1))
 * feature: BSIM_SUM(bsim_i1, bsim_last, 0, bsim_trips(0, 4, 1), 1, bsim_trips(0, bsim_quotient(n, ends[bsim_within(bsim_i1, 4)]), 1))
 * features: 12
 */
#include <mpi.h>
#include <stdlib.h>

struct size {
    int n, m;
};

static double work[16];
static int table[5] = {1, 2, 4, -1, 1000000000}, lengths[5], ends[4] = {1, 2, 4, 0};

static void beside(const struct size *p, int n) {
    for (int i = 0; i < 4 && p; i++)
        for (int j = 0; j < p->n; j++)
            work[0] += 1;
    for (int i = 0; i < 4 && ends[i] != 0; i++)
        for (int j = 0; j < n / ends[i]; j++)
            work[0] += 1;
}

static void behind_break(void) {
    for (int i = 0; i < 5; i++) {
        if (table[i] < 0)
            break;
        for (int j = 0; j < lengths[table[i]]; j++)
            work[1] += 1;
    }
}

static void behind_pointer(const int *numbers, int count) {
    for (int i = 0; i < count; i++) {
        if (i == 5)
            break;
        for (int j = 0; j < numbers[i]; j++)
            work[2] += 1;
    }
}

static void steps(const struct size *p, int n) {
    for (int i = 0; i < n; i += p->n + 1)
        work[3] += 1;
}

static void again(int n, int m) {
    int done = 0;
again:
    if (done) {
        for (int i = 0; i < m; i++)
            work[4] += 1;
        return;
    }
    for (int i = 0; i < n; i++)
        work[5] += 1;
    done = 1;
    goto again;
}

static void cases(int c, int n) {
    int k;
    switch (c) {
    case 0:
        k = n;
        /* fall through */
    default:
        k = c > 0 ? 4 : n;
        work[6] += 1;
    case 1:
        for (int i = 0; i < k; i++)
            work[6] += 1;
    }
}

static void outer(int deep, const int *given, int n);

static void inner(const struct size *size, int n) {
    outer(1, &size->n, n);
}

static void outer(int deep, const int *given, int n) {
    struct size size;
    if (deep) {
        for (int i = 0; i < *given; i++)
            work[7] += 1;
        return;
    }
    size.n = 2 * n;
    inner(&size, n);
}

static void square(int n) {
    long a = n;
    for (long i = 0; i < a * a / 1000000; i++)
        work[8] += 1;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int n = atoi(argv[1]), m = atoi(argv[2]), c = atoi(argv[3]);
    struct size *none = c > 0 ? malloc(sizeof *none) : NULL;
    if (none)
        none->n = c;
    MPI_Bcast(work, none ? none->n : 0, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int i = 0; i < 5; i++) {
        lengths[i] = m + i;
        MPI_Bcast(work, lengths[i] % 3 + (table[i] > 0), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    for (int i = 0; i < 4; i++)
        MPI_Bcast(work, ends[i], MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    beside(none, n);
    MPI_Barrier(MPI_COMM_WORLD);
    behind_break();
    MPI_Barrier(MPI_COMM_WORLD);
    behind_pointer(lengths, 1000000000);
    MPI_Barrier(MPI_COMM_WORLD);
    steps(none, n * c);
    MPI_Barrier(MPI_COMM_WORLD);
    again(n, m);
    MPI_Barrier(MPI_COMM_WORLD);
    cases(c, n);
    MPI_Barrier(MPI_COMM_WORLD);
    outer(0, NULL, n);
    MPI_Barrier(MPI_COMM_WORLD);
    square(n);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * What features must not do: follow a null pointer that is an argument as such, or a pointer that
 * only a condition lets the program follow; trap where the program might not divide; name a local that
 * another one hides, or a record of another block; take what a number was before the condition, or
 * another declaration, changed it; take a record's copy for what the original became; go around in
 * a circle of copies.
 *
 * args: 10 0
 * args: 10 3
 * ranks: 2
 * gone: work[0] +=
 * gone: work[1] +=
 * gone: work[2] +=
 * gone: work[3] +=
 * gone: work[4] +=
 * gone: work[5] +=
 * gone: work[6] +=
 * gone: work[7] +=
 * gone: work[8] +=
 * gone: work[10] +=
 * feature: n
 * feature: c
 * feature: bsim_trips(0, n, 1)
 * feature: bsim_trips(0, size.n, 1)
 * feature: bsim_trips(0, bsim_remainder(n, c), 1)
 * features: 13
 */
#include <mpi.h>
#include <stdlib.h>

struct size {
    int n, m;
};

static double work[16];

static void optional(const struct size *size) {
    if (size == NULL)
        return;
    for (int i = 0; i < size->n; i++)
        work[0] += 1;
}

static void follow(const int *p, int m) {
    int limit = m;
    double y = 1;
    if (p != NULL)
        limit = *p;
    while (y < limit) {
        y += 1 + work[9];
        work[1] += 1;
    }
}

static void divide(int n, int c) {
    if (work[9] > 1)
        for (int i = 0; i < n % c; i++)
            work[2] += 1;
}

static void beside(const struct size *p, int c) {
    for (int i = 0; c > 100 && i < p->n; i++)
        work[3] += 1;
}

static int get(int *out, int n) {
    *out = n;
    return n > 2;
}

static void in_condition(int n) {
    int k = 3;
    if (get(&k, n))
        for (int i = 0; i < k; i++)
            work[4] += 1;
}

static void by_value(struct size size, struct size *original) {
    original->n = 100;
    for (int i = 0; i < size.n; i++)
        work[5] += 1;
}

static void behind(void *data) {
    struct inner {
        int q, n;
    } *inner = data;
    for (int i = 0; i < inner->n; i++)
        work[6] += 1;
}

static void circle(int c) {
    struct size a = {1, 1}, b = {2, 2};
    if (work[9] > 1)
        a = b;
    else if (c > 100)
        b = a;
    for (int i = 0; i < a.n; i++)
        work[7] += 1;
}

static void copy(const struct size *p) {
    if (p != NULL) {
        struct size in = *p;
        for (double y = 0; y < in.n; y += 1 + work[9])
            work[10] += 1;
    }
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int n = atoi(argv[1]), c = atoi(argv[2]), number = n;
    MPI_Barrier(MPI_COMM_WORLD);
    optional(NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    follow(c > 1 ? &number : NULL, c);
    MPI_Barrier(MPI_COMM_WORLD);
    divide(n, c);
    MPI_Barrier(MPI_COMM_WORLD);
    beside(c > 1 ? &(struct size){n, n} : NULL, c);
    MPI_Barrier(MPI_COMM_WORLD);
    in_condition(n);
    MPI_Barrier(MPI_COMM_WORLD);
    struct size size = {n, n};
    by_value(size, &size);
    MPI_Barrier(MPI_COMM_WORLD);
    behind(&(struct size){c, n});
    MPI_Barrier(MPI_COMM_WORLD);
    circle(c);
    MPI_Barrier(MPI_COMM_WORLD);
    copy(c > 1 ? &size : NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    int k = n, *p = &k;
    {
        int k = 1000;
        for (int i = 0; i < *p; i++)
            work[8] += 1;
        work[9] *= k;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

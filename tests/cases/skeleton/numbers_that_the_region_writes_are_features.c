/* SPDX-License-Identifier: Apache-2.0
 *
 * Bounds of loops that the region itself has written before: members of a record, one by one, in a
 * record that a function returns, and out of a function through pointers, also in branches. Where
 * several statements may have written them, a loop among them, they are not known.
 *
 * args: 40
 * args: 11
 * ranks: 1 3
 * gone: x[i] = x[i] * 0.5 + i
 * gone: x[i] += weight
 * gone: x[i] -= 3
 * gone: x[i] += 0.125
 * gone: x[i] *= 1.0625
 * gone: x[i] *= 0.75
 * feature: bsim_trips(1, b.n, 1)
 * feature: bsim_trips(2, b.size.high, 1)
 * feature: bsim_trips(3, b.n, 1)
 * feature: bsim_trips(4, ((b.n > b.size.high) ? b.size.high : (b.n - 1)), 1)
 * feature: bsim_trips(5, b.n, 1)
 * feature: bsim_trips(0, 2, 1)
 * features: 6
 */
#include <mpi.h>
#include <stdlib.h>

struct size {
    int low, high;
};
struct big {
    struct size size;
    int n;
    double *x;
};
struct light {
    double weight;
    struct size size;
    int n;
};

static struct light light_of(const struct big *b) {
    struct light light;
    light.weight = 0.5;
    light.size = b->size;
    light.n = b->n;
    return light;
}

static void by_member(const struct big *b, double *x) {
    struct light l;
    l.n = b->n;
    for (int i = 1; i < l.n; i++)
        x[i] = x[i] * 0.5 + i;
}

static void go_through(const struct light *light, double *x) {
    double weight = light->weight;
    for (int i = 2; i < light->size.high; i++)
        x[i] += weight;
}

static void returned(const struct big *b, double *x) {
    struct light l = light_of(b);
    go_through(&l, x);
}

static void bounds(int *low, int *high, int n) {
    *low = 3;
    *high = n;
}

static void by_pointers(const struct big *b, double *x) {
    int low = 0, high = 0;
    bounds(&low, &high, b->n);
    for (int i = low; i < high; i++)
        x[i] -= 3;
}

static void least(int *out, int one, int other) {
    if (one > other)
        *out = other;
    else
        *out = one - 1;
}

static void in_branches(const struct big *b, double *x) {
    int end;
    least(&end, b->n, b->size.high);
    for (int i = 4; i < end; i++)
        x[i] += 0.125;
}

static void by_address(const int *n, double *x) {
    for (int i = 5; i < *n; i++)
        x[i] *= 1.0625;
}

static void again_and_again(const struct big *b, double *x) {
    struct light l = {0};
    for (int k = 0; k < 2; k++) {
        for (int i = 6; i < l.n; i++)
            x[i] *= 0.75;
        l.n = b->n;
    }
}

int main(int argc, char **argv) {
    struct big b;
    MPI_Init(&argc, &argv);
    b.n = atoi(argv[1]);
    b.size.low = 0;
    b.size.high = b.n / 2;
    b.x = calloc((size_t)b.n, sizeof *b.x);
    for (int i = b.size.high; i < b.n; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    by_member(&b, b.x);
    MPI_Barrier(MPI_COMM_WORLD);
    returned(&b, b.x);
    MPI_Barrier(MPI_COMM_WORLD);
    by_pointers(&b, b.x);
    MPI_Barrier(MPI_COMM_WORLD);
    in_branches(&b, b.x);
    MPI_Barrier(MPI_COMM_WORLD);
    by_address(&b.n, b.x);
    MPI_Barrier(MPI_COMM_WORLD);
    again_and_again(&b, b.x);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return b.x[0] < 0;
}

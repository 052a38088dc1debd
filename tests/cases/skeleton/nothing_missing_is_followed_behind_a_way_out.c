/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions that return at once where a record, or a number, is missing: features follow pointers
 * only where it is there. Behind a return under a condition that is not known only what is followed
 * in any case is followed, and so it is in loops of unknown length.
 *
 * args: 3
 * args: 9
 * ranks: 1 2
 * gone: sum += x[i];
 * gone: sum -= x[i];
 * gone: sum *= x[i];
 * gone: sum /= x[i];
 * gone: sum += 2 * x[i];
 * feature: BSIM_TIMES((!(size == 0) ? 1 : 0), bsim_trips(0, size->n, 1))
 * feature: BSIM_TIMES((!(number == 0) ? 1 : 0), bsim_trips(1, (*number), 1))
 * feature: bsim_trips(4, other->n, 1)
 * feature: bsim_trips(5, other->n, 1)
 * feature: n
 * feature: other->n
 * features: 6
 */
#include <mpi.h>
#include <stdlib.h>

struct size {
    int n;
};

static double add(const struct size *p, const double *x) {
    double sum = 0;
    if (p == NULL)
        return 0;
    for (int i = 0; i < p->n; i++)
        sum += x[i];
    return sum;
}

static double take(const int *number, const double *x) {
    double sum = 0;
    if (number == NULL) {
        return 0;
    }
    for (int i = 1; i < *number; i++)
        sum -= x[i];
    return sum;
}

static double multiply(const struct size *p, const double *x) {
    double sum = 1;
    if (x[0] > 0)
        return 0;
    for (int i = 3; i < p->n; i++)
        sum *= x[i];
    return sum;
}

static double divide(const struct size *p, const double *x) {
    double sum = 1 / (double)p->n;
    if (x[0] > 0)
        return 0;
    for (int i = 4; i < p->n; i++)
        sum /= x[i];
    return sum;
}

static double again(const struct size *p, const double *x) {
    double sum = p->n;
    while (sum > 0) {
        for (int i = 5; i < p->n; i++)
            sum += 2 * x[i];
        sum -= 100;
    }
    return sum;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int n = atoi(argv[1]);
    struct size *size = n > 5 ? malloc(sizeof *size) : NULL, *other = malloc(sizeof *other);
    int *number = n > 5 ? malloc(sizeof *number) : NULL;
    other->n = n + 1;
    if (size != NULL)
        size->n = n;
    if (number != NULL)
        *number = n;
    double x[100] = {n < 5}, sum = 0;
    for (int i = 0; i < (size != NULL ? size->n : 1) + (number != NULL ? *number : 1) + other->n; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    sum += add(size, x);
    MPI_Barrier(MPI_COMM_WORLD);
    sum += take(number, x);
    MPI_Barrier(MPI_COMM_WORLD);
    sum += multiply(size, x);
    MPI_Barrier(MPI_COMM_WORLD);
    sum += divide(other, x);
    MPI_Barrier(MPI_COMM_WORLD);
    sum += again(other, x);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return sum > 1e9;
}

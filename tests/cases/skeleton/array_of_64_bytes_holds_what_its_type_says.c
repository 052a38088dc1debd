/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a pointer leads to a number or to a small array of integers, a number with a fraction is read: what may have been
 * put into the integers is not it. (Larger ones are work space: integers_as_work_space_of_numbers.c.)
 *
 * kept: x[0] = 3
 * gone: put(marks, sum)
 */
#include <mpi.h>

static int marks[16];
static double x[40];

static void put(void *to, double number) {
    *(double *)to = number;
}

static double get(const void *from) {
    return *(const double *)from;
}

int main(int argc, char **argv) {
    void *places[2] = {marks, x};
    double sum = 0;
    MPI_Init(&argc, &argv);
    x[0] = 3;
    for (int i = 0; i < 1000; i++)
        sum += 0.5 * i;
    if (argc > 7)
        put(marks, sum);
    for (int k = 0; k < get(places[argc < 9]); k++)
        MPI_Bcast(x, 40, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

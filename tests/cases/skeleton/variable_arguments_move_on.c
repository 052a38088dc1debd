/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts come through variable arguments, by value and by pointer; each va_arg moves the list on,
 * also one whose value nobody needs.
 *
 * kept: va_start(list, n)
 * kept: va_arg(list, double)
 * gone: tag = n
 */
#include <mpi.h>
#include <stdarg.h>

static int sum_of(int n, ...) {
    va_list list;
    int sum = 0, tag;
    va_start(list, n);
    while (n-- > 0)
        sum += va_arg(list, int);
    tag = n;
    (void)tag;
    va_end(list);
    return sum;
}

static void add_to_all(int n, ...) {
    va_list list;
    va_start(list, n);
    (void)va_arg(list, double);
    while (n-- > 0)
        *va_arg(list, int *) += 2;
    va_end(list);
}

int main(int argc, char **argv) {
    int count = 1, other = 0;
    MPI_Init(&argc, &argv);
    add_to_all(2, 0.5, &other, &count);
    for (int i = 0; i < sum_of(2, count, argc); i++)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

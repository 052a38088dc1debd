/* SPDX-License-Identifier: Apache-2.0
 *
 * What vsprintf is given in a va_list it reads: the name of the file, which is printed and then
 * decides about a message, is not written by the print of a result.
 *
 * gone: sum += sin(i)
 * gone: tell("%s: %g\n", name, sum)
 * kept: name[0] = argc > 1 ? argv[1][0] : 'x'
 * args: y
 */
#include <math.h>
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>

static void tell(const char *format, ...) {
    char line[256];
    va_list list;
    va_start(list, format);
    vsprintf(line, format, list);
    va_end(list);
    printf("%s", line);
}

int main(int argc, char **argv) {
    char name[8] = "";
    double sum = 0;
    MPI_Init(&argc, &argv);
    name[0] = argc > 1 ? argv[1][0] : 'x';
    for (int i = 0; i < 1000; i++)
        sum += sin(i);
    tell("%s: %g\n", name, sum);
    if (name[0] == 'y')
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * A byte is copied from one record to another one, not the pointer behind it: what is written through the second record's
 * pointer is not where the first one's leads to, which decides how many messages there are.
 *
 * kept: first.to[0] = 3 + argc
 * gone: second.to[i] = 3 * i
 */
#include <mpi.h>
#include <string.h>

struct list {
    char kind;
    int *to;
};

int main(int argc, char **argv) {
    int few[2] = {0}, many[40];
    struct list first = {'a', few}, second = {'b', many};
    MPI_Init(&argc, &argv);
    memcpy(&second.kind, &first.kind, 1);
    first.to[0] = 3 + argc;
    for (int i = 0; i < 40; i++)
        second.to[i] = 3 * i;
    for (int k = 0; k < few[0]; k++)
        MPI_Bcast(many, 40, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

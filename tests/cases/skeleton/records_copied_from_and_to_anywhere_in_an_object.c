/* SPDX-License-Identifier: Apache-2.0
 *
 * Pointers to bytes anywhere in an object are what records are copied from and to: each member of
 * the record may be any part of the object, not only its first bytes. An array of pointers is
 * copied into a record of as many.
 *
 * kept: count = 7
 * kept: sizes.second = 5
 * kept: length = 9
 * gone: y[i] -= 7
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

struct pair {
    int *first, *second;
};

struct sizes {
    int first, second;
};

static struct pair pairs;
static struct sizes table;
static int *list[2];

int main(int argc, char **argv) {
    int count, length, other = 1;
    double y[100] = {0};
    struct pair pair, both;
    struct sizes sizes = {1, 0};
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 100; i++)
        y[i] -= 7;
    count = 7;
    length = 9;
    sizes.second = 5;
    pairs.first = &other;
    pairs.second = &count;
    memcpy(&pair, (char *)&pairs + 8 * (argc - 1), sizeof pair - 8 * (argc - 1));
    MPI_Bcast(y, *pair.second, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    memcpy((char *)&table + 4 * (argc - 1), &sizes, sizeof sizes - 4 * (argc - 1));
    MPI_Bcast(y, table.second, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int i = 0; i < 2; i++)
        list[i] = i == 0 ? &other : &length;
    memcpy(&both, &list[argc - 1], sizeof both);
    MPI_Bcast(y, *both.second, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

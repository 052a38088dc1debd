/* SPDX-License-Identifier: Apache-2.0
 *
 * A word is looked up in a table of names; its index and a character of it steer.
 *
 * args: three
 * args: two
 * args: none
 * kept: strcmp(names[i], word)
 * gone: x[i] * 2
 */
#include <mpi.h>
#include <string.h>

static const char *const names[] = {"one", "two", "three", NULL};
static const struct {
    const char *unit;
    int size;
} units[] = {{"byte", 1}, {"word", 4}, [2] = {.size = 8, .unit = "double"}};

static int find(const char *word) {
    for (int i = 0; names[i] != NULL; i++)
        if (strcmp(names[i], word) == 0)
            return i;
    return 0;
}

int main(int argc, char **argv) {
    double x[64] = {1};
    MPI_Init(&argc, &argv);
    int which = find(argc > 1 ? argv[1] : "one");
    for (int i = 0; i < 64; i++)
        x[i] = x[i] * 2 + i;
    MPI_Bcast(x, units[which].size, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (const char *at = names[which]; *at != '\0' && *at != 'r'; at++)
        MPI_Barrier(MPI_COMM_WORLD);
    for (size_t i = 0; i < strlen(units[which].unit); i++)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

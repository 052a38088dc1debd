/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions that choose entries of a directory count them.
 *
 * kept: counted += entry->d_name[0] == '.';
 * kept: failed++;
 * gone: x[i] = 0.5 * i
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <glob.h>
#include <mpi.h>
#include <stdlib.h>

static int counted, failed;

static int choose(const struct dirent *entry) {
    counted += entry->d_name[0] == '.';
    return 0;
}

static int fail(const char *path, int error) {
    failed++;
    return 0;
}

int main(int argc, char **argv) {
    struct dirent **entries;
    glob_t found;
    double x[64];
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 64; i++)
        x[i] = 0.5 * i;
    if (scandir("/", &entries, choose, NULL) >= 0)
        free(entries);
    if (glob("/nowhere/at/all/*", 0, fail, &found) == 0)
        globfree(&found);
    MPI_Bcast(x, 3 + counted + failed, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

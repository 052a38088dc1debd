/* SPDX-License-Identifier: Apache-2.0
 *
 * Each rank makes a directory, goes there and sets a variable; all of it decides, and what other
 * ranks do meanwhile does not change it. What is made after the last path was followed goes.
 *
 * ranks: 2 5
 * kept: mkdir(name, 0755)
 * kept: rename("old", "new")
 * kept: setenv("WIDTH", text, 1);
 * gone: mkdir("late", 0755)
 * gone: sum += sqrt(k)
 */
#include <mpi.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static double row[64];

static void enter(const char *name) {
    mkdir(name, 0755);
    if (chdir(name) != 0) {
        fprintf(stderr, "no directory %s\n", name);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static int entries(const char *path) {
    DIR *directory = opendir(path);
    int count = 0;
    while (directory != NULL && readdir(directory) != NULL)
        count++;
    if (directory != NULL)
        closedir(directory);
    return count;
}

static int variable(const char *name) {
    const char *text = getenv(name);
    return text != NULL ? atoi(text) : 1;
}

static int is_in(const char *name) {
    char path[4096];
    return getcwd(path, sizeof path) != NULL && strstr(path, name) != NULL;
}

int main(int argc, char **argv) {
    int rank, size, width, most;
    double sum = 0;
    char name[64], text[16];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    snprintf(name, sizeof name, "rank%d_of_the_case", rank);
    enter(name);
    rmdir("new");
    for (int k = 0; k < 1000; k++)
        sum += sqrt(k);
    MPI_Barrier(MPI_COMM_WORLD);
    mkdir("old", 0755);
    rename("old", "new");
    snprintf(text, sizeof text, "%d", rank + 2);
    if (rank != 1)
        setenv("WIDTH", text, 1);
    putenv("DEPTH=3");
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        unsetenv("DEPTH");
    MPI_Barrier(MPI_COMM_WORLD);
    width = entries("new") + 10 * entries("old") + variable("WIDTH") + variable("DEPTH") +
            20 * is_in(name);
    if (width != 22 + (rank != 1 ? rank + 2 : 1) + (rank > 0 ? 3 : 1))
        MPI_Abort(MPI_COMM_WORLD, 3);
    MPI_Allreduce(&width, &most, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Bcast(row, most, MPI_CHAR, 0, MPI_COMM_WORLD);
    rmdir("new");
    if (chdir("..") == 0)
        rmdir(name);
    if (rank > 0)
        MPI_Send(row, width, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
    for (int i = 1; rank == 0 && i < size; i++)
        MPI_Recv(row, 64, MPI_CHAR, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    mkdir("late", 0755);
    rmdir("late");
    row[0] = sum;
    MPI_Finalize();
    return 0;
}

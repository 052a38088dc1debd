/* SPDX-License-Identifier: Apache-2.0
 *
 * What is called through a pointer in a record gets each argument in its own parameter: the count
 * that it reads and writes is not the field.
 *
 * kept: *count += 3
 * gone: field[i] = i * 7 % 11
 */
#include <mpi.h>
#include <stdlib.h>

struct operations {
    void (*run)(int *count, int *field);
};

static void run(int *count, int *field) {
    *count += 3;
    field[0] = 1;
}

static struct operations *make(void) {
    struct operations *made = malloc(sizeof *made);
    made->run = run;
    return made;
}

int main(int argc, char **argv) {
    int n = 2, *field = malloc(100 * sizeof *field);
    double x[10] = {0};
    MPI_Init(&argc, &argv);
    struct operations *operations = make();
    for (int i = 0; i < 100; i++)
        field[i] = i * 7 % 11;
    operations->run(&n, field);
    MPI_Bcast(x, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(field, 100, MPI_INT, 0, MPI_COMM_WORLD);
    free(operations);
    free(field);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * A sweep over an array and ten walks over a list, both as long as the file size.txt says: the
 * sweep's loop tells so, the walk's does not. With an argument there is neither sweep nor list,
 * with two only rank 0 has them.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
    struct node *next;
    double value;
};

static struct node *list;

static int read_size(void) {
    int size = 0;
    FILE *file = fopen("size.txt", "r");
    if (file == NULL || fscanf(file, "%d", &size) != 1)
        MPI_Abort(MPI_COMM_WORLD, 1);
    fclose(file);
    return size;
}

static void sweep(double *values, int size) {
    for (int i = 0; i < size; i++) {
        struct node *node = malloc(sizeof *node);
        node->next = list;
        node->value = values[i] * i;
        list = node;
    }
}

static double walk(void) {
    double sum = 0;
    for (const struct node *node = list; node != NULL; node = node->next)
        sum += node->value;
    return sum;
}

static void prepare(MPI_Comm comm) {
    int size = read_size();
    double *values = calloc((size_t)size, sizeof *values);
    sweep(values, size);
    MPI_Bcast(values, size, MPI_DOUBLE, 0, comm);
    free(values);
}

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc == 1 || (argc == 3 && rank == 0))
        prepare(argc == 1 ? MPI_COMM_WORLD : MPI_COMM_SELF);
    for (int step = 0; step < 10; step++) {
        double sum = walk();
        MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}

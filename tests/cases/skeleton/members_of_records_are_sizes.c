/* SPDX-License-Identifier: Apache-2.0
 *
 * How often the removed loop runs is only known to it; a member of the record that it reads, which
 * the messages need, may tell how much there is to do.
 *
 * gone: sum += field->values[i]
 * feature: field->capacity
 */
#include <mpi.h>
#include <stdlib.h>

struct field {
    int capacity, used;
    double *values;
};

static double work(struct field *field) {
    double sum = 0;
    for (int i = 0; field->values[i] < 1e3; i++)
        sum += field->values[i];
    MPI_Bcast(field->values, field->capacity, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return sum;
}

int main(int argc, char **argv) {
    struct field field = {.capacity = 100 + argc};
    MPI_Init(&argc, &argv);
    field.values = malloc(field.capacity * sizeof *field.values);
    for (int i = 0; i < field.capacity; i++)
        field.values[i] = 11.0 * i;
    double sum = work(&field);
    free(field.values);
    MPI_Finalize();
    return sum < 0;
}

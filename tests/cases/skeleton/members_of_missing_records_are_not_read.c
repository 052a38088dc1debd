/* SPDX-License-Identifier: Apache-2.0
 *
 * The removed loop reads the record only if there is one, and sometimes there is none: its members
 * are no features.
 *
 * gone: sum += field->values[i]
 * features: 0
 */
#include <mpi.h>
#include <stdlib.h>

struct field {
    int capacity, used;
    double values[50];
};

static double work(struct field *field) {
    double sum = 0;
    for (int i = 0; field != NULL && field->values[i] < 1e3; i++)
        sum += field->values[i];
    if (field != NULL)
        MPI_Bcast(field->values, field->capacity, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return sum;
}

int main(int argc, char **argv) {
    static struct field field = {.capacity = 30, .values = {[3] = 1e4}};
    MPI_Init(&argc, &argv);
    double sum = work(NULL);
    sum += work(&field);
    MPI_Finalize();
    return sum < 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Records with pointers are swapped and copied by loops over their bytes, and one pointer goes
 * through the halves of a union.
 *
 * kept: one.values[2] = 9
 * kept: copy.values[1] = 3
 * kept: *(int *)other.pointer = 7
 * gone: sum += 0.5 * i
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>

struct list {
    int count;
    int *values;
};

union halves {
    void *pointer;
    uint32_t words[2];
};

static void swap_bytes(void *one, void *other, size_t bytes) {
    char *x = one, *y = other;
    while (bytes--) {
        char c = *x;
        *x++ = *y;
        *y++ = c;
    }
}

static void copy_bytes(void *to, const void *from, size_t bytes) {
    unsigned char *x = to;
    const unsigned char *y = from;
    for (size_t i = 0; i < bytes; i++)
        x[i] = y[i];
}

int main(int argc, char **argv) {
    int few[4] = {1, 2, 3, 4}, many[4] = {5, 6, 7, 8}, number = 2;
    struct list one = {4, few}, two = {4, many}, copy;
    union halves half = {&number}, other;
    double sum = 0, x[64];
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 1000; i++)
        sum += 0.5 * i;
    for (int i = 0; i < 64; i++)
        x[i] = sum;
    copy_bytes(&copy, &one, sizeof copy);
    swap_bytes(&one, &two, sizeof one);
    one.values[2] = 9;
    copy.values[1] = 3;
    other.words[0] = half.words[0];
    other.words[1] = half.words[1];
    *(int *)other.pointer = 7;
    MPI_Bcast(x, many[2], MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(x, few[1], MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(x, number, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    printf("%g\n", x[0]);
    MPI_Finalize();
    return 0;
}

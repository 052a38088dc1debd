/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions that cannot be copied allocate: in eight layers, in one with many statements, and by recursion. What each call
 * of the outermost one gives is memory of its own.
 *
 * kept: counts[i] = 3 + i
 * gone: layers[i] = i * i
 * gone: long_one[i] = i * i
 * gone: recursive[i] = i * i
 */
#include <mpi.h>
#include <stdlib.h>

static int calls[40];

__attribute__((noinline)) static int *layer0(int n) {
    return malloc(n * sizeof(int));
}

__attribute__((noinline)) static int *layer1(int n) {
    return layer0(n);
}

__attribute__((noinline)) static int *layer2(int n) {
    return layer1(n);
}

__attribute__((noinline)) static int *layer3(int n) {
    return layer2(n);
}

__attribute__((noinline)) static int *layer4(int n) {
    return layer3(n);
}

__attribute__((noinline)) static int *layer5(int n) {
    return layer4(n);
}

__attribute__((noinline)) static int *layer6(int n) {
    return layer5(n);
}

__attribute__((noinline)) static int *layer7(int n) {
    return layer6(n);
}

__attribute__((noinline)) static int *make_long(int n) {
    calls[0]++;
    calls[1]++;
    calls[2]++;
    calls[3]++;
    calls[4]++;
    calls[5]++;
    calls[6]++;
    calls[7]++;
    calls[8]++;
    calls[9]++;
    calls[10]++;
    calls[11]++;
    calls[12]++;
    calls[13]++;
    calls[14]++;
    calls[15]++;
    calls[16]++;
    calls[17]++;
    calls[18]++;
    calls[19]++;
    calls[20]++;
    calls[21]++;
    calls[22]++;
    calls[23]++;
    calls[24]++;
    calls[25]++;
    calls[26]++;
    calls[27]++;
    calls[28]++;
    calls[29]++;
    calls[30]++;
    calls[31]++;
    calls[32]++;
    calls[33]++;
    calls[34]++;
    calls[35]++;
    calls[36]++;
    calls[37]++;
    calls[38]++;
    calls[39]++;
    return malloc(n * sizeof(int));
}

__attribute__((noinline)) static int *make_by_recursion(int n, int depth) {
    if (depth > 0)
        return make_by_recursion(n, depth - 1);
    return malloc(n * sizeof(int));
}

int main(int argc, char **argv) {
    double x[100] = {0};
    int *counts = layer7(10), *layers = layer7(100);
    int *others = make_long(10), *long_one = make_long(100);
    int *last = make_by_recursion(10, 2), *recursive = make_by_recursion(100, 1);
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 10; i++)
        counts[i] = 3 + i;
    for (int i = 0; i < 10; i++)
        others[i] = 5 + i;
    for (int i = 0; i < 10; i++)
        last[i] = 7 + i;
    for (int i = 0; i < 100; i++)
        layers[i] = i * i;
    for (int i = 0; i < 100; i++)
        long_one[i] = i * i;
    for (int i = 0; i < 100; i++)
        recursive[i] = i * i;
    for (int i = 0; i < 10; i++) {
        x[i] = layers[i] + long_one[i] + recursive[i];
        MPI_Bcast(x, counts[i] + others[i] + last[i], MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}

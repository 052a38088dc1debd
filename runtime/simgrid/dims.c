/* SPDX-License-Identifier: Apache-2.0
 *
 * MPI_Dims_create in place of SMPI's, which (3.32) misses prime factors at the root of a number: it
 * makes a grid of 121 x 1 out of 121 and one of 9 x 4 out of 36. Programs that ask for a grid would
 * run on another one than under a real MPI.
 *
 * The prime factors of what the given dimensions leave, the largest first, go each to the smallest
 * of the free dimensions so far; these end in descending order. Which of the nearly equal grids MPI
 * chooses is not laid down; this one is Open MPI's. Mistakes are left to SMPI to answer.
 */
#include <mpi.h>
#include <stdbool.h>

#define BSIM_NO_MACROS
#include "bsim_calls.h"

#define DIMENSIONS_MAX 32
#define FACTORS_MAX 32 /* 2^31 is more than an int holds */

static int factors_of(int *factors, int number) {
    int count = 0;
    for (int prime = 2; number / prime >= prime; prime++)
        for (; number % prime == 0; number /= prime)
            factors[count++] = prime;
    if (number > 1)
        factors[count++] = number;
    return count;
}

static void deal(int *sizes, int count, int nodes) {
    int factors[FACTORS_MAX];
    for (int i = 0; i < count; i++)
        sizes[i] = 1;
    for (int left = factors_of(factors, nodes); left > 0; left--) {
        int least = 0;
        for (int i = 1; i < count; i++)
            if (sizes[i] < sizes[least])
                least = i;
        sizes[least] *= factors[left - 1];
    }
}

static void sort_descending(int *sizes, int count) {
    for (int i = 1; i < count; i++)
        for (int j = i; j > 0 && sizes[j - 1] < sizes[j]; j--) {
            int larger = sizes[j];
            sizes[j] = sizes[j - 1];
            sizes[j - 1] = larger;
        }
}

int bsim_MPI_Dims_create(int nodes, int count, int *dims) {
    int sizes[DIMENSIONS_MAX], free_count = 0, left = nodes;
    for (int i = 0; i < count && dims != NULL; i++) {
        if (count > DIMENSIONS_MAX || dims[i] < 0 || (dims[i] > 0 && left % dims[i] != 0))
            return MPI_Dims_create(nodes, count, dims);
        if (dims[i] > 0)
            left /= dims[i];
        else
            free_count++;
    }
    if (nodes < 1 || count < 1 || dims == NULL || free_count == 0)
        return MPI_Dims_create(nodes, count, dims);
    deal(sizes, free_count, left);
    sort_descending(sizes, free_count);
    for (int i = 0, next = 0; i < count; i++)
        if (dims[i] == 0)
            dims[i] = sizes[next++];
    return MPI_SUCCESS;
}

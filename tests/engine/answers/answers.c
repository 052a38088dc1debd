/* SPDX-License-Identifier: Apache-2.0
 *
 * What MPI's functions answer: `answers PART`, whose lines say what was called, what each rank was
 * told, and when. answers.py compares those of SMPI and of the engine. Left out is what SMPI 3.32
 * crashes with, lacks, or does otherwise than MPI says.
 */
#include "answers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void tell(const struct rank *rank, const char *what, long a, long b, long c) {
    printf("%d answer %s %ld %ld %ld at %.9g\n", rank->rank, what, a, b, c, MPI_Wtime());
}

long sum(const int *ints, int count) {
    unsigned total = 0;
    for (int i = 0; i < count; i++)
        total = total * 31 + (unsigned)ints[i];
    return total & 0xffffff;
}

int *ints_from(int first, int count) {
    int *ints = malloc((size_t)(count > 0 ? count : 1) * sizeof *ints);
    for (int i = 0; i < count; i++)
        ints[i] = first + i;
    return ints;
}

static const struct part {
    const char *name;
    void (*run)(const struct rank *rank);
} parts[] = {{"mistakes", mistakes},   {"objects", objects},   {"types", types},
             {"windows", windows},     {"requests", requests}, {"sizes", sizes},
             {"leftovers", leftovers}, {"order", order},       {"eager", eager},
             {"deadlock", deadlock},   {"abort", abort_run}};

int main(int argc, char **argv) {
    struct rank rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(WORLD, &rank.rank);
    MPI_Comm_size(WORLD, &rank.size);
    MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_RETURN);
    rank.next = (rank.rank + 1) % rank.size;
    rank.last = (rank.rank + rank.size - 1) % rank.size;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (argc > 1 && strcmp(argv[1], parts[i].name) == 0)
            parts[i].run(&rank);
    MPI_Finalize();
    return rank.rank == 1 && argc > 1 && strcmp(argv[1], "return") == 0 ? RETURN_CODE : 0;
}

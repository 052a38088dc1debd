/* SPDX-License-Identifier: Apache-2.0
 *
 * Error exits that a return, a goto or a break leads around, with what is printed and freed before
 * them. Those jumps are not needed where the exits are assumed away, so what is behind them may not
 * stay either. As the branch of an if they stay.
 *
 * generate: --assume=no-abnormal-exit
 * gone: exit(2)
 * gone: exit(3)
 * gone: exit(4)
 * gone: exit(5)
 * gone: free(list)
 * gone: fail()
 * gone: none is fine
 * kept: exit(6)
 * args: 3
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void fail(void) {
    exit(2);
}

static void with_return(int fine) {
    if (fine)
        return;
    printf("none is fine\n");
    exit(3);
}

static void with_call(int fine) {
    if (fine)
        return;
    fail();
}

static int *with_goto(int fine) {
    int *list = malloc(sizeof *list);
    *list = fine;
    if (!fine)
        goto failed;
    return list;
failed:
    free(list);
    exit(4);
}

static int with_break(int kind) {
    switch (kind) {
    case 3:
        kind = 4;
        break;
    case 7:
        exit(5);
    }
    return kind;
}

static int with_if(int fine) {
    if (fine < 0)
        exit(6);
    return fine;
}

int main(int argc, char **argv) {
    int size = argc > 1 ? atoi(argv[1]) : 1;
    MPI_Init(&argc, &argv);
    with_return(size);
    with_call(size);
    int *list = with_goto(size);
    int count = with_break(size) + with_if(size) + *list;
    double *x = calloc((size_t)count, sizeof *x);
    MPI_Bcast(x, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    free(x);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Twenty-one layers of wrappers hand on what tells the datatype and the tag, and are called in turn by all ranks: data that
 * they share is no number that decides, neither of another type nor of the same one.
 *
 * kept: share20(&n, 1, INTS, 3)
 * gone: u[i] = i * 0.5
 * gone: v[i] = i * 3
 */
#include <mpi.h>

enum kind { INTS, DOUBLES };

static void share0(void *data, int n, int kind, int tag) {
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Send(data, n, kind == INTS ? MPI_INT : MPI_DOUBLE, 1, tag, MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Recv(data, n, kind == INTS ? MPI_INT : MPI_DOUBLE, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Bcast(data, n, kind == INTS ? MPI_INT : MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static void share1(void *data, int n, int kind, int tag) {
    share0(data, n, kind, tag);
}

static void share2(void *data, int n, int kind, int tag) {
    share1(data, n, kind, tag);
}

static void share3(void *data, int n, int kind, int tag) {
    share2(data, n, kind, tag);
}

static void share4(void *data, int n, int kind, int tag) {
    share3(data, n, kind, tag);
}

static void share5(void *data, int n, int kind, int tag) {
    share4(data, n, kind, tag);
}

static void share6(void *data, int n, int kind, int tag) {
    share5(data, n, kind, tag);
}

static void share7(void *data, int n, int kind, int tag) {
    share6(data, n, kind, tag);
}

static void share8(void *data, int n, int kind, int tag) {
    share7(data, n, kind, tag);
}

static void share9(void *data, int n, int kind, int tag) {
    share8(data, n, kind, tag);
}

static void share10(void *data, int n, int kind, int tag) {
    share9(data, n, kind, tag);
}

static void share11(void *data, int n, int kind, int tag) {
    share10(data, n, kind, tag);
}

static void share12(void *data, int n, int kind, int tag) {
    share11(data, n, kind, tag);
}

static void share13(void *data, int n, int kind, int tag) {
    share12(data, n, kind, tag);
}

static void share14(void *data, int n, int kind, int tag) {
    share13(data, n, kind, tag);
}

static void share15(void *data, int n, int kind, int tag) {
    share14(data, n, kind, tag);
}

static void share16(void *data, int n, int kind, int tag) {
    share15(data, n, kind, tag);
}

static void share17(void *data, int n, int kind, int tag) {
    share16(data, n, kind, tag);
}

static void share18(void *data, int n, int kind, int tag) {
    share17(data, n, kind, tag);
}

static void share19(void *data, int n, int kind, int tag) {
    share18(data, n, kind, tag);
}

static void share20(void *data, int n, int kind, int tag) {
    share19(data, n, kind, tag);
}

int main(int argc, char **argv) {
    double u[100];
    int n = 0, rank, v[50];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        n = 40 + argc;
    share20(&n, 1, INTS, 3);
    for (int i = 0; i < 100; i++)
        u[i] = i * 0.5;
    share20(u, n, DOUBLES, 3);
    for (int i = 0; i < 50; i++)
        v[i] = i * 3;
    share20(v, n, INTS, 4);
    MPI_Finalize();
    return 0;
}

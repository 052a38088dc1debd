/* SPDX-License-Identifier: Apache-2.0
 *
 * A struct datatype of ten different ones has none of the numbers with fractions that another message has.
 *
 * kept: record.n = 3 + argc
 * gone: x[i] = 0.5 * i
 */
#include <mpi.h>
#include <stddef.h>

struct record {
    signed char a;
    unsigned char b;
    short c;
    unsigned short d;
    int n;
    unsigned e;
    long f;
    unsigned long g;
    long long h;
    unsigned long long i;
};

int main(int argc, char **argv) {
    MPI_Datatype types[10] = {MPI_SIGNED_CHAR, MPI_UNSIGNED_CHAR, MPI_SHORT, MPI_UNSIGNED_SHORT, MPI_INT,
                              MPI_UNSIGNED, MPI_LONG, MPI_UNSIGNED_LONG, MPI_LONG_LONG, MPI_UNSIGNED_LONG_LONG};
    MPI_Aint places[10] = {offsetof(struct record, a), offsetof(struct record, b), offsetof(struct record, c),
                           offsetof(struct record, d), offsetof(struct record, n), offsetof(struct record, e),
                           offsetof(struct record, f), offsetof(struct record, g), offsetof(struct record, h),
                           offsetof(struct record, i)};
    int ones[10] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, rank;
    struct record record = {0};
    MPI_Datatype type;
    double x[20] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_create_struct(10, ones, places, types, &type);
    MPI_Type_commit(&type);
    if (rank == 0) {
        record.n = 3 + argc;
        MPI_Send(&record, 1, type, 1, argc, MPI_COMM_WORLD);
        for (int i = 0; i < 20; i++)
            x[i] = 0.5 * i;
        MPI_Send(x, 20, MPI_DOUBLE, 1, argc, MPI_COMM_WORLD);
    }
    if (rank == 1) {
        MPI_Recv(&record, 1, type, 0, argc, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(x, 20, MPI_DOUBLE, 0, argc, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < record.n; i++)
        MPI_Bcast(x, 20, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Datatypes that are made of others twelve times are integers, or numbers with fractions, like the first ones.
 *
 * kept: n = 3 + argc
 * gone: x[i] = 0.5 * i
 */
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Datatype t0, t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11, t12;
    MPI_Datatype u0, u1, u2, u3, u4, u5, u6, u7, u8, u9, u10, u11, u12;
    int rank, n = 0;
    double x[20] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_contiguous(1, MPI_INT, &t0);
    MPI_Type_contiguous(1, t0, &t1);
    MPI_Type_contiguous(1, t1, &t2);
    MPI_Type_contiguous(1, t2, &t3);
    MPI_Type_contiguous(1, t3, &t4);
    MPI_Type_contiguous(1, t4, &t5);
    MPI_Type_contiguous(1, t5, &t6);
    MPI_Type_contiguous(1, t6, &t7);
    MPI_Type_contiguous(1, t7, &t8);
    MPI_Type_contiguous(1, t8, &t9);
    MPI_Type_contiguous(1, t9, &t10);
    MPI_Type_contiguous(1, t10, &t11);
    MPI_Type_contiguous(1, t11, &t12);
    MPI_Type_commit(&t12);
    MPI_Type_contiguous(20, MPI_DOUBLE, &u0);
    MPI_Type_contiguous(1, u0, &u1);
    MPI_Type_contiguous(1, u1, &u2);
    MPI_Type_contiguous(1, u2, &u3);
    MPI_Type_contiguous(1, u3, &u4);
    MPI_Type_contiguous(1, u4, &u5);
    MPI_Type_contiguous(1, u5, &u6);
    MPI_Type_contiguous(1, u6, &u7);
    MPI_Type_contiguous(1, u7, &u8);
    MPI_Type_contiguous(1, u8, &u9);
    MPI_Type_contiguous(1, u9, &u10);
    MPI_Type_contiguous(1, u10, &u11);
    MPI_Type_contiguous(1, u11, &u12);
    MPI_Type_commit(&u12);
    if (rank == 0) {
        n = 3 + argc;
        MPI_Send(&n, 1, t12, 1, argc, MPI_COMM_WORLD);
        for (int i = 0; i < 20; i++)
            x[i] = 0.5 * i;
        MPI_Send(x, 1, u12, 1, argc, MPI_COMM_WORLD);
    }
    if (rank == 1) {
        MPI_Recv(&n, 1, t12, 0, argc, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(x, 1, u12, 0, argc, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < n; i++)
        MPI_Bcast(x, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

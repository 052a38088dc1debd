/* SPDX-License-Identifier: Apache-2.0
 *
 * A tag is worked out in thirty steps, each of which reads the one before three times: it is another one than that of the
 * receive, so that the number sent with it is not needed.
 *
 * kept: count = 3 + argc
 * gone: other = 5 * argc
 */
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, count, other, ignored, steps = 0;
    int t0, t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11, t12, t13, t14, t15, t16, t17, t18, t19, t20, t21, t22, t23, t24, t25, t26, t27, t28, t29, t30;
    double x[40] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        count = 3 + argc;
        MPI_Send(&count, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
        other = 5 * argc;
        t0 = 1;
        t1 = t0 + t0 - t0 + 1;
        t2 = t1 + t1 - t1 + 1;
        t3 = t2 + t2 - t2 + 1;
        t4 = t3 + t3 - t3 + 1;
        t5 = t4 + t4 - t4 + 1;
        t6 = t5 + t5 - t5 + 1;
        t7 = t6 + t6 - t6 + 1;
        t8 = t7 + t7 - t7 + 1;
        t9 = t8 + t8 - t8 + 1;
        t10 = t9 + t9 - t9 + 1;
        t11 = t10 + t10 - t10 + 1;
        t12 = t11 + t11 - t11 + 1;
        t13 = t12 + t12 - t12 + 1;
        t14 = t13 + t13 - t13 + 1;
        t15 = t14 + t14 - t14 + 1;
        t16 = t15 + t15 - t15 + 1;
        t17 = t16 + t16 - t16 + 1;
        t18 = t17 + t17 - t17 + 1;
        t19 = t18 + t18 - t18 + 1;
        t20 = t19 + t19 - t19 + 1;
        t21 = t20 + t20 - t20 + 1;
        t22 = t21 + t21 - t21 + 1;
        t23 = t22 + t22 - t22 + 1;
        t24 = t23 + t23 - t23 + 1;
        t25 = t24 + t24 - t24 + 1;
        t26 = t25 + t25 - t25 + 1;
        t27 = t26 + t26 - t26 + 1;
        t28 = t27 + t27 - t27 + 1;
        t29 = t28 + t28 - t28 + 1;
        t30 = t29 + t29 - t29 + 1;
        MPI_Send(&other, 1, MPI_INT, 1, t30, MPI_COMM_WORLD);
    }
    if (rank == 1) {
        MPI_Recv(&steps, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&ignored, 1, MPI_INT, 0, 31, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < steps; i++)
        MPI_Sendrecv_replace(x, 40, MPI_DOUBLE, rank, 9, rank, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}

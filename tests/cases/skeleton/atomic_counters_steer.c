/* SPDX-License-Identifier: Apache-2.0
 *
 * Counters of C11's atomic types and of the compiler's builtins.
 *
 * kept: atomic_fetch_add(&steps, 2)
 * kept: __atomic_store_n(&length, 5, __ATOMIC_SEQ_CST)
 * kept: __sync_fetch_and_add(&rounds, 3)
 * kept: atomic_store(&box->count, 4)
 * gone: x[i] = 0.5 * i
 */
#include <mpi.h>
#include <stdatomic.h>

struct box {
    double weight;
    atomic_int count;
};

int main(int argc, char **argv) {
    atomic_int steps = 1;
    _Atomic(long) plain = 1;
    int length = 0, rounds = 0, wanted = 5, got;
    struct box boxes[2], *box = &boxes[1];
    double x[64];
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 64; i++)
        x[i] = 0.5 * i;
    atomic_fetch_add(&steps, 2);
    plain += 6;
    __atomic_store_n(&length, 5, __ATOMIC_SEQ_CST);
    __sync_fetch_and_add(&rounds, 3);
    atomic_store(&box->count, 4);
    __atomic_load(&length, &got, __ATOMIC_SEQ_CST);
    if (__atomic_compare_exchange_n(&length, &wanted, 9, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        MPI_Bcast(x, length + got, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int i = 0; i < atomic_load(&steps); i++)
        MPI_Bcast(x, (int)plain, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int i = 0; i < rounds; i++)
        MPI_Bcast(x, boxes[1].count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

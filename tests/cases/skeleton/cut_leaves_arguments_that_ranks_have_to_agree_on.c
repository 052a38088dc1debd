/* SPDX-License-Identifier: Apache-2.0
 *
 * No model gives a rank that a message goes to, the count of a receive, or how much is broadcast: a
 * wrong one would be a deadlock or an error. So the hot loop that counts them stays.
 *
 * args: 3 1000
 * args: 4 1700
 * ranks: 2 4
 * generate: --assume=cuts
 * scout: 3 1500
 * kept: x[i] = (x[i] * 5 + i + k + step) % 1001;
 * kept: a->to += x[i] % 3;
 * kept: a->length += x[i] % 2;
 * gone: MPI_Bcast(out,
 * made: MPI_Bcast(BSIM_SCRATCH, a->length + 1, MPI_INT, 0, MPI_COMM_WORLD);
 * made: send(0, 3, a->to % ranks);
 * note: no few numbers were found that models could give instead
 */
#include <mpi.h>
#include <stdlib.h>

struct agreed {
    int to, length;
};

static void send(int *out, int count, int to) {
    MPI_Request request;
    MPI_Isend(out, count, MPI_INT, to, 3, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
}

static void count(struct agreed *a, int *x, int n, int step) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 10; k++) {
            x[i] = (x[i] * 5 + i + k + step) % 1001;
            if (k == 9) {
                a->to += x[i] % 3;
                a->length += x[i] % 2;
            }
        }
}

int main(int argc, char **argv) {
    int rank, ranks, steps = argc > 2 ? atoi(argv[1]) : 1, n = argc > 2 ? atoi(argv[2]) : 100;
    struct agreed *a = calloc(1, sizeof *a);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int *x = calloc((size_t)n, sizeof *x), *out = calloc((size_t)n * 9, sizeof *out);
    for (int step = 0; step < steps; step++) {
        count(a, x, n, step);
        MPI_Bcast(out, a->length + 1, MPI_INT, 0, MPI_COMM_WORLD);
        if (rank == 0)
            send(out, 3, a->to % ranks);
        if (rank == a->to % ranks)
            MPI_Recv(out, a->length + 3, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}

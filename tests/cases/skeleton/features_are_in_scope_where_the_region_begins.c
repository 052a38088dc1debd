/* SPDX-License-Identifier: Apache-2.0
 *
 * What was received in the last step is no feature of a region that begins before the block
 * declares it anew, though its values reach there.
 *
 * generate: --assume=cuts
 * scout: 300 20
 * cut: what is sent from &leaving in MPI_Sendrecv(...)
 * cut: n += entering
 * cut: n = atoi(argv[1])
 * cut: n = staying
 * gone: force += 1 / (1.5 + p[i].x * j)
 * args: 300 20
 */
#include <mpi.h>
#include <stdlib.h>

struct particle {
    double x, v;
};

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank, size, n = atoi(argv[1]), steps = atoi(argv[2]), capacity = 4 * n + 1000;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    struct particle *p = calloc((size_t)capacity, sizeof *p);
    struct particle *out = calloc((size_t)capacity, sizeof *out);
    for (int i = 0; i < n; i++)
        p[i] = (struct particle){(i % 97) / 97.0, (i % 13 - 6) / 6.0};
    for (int s = 0; s < steps; s++) {
        int leaving = 0, staying = 0;
        double dt = 0.05;
        for (int i = 0; i < n; i++) {
            double force = 0;
            for (int j = 0; j < 20; j++)
                force += 1 / (1.5 + p[i].x * j);
            p[i].v += 1e-3 * force * dt;
            p[i].x += p[i].v * dt;
            if (p[i].x < 0 || p[i].x >= 1)
                out[leaving++] = p[i];
            else
                p[staying++] = p[i];
        }
        n = staying;
        int left = (rank + size - 1) % size, right = (rank + 1) % size, entering;
        MPI_Sendrecv(&leaving, 1, MPI_INT, right, 0, &entering, 1, MPI_INT, left, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        MPI_Sendrecv(out, 2 * leaving, MPI_DOUBLE, right, 1, p + n, 2 * entering, MPI_DOUBLE, left,
                     1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < entering; i++)
            p[n + i].x -= p[n + i].x < 0 ? -1 : 1;
        n += entering;
    }
    free(p);
    free(out);
    MPI_Finalize();
    return 0;
}

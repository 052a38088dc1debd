/* SPDX-License-Identifier: Apache-2.0
 *
 * What num_threads, schedule and if evaluate is still there, joined loops stay nested, sections and
 * a critical section in a called function stay as they are.
 *
 * args: 40
 * args: 8
 * flags: -fopenmp -Wno-unused-variable
 * kept: chunk = n / 8 + 1
 * kept: limit = 10
 * kept: schedule(static, chunk) if (n > limit)
 * kept: collapse(2)
 * kept: #pragma omp section
 * gone: v[i][k] = i * k
 * gone: more[i] = 0.25 * i
 */
#include <mpi.h>
#include <stdlib.h>

static int largest;

static void note(int value) {
#pragma omp critical
    if (value > largest)
        largest = value;
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 16, count = 0, chunk, limit, threads = 2, first, second;
    double v[10][10], more[64];
    MPI_Init(&argc, &argv);
    chunk = n / 8 + 1;
    limit = 10;
#pragma omp parallel for default(none) shared(v, n, chunk, limit) num_threads(threads) \
    schedule(static, chunk) if (n > limit) reduction(+ : count)
    for (int i = 0; i < n; i++) {
        v[i % 10][0] = i;
        count += i % 2;
        note(i % 7);
    }
#pragma omp parallel for collapse(2) reduction(+ : count)
    for (int i = 0; i < 10; i++)
        for (int k = 0; k < 10; k++) {
            v[i][k] = i * k;
            if ((i + k) % 5 == 0)
                count++;
        }
#pragma omp parallel sections num_threads(threads)
    {
#pragma omp section
        first = count / 2;
#pragma omp section
        {
            for (int i = 0; i < 64; i++)
                more[i] = 0.25 * i;
            second = count / 3;
        }
    }
    MPI_Bcast(v, first % 50, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(more, (second + largest) % 50, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Vector instructions of x86 have no source, but their names tell what they do: those that compute
 * go, and those go on which a message's length depends only through what was stored stay.
 *
 * gone: y[i] = y[i] * 0.25;
 * gone: _mm_mul_pd(_mm_loadu_pd(x + i), half)
 * kept: _mm_storeu_pd(lengths + i,
 * kept: (int)lengths[step % 4]
 * args: 3
 * args: 40
 */
#include <mpi.h>
#include <stdlib.h>
#ifdef __SSE2__
#include <emmintrin.h>
#else
typedef struct {
    double d[2];
} pair;
#define __m128d pair
static pair _mm_set1_pd(double x) {
    return (pair){{x, x}};
}
static pair _mm_loadu_pd(const double *x) {
    return (pair){{x[0], x[1]}};
}
static void _mm_storeu_pd(double *x, pair p) {
    x[0] = p.d[0];
    x[1] = p.d[1];
}
static pair _mm_mul_pd(pair a, pair b) {
    return (pair){{a.d[0] * b.d[0], a.d[1] * b.d[1]}};
}
static pair _mm_add_pd(pair a, pair b) {
    return (pair){{a.d[0] + b.d[0], a.d[1] + b.d[1]}};
}
#endif

int main(int argc, char **argv) {
    double x[100] = {0}, y[100] = {0}, lengths[4] = {3, 5, 7, 9};
    int steps = argc > 1 ? atoi(argv[1]) : 1;
    __m128d half = _mm_set1_pd(0.5), one = _mm_set1_pd(1);
    MPI_Init(&argc, &argv);
    for (int step = 0; step < steps; step++) {
        for (int i = 0; i < 100; i++)
            y[i] = y[i] * 0.25;
        for (int i = 0; i < 100; i += 2)
            _mm_storeu_pd(x + i, _mm_mul_pd(_mm_loadu_pd(x + i), half));
        for (int i = 0; i < 4; i += 2)
            _mm_storeu_pd(lengths + i, _mm_add_pd(_mm_loadu_pd(lengths + i), one));
        MPI_Bcast(x, (int)lengths[step % 4], MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}

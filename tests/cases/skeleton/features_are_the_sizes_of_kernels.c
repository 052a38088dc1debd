/* SPDX-License-Identifier: Apache-2.0
 *
 * What a library kernel takes depends on its sizes one by one: besides its operations the products
 * with one size less are features, summed over the loops around it. The cost of dtrsm depends on
 * the side: rows are those of the right-hand side, but the triangle is as wide as it says.
 *
 * gone: work(2 * n
 * feature: BSIM_TIMES((has_blas ? 1 : 0), (2*(double)(2 * n)*(double)n*(double)(3 * n)))
 * feature: BSIM_TIMES((has_blas ? 1 : 0), ((double)(3 * n)*(double)n))
 * feature: BSIM_TIMES((has_blas ? 1 : 0), ((double)(2 * n)*(double)(3 * n)))
 * feature: BSIM_TIMES((has_blas ? 1 : 0), ((double)(2 * n)*(double)n))
 * feature: BSIM_TIMES((has_blas ? 1 : 0), ((double)(2 * n)*(double)n*(double)n))
 * feature: BSIM_TIMES((has_blas ? 1 : 0), ((double)n*(double)n))
 * feature: BSIM_TIMES((has_blas ? 1 : 0), ((double)n*(double)rows*(double)n))
 * feature: BSIM_TIMES((has_blas ? 1 : 0), ((double)n*(double)rows))
 * feature: BSIM_TIMES((has_blas ? 1 : 0), BSIM_TIMES(bsim_trips(0, 4, 1), (2*(double)n*(double)(3 * n))))
 * feature: BSIM_TIMES((has_blas ? 1 : 0), BSIM_TIMES(bsim_trips(0, 4, 1), ((double)n)))
 * feature: BSIM_TIMES((has_blas ? 1 : 0), BSIM_TIMES(bsim_trips(0, 4, 1), ((double)(3 * n))))
 * features: 12
 * args: 20
 */
#include <mpi.h>
#include <stdlib.h>

/* Stand-ins with the names of BLAS: what is known of them is their row in externs.def. */
#define CblasColMajor 102
enum side { CblasLeft = 141, CblasRight = 142 };

void cblas_dgemm(int, int, int, int, int, int, double, const double *, int, const double *, int,
                 double, double *, int) __attribute__((weak));
void cblas_dtrsm(int, enum side, int, int, int, int, int, double, const double *, int, double *,
                 int) __attribute__((weak));
void dtrsm_(const char *, const char *, const char *, const char *, const int *, const int *,
            const double *, const double *, const int *, double *, const int *)
    __attribute__((weak));
void cblas_dgemv(int, int, int, int, double, const double *, int, const double *, int, double,
                 double *, int) __attribute__((weak));

static double a[10000], b[10000], c[10000];

static void work(int m, int n, int k) {
    cblas_dgemm(CblasColMajor, 111, 111, m, n, k, 1, a, m, b, k, 1, c, m);
    cblas_dtrsm(CblasColMajor, CblasRight, 121, 111, 131, m, n, 1, a, n, c, m);
    for (int i = 0; i < 4; i++)
        cblas_dgemv(CblasColMajor, 111, n, k, 1, a, n, b, 1, 1, c, 1);
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 10, rows = 5, has_blas = argc > 2;
    double one = 1;
    MPI_Init(&argc, &argv);
    if (has_blas) {
        dtrsm_("L", "U", "N", "N", &n, &rows, &one, a, &n, b, &n);
        work(2 * n, n, 3 * n);
    }
    MPI_Bcast(c, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

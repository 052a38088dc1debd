/* SPDX-License-Identifier: Apache-2.0
 *
 * Tile kernels in plain C. In and out: tiles of nb x nb doubles, row by row. The matrix product,
 * where nearly all the time goes, takes four rows of b at once, so that each element of c is
 * loaded and stored once for four multiplications. A BLAS would be several times faster; the point
 * here is that the program needs nothing but a C compiler and MPI.
 */
#include "kernels.h"

#include <stddef.h>

#define AT(tile, i, j) ((tile)[(size_t)(i) * (size_t)nb + (size_t)(j)])

void tile_getrf(double *a, int nb) {
    for (int k = 0; k < nb; k++)
        for (int i = k + 1; i < nb; i++) {
            double factor = AT(a, i, k) / AT(a, k, k);
            AT(a, i, k) = factor;
            for (int j = k + 1; j < nb; j++)
                AT(a, i, j) -= factor * AT(a, k, j);
        }
}

void tile_trsm_lower(double *b, const double *lu, int nb) {
    for (int i = 1; i < nb; i++)
        for (int k = 0; k < i; k++) {
            double factor = AT(lu, i, k);
            for (int j = 0; j < nb; j++)
                AT(b, i, j) -= factor * AT(b, k, j);
        }
}

void tile_trsm_upper(double *b, const double *lu, int nb) {
    for (int i = 0; i < nb; i++)
        for (int k = 0; k < nb; k++) {
            double factor = AT(b, i, k) / AT(lu, k, k);
            AT(b, i, k) = factor;
            for (int j = k + 1; j < nb; j++)
                AT(b, i, j) -= factor * AT(lu, k, j);
        }
}

void tile_gemm(double *restrict c, const double *restrict a, const double *restrict b, int nb) {
    int unrolled = nb - nb % 4;
    for (int i = 0; i < nb; i++) {
        double *row = &AT(c, i, 0);
        for (int k = 0; k < unrolled; k += 4) {
            double a0 = AT(a, i, k), a1 = AT(a, i, k + 1);
            double a2 = AT(a, i, k + 2), a3 = AT(a, i, k + 3);
            const double *b0 = &AT(b, k, 0), *b1 = b0 + nb, *b2 = b1 + nb, *b3 = b2 + nb;
            for (int j = 0; j < nb; j++)
                row[j] -= a0 * b0[j] + a1 * b1[j] + a2 * b2[j] + a3 * b3[j];
        }
        for (int k = unrolled; k < nb; k++) {
            double factor = AT(a, i, k);
            for (int j = 0; j < nb; j++)
                row[j] -= factor * AT(b, k, j);
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * The four local operations of the factorisation on square tiles of nb x nb doubles, row by row.
 */
#ifndef LU_KERNELS_H
#define LU_KERNELS_H

/* a = L U in place; L has a unit diagonal that is not stored. No pivoting. */
void tile_getrf(double *a, int nb);

/* b = inverse(L) b, with the unit lower triangle L of `lu`. */
void tile_trsm_lower(double *b, const double *lu, int nb);

/* b = b inverse(U), with the upper triangle U of `lu`. */
void tile_trsm_upper(double *b, const double *lu, int nb);

/* c -= a b */
void tile_gemm(double *restrict c, const double *restrict a, const double *restrict b, int nb);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * The method of conjugate gradients (Hestenes and Stiefel 1952), without preconditioner. In:
 * matrix, right hand side, and when to stop; out: the solution, how many iterations it took, and
 * the residual's norm. Per iteration: one exchange of border lines, one sparse product, two dot
 * products; the norm that decides about another iteration comes out of the second, so all ranks
 * agree. Once the residual has become zero further iterations change nothing.
 */
#include "cg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double ratio(double a, double b) {
    return b > 0.0 ? a / b : 0.0;
}

/* y += factor x */
static void axpy(double *y, double factor, const double *x, int n) {
    for (int i = 0; i < n; i++)
        y[i] += factor * x[i];
}

/* p = r + factor p */
static void redirect(double *p, double factor, const double *r, int n) {
    for (int i = 0; i < n; i++)
        p[i] = r[i] + factor * p[i];
}

struct outcome cg_solve(const struct domain *d, const struct csr *a, double *x, const double *b,
                        const struct limits *limits) {
    int rows = d->rows;
    double *direction = vector_new_padded(d);
    double *own = direction + d->n;
    double *product = vector_new(rows);
    double *r = vector_new(rows);

    memset(x, 0, (size_t)rows * sizeof(double));
    memcpy(r, b, (size_t)rows * sizeof(double));
    memcpy(own, b, (size_t)rows * sizeof(double));
    double rho = vector_dot(r, r, rows);
    double first_norm = sqrt(rho);
    int iterations = 0;
    while (iterations < limits->iterations && sqrt(rho) >= limits->tolerance * first_norm) {
        vector_exchange(d, direction);
        csr_multiply(a, product, direction);
        double alpha = ratio(rho, vector_dot(own, product, rows));
        axpy(x, alpha, own, rows);
        axpy(r, -alpha, product, rows);
        double previous = rho;
        rho = vector_dot(r, r, rows);
        redirect(own, ratio(rho, previous), r, rows);
        iterations++;
    }
    free(r);
    free(product);
    free(direction);
    return (struct outcome){iterations, ratio(sqrt(rho), first_norm)};
}

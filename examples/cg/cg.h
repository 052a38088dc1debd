/* SPDX-License-Identifier: Apache-2.0
 *
 * Conjugate gradients for the 5-point Laplacian on an n x n grid with a cold rim. The unknowns are
 * numbered line by line and each rank has a block of whole lines. Vectors that are multiplied by
 * the matrix are *padded*: one line of the lower neighbour, the own lines, one line of the upper
 * neighbour. All other vectors hold own entries only.
 */
#ifndef CG_CG_H
#define CG_CG_H

struct domain {
    int rank;
    int ranks;
    int n; /* the grid is n x n; also the length of a line */
    int first_line;
    int lines;
    int rows;  /* of the matrix on this rank: lines * n */
    int lower; /* neighbour ranks, MPI_PROC_NULL at the rim */
    int upper;
};

void domain_init(struct domain *d, int n);

/* Compressed sparse rows; columns are indices into a padded vector. */
struct csr {
    int rows;
    int nonzeros;
    int *start;
    int *column;
    double *value;
};

void csr_init(struct csr *a, const struct domain *d);
void csr_dispose(struct csr *a);

/* y = A x, where x is padded and its halo filled. */
void csr_multiply(const struct csr *a, double *y, const double *x);

/* The right hand side and the solution it belongs to, both without padding. */
void problem_fill(const struct domain *d, double *b, double *solution);

/* A vector of zeros. Ends the program when memory is short. */
double *vector_new(long length);
double *vector_new_padded(const struct domain *d);
void vector_exchange(const struct domain *d, double *padded);
double vector_dot(const double *a, const double *b, int n); /* over all ranks */
double vector_dot_seconds(void);                            /* spent in vector_dot so far */

/* When to stop: after `iterations`, or once the norm of the residual is below `tolerance` times
 * that of the right hand side. With a tolerance of 0 there is nothing but the number of iterations.
 */
struct limits {
    int iterations;
    double tolerance;
};

struct outcome {
    int iterations;
    double residual; /* its norm, as CG carries it, relative to that of the right hand side */
};

/* Iterates from x = 0. */
struct outcome cg_solve(const struct domain *d, const struct csr *a, double *x, const double *b,
                        const struct limits *limits);

#endif

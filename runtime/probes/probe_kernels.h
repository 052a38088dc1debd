/* SPDX-License-Identifier: Apache-2.0
 *
 * Small loops of many kinds, whose signature `mpiskel generate` tells and whose time a machine
 * tells: what rates are fitted to. Those that compute a number return it, so that it is computed.
 */
#pragma once

void probe_fill(double *a, double value, int n);
void probe_triad(double *a, const double *b, const double *c, int n);
double probe_dot(const double *a, const double *b, int n);
void probe_divide(double *a, const double *b, const double *c, int n);
double probe_norms(double *a, const double *b, int n);
void probe_exponentials(double *a, const double *b, int n);
double probe_horner(const double *a, int n);           /* 16 coefficients */
double probe_forces(const double *x, int n);           /* n * n pairs */
void probe_stencil(double *a, const double *b, int n); /* cells of a cube with a rim */
void probe_relax(double *a, const double *b, int n);   /* of a square with a rim */
double probe_columns(const double *a, int n);          /* n * n, down the columns */
void probe_transpose(double *a, const double *b, int n);
void probe_multiply(double *c, const double *a, const double *b, int n); /* matrices */
double probe_gather(const double *a, const int *index, int n);
void probe_scatter(double *a, const int *index, int n);
int probe_chase(const int *next, int n);
int probe_count(const double *a, double limit, int n);
unsigned probe_hash(const int *index, int n);
int probe_remainders(int *out, const int *index, int n);
double probe_calls(double *a, int n);

/* SPDX-License-Identifier: Apache-2.0
 *
 * See probe_kernels.h. Written as programs write such loops, and compiled like them.
 */
#include "probe_kernels.h"

#include <math.h>

#define DEGREE 16

void probe_fill(double *a, double value, int n) {
    for (int i = 0; i < n; i++)
        a[i] = value;
}

void probe_triad(double *a, const double *b, const double *c, int n) {
    for (int i = 0; i < n; i++)
        a[i] = b[i] + 3.0 * c[i];
}

double probe_dot(const double *a, const double *b, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

void probe_divide(double *a, const double *b, const double *c, int n) {
    for (int i = 0; i < n; i++)
        a[i] = b[i] / c[i];
}

double probe_norms(double *a, const double *b, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        a[i] = sqrt(b[i] * b[i] + 1.0);
        sum += a[i];
    }
    return sum;
}

void probe_exponentials(double *a, const double *b, int n) {
    for (int i = 0; i < n; i++)
        a[i] = exp(-b[i]);
}

double probe_horner(const double *a, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        double value = 1.0;
        for (int k = 0; k < DEGREE; k++)
            value = value * a[i] + 0.5;
        sum += value;
    }
    return sum;
}

double probe_forces(const double *x, int n) {
    double force = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double distance = x[i] - x[j] + 1e-3;
            force += 1.0 / (distance * distance + 0.5);
        }
    return force;
}

void probe_stencil(double *a, const double *b, int n) {
    for (int z = 1; z < n - 1; z++)
        for (int y = 1; y < n - 1; y++)
            for (int x = 1; x < n - 1; x++) {
                int at = (z * n + y) * n + x;
                a[at] = b[at] + 0.1 * (b[at + 1] + b[at - 1] + b[at + n] + b[at - n] +
                                       b[at + n * n] + b[at - n * n] - 6.0 * b[at]);
            }
}

void probe_relax(double *a, const double *b, int n) {
    for (int y = 1; y < n - 1; y++)
        for (int x = 1; x < n - 1; x++)
            a[y * n + x] =
                0.25 * (b[y * n + x - 1] + b[y * n + x + 1] + b[y * n + x - n] + b[y * n + x + n]);
}

double probe_columns(const double *a, int n) {
    double sum = 0;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            sum += a[i * n + j];
    return sum;
}

void probe_transpose(double *a, const double *b, int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[j * n + i] = b[i * n + j];
}

void probe_multiply(double *c, const double *a, const double *b, int n) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            double factor = a[i * n + k];
            for (int j = 0; j < n; j++)
                c[i * n + j] += factor * b[k * n + j];
        }
}

double probe_gather(const double *a, const int *index, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[index[i]];
    return sum;
}

void probe_scatter(double *a, const int *index, int n) {
    for (int i = 0; i < n; i++)
        a[index[i]] += 1.0;
}

int probe_chase(const int *next, int n) {
    int at = 0;
    for (int i = 0; i < n; i++)
        at = next[at];
    return at;
}

int probe_count(const double *a, double limit, int n) {
    int count = 0;
    for (int i = 0; i < n; i++)
        if (a[i] > limit)
            count += i;
    return count;
}

unsigned probe_hash(const int *index, int n) {
    unsigned hash = 2166136261u;
    for (int i = 0; i < n; i++)
        hash = (hash ^ (unsigned)index[i]) * 16777619u;
    return hash;
}

int probe_remainders(int *out, const int *index, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
        out[i] = index[i] % (i + 7);
        sum += out[i];
    }
    return sum;
}

static double __attribute__((noinline)) limited(double value) {
    return value > 4.0 ? value - 4.0 : value;
}

double probe_calls(double *a, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        a[i] = limited(a[i] + 0.5);
        sum += a[i];
    }
    return sum;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Radix-2 FFT of one row (Cooley and Tukey 1965): bit reversal, then log2 n rounds of butterflies
 * in place. In: n complex numbers; out: their transform, without scaling; the inverse transform
 * uses the conjugate roots. Roots and permutation come from a plan. Limit: n is a power of two.
 */
#include "fft.h"

#include <math.h>
#include <stdlib.h>

int plan_init(struct plan *p, int n) {
    size_t count = (size_t)n;
    p->n = n;
    p->reversed = malloc(count * sizeof(int));
    p->root = malloc((count / 2 + 1) * sizeof(struct complex_number));
    if (p->reversed == NULL || p->root == NULL)
        return -1;
    p->reversed[0] = 0;
    for (int i = 1; i < n; i++)
        p->reversed[i] = p->reversed[i / 2] / 2 + (i % 2 != 0 ? n / 2 : 0);
    for (int i = 0; i < n / 2; i++) {
        double angle = -2.0 * 3.14159265358979323846 * i / n;
        p->root[i].re = cos(angle);
        p->root[i].im = sin(angle);
    }
    return 0;
}

void plan_dispose(struct plan *p) {
    free(p->root);
    free(p->reversed);
}

static void permute(const struct plan *p, struct complex_number *row) {
    for (int i = 0; i < p->n; i++) {
        int j = p->reversed[i];
        if (j > i) {
            struct complex_number keep = row[i];
            row[i] = row[j];
            row[j] = keep;
        }
    }
}

static void butterfly(struct complex_number *low, struct complex_number *high,
                      struct complex_number root) {
    double re = high->re * root.re - high->im * root.im;
    double im = high->re * root.im + high->im * root.re;
    high->re = low->re - re;
    high->im = low->im - im;
    low->re += re;
    low->im += im;
}

void fft_row(const struct plan *p, struct complex_number *row, enum direction direction) {
    permute(p, row);
    for (int half = 1; half < p->n; half *= 2) {
        int stride = p->n / (2 * half);
        for (int begin = 0; begin < p->n; begin += 2 * half)
            for (int i = 0; i < half; i++) {
                struct complex_number root = p->root[i * stride];
                if (direction == INVERSE)
                    root.im = -root.im;
                butterfly(&row[begin + i], &row[begin + half + i], root);
            }
    }
}

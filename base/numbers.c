/* SPDX-License-Identifier: Apache-2.0 */
#include "base/numbers.h"

#include <stdlib.h>

static int compare(const void *left, const void *right) {
    double l = *(const double *)left, r = *(const double *)right;
    return (l > r) - (l < r);
}

void numbers_sort(double *numbers, size_t count) {
    qsort(numbers, count, sizeof *numbers, compare);
}

double numbers_median(double *numbers, size_t count) {
    numbers_sort(numbers, count);
    size_t half = count / 2;
    return count % 2 == 1 ? numbers[half] : (numbers[half - 1] + numbers[half]) / 2;
}

int numbers_percent_digits(double percent) {
    return percent >= 99.5 ? 3 : 2;
}

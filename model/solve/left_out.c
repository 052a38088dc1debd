/* SPDX-License-Identifier: Apache-2.0 */
#include "model/solve/left_out.h"

#include <math.h>

double left_out_error(int count, left_out_fit *fit, void *candidate) {
    double sum = 0;
    for (int without = 0; without < count; without++)
        if (!fit(&sum, candidate, without) || !(sum < INFINITY))
            return INFINITY;
    return sum;
}

size_t left_out_choose(const double *errors, size_t count, double factor, double slack) {
    double least = INFINITY;
    for (size_t i = 0; i < count; i++)
        least = fmin(least, errors[i]);
    for (size_t i = 0; i < count; i++)
        if (errors[i] < INFINITY && errors[i] <= least * factor + slack)
            return i;
    return count;
}

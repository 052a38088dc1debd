/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists of numbers in order, of which none is NaN, and how numbers are told.
 */
#pragma once

#include <stddef.h>

/* Ascending, in place. */
void numbers_sort(double *numbers, size_t count);

/* Sorts them as well; of an even count the mean of the two in the middle. There has to be one. */
double numbers_median(double *numbers, size_t count);

/* Significant digits for printf's %.*g: 99.7 is no 1e+02. */
int numbers_percent_digits(double percent);

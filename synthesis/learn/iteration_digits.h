/* SPDX-License-Identifier: Apache-2.0
 *
 * Loops in loops of one frame look like one loop. If its count is a product in all rows, the digits
 * of its iteration number, with these factors as radices, are those of the loops in it.
 */
#ifndef SYNTHESIS_LEARN_ITERATION_DIGITS_H
#define SYNTHESIS_LEARN_ITERATION_DIGITS_H

#include "synthesis/learn/learn_sample.h"

/* Adds quantities and conditions of digits to those of the sample, whose rows are there. */
void iteration_digits_add(struct learn_sample *sample);

#endif

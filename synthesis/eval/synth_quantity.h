/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers and conditions of a situation, of which learned expressions are made. All are free of
 * scale: they mean the same on any number of ranks.
 *
 * Arguments a, b, c are, as `takes` of the table says, P a parameter, A an axis, G a group with a
 * Cartesian topology, L a loop around the call (0: outermost), N a number, C a count: a number that
 * is the same in the whole run, as SYNTH_COUNT_ says.
 */
#ifndef SYNTHESIS_EVAL_SYNTH_QUANTITY_H
#define SYNTHESIS_EVAL_SYNTH_QUANTITY_H

#include "synthesis/eval/synth_situation.h"

#include <stddef.h>

struct synth_quantity {
    short kind;
    short a, b, c, d;
};

#define SYNTH_COUNT_NUMBER(number) (number) /* below 32 */
#define SYNTH_COUNT_PARAMETER(parameter) (32 + (parameter))
#define SYNTH_COUNT_RATIO(of, by) (64 + (of) * SYNTH_PARAMETERS_MOST + (by)) /* rounded up */
#define SYNTH_COUNT_SIZE(axis) (2048 + (axis))
#define SYNTH_COUNTS_MOST (2048 + SYNTH_AXES_MOST)

/* 0: it is none, or not a whole number. */
long long bsim_synth_count(const struct synth_situation *at, int count);

struct synth_quantity_kind {
    const char *name, *takes;
    double (*value)(const struct synth_situation *at, const struct synth_quantity *of);
};

/* Ends with a row without name. Simpler ones come first. */
extern const struct synth_quantity_kind bsim_synth_quantities[];
extern const struct synth_quantity_kind bsim_synth_conditions[]; /* values 0 and 1 */

double bsim_synth_number(const struct synth_situation *at, const struct synth_quantity *of);
bool bsim_synth_holds(const struct synth_situation *at, const struct synth_quantity *of);

/* "share.0.9": 0, or -1 if there is none of this name, or an argument is out of range. */
int bsim_synth_quantity_parse(struct synth_quantity *out, const struct synth_quantity_kind *kinds,
                              const char *word);
void bsim_synth_quantity_text(char *out, size_t size, const struct synth_quantity_kind *kinds,
                              const struct synth_quantity *of);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * What quantities and conditions have in common: the parts of a situation that their arguments
 * name.
 */
#ifndef SYNTHESIS_EVAL_SYNTH_ARGUMENTS_H
#define SYNTHESIS_EVAL_SYNTH_ARGUMENTS_H

#include "synthesis/eval/synth_quantity.h"

static inline struct synth_iteration loop_at(const struct synth_situation *at, int depth) {
    return depth >= 0 && depth < at->depth ? at->loops[depth] : (struct synth_iteration){0, 1};
}

static inline double parameter(const struct synth_situation *at, int number) {
    return number < at->world->parameter_count ? at->world->parameters[number] : 0;
}

static inline struct synth_place place_a(const struct synth_situation *at,
                                         const struct synth_quantity *of) {
    return bsim_synth_place(at, of->a);
}

static inline struct synth_place place_b(const struct synth_situation *at,
                                         const struct synth_quantity *of) {
    return bsim_synth_place(at, of->b);
}

static inline int log2_floor(int number) {
    int result = 0;
    while (number > 1) {
        number /= 2;
        result++;
    }
    return result;
}

static inline int index_of(const struct synth_situation *at, int depth) {
    return loop_at(at, depth).index;
}

static inline int left_of(const struct synth_situation *at, int depth) {
    struct synth_iteration loop = loop_at(at, depth);
    return loop.count - 1 - loop.index;
}

/* Of a binomial tree below the first: its parent is as far away as the lowest bit of a position. */
static inline int low_bit(int position) {
    return position > 0 ? position & -position : 0;
}

static inline int children(struct synth_place place) {
    int count = 0;
    if (place.size <= 0 || place.position < 0)
        return 0;
    for (int bit = 1; place.position + bit < place.size &&
                      (place.position == 0 || bit < low_bit(place.position));
         bit *= 2)
        count++;
    return count;
}

/* Quantities that conditions ask for as well. */
double bsim_synth_cyclic_left(const struct synth_situation *at, const struct synth_quantity *of);
double bsim_synth_cyclic_behind(const struct synth_situation *at, const struct synth_quantity *of);
double bsim_synth_digit(const struct synth_situation *at, const struct synth_quantity *of);

#endif

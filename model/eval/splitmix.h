/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers that look random and are a function of other numbers: SplitMix64 (G. Steele, D. Lea, C.
 * Flood, Fast splittable pseudorandom number generators, 2014). For draws that keep nothing and
 * have to come out the same in whatever order they are made. Linked into other people's programs
 * like eval.h.
 */
#ifndef MODEL_EVAL_SPLITMIX_H
#define MODEL_EVAL_SPLITMIX_H

#include <stdint.h>

#define BSIM_SPLITMIX_STEP 0x9e3779b97f4a7c15u

/* The output function alone, for a state that steps were added to. */
static inline uint64_t bsim_splitmix_output(uint64_t state) {
    state = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9u;
    state = (state ^ (state >> 27)) * 0x94d049bb133111ebu;
    return state ^ (state >> 31);
}

/* The number that follows this state. */
static inline uint64_t bsim_splitmix(uint64_t state) {
    return bsim_splitmix_output(state + BSIM_SPLITMIX_STEP);
}

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether something is so, by a condition that tells which of two others tells it: "of even beams
 * all but the first, of odd ones all but the last". Neither of the three says anything alone, so
 * that a tree that grows by information gain does not find them; here all are tried.
 */
#ifndef SYNTHESIS_LEARN_CONDITION_PAIR_H
#define SYNTHESIS_LEARN_CONDITION_PAIR_H

#include "synthesis/learn/learn_sample.h"

/* Those that give all values of the part, which are two: at most `most`, simpler conditions first.
 * Gives how many. */
int condition_pair_find(const struct synth_expression **out, int most,
                        const struct learn_part *part);

#endif

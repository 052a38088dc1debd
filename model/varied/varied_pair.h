/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether two numbers varied only together; see not_known.h.
 */
#ifndef MODEL_VARIED_VARIED_PAIR_H
#define MODEL_VARIED_VARIED_PAIR_H

#include "model/varied/varied.h"

/* Whether they did, and the pair of this run is none that goes on as those of the profiled ones. */
bool varied_pair_is_new(const struct varied *varied, const struct varied_word *one,
                        const struct varied_word *other);

#endif

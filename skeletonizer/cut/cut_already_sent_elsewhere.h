/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers that are told in one function and read in others, where they are in memory that nothing
 * else writes: how much the lists of ghost cells hold, which are made now and then.
 */
#ifndef SKELETONIZER_CUT_CUT_ALREADY_SENT_ELSEWHERE_H
#define SKELETONIZER_CUT_CUT_ALREADY_SENT_ELSEWHERE_H

#include "skeletonizer/slice/slice.h"

/* What is given at the call that sends, at `address`, is what the other part reads, anywhere in the
 * program, or what was there before the first one was sent: what assigned that is added to the
 * list. */
bool cut_is_already_sent_elsewhere(const struct slice *slice, const struct node *sends,
                                   const struct ast *address, const struct node *reads,
                                   const struct ast *part, node_list *initial);

#endif

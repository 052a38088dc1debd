/* SPDX-License-Identifier: Apache-2.0
 *
 * Visits of one child of a loop that follow each other, and look like one.
 *
 * Where an iteration has calls below one child only, the next one's follow them without anything
 * between: two broadcasts look like a loop in the broadcast. Other ranks and runs tell which it is:
 * a visit is whole where calls before and after it go forward in the program. If such visits of a
 * child, and of all that lies above its repetition, never repeat it, then it is no loop, and what
 * follows is the next visit, in the next iteration of the loop that the child lies in.
 *
 * Not handled: a child that is never visited between two others.
 */
#ifndef SYNTHESIS_LEARN_MERGED_VISITS_H
#define SYNTHESIS_LEARN_MERGED_VISITS_H

#include "synthesis/learn/program_tree.h"

/* Fills in the tree's cuts, from a tree that was made without. Whether there are any. */
bool merged_visits_find(struct program_tree *tree, const struct recorded_runs *runs);

#endif

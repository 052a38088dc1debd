/* SPDX-License-Identifier: Apache-2.0
 *
 * The parts of a frame from the transitions between its children; see program_tree.h.
 */
#pragma once

#include "synthesis/learn/program_tree.h"

/* Fills in parts of the node, and part and place of its children. */
void tree_parts_make(struct program_tree *tree, const struct recorded_runs *runs, uint32_t node);

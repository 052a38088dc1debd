/* SPDX-License-Identifier: Apache-2.0
 *
 * What reads text: the words of an input file, the options of a command line. Of a short scout run
 * it may be a large part, and what it finds is what the user asked for, which no model can tell.
 */
#ifndef SKELETONIZER_HOT_PARSING_H
#define SKELETONIZER_HOT_PARSING_H

#include "skeletonizer/slice/slice.h"

/* By node, on the heap: in a loop that takes text apart, or in a helper of such loops. */
bool *parsing_find(const struct slice *slice);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * What an older bundle learned stays, when a new one takes its place.
 */
#ifndef SKELETONIZER_TAKEOVER_H
#define SKELETONIZER_TAKEOVER_H

#include "skeletonizer/generate.h"

/* Samples, store and, where nothing was compiled, the cache of the bundle in directory `old` for
 * that in g->directory. The old one is left as it is. */
int takeover(struct generation *g, const char *old, struct error *error);

#endif

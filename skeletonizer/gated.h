/* SPDX-License-Identifier: Apache-2.0
 *
 * What a local is worth where several assignments reach it, each under a condition. Internal to
 * features.
 */
#ifndef SKELETONIZER_GATED_H
#define SKELETONIZER_GATED_H

#include "skeletonizer/expression.h"

/* Appends `(condition ? one value : other value)` for the local's value just before the node; false
 * if that cannot be told where the region begins. */
bool gated_print(struct str *out, const struct frame *frame, const struct object *object,
                 const struct node *node);

#endif

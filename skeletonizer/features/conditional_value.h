/* SPDX-License-Identifier: Apache-2.0
 *
 * What a local is worth where several assignments reach it, each under a condition. Internal to
 * features.
 */
#pragma once

#include "skeletonizer/features/written_value.h"

/* Appends `(condition ? one value : other value)` for the local's value just before the node; false
 * if that cannot be told where the region begins. */
bool conditional_value_print(struct str *out, const struct frame *frame,
                             const struct object *object, const struct node *node);

/* The same for what is in memory, also where a function that calls this one, or that it calls,
 * assigns it; */
bool conditional_value_print_written(struct str *out, const struct frame *frame,
                                     const struct held *held, const struct node *node);
/* and what it is where the frame's function ends. */
bool conditional_value_print_at_end(struct str *out, const struct frame *frame,
                                    const struct held *held);

/* SPDX-License-Identifier: Apache-2.0
 *
 * Local records that are nothing but copies: `struct input in = *given;`, and nothing else ever
 * writes `in`. What reads one of its members reads that of the source, as long as nothing writes
 * that one in the meantime, which the caller has to know.
 */
#pragma once

#include "skeletonizer/slice/slice.h"

struct copied {
    const struct node *node;  /* that copies */
    const struct ast *source; /* what it copies: `*given`, `other`, `table[i].in` */
    struct lvalue lvalue;     /* where that is */
};

/* True if the object is such a copy. */
bool copied_find(struct copied *out, const struct slice *slice, const struct object *object);

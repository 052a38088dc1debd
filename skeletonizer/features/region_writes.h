/* SPDX-License-Identifier: Apache-2.0
 *
 * What a region writes, by the events of all that it leads to. Internal to features.
 */
#pragma once

#include "base/hash_table.h"
#include "skeletonizer/features/expression.h"

/* What is known of a region for all its frames. Zeroed; its owner disposes of it. */
struct region_writes {
    bool *functions;                /* that it leads to, by id; NULL: not looked for yet */
    bool *nodes;                    /* its own statements, by id */
    struct hash_table lvalues;      /* bool, by lvalue: those that were asked for */
    struct written_object *objects; /* by id, as far as they were asked for; NULL: none yet */
    size_t object_count;
    int_list asked; /* their ids */
};

void region_writes_dispose(struct region_writes *reached);

/* The region itself writes the lvalue, so its value at the beginning is not what the loop sees. */
bool region_writes_of(const struct frame *frame, struct lvalue lvalue);

/* The call leads to the function, itself or through others. */
bool region_writes_call_leads_to(const struct slice *slice, const struct call *call,
                                 const struct function *function);

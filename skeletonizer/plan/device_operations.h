/* SPDX-License-Identifier: Apache-2.0
 *
 * Regions that stand for operations of devices: one for each kernel by its name, one for each kind
 * of copy, and some for the host's part. Their executions are no stubs in the text: the runtime
 * finds them by their names (runtime/operations).
 */
#pragma once

#include "skeletonizer/plan/plan.h"

/* Finds them behind the plan's regions, whose indices theirs follow. -1, and prints it: a kernel
 * has no name that can be read, a call is not in the table, or what comes from a device is needed.
 */
int operations_find(struct plan *plan);

/* It enqueues an operation or waits for some, whose time no timer around it may measure as well. */
bool operations_take_time(const struct call *call);

/* Names of the features of one, one after the other, ended by NULL. */
const char *const *operation_features(struct program *program,
                                      const struct operation_region *operation);

/* The lines that runtime/operations/operation_regions.c reads. */
char *operations_text(struct arena *arena, const struct plan *plan);

/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether a region would still take the time that was measured: a hash of the code that it
 * executes.
 */
#ifndef SKELETONIZER_CODE_H
#define SKELETONIZER_CODE_H

#include "frontend/commands.h"
#include "skeletonizer/plan.h"

/* Sets the code of all regions: 16 hexadecimal digits. */
void code_name(struct plan *plan, const struct commands *commands);

#endif

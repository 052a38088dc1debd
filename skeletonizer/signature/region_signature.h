/* SPDX-License-Identifier: Apache-2.0
 *
 * What operations the regions of a plan make, from the syntax tree: model/signature/signature.h.
 */
#pragma once

#include "model/signature/signature.h"
#include "skeletonizer/plan/plan.h"

struct signature_walk;
struct product;

/* The signature of all computations of the plan, with memory of its own (signature_dispose). The
 * slice is as it was afterwards. */
void signature_of_plan(struct signature *out, const struct plan *plan, const char *bundle_id);

/* Of the region, that tells this product; -1: none does. */
int signature_feature_of(const struct signature_walk *walk, const struct product *product);

/* SPDX-License-Identifier: Apache-2.0
 *
 * Compile commands in, a bundle out: the whole first half of the pipeline.
 */
#pragma once

#include "base/error.h"
#include "skeletonizer/describe/summarize.h"
#include "skeletonizer/generate_options.h"

/* 0: the bundle is there. -1: what went wrong was printed, or is in *error; nothing is left behind,
 * and an older bundle of that name is as it was. */
int generate_bundle(struct generate_summary *out, const struct generate_options *options,
                    struct error *error);

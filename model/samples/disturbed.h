/* SPDX-License-Identifier: Apache-2.0
 *
 * Profiling runs that were made while the machine was slower than it can be: others shared its
 * cores, or its clock was lower. In: how long the same loop took in each of them (run.reference_s);
 * compared are runs on the same host and processor.
 */
#pragma once

#include "base/str.h"
#include "base/text_set.h"
#include "model/samples/sample.h"

/* Adds a sentence about all such runs; nothing if there are none, or if those in `added`, which are
 * new (by id), tell nothing that was not told when the others were. */
void disturbed_add_text(struct str *out, const struct samples *samples,
                        const struct text_set *added);

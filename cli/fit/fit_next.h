/* SPDX-License-Identifier: Apache-2.0
 *
 * The line `next:` of `fit`: a command that can be pasted.
 */
#pragma once

#include "model/samples/sample.h"

/* to: the machine that the models were translated to; NULL: none were. */
void fit_next_print(const char *bundle, const char *to, const struct samples *samples);

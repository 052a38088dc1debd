/* SPDX-License-Identifier: Apache-2.0
 *
 * Results in a terminal: values, bars, lines, tables and matrices that fit its width.
 */
#pragma once

#include "analysis/events/result.h"

/* `width`: columns of the terminal. */
void text_view(struct str *out, const struct events_result *result, size_t width);

/* SPDX-License-Identifier: Apache-2.0
 *
 * Results in a terminal: values, bars, lines, tables and matrices that fit its width.
 */
#ifndef ANALYSIS_EVENTS_VIEW_TEXT_VIEW_H
#define ANALYSIS_EVENTS_VIEW_TEXT_VIEW_H

#include "analysis/events/result.h"

/* `width`: columns of the terminal. */
void text_view(struct str *out, const struct events_result *result, size_t width);

#endif

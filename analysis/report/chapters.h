/* SPDX-License-Identifier: Apache-2.0
 *
 * The chapters of a report, each in chapter_NAME.c, in the order in which they are read. Each adds
 * one chapter to the document, without blocks where the input has nothing for it.
 */
#pragma once

#include "analysis/report/document.h"
#include "analysis/report/report_input.h"

void chapter_prediction(struct document *document, const struct report_input *input);
void chapter_time(struct document *document, const struct report_input *input);
void chapter_timeline(struct document *document, const struct report_input *input);
void chapter_devices(struct document *document, const struct report_input *input);
void chapter_ranks(struct document *document, const struct report_input *input);
void chapter_waiting(struct document *document, const struct report_input *input);
void chapter_path(struct document *document, const struct report_input *input);
void chapter_messages(struct document *document, const struct report_input *input);
void chapter_scaling(struct document *document, const struct report_input *input);
void chapter_models(struct document *document, const struct report_input *input);
void chapter_comparison(struct document *document, const struct report_input *input);
void chapter_skeleton(struct document *document, const struct report_input *input);

/* SPDX-License-Identifier: Apache-2.0
 *
 * The chapters of a report, each in chapter_NAME.c. What a chapter adds goes into the document's
 * last chapter, which was begun for it; where it adds nothing there is no chapter.
 */
#pragma once

#include "analysis/report/document.h"
#include "analysis/report/report_input.h"

struct chapter {
    const char *id, *title, *about; /* about: one sentence that says how to read it */
    /* One of them: once, or for each run. */
    void (*add)(struct document *document, const struct report_input *input);
    void (*add_run)(struct document *document, const struct report_run *run);
    bool is_of_bundle; /* nothing without one */
};

extern const struct chapter chapter_prediction, chapter_time, chapter_timeline, chapter_devices,
    chapter_ranks, chapter_waiting, chapter_path, chapter_messages, chapter_scaling,
    chapter_comparison, chapter_models, chapter_skeleton;

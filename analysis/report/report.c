/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/report/report.h"

#include "analysis/report/chapters.h"
#include "analysis/report/page_html.h"
#include "base/file.h"

static void (*const chapters[])(struct document *document, const struct report_input *input) = {
    chapter_prediction, chapter_time, chapter_timeline, chapter_devices, chapter_ranks,
    chapter_waiting,    chapter_path, chapter_messages, chapter_scaling, chapter_comparison,
};

/* What is known of the program by its bundle. */
static void compose_bundle(struct document *out, const struct report_input *input) {
    chapter_models(out, input);
    chapter_skeleton(out, input);
}

void report_compose(struct document *out, const struct report_input *input) {
    document_init(out);
    out->title = arena_printf(&out->arena, "%s", input->regions.program);
    out->subtitle = input->bundle != NULL
                        ? arena_printf(&out->arena, "a report of mpiskel on bundle %s (%s)",
                                       input->bundle, input->regions.bundle)
                        : "a report of mpiskel on a recorded run";
    for (size_t i = 0; i < input->runs.count; i++)
        vec_push(&out->runs, input->runs.items[i].name);
    for (size_t i = 0; i < sizeof chapters / sizeof *chapters; i++)
        chapters[i](out, input);
    if (input->bundle != NULL)
        compose_bundle(out, input);
}

int report_write_page(const char *path, const struct report_input *input, struct error *error) {
    struct document document;
    struct str page = {0};
    report_compose(&document, input);
    int result = page_html_add(&page, &document, error);
    if (result == 0)
        result = file_write(path, str_text(&page), page.length, error);
    str_dispose(&page);
    document_dispose(&document);
    return result;
}

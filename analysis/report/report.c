/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/report/report.h"

#include "analysis/report/chapters.h"
#include "analysis/report/page_html.h"
#include "base/file.h"

static const struct chapter *const chapters[] = {
    &chapter_prediction, &chapter_time,       &chapter_timeline, &chapter_devices,
    &chapter_ranks,      &chapter_waiting,    &chapter_path,     &chapter_messages,
    &chapter_scaling,    &chapter_comparison, &chapter_models,   &chapter_skeleton,
};

static void add_chapter(struct document *out, const struct chapter *chapter,
                        const struct report_input *input) {
    document_chapter_begin(out, chapter->id, chapter->title, chapter->about);
    if (chapter->add != NULL)
        chapter->add(out, input);
    for (size_t i = 0; chapter->add_run != NULL && i < input->runs.count; i++) {
        out->run = (int)i;
        chapter->add_run(out, &input->runs.items[i]);
    }
    out->run = -1;
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
        if (input->bundle != NULL || !chapters[i]->is_of_bundle)
            add_chapter(out, chapters[i], input);
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

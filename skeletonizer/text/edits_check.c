/* SPDX-License-Identifier: Apache-2.0
 *
 * Edits are in a file's text, and two of them are apart or one is inside of the other: of two that
 * overlap otherwise one would be lost without a word.
 */
#include "skeletonizer/text/edits_check.h"

static const char *name_of(const struct program *program, const struct edit *edit) {
    return program->files.items[edit->range.file]->path;
}

static int check_place(const struct edit *edit, const struct program *program,
                       struct error *error) {
    if (edit->range.file < 0 || (size_t)edit->range.file >= program->files.count)
        return error_set(error, "an edit is in file %d of %zu", edit->range.file,
                         program->files.count);
    size_t length = program->files.items[edit->range.file]->length;
    if (edit->range.begin > edit->range.end || edit->range.end > length || edit->text == NULL)
        return error_set(error, "%s: an edit is of [%u, %u) of %zu bytes", name_of(program, edit),
                         edit->range.begin, edit->range.end, length);
    return 0;
}

int edits_check(struct edits *edits, const struct program *program, struct error *error) {
    const struct edit *outer = NULL;
    edits_sort(edits);
    for (size_t i = 0; i < edits->items.count; i++) {
        const struct edit *edit = &edits->items.items[i];
        if (check_place(edit, program, error) != 0)
            return -1;
        bool is_behind = outer == NULL || outer->range.file != edit->range.file ||
                         edit->range.begin >= outer->range.end;
        if (!is_behind && edit->range.end > outer->range.end)
            return error_set(error, "%s: the edits of [%u, %u) and of [%u, %u) overlap",
                             name_of(program, edit), outer->range.begin, outer->range.end,
                             edit->range.begin, edit->range.end);
        if (is_behind)
            outer = edit;
    }
    return 0;
}

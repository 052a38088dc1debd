/* SPDX-License-Identifier: Apache-2.0
 *
 * Sorts edits by place (an outer one before those inside it) and copies the text around them. Where
 * the text names its lines, what stays keeps them: by blank lines, or by #line. Macro calls that
 * count by __COUNTER__ go on counting where they go.
 */
#include "skeletonizer/text/edits.h"

#include <string.h>

#define SHORT_GAP 3 /* blank lines read better than a #line; more of them do not */

void edits_dispose(struct edits *edits) {
    vec_dispose(&edits->items);
}

void edits_add(struct edits *edits, struct range range, const char *text) {
    struct edit edit = {range, text, (int)edits->items.count, NULL, 0};
    vec_push(&edits->items, edit);
}

static int compare(const void *left, const void *right) {
    const struct edit *a = left, *b = right;
    if (a->range.file != b->range.file)
        return a->range.file < b->range.file ? -1 : 1;
    if (a->range.begin != b->range.begin)
        return a->range.begin < b->range.begin ? -1 : 1;
    bool a_inserts = a->range.end == a->range.begin, b_inserts = b->range.end == b->range.begin;
    if (a_inserts != b_inserts)
        return a_inserts ? -1 : 1;
    if (a->range.end != b->range.end)
        return a->range.end > b->range.end ? -1 : 1;
    return a->order < b->order ? -1 : 1;
}

void edits_sort(struct edits *edits) {
    if (edits->items.count > 1)
        qsort(edits->items.items, edits->items.count, sizeof(struct edit), compare);
}

static int count_lines(const char *text, size_t length) {
    int lines = 0;
    for (size_t i = 0; i < length; i++)
        lines += text[i] == '\n';
    return lines;
}

static int count_newlines(const char *text) {
    return count_lines(text, strlen(text));
}

/* What follows the edit has the line that it had. */
static void keep_lines(struct str *out, const struct source_file *file, const struct edit *edit) {
    const char *removed = file->text + edit->range.begin;
    int missing = count_lines(removed, edit->range.end - edit->range.begin);
    missing -= count_newlines(edit->text);
    bool between_lines = out->length > 0 && out->text[out->length - 1] == '\n' &&
                         edit->range.end > 0 && file->text[edit->range.end - 1] == '\n';
    int line = 1 + count_lines(file->text, edit->range.end);
    if (missing < 0)
        str_printf(out, "\n#line %d\n", line);
    else if (missing > SHORT_GAP && between_lines)
        str_printf(out, "#line %d\n", line);
    else
        for (; missing > 0; missing--)
            str_addc(out, '\n');
}

/* Macro calls that count, and that the edit takes away: those in front of the first that its text
 * goes on naming, or those behind it. They count inside of a macro that expands to nothing. */
static void add_counting(struct str *out, const struct source_file *file, const struct edit *edit,
                         bool in_front) {
    bool is_front = true;
    for (size_t i = 0; i < file->counting.count; i++) {
        const struct range call = file->counting.items[i];
        if (call.begin < edit->range.begin || call.end > edit->range.end)
            continue;
        size_t length = call.end - call.begin;
        if (memmem(edit->text, strlen(edit->text), file->text + call.begin, length) != NULL)
            is_front = false;
        else if (is_front == in_front)
            str_printf(out, " BSIM_COUNTS(%.*s) ", (int)length, file->text + call.begin);
    }
}

static void add_edit(struct str *out, const struct source_file *file, const struct edit *edit) {
    add_counting(out, file, edit, true);
    str_add(out, edit->text);
    add_counting(out, file, edit, false);
    if (file->names_lines)
        keep_lines(out, file, edit);
}

static void apply_range(struct str *out, struct edits *edits, const struct source_file *file,
                        struct range range) {
    const char *text = file->text;
    edits_sort(edits);
    unsigned at = range.begin;
    for (size_t i = 0; i < edits->items.count; i++) {
        const struct edit *edit = &edits->items.items[i];
        if (edit->range.file != range.file || edit->range.begin < at || edit->range.end > range.end)
            continue;
        str_addn(out, text + at, edit->range.begin - at);
        add_edit(out, file, edit);
        at = edit->range.end;
    }
    str_addn(out, text + at, range.end - at);
}

void edits_apply(struct str *out, struct edits *edits, const struct program *program, int file) {
    const struct source_file *source = program->files.items[file];
    apply_range(out, edits, source, (struct range){file, 0, (unsigned)source->length});
}

char *edits_text(struct edits *edits, struct program *program, struct range range) {
    struct str out = {0};
    apply_range(&out, edits, program->files.items[range.file], range);
    return str_into(&program->arena, &out);
}

/* Pairs for the range, whose first lines are `rewritten` and `original`. */
static void map_range(line_pairs *out, const struct edits *edits, const char *text,
                      struct range range, struct line_pair first) {
    unsigned at = range.begin;
    int rewritten = first.rewritten, original = first.original;
    vec_push(out, first);
    for (size_t i = 0; i < edits->items.count; i++) { /* sorted by apply_range */
        const struct edit *edit = &edits->items.items[i];
        if (edit->range.file != range.file || edit->range.begin < at || edit->range.end > range.end)
            continue;
        int before = count_lines(text + at, edit->range.begin - at);
        rewritten += before;
        original += before;
        for (size_t k = 0; k < edit->line_count; k++)
            vec_push(out, (struct line_pair){rewritten + edit->lines[k].rewritten,
                                             edit->lines[k].original});
        int added = count_newlines(edit->text);
        int removed = count_lines(text + edit->range.begin, edit->range.end - edit->range.begin);
        rewritten += added;
        original += removed;
        at = edit->range.end;
        if (added == removed && edit->line_count == 0)
            continue;
        if (out->items[out->count - 1].rewritten == rewritten)
            out->count--;
        vec_push(out, (struct line_pair){rewritten, original});
    }
}

/* From that line on: a pair that begins where the last one does takes its place. */
static void map_from(line_pairs *out, int rewritten, int original) {
    if (out->count > 0 && out->items[out->count - 1].rewritten == rewritten)
        out->count--;
    vec_push(out, (struct line_pair){rewritten, original});
}

/* Lines are what they were, but for those that went as a whole: nothing is there. */
static void map_gaps(line_pairs *out, const struct edits *edits, const struct source_file *source,
                     int file) {
    unsigned at = 0;
    map_from(out, 1, 1);
    for (size_t i = 0; i < edits->items.count; i++) { /* sorted by apply_range */
        const struct edit *edit = &edits->items.items[i];
        if (edit->range.file != file || edit->range.begin < at)
            continue;
        at = edit->range.end;
        bool is_whole = edit->range.begin == 0 || source->text[edit->range.begin - 1] == '\n';
        int first = 1 + count_lines(source->text, edit->range.begin);
        int end = 1 + count_lines(source->text, edit->range.end);
        first += is_whole && edit->text[0] == '\0' ? 0 : 1 + count_newlines(edit->text);
        if (first >= end)
            continue;
        map_from(out, first, 0);
        map_from(out, end, end);
    }
}

void edits_line_map(line_pairs *out, const struct edits *edits, const struct program *program,
                    int file) {
    const struct source_file *source = program->files.items[file];
    if (source->names_lines)
        map_gaps(out, edits, source, file);
    else
        map_range(out, edits, source->text, (struct range){file, 0, (unsigned)source->length},
                  (struct line_pair){1, 1});
}

/* The text of a range, behind what `out` has, and its lines. */
static void add_range(struct str *out, line_pairs *lines, struct edits *own,
                      struct program *program, struct range range) {
    int line, column;
    program_position(program, range, &line, &column);
    if (program->files.items[range.file]->names_lines)
        str_printf(out, "\n#line %d\n", line);
    int before = count_newlines(str_text(out));
    str_add(out, edits_text(own, program, range));
    map_range(lines, own, program->files.items[range.file]->text, range,
              (struct line_pair){before, line});
}

static void add_mapped(struct edits *edits, struct program *program, struct range range,
                       struct str *text, line_pairs *pairs) {
    struct edit edit = {range, arena_strdup(&program->arena, str_text(text)),
                        (int)edits->items.count, NULL, pairs->count};
    struct line_pair *lines = ARENA_ARRAY(&program->arena, struct line_pair, pairs->count + 1);
    if (pairs->count > 0)
        memcpy(lines, pairs->items, pairs->count * sizeof *lines);
    edit.lines = lines;
    vec_push(&edits->items, edit);
    vec_dispose(pairs);
    str_dispose(text);
}

void edits_add_copy(struct edits *edits, struct program *program, const char *before,
                    struct edits *own, struct range range) {
    struct range behind = {range.file, range.end, range.end};
    struct str text = {0};
    line_pairs pairs = {0};
    str_add(&text, before);
    add_range(&text, &pairs, own, program, range);
    add_mapped(edits, program, behind, &text, &pairs);
}

void edits_add_versions(struct edits *edits, struct program *program, struct range range,
                        const struct edits_version *versions, size_t count, const char *behind) {
    struct str text = {0};
    line_pairs pairs = {0};
    for (size_t i = 0; i < count; i++) {
        str_add(&text, versions[i].before);
        if (versions[i].own != NULL)
            add_range(&text, &pairs, versions[i].own, program, range);
    }
    str_add(&text, behind);
    add_mapped(edits, program, range, &text, &pairs);
}

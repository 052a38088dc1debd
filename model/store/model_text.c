/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines of model.bsim, put together piece by piece; see model_text.h.
 */
#include "model/store/model_text.h"

#include "base/file.h"
#include "base/str.h"
#include "model/eval/eval_read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The rest of the line behind "WORD ", NULL: it begins with another word. */
static const char *after_word(const char *line, const char *word) {
    size_t length = strlen(word);
    line += strspn(line, " ");
    if (strncmp(line, word, length) != 0 || line[length] != ' ')
        return NULL;
    return line + length + strspn(line + length, " ");
}

static const char *next_line(const char *line) {
    const char *end = strchr(line, '\n');
    return end != NULL ? end + 1 : line + strlen(line);
}

static bool begins_piece(const char *line) {
    return after_word(line, "region") != NULL || after_word(line, "value") != NULL;
}

/* ---- Reading ---- */

static const char *read_piece(struct model_text *out, const char *line) {
    const char *index = after_word(line, "region"), *end = line;
    bool is_value = index == NULL;
    if (is_value)
        index = after_word(line, "value");
    do
        end = next_line(end);
    while (*end != '\0' && !begins_piece(end) && after_word(end, "end") == NULL);
    vec_push(&out->pieces,
             (struct model_piece){atoi(index), is_value,
                                  arena_strndup(&out->arena, line, (size_t)(end - line))});
    return end;
}

static const char *copy_word(struct arena *arena, const char *word) {
    return word != NULL ? arena_strndup(arena, word, strcspn(word, " \n")) : NULL;
}

int model_text_read(struct model_text *out, const char *path, struct error *error) {
    char *text = NULL;
    *out = (struct model_text){0};
    if (file_read(&text, NULL, path, error) != 0)
        return -1;
    const char *line = next_line(text);
    out->bundle = copy_word(&out->arena, after_word(line, "bundle"));
    line = next_line(line);
    out->machine = copy_word(&out->arena, after_word(line, "machine"));
    line = next_line(line);
    const char *gaps = line;
    while (after_word(line, "gap") != NULL)
        line = next_line(line);
    out->gaps = arena_strndup(&out->arena, gaps, (size_t)(line - gaps));
    while (begins_piece(line))
        line = read_piece(out, line);
    bool is_whole = out->bundle != NULL && out->machine != NULL && after_word(line, "end") != NULL;
    free(text);
    return is_whole ? 0 : error_set(error, "%s is no model; `mpiskel fit` writes one", path);
}

void model_text_dispose(struct model_text *text) {
    vec_dispose(&text->pieces);
    arena_dispose(&text->arena);
}

/* ---- Changing ---- */

static struct model_piece *find(struct model_text *text, int index) {
    for (size_t i = 0; i < text->pieces.count; i++)
        if (text->pieces.items[i].index == index)
            return &text->pieces.items[i];
    return NULL;
}

void model_text_put(struct model_text *text, int index, bool is_value, const char *lines) {
    struct model_piece *there = find(text, index);
    struct model_piece piece = {index, is_value, arena_strdup(&text->arena, lines)};
    if (there != NULL)
        *there = piece;
    else
        vec_push(&text->pieces, piece);
}

/* A coefficient that gets too large stays one that the evaluator reads. */
static void add_divided(struct str *out, const char *coefficient, const char *end, double factor) {
    char *rest = NULL;
    double divided = strtod(coefficient, &rest) / factor;
    str_printf(out, "term %.17g", fmin(divided, BSIM_LARGEST_NUMBER));
    str_addn(out, rest, (size_t)(end - rest));
}

void model_text_speed_up(struct model_text *text, int index, double factor) {
    struct model_piece *piece = find(text, index);
    struct str changed = {0};
    if (piece == NULL || piece->is_value)
        return;
    for (const char *line = piece->lines, *end; *line != '\0'; line = end) {
        const char *coefficient = after_word(line, "term");
        end = next_line(line);
        if (coefficient != NULL)
            add_divided(&changed, coefficient, end, factor);
        else
            str_addn(&changed, line, (size_t)(end - line));
    }
    piece->lines = str_into(&text->arena, &changed);
}

int model_text_write(const struct model_text *text, const char *path, struct error *error) {
    struct str out = {0};
    str_printf(&out, "mpiskel-model 1\nbundle %s\nmachine %s\n%s", text->bundle, text->machine,
               text->gaps != NULL ? text->gaps : "");
    for (size_t i = 0; i < text->pieces.count; i++)
        str_add(&out, text->pieces.items[i].lines);
    str_printf(&out, "end %zu\n", text->pieces.count);
    int result = file_write(path, out.text, out.length, error);
    str_dispose(&out);
    return result;
}

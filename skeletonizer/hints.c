/* SPDX-License-Identifier: Apache-2.0
 *
 * In: a hints file, one hint a line, each beginning with a keyword; then the slice. Out: rows for
 * functions without source, and demands for the statements that are to stay.
 *
 * A statement is named by its file, as `explain` shows it or by the end of its path, and the line
 * on which it begins; it stays with all that it holds, and its function is called wherever it was.
 * Keywords are looked up in a table. What repeats itself is found by sorting, so that files of any
 * length are read in reasonable time.
 */
#include "skeletonizer/hints.h"

#include "base/file.h"
#include "base/str.h"
#include "frontend/names.h"
#include "skeletonizer/plan.h"
#include "skeletonizer/settle.h"

#include <string.h>

struct hint_reader {
    struct hints *out;
    struct externs *externs;
    struct error *error;
    const char *line_start, *at;
    int line;
};

static int fail(struct hint_reader *reader, const char *place, const char *what) {
    return error_set(reader->error, "%s:%d:%d: error: %s", reader->out->path, reader->line,
                     (int)(place - reader->line_start) + 1, what);
}

static void skip_blanks(struct hint_reader *reader) {
    reader->at += strspn(reader->at, " \t\r");
}

static bool at_end(const struct hint_reader *reader) {
    return strchr("\n#", *reader->at) != NULL;
}

static int read_extern(struct hint_reader *reader) {
    return externs_load_row(reader->externs, reader->line_start, reader->at, reader->out->path,
                            reader->line, reader->error);
}

/* The last colon of the word separates: a file's name may hold others. */
static int read_keep(struct hint_reader *reader) {
    const char *word = reader->at;
    size_t length = strcspn(word, " \t\r\n");
    size_t digits = 0;
    while (digits < length && word[length - digits - 1] >= '0' && word[length - digits - 1] <= '9')
        digits++;
    if (digits == 0 || digits > 8 || digits + 2 > length || word[length - digits - 1] != ':')
        return fail(reader, word, "expected FILE:LINE, the place of a statement");
    struct hint_keep keep = {.line = reader->line, .at = atoi(word + length - digits)};
    keep.column = (int)(word - reader->line_start) + 1;
    keep.file = arena_strndup(&reader->out->arena, word, length - digits - 1);
    vec_push(&reader->out->keeps, keep);
    reader->at += length;
    skip_blanks(reader);
    return at_end(reader) ? 0 : fail(reader, reader->at, "nothing may follow FILE:LINE");
}

static const struct {
    const char *word;
    int (*read)(struct hint_reader *reader);
} keywords[] = {{"extern", read_extern}, {"keep", read_keep}};

static int read_line(struct hint_reader *reader) {
    const char *word = reader->at;
    size_t length = strcspn(word, " \t\r\n#");
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
        if (strlen(keywords[i].word) != length || strncmp(word, keywords[i].word, length) != 0)
            continue;
        reader->at += length;
        skip_blanks(reader);
        return keywords[i].read(reader);
    }
    return fail(reader, word, "no such hint; there are `extern ROW` and `keep FILE:LINE`");
}

static int compare_keeps(const void *left, const void *right) {
    const struct hint_keep *a = left, *b = right;
    int order = strcmp(a->file, b->file);
    order = order != 0 ? order : (a->at > b->at) - (a->at < b->at);
    return order != 0 ? order : (a->line > b->line) - (a->line < b->line);
}

static int check_repeated(struct hint_reader *reader) {
    struct hints *hints = reader->out;
    const struct extern_function *row = externs_repeated(reader->externs);
    if (row != NULL)
        return error_set(reader->error,
                         "%s:%d:%d: error: '%s' has another row in this file; keep "
                         "one of them",
                         hints->path, row->line, row->column, row->name);
    if (hints->keeps.count > 0)
        qsort(hints->keeps.items, hints->keeps.count, sizeof hints->keeps.items[0], compare_keeps);
    for (size_t i = 1; i < hints->keeps.count; i++) {
        const struct hint_keep *before = &hints->keeps.items[i - 1], *keep = before + 1;
        if (keep->at == before->at && strcmp(keep->file, before->file) == 0)
            return error_set(reader->error, "%s:%d:%d: error: line %d says so already; remove one",
                             hints->path, keep->line, keep->column, before->line);
    }
    return 0;
}

static int read_text(struct hint_reader *reader, const char *text) {
    for (reader->at = text; *reader->at != '\0'; reader->line++) {
        reader->line_start = reader->at;
        skip_blanks(reader);
        if (!at_end(reader) && read_line(reader) != 0)
            return -1;
        reader->at += strcspn(reader->at, "\n");
        reader->at += *reader->at == '\n';
    }
    return check_repeated(reader);
}

int hints_read(struct hints *out, struct externs *externs, const char *path, struct error *error) {
    struct hint_reader reader = {.out = out, .externs = externs, .error = error, .line = 1};
    char *text = NULL;
    size_t length = 0;
    out->path = arena_strdup(&out->arena, path);
    if (file_read(&text, &length, path, error) != 0)
        return -1;
    int result = strlen(text) == length
                     ? read_text(&reader, text)
                     : error_set(error, "%s: holds a zero byte; hints are text", path);
    free(text);
    return result;
}

void hints_dispose(struct hints *hints) {
    vec_dispose(&hints->keeps);
    arena_dispose(&hints->arena);
}

/* ---- Statements that stay ---- */

static int misfit(const struct hints *hints, const struct hint_keep *keep, struct error *error,
                  const char *what) {
    return error_set(error, "%s:%d:%d: error: %s", hints->path, keep->line, keep->column, what);
}

static bool is_named(const struct source_file *file, const char *name) {
    size_t whole = strlen(file->path), length = strlen(name);
    return text_has_suffix(file->path, name) &&
           (whole == length || file->path[whole - length - 1] == '/');
}

static int find_file(int *out, const struct hints *hints, const struct hint_keep *keep,
                     struct program *program, struct error *error) {
    *out = -1;
    for (size_t i = 0; i < program->files.count; i++) {
        const char *path = program->files.items[i]->path;
        if (!program->files.items[i]->in_project || !is_named(program->files.items[i], keep->file))
            continue;
        if (*out >= 0)
            return misfit(hints, keep, error,
                          arena_printf(&program->arena, "both %s and %s are named so; say more",
                                       program->files.items[*out]->path, path));
        *out = (int)i;
    }
    if (*out >= 0)
        return 0;
    const char *what = arena_printf(&program->arena, "no file of the program is '%s'", keep->file);
    return misfit(hints, keep, error, what);
}

typedef VEC(struct tree *) tree_list;

/* Outermost statements that begin on the line; *before: the last line before it with a statement.
 */
static void find_trees(tree_list *out, int *before, struct tree *tree, int file, int line) {
    if (tree->ast->range.file == file && tree->ast->line == line) {
        vec_push(out, tree);
        return;
    }
    if (tree->ast->range.file == file && tree->ast->line < line && tree->ast->line > *before)
        *before = tree->ast->line;
    for (size_t i = 0; i < tree->kids.count; i++)
        find_trees(out, before, tree->kids.items[i], file, line);
}

static void keep_declared(struct slice *s, const struct tree *tree, const char *why) {
    for (int i = 0; tree->ast->kind == AST_DECLARE && i < tree->ast->kid_count; i++) {
        const char *key = tree->ast->kids[i]->declaration->key;
        const struct object *object = names_get(s->program->names, "object", key);
        slice_demand(s, DEMAND_DECLARE, object->id, 0, why);
    }
    for (size_t i = 0; i < tree->kids.count; i++)
        keep_declared(s, tree->kids.items[i], why);
}

static int apply_keep(const struct hints *hints, const struct hint_keep *keep, struct slice *s,
                      struct error *error) {
    struct arena *arena = &s->program->arena;
    const char *why = arena_printf(arena, "is kept by a hint, line %d", keep->line);
    const char *dead = NULL;
    int file, before = 0;
    size_t found = 0;
    if (find_file(&file, hints, keep, s->program, error) != 0)
        return -1;
    for (size_t i = 0; i < s->program->functions.count; i++) {
        const struct function *function = s->program->functions.items[i];
        tree_list trees = {0};
        for (size_t k = 0; k < function->tree->kids.count; k++)
            find_trees(&trees, &before, function->tree->kids.items[k], file, keep->at);
        if (trees.count > 0 && !slice_is_live(s, function)) {
            dead = function->name;
        } else if (trees.count > 0) {
            found += trees.count;
            settle_whole(s, trees.items, trees.count, why);
            for (size_t k = 0; k < trees.count; k++)
                keep_declared(s, trees.items[k], why);
            settle_callers(s, function, why);
        }
        vec_dispose(&trees);
    }
    if (found > 0)
        return 0;
    if (dead != NULL)
        return misfit(hints, keep, error, arena_printf(arena, "'%s' is never called", dead));
    const char *hint = before > 0 ? arena_printf(arena, "; one begins on line %d", before) : "";
    return misfit(hints, keep, error,
                  arena_printf(arena, "no statement begins on line %d%s", keep->at, hint));
}

static int check_externs(const struct hints *hints, struct program *program, struct error *error) {
    for (size_t i = 0; i < program->libraries->functions.count; i++) {
        const struct extern_function *row = &program->libraries->functions.items[i];
        const struct function *function = program_function(program, row->name);
        if (row->file != hints->path)
            continue;
        if (function != NULL)
            return error_set(error,
                             "%s:%d:%d: error: the source of '%s' is in the program (%s:%d), so it "
                             "needs no row; remove it",
                             row->file, row->line, row->column, row->name,
                             program->files.items[function->range.file]->path, function->line);
        if (text_has_prefix(row->name, "MPI_"))
            return error_set(error, "%s:%d:%d: error: '%s' is MPI's, which is known; remove it",
                             row->file, row->line, row->column, row->name);
    }
    return 0;
}

int hints_apply(const struct hints *hints, struct slice *slice, struct error *error) {
    if (check_externs(hints, slice->program, error) != 0)
        return -1;
    for (size_t i = 0; i < hints->keeps.count; i++)
        if (apply_keep(hints, &hints->keeps.items[i], slice, error) != 0)
            return -1;
    return 0;
}

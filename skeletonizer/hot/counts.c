/* SPDX-License-Identifier: Apache-2.0
 *
 * In: gcov's JSON or llvm-cov's listing, one text per unit, in which a header's lines come with
 * each unit; or counts.json. Out: executions by line. counts.json has them by function, with lines
 * counted from the function's first one and a hash of its text, so that counts survive edits
 * elsewhere. Limits: statements that share a line share its count.
 */
#include "skeletonizer/hot/counts.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"

#include <stdlib.h>
#include <string.h>

#define MAX_SPAN_LINES 50 /* how far a statement's count may stand below its first line */

void counts_dispose(struct counts *counts) {
    for (size_t i = 0; i < counts->files.count; i++)
        free(counts->files.items[i].of_line);
    vec_dispose(&counts->files);
    arena_dispose(&counts->arena);
}

static struct line_counts *file_counts(struct counts *counts, int file) {
    const struct program *program = counts->program;
    while (counts->files.count <= (size_t)file)
        vec_push(&counts->files, (struct line_counts){0});
    struct line_counts *lines = &counts->files.items[file];
    if (lines->of_line != NULL)
        return lines;
    lines->line_count = (int)program->files.items[file]->lines.count;
    lines->of_line = xmalloc(((size_t)lines->line_count + 1) * sizeof *lines->of_line);
    for (int i = 0; i <= lines->line_count; i++)
        lines->of_line[i] = -1;
    return lines;
}

static void add(struct counts *counts, int file, long long line, long long count) {
    struct line_counts *lines = file_counts(counts, file);
    if (line < 1 || line > lines->line_count || count < 0)
        return;
    long long *at = &lines->of_line[line];
    *at = (*at < 0 ? 0 : *at) + count;
    counts->known = true;
}

/* Of what was counted before: functions that one macro call makes all have its line, with the same
 * count, which is no more for that. */
static void set(struct counts *counts, int file, long long line, long long count) {
    struct line_counts *lines = file_counts(counts, file);
    if (line >= 1 && line <= lines->line_count && lines->of_line[line] < count) {
        lines->of_line[line] = count;
        counts->known = true;
    }
}

static int known_file(const struct program *program, const char *path) {
    for (size_t i = 0; i < program->files.count; i++)
        if (strcmp(program->files.items[i]->path, path) == 0)
            return (int)i;
    return -1;
}

static void add_file(struct counts *counts, const json_t *entry, const char *directory) {
    const char *name = json_get_text(entry, "file");
    int file = name != NULL
                   ? known_file(counts->program, path_absolute(&counts->arena, directory, name))
                   : -1;
    size_t index;
    json_t *line;
    if (file < 0)
        return;
    json_array_foreach(json_object_get(entry, "lines"), index, line)
        add(counts, file, json_get_integer(line, "line_number", 0),
            json_get_integer(line, "count", -1));
}

int counts_add_gcov(struct counts *counts, struct program *program, const char *text,
                    const char *directory, struct error *error) {
    json_error_t problem;
    json_t *root = json_loads(text, JSON_DISABLE_EOF_CHECK, &problem);
    size_t index;
    json_t *entry;
    counts->program = program;
    if (root == NULL || !json_is_array(json_object_get(root, "files"))) {
        json_decref(root);
        return error_set(error,
                         "gcov printed no JSON (%s); it has to be that of the compiler, "
                         "version 9 or newer",
                         problem.text);
    }
    json_array_foreach(json_object_get(root, "files"), index, entry)
        add_file(counts, entry, directory);
    json_decref(root);
    return 0;
}

/* "     2002:    4:    text", where the count may be "-" (no code), "#####" or "=====" (never), or
 * end with "*" (partly); line 0 tells the file. */
void counts_add_listing(struct counts *counts, struct program *program, const char *text,
                        const char *directory) {
    static const char source[] = "Source:";
    int file = -1;
    counts->program = program;
    for (const char *at = text; *at != '\0';) {
        size_t length = strcspn(at, "\n");
        const char *count = at + strspn(at, " "), *colon = memchr(at, ':', length);
        char *end = NULL;
        long long line = colon != NULL ? strtoll(colon + 1, &end, 10) : -1;
        bool is_row = end != NULL && *end == ':' && end < at + length;
        if (is_row && line == 0 && strncmp(end + 1, source, strlen(source)) == 0) {
            const char *name = end + 1 + strlen(source);
            const char *path = arena_strndup(&counts->arena, name, (size_t)(at + length - name));
            file = known_file(program, path_absolute(&counts->arena, directory, path));
        } else if (is_row && line > 0 && file >= 0 && *count != '-') {
            add(counts, file, line, strtoll(count, NULL, 10));
        }
        at += length + (at[length] == '\n');
    }
}

/* counts.json */

static const char *function_hash(struct arena *arena, const struct program *program,
                                 const struct function *function) {
    const char *text = program->files.items[function->range.file]->text;
    unsigned long long hash = hash_bytes(HASH_SEED, text + function->range.begin,
                                         function->range.end - function->range.begin);
    return arena_printf(arena, "%016llx", hash);
}

static void line_span(const struct program *program, const struct function *function, int *first,
                      int *last) {
    int column;
    struct range end = function->range;
    end.begin = end.end > 0 ? end.end - 1 : 0;
    program_position(program, function->range, first, &column);
    program_position(program, end, last, &column);
}

static json_t *describe_function(const struct counts *counts, struct arena *arena,
                                 const struct function *function) {
    const struct program *program = counts->program;
    json_t *lines = json_array();
    int first, last;
    line_span(program, function, &first, &last);
    const struct line_counts *file = (size_t)function->range.file < counts->files.count
                                         ? &counts->files.items[function->range.file]
                                         : NULL;
    for (int line = first; file != NULL && line <= last && line <= file->line_count; line++)
        if (file->of_line[line] >= 0)
            json_array_append_new(
                lines, json_pack("[i, I]", line - first, (json_int_t)file->of_line[line]));
    const char *path =
        path_relative(arena, program->root, program->files.items[function->range.file]->path);
    return json_pack("{s:s, s:s*, s:s, s:o}", "function", function->name, "file", path, "text",
                     function_hash(arena, program, function), "lines", lines);
}

int counts_write(const struct counts *counts, const char *path, struct error *error) {
    struct arena arena = {0};
    json_t *functions = json_array();
    for (size_t i = 0; i < counts->program->functions.count; i++) {
        const struct function *function = counts->program->functions.items[i];
        if (function->origin == NULL)
            json_array_append_new(functions, describe_function(counts, &arena, function));
    }
    json_t *root = json_pack("{s:s, s:i, s:s*, s:o}", "format", "mpiskel-counts", "version", 1,
                             "command", counts->command, "functions", functions);
    int result = json_write(root, path, error);
    json_decref(root);
    arena_dispose(&arena);
    return result;
}

static const struct function *find_function(struct counts *counts, const json_t *entry) {
    const struct program *program = counts->program;
    const char *name = json_get_text(entry, "function"), *file = json_get_text(entry, "file");
    const char *text = json_get_text(entry, "text");
    for (size_t i = 0; name != NULL && file != NULL && text != NULL && i < program->functions.count;
         i++) {
        const struct function *function = program->functions.items[i];
        if (strcmp(function->name, name) != 0 || function->origin != NULL)
            continue;
        const char *path = path_relative(&counts->arena, program->root,
                                         program->files.items[function->range.file]->path);
        if (strcmp(path, file) == 0 &&
            strcmp(text, function_hash(&counts->arena, program, function)) == 0)
            return function;
    }
    return NULL;
}

static void read_function(struct counts *counts, const json_t *entry) {
    const struct function *function = find_function(counts, entry);
    int first, last;
    size_t index;
    json_t *pair;
    if (function == NULL)
        return;
    line_span(counts->program, function, &first, &last);
    json_array_foreach(json_object_get(entry, "lines"), index, pair) {
        long long offset = json_integer_value(json_array_get(pair, 0));
        if (offset >= 0 && offset <= last - first)
            set(counts, function->range.file, first + offset,
                json_integer_value(json_array_get(pair, 1)));
    }
}

int counts_read(struct counts *counts, struct program *program, const char *path,
                struct error *error) {
    json_t *root, *entry;
    size_t index;
    counts->program = program;
    if (!file_exists(path))
        return 0;
    if (json_read(&root, path, error) != 0)
        return -1;
    const char *command = json_get_text(root, "command");
    if (command != NULL)
        counts->command = arena_strdup(&counts->arena, command);
    json_array_foreach(json_object_get(root, "functions"), index, entry)
        read_function(counts, entry);
    json_decref(root);
    return 0;
}

long long counts_of(const struct counts *counts, const struct node *node) {
    int line = node->line, last = line, column;
    if (node->range.file < 0 || (size_t)node->range.file >= counts->files.count)
        return -1;
    const struct line_counts *file = &counts->files.items[node->range.file];
    if (node->range.end > node->range.begin && node->ast != NULL) {
        struct range end = {node->range.file, node->range.end - 1, node->range.end};
        program_position(counts->program, end, &last, &column);
    }
    for (; line <= last && line < node->line + MAX_SPAN_LINES; line++)
        if (line >= 1 && line <= file->line_count && file->of_line[line] >= 0)
            return file->of_line[line];
    return -1;
}

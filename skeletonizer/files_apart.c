/* SPDX-License-Identifier: Apache-2.0
 *
 * In: the slice. Out: warnings. Of each kept call that opens a file for reading all calls are asked
 * that may come before it and open one for writing, or give one another name. Two paths differ for
 * sure only if both are literals with another last part.
 */
#include "skeletonizer/files_apart.h"

#include "base/file.h"
#include "base/str.h"
#include "skeletonizer/slice/events.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

static bool is_live_call(const struct call *call) {
    return call->library != NULL && call->targets.count == 0 && call->node->function != NULL &&
           call->node->function->is_live && !call->node->ends_abnormally;
}

static bool has_flags(const struct call *call) {
    return text_has_prefix(call->library->name, "open") && call->library->follows_path &&
           call->library->result == EXTERN_RETURNS_VALUE;
}

/* The flags of open, if they are constant; else those for both ways. */
static int flags_of(const struct call *call) {
    int index = strcmp(call->library->name, "openat") == 0 ? 2 : 1;
    const struct ast *flags = ast_without_casts(program_argument(call, index));
    return flags != NULL && flags->has_value ? (int)flags->value & O_ACCMODE : O_RDWR;
}

static bool opens_stream(const struct call *call) {
    return call->library->follows_path && strstr(call->library->name, "open") != NULL &&
           strstr(call->library->name, "dir") == NULL && !has_flags(call);
}

static bool opens_for_reading(const struct slice *s, const struct call *call) {
    if (has_flags(call))
        return flags_of(call) != O_WRONLY;
    char mode = opens_stream(call) ? events_mode(s, call) : 'w';
    return mode == 'r' || mode == 0;
}

static bool renames(const struct call *call) {
    return text_has_prefix(call->library->name, "rename") ||
           text_has_prefix(call->library->name, "link") ||
           text_has_prefix(call->library->name, "symlink");
}

static bool writes(const struct slice *s, const struct call *call) {
    if (has_flags(call))
        return flags_of(call) != O_RDONLY;
    if (opens_stream(call))
        return events_mode(s, call) != 'r';
    return renames(call) || text_has_prefix(call->library->name, "truncate") ||
           text_has_prefix(call->library->name, "creat");
}

/* The path of the file; of two, the new name. */
static const struct ast *path_of(const struct call *call) {
    const struct ast *path = NULL;
    for (int i = 0; i < call->library->parameter_count && (size_t)i < call->arguments.count; i++) {
        bool is_text = call->library->parameters[i].effect == EXTERN_READ;
        if (is_text && (path == NULL || renames(call)))
            path = ast_without_casts(program_argument(call, i));
    }
    return path;
}

/* The last part of a literal; NULL: it is none. */
static const char *name_in(struct program *program, const struct ast *path) {
    if (path == NULL || path->kind != AST_STRING || path->from_macro)
        return NULL;
    return path_base(program_text(program, path->range));
}

static bool may_be_same(struct program *program, const struct ast *one, const struct ast *other) {
    const char *left = name_in(program, one), *right = name_in(program, other);
    if (left == NULL || right == NULL)
        return true;
    return strcmp(left + (left[0] == '"'), right + (right[0] == '"')) == 0;
}

static const struct call *writer_of(const struct slice *s, const struct call *reader) {
    for (size_t i = 0; i < s->program->calls.count; i++) {
        const struct call *call = s->program->calls.items[i];
        if (call != reader && is_live_call(call) && writes(s, call) &&
            may_be_same(s->program, path_of(reader), path_of(call)) &&
            slice_may_precede(s, call, reader))
            return call;
    }
    return NULL;
}

/* One line for each, without the text, since there may be several. */
static void warn(struct program *program, struct range range, const struct call *writer) {
    const char *path = program->files.items[range.file]->path;
    const char *other = program->files.items[writer->ast->range.file]->path;
    int line, column;
    program_position(program, range, &line, &column);
    fprintf(stderr,
            "%s:%d:%d: warning: this may open what the program has written before ('%s' at "
            "%s:%d), which is assumed not to happen (files-apart); if it does, --assume "
            "no:files-apart\n",
            program_relative(program, path), line, column, writer->library->name,
            program_relative(program, other), writer->ast->line);
}

typedef VEC(struct range) range_list;

/* Out of the same macro call, or in another instance of the function. */
static bool was_told(const range_list *told, struct range range) {
    for (size_t i = 0; i < told->count; i++)
        if (told->items[i].file == range.file && told->items[i].begin == range.begin)
            return true;
    return false;
}

void files_apart_report(const struct slice *s) {
    struct program *program = s->program;
    range_list told = {0};
    for (size_t i = 0; s->assumptions.files_apart && i < program->calls.count; i++) {
        const struct call *call = program->calls.items[i];
        if (!is_live_call(call) || !slice_keeps_call(s, call) || !opens_for_reading(s, call) ||
            was_told(&told, call->ast->range))
            continue;
        const struct call *writer = writer_of(s, call);
        if (writer == NULL)
            continue;
        vec_push(&told, call->ast->range);
        warn(program, call->ast->range, writer);
    }
    vec_dispose(&told);
}

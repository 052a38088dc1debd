/* SPDX-License-Identifier: Apache-2.0
 *
 * In: hints and the slice. Out: demands for the statements that are to stay, and which statements
 * the cut has to pass by or should take.
 *
 * A statement is named by its file, as `explain` shows it or by the end of its path, and the line
 * on which it begins; one that stays does so with all that it holds, and its function is called
 * wherever it was. A value may also be named by the line on which it begins itself.
 */
#include "skeletonizer/hints/hints.h"

#include "base/file.h"
#include "base/str.h"
#include "frontend/program/tree.h"
#include "skeletonizer/given/given_parts.h"
#include "skeletonizer/hints/hint_values.h"
#include "skeletonizer/plan/text_demands.h"

#include <string.h>

static int misfit(const struct hints *hints, const struct hint_place *place, struct error *error,
                  const char *what) {
    return error_set(error, "%s:%d:%d: error: %s", hints->path, place->line, place->column, what);
}

static bool is_named(const struct source_file *file, const char *name) {
    size_t whole = strlen(file->path), length = strlen(name);
    return text_has_suffix(file->path, name) &&
           (whole == length || file->path[whole - length - 1] == '/');
}

static int find_file(int *out, const struct hints *hints, const struct hint_place *place,
                     struct program *program, struct error *error) {
    *out = -1;
    for (size_t i = 0; i < program->files.count; i++) {
        const char *path = program->files.items[i]->path;
        if (!program->files.items[i]->in_project || !is_named(program->files.items[i], place->file))
            continue;
        if (*out >= 0)
            return misfit(hints, place, error,
                          arena_printf(&program->arena, "both %s and %s are named so; say more",
                                       program->files.items[*out]->path, path));
        *out = (int)i;
    }
    if (*out >= 0)
        return 0;
    const char *what = arena_printf(&program->arena, "no file of the program is '%s'", place->file);
    return misfit(hints, place, error, what);
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

static void find_trees_of_function(tree_list *out, int *before, const struct function *function,
                                   int file, int line) {
    for (size_t i = 0; i < function->tree->kids.count; i++)
        find_trees(out, before, function->tree->kids.items[i], file, line);
}

static int misfit_line(const struct hints *hints, const struct hint_place *place,
                       struct program *program, int before, struct error *error) {
    struct arena *arena = &program->arena;
    const char *hint = before > 0 ? arena_printf(arena, "; one begins on line %d", before) : "";
    return misfit(hints, place, error,
                  arena_printf(arena, "no statement begins on line %d%s", place->at, hint));
}

static int check_keep(const struct hints *hints, const struct hint_place *place,
                      struct program *program, struct error *error) {
    int file, before = 0;
    tree_list trees = {0};
    if (find_file(&file, hints, place, program, error) != 0)
        return -1;
    for (size_t i = 0; i < program->functions.count; i++)
        find_trees_of_function(&trees, &before, program->functions.items[i], file, place->at);
    bool found = trees.count > 0;
    vec_dispose(&trees);
    return found ? 0 : misfit_line(hints, place, program, before, error);
}

static int apply_keep(const struct hints *hints, const struct hint_place *place, struct slice *s,
                      struct error *error) {
    struct arena *arena = &s->program->arena;
    const char *why = arena_printf(arena, "is kept by a hint, line %d", place->line);
    const char *dead = NULL;
    int file, before = 0;
    bool found = false;
    if (find_file(&file, hints, place, s->program, error) != 0)
        return -1;
    for (size_t i = 0; i < s->program->functions.count; i++) {
        const struct function *function = s->program->functions.items[i];
        tree_list trees = {0};
        find_trees_of_function(&trees, &before, function, file, place->at);
        if (trees.count > 0 && !function->is_live) {
            dead = function->name;
        } else if (trees.count > 0) {
            found = true;
            text_demands_whole(s, trees.items, trees.count, why);
            for (size_t k = 0; k < trees.count; k++)
                text_demands_declared(s, function, trees.items[k], why);
            text_demands_callers(s, function, why);
        }
        vec_dispose(&trees);
    }
    return found ? 0
                 : misfit(hints, place, error, arena_printf(arena, "'%s' is never called", dead));
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

/* Of a statement that is a call, and no more, nothing stays but that call, which is a demand of its
 * own; nor is anything computed for what a library gives back. */
static bool adds_something(const struct slice *s, size_t mark) {
    for (size_t i = mark; i < s->demands.count; i++) {
        const struct demand *demand = &s->demands.items[i];
        const struct node *node = given_node_of(s, i);
        bool of_call = node != NULL && node->ast != NULL && node->ast->kind == AST_CALL;
        bool of_library = demand->kind == DEMAND_VALUE &&
                          s->program->calls.items[demand->subject]->targets.count == 0;
        if (!of_call && !of_library)
            return true;
    }
    return false;
}

int hints_check(const struct hints *hints, struct program *program, struct error *error) {
    int result = check_externs(hints, program, error), file;
    for (size_t i = 0; i < hints->keeps.count && result == 0; i++)
        result = check_keep(hints, &hints->keeps.items[i], program, error);
    for (size_t i = 0; i < hints->cuts.count && result == 0; i++)
        result = find_file(&file, hints, &hints->cuts.items[i], program, error);
    for (size_t i = 0; i < hints->values.count && result == 0; i++)
        result = find_file(&file, hints, &hints->values.items[i].place, program, error);
    return result;
}

int hints_apply(struct hints *hints, struct slice *slice, struct error *error) {
    for (size_t i = 0; i < hints->keeps.count; i++) {
        struct hint_place *place = &hints->keeps.items[i];
        size_t mark = slice_mark(slice);
        if (apply_keep(hints, place, slice, error) != 0)
            return -1;
        place->adds = place->adds || adds_something(slice, mark);
    }
    return 0;
}

/* ---- Values that are cut ---- */

static bool begins_on(const struct program *program, struct range range, int file, int line) {
    int at, column;
    if (range.file != file)
        return false;
    program_position(program, range, &at, &column);
    return at == line;
}

int hints_values(node_list *out, const struct hints *hints, const struct hint_place *place,
                 const struct slice *s, struct error *error) {
    struct program *program = s->program;
    const char *obstacle = "no statement begins there";
    int file;
    if (find_file(&file, hints, place, program, error) != 0)
        return -1;
    for (size_t i = 0; i < program->nodes.count; i++) {
        const struct node *node = program->nodes.items[i];
        const char *why;
        const struct ast *part = given_part(s, node, &why);
        bool here = node->ast != NULL && node->range.file == file && node->line == place->at;
        if (part != NULL && (here || begins_on(program, part->range, file, place->at)))
            vec_push(out, program->nodes.items[i]);
        else if (part == NULL && here && node->function != NULL)
            obstacle = why;
    }
    if (out->count > 0)
        return 0;
    return misfit(hints, place, error,
                  arena_printf(&program->arena,
                               "nothing on line %d can be cut: %s; name a line where a number is "
                               "assigned or sent, or a branch or loop is decided",
                               place->at, obstacle));
}

int hints_nodes(node_list *out, const struct hints *hints, const struct hint_place *place,
                const struct slice *s, struct error *error) {
    int file, before = 0;
    tree_list trees = {0};
    if (find_file(&file, hints, place, s->program, error) != 0)
        return -1;
    for (size_t i = 0; i < s->program->functions.count; i++)
        find_trees_of_function(&trees, &before, s->program->functions.items[i], file, place->at);
    for (size_t i = 0; i < trees.count; i++)
        tree_nodes(trees.items[i], out);
    vec_dispose(&trees);
    return 0;
}

int hints_pinned(bool **out, const struct hints *hints, const struct slice *slice,
                 struct error *error) {
    *out = ARENA_ARRAY(&slice->program->arena, bool, slice->program->nodes.count);
    for (size_t i = 0; i < hints->keeps.count; i++) {
        node_list nodes = {0};
        if (hints->keeps.items[i].no_pin)
            continue;
        if (hints_nodes(&nodes, hints, &hints->keeps.items[i], slice, error) != 0)
            return -1;
        for (size_t k = 0; k < nodes.count; k++)
            (*out)[nodes.items[k]->id] = true;
        vec_dispose(&nodes);
    }
    return 0;
}

int hints_wishes(struct cut_wishes *out, const struct hints *hints, const struct slice *slice,
                 struct error *error) {
    size_t count = slice->program->nodes.count;
    struct arena *arena = &slice->program->arena;
    *out = (struct cut_wishes){.preferred = ARENA_ARRAY(arena, bool, count),
                               .draws = ARENA_ARRAY(arena, const struct hinted_draw *, count)};
    if (hints_pinned(&out->pinned, hints, slice, error) != 0)
        return -1;
    for (size_t i = 0; i < hints->cuts.count; i++) {
        node_list values = {0};
        int result = hints_values(&values, hints, &hints->cuts.items[i], slice, error);
        for (size_t k = 0; k < values.count; k++)
            out->preferred[values.items[k]->id] = true;
        vec_dispose(&values);
        if (result != 0)
            return -1;
    }
    for (size_t i = 0; i < hints->values.count; i++) {
        const struct hint_value *value = &hints->values.items[i];
        int file;
        if (find_file(&file, hints, &value->place, slice->program, error) != 0 ||
            hint_value_apply(out, hints, value, file, slice, error) != 0)
            return -1;
    }
    return 0;
}

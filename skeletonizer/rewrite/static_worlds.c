/* SPDX-License-Identifier: Apache-2.0
 *
 * See static_worlds.h. Directives rather than another name in the place of MPI_COMM_WORLD, since it
 * may come out of a macro (`#define LIS_COMM_WORLD ((LIS_Comm)MPI_COMM_WORLD)`).
 */
#include "skeletonizer/rewrite/static_worlds.h"

#include "skeletonizer/text/scan.h"

#include <string.h>

#define DIRECTIVE "#include <bsim_world.h>\n"
#define LATER "BSIM_LATER "

static bool names_world(const struct ast *ast) {
    if (ast == NULL || ast->kind == AST_SIZEOF)
        return false;
    if (ast->kind == AST_REFERENCE && ast->declaration != NULL &&
        strcmp(ast->declaration->name, "MPI_COMM_WORLD") == 0)
        return true;
    for (int i = 0; i < ast->kid_count; i++)
        if (names_world(ast->kids[i]))
            return true;
    return false;
}

static bool is_initialised_by_world(const struct ast *variable) {
    return variable != NULL && variable->kind == AST_VARIABLE &&
           variable->declaration->static_storage && variable->kid_count > 0 &&
           names_world(variable->kids[0]);
}

/* Calls `found` for each such variable. */
static int each_within(struct program *program, const struct ast *ast,
                       int (*found)(struct program *program, const struct ast *variable)) {
    int result = 0;
    if (ast == NULL)
        return 0;
    if (is_initialised_by_world(ast))
        result += found(program, ast);
    for (int i = 0; i < ast->kid_count; i++)
        result += each_within(program, ast->kids[i], found);
    return result;
}

static int each(struct program *program,
                int (*found)(struct program *program, const struct ast *variable)) {
    int result = 0;
    for (size_t u = 0; u < program->units.count; u++) {
        const struct unit *unit = program->units.items[u];
        for (int i = 0; i < unit->definition_count; i++) {
            result += each_within(program, unit->definitions[i].variable, found);
            result += each_within(program, unit->definitions[i].body, found);
        }
    }
    return result;
}

static int one(struct program *program, const struct ast *variable) {
    (void)program, (void)variable;
    return 1;
}

bool worlds_found(const struct program *program) {
    return each((struct program *)program, one) > 0;
}

static bool is_editable(const struct program *program, const struct ast *variable) {
    struct range name = variable->name_range;
    if (name.file != variable->range.file || name.begin < variable->range.begin)
        return false;
    const struct source_file *file = program->files.items[name.file];
    size_t macro = source_macro_behind(file, name.begin);
    return macro == file->macros.count || file->macros.items[macro].begin > name.begin;
}

/* NULL: there is no reason. */
static const char *reason_against(const struct program *program, const struct ast *variable) {
    if (!variable->declaration->in_project)
        return "its file is not the application's";
    if (variable->declaration->is_constant)
        return "it is constant";
    return is_editable(program, variable) ? NULL : "it comes out of a macro";
}

static int refuse(struct program *program, const struct ast *variable) {
    const char *reason = reason_against(program, variable);
    if (reason == NULL)
        return 0;
    program_report(program, variable->range, "error",
                   "'%s' is initialised by MPI_COMM_WORLD, a variable in SimGrid, with which the "
                   "skeleton is compiled; that cannot be done later, since %s: assign it in main, "
                   "behind MPI_Init, instead",
                   variable->declaration->name, reason);
    return 1;
}

int worlds_check(struct program *program) {
    return each(program, refuse) > 0 ? -1 : 0;
}

static void insert(struct edits *out, struct range range, unsigned at, const char *text) {
    range.begin = range.end = at;
    edits_add(out, range, text);
}

/* A header's declarations come with each unit. */
static bool is_wrapped(const struct edits *out, struct range declaration) {
    for (size_t i = 0; i < out->items.count; i++) {
        const struct edit *edit = &out->items.items[i];
        if (edit->range.file == declaration.file && edit->range.begin == declaration.begin &&
            strcmp(edit->text, LATER) == 0)
            return true;
    }
    return false;
}

void worlds_wrap(struct edits *out, const struct program *program,
                 const struct ast *const *variables, int count, struct range declaration) {
    bool concerned = false;
    for (int i = 0; i < count; i++)
        concerned = concerned || is_initialised_by_world(variables[i]);
    if (!concerned || is_wrapped(out, declaration))
        return;
    const struct source_file *file = program->files.items[declaration.file];
    unsigned begin = declaration.begin, end = declaration.end;
    if (scan_is_line_start(file, begin))
        begin = scan_line_begin(file, begin);
    if (end == 0 || file->text[end - 1] != ';')
        end = scan_semicolon(file, end);
    bool begins_line = begin == 0 || file->text[begin - 1] == '\n';
    insert(out, declaration, begin, begins_line ? DIRECTIVE : "\n" DIRECTIVE);
    insert(out, declaration, declaration.begin, LATER);
    insert(out, declaration, end, "\n" DIRECTIVE);
}

void worlds_wrap_within(struct edits *out, const struct program *program, const struct ast *body) {
    if (body == NULL)
        return;
    if (body->kind == AST_DECLARE)
        worlds_wrap(out, program, (const struct ast *const *)body->kids, body->kid_count,
                    body->range);
    for (int i = 0; i < body->kid_count; i++)
        worlds_wrap_within(out, program, body->kids[i]);
}

void worlds_wrap_file_scope(struct edits *out, const struct program *program) {
    for (size_t u = 0; u < program->units.count; u++) {
        const struct unit *unit = program->units.items[u];
        for (int i = 0; i < unit->definition_count; i++) {
            const struct definition *first = &unit->definitions[i];
            struct range whole = first->range;
            if (first->variable == NULL)
                continue;
            int next = i;
            for (; next < unit->definition_count; next++) {
                const struct definition *definition = &unit->definitions[next];
                if (definition->variable == NULL || definition->range.file != whole.file ||
                    definition->range.begin != whole.begin)
                    break;
                whole.end = definition->variable->range.end;
            }
            for (int k = i; k < next; k++)
                worlds_wrap(out, program, (const struct ast *const *)&unit->definitions[k].variable,
                            1, whole);
            i = next - 1;
        }
    }
}

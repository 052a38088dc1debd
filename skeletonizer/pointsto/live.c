/* SPDX-License-Identifier: Apache-2.0
 *
 * From main through the functions that calls name, targets of pointers, and callbacks. See live.h.
 */
#include "skeletonizer/pointsto/live.h"

#include "base/str.h"

#include <string.h>

typedef VEC(struct function *) function_list;

/* The end of what stands in parentheses from there on. */
static const char *closing(const char *text) {
    int depth = 0;
    for (; *text != '\0'; text++) {
        depth += (*text == '(') - (*text == ')');
        if (depth == 0 && *text == ')')
            break;
    }
    return text;
}

/* Functions in it may be called by the linker's names of the section. */
static bool has_section(const struct source_file *file) {
    bool found = false;
    for (const char *text = file->text; !found && (text = strstr(text, "__attribute")) != NULL;) {
        text += strlen("__attribute");
        text += strspn(text, "_ \t\n");
        const char *end = *text == '(' ? closing(text) : text;
        found = memmem(text, (size_t)(end - text), "section", strlen("section")) != NULL;
    }
    return found;
}

static bool has_sections(const struct program *program) {
    for (size_t i = 0; i < program->files.count; i++)
        if (program->files.items[i]->in_project && has_section(program->files.items[i]))
            return true;
    return false;
}

static bool add(function_list *found, struct function *function) {
    bool is_new = !function->is_live;
    function->is_live = true;
    if (is_new)
        vec_push(found, function);
    return is_new;
}

/* By the start of the program, by its end, or by the linker's --wrap. */
static bool is_called_anyway(const struct program *program, const struct function *function) {
    return function == program_function(program, "main") || function->definition->is_constructor ||
           function->definition->is_destructor || text_has_prefix(function->name, "__wrap_");
}

static bool add_roots(function_list *found, struct program *program) {
    bool all = program_function(program, "main") == NULL || has_sections(program), grown = false;
    for (size_t i = 0; i < program->functions.count; i++) {
        struct function *function = program->functions.items[i];
        bool is_root = is_called_anyway(program, function);
        function->is_entered = is_root && function->origin == NULL;
        if (all || is_root)
            grown |= add(found, function);
    }
    return grown;
}

/* What the expression that is called names: `f`, `(fast ? f : g)`. */
static bool add_named(function_list *found, const struct program *program, const struct ast *ast) {
    if (ast->kind == AST_REFERENCE) {
        struct function *function = program_function(program, ast->declaration->key);
        return function != NULL && add(found, function);
    }
    if (ast->kind == AST_CONDITIONAL) {
        bool grown = add_named(found, program, ast->kids[1]);
        return add_named(found, program, ast->kids[2]) || grown;
    }
    bool passes = ast->kind == AST_CAST ||
                  (ast->kind == AST_UNARY && (strcmp(ast->op, "&") == 0 || *ast->op == '*'));
    return passes && add_named(found, program, ast->kids[ast->kid_count - 1]);
}

/* What has been found out about the call; more of it may be later. */
static bool add_found(function_list *found, const struct call *call) {
    bool grown = false;
    for (size_t t = 0; t < call->targets.count; t++)
        grown |= add(found, call->targets.items[t]);
    for (size_t t = 0; t < call->callbacks.count; t++)
        grown |= add(found, call->callbacks.items[t]);
    return grown;
}

static void add_called(function_list *found, const struct program *program,
                       const struct call *call) {
    struct function *named = program_function(program, call->key);
    if (named != NULL)
        add(found, named);
    else if (call->key == NULL)
        add_named(found, program, call->ast->kids[0]);
    add_found(found, call);
}

static void add_all(function_list *found, const struct program *program,
                    const struct function *function) {
    for (size_t i = 0; i < function->nodes.count; i++)
        for (size_t k = 0; k < function->nodes.items[i]->calls.count; k++)
            add_called(found, program, function->nodes.items[i]->calls.items[k]);
}

/* Names are looked up once for each function, when it is found. */
bool live_mark(struct program *program) {
    function_list found = {0};
    bool grown = false, begun = false;
    for (size_t i = 0; i < program->functions.count; i++)
        begun |= program->functions.items[i]->is_live;
    for (size_t i = 0; begun && i < program->calls.count; i++) {
        const struct call *call = program->calls.items[i];
        if (call->node->function != NULL && call->node->function->is_live)
            grown |= add_found(&found, call);
    }
    if (!begun)
        grown = add_roots(&found, program);
    for (size_t i = 0; i < found.count; i++)
        add_all(&found, program, found.items[i]);
    vec_dispose(&found);
    return grown;
}

void live_forget(struct program *program) {
    for (size_t i = 0; i < program->functions.count; i++)
        program->functions.items[i]->is_live = false;
}

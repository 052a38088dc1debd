/* SPDX-License-Identifier: Apache-2.0
 *
 * In: pragmas before kept statements, threadprivate and the like at file scope. Out: demands.
 *
 * Names in a directive are looked up among the variables that are in scope there; those in
 * `num_threads`, `if`, `schedule` and between brackets are values that it evaluates. What is set
 * where a variable is declared joins if it is cheap, so that reductions begin with it. Limits:
 * names in the definition of a macro that is a pragma are not seen, nor functions that a `declare
 * reduction` calls and nobody else.
 */
#include "skeletonizer/plan/openmp.h"

#include "base/hash_table.h"
#include "base/str.h"
#include "frontend/commands/openmp_option.h"
#include "frontend/program/names.h"
#include "frontend/program/tree.h"
#include "skeletonizer/plan/text_demands.h"
#include "skeletonizer/slice/kept.h"
#include "skeletonizer/text/directives.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef VEC(struct object *) object_names;

struct directive {
    const char *text; /* all directives before the statement */
    size_t length;
    struct slice *slice;
    const struct hash_table *variables; /* by name, object_names */
    const struct function *function;    /* NULL: at file scope */
    const struct tree *tree;            /* the statement; NULL: at file scope */
    struct node *node;
};

static const char *const why = "is named by an OpenMP directive that stays";

static bool is_word_character(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

static struct directive directive_of(struct slice *s, const struct tree *tree) {
    const struct source_file *file = s->program->files.items[tree->ast->range.file];
    unsigned end = tree->ast->range.begin, begin = directives_before(file, end);
    struct directive out = {.text = file->text + begin, .length = end - begin, .slice = s};
    return out;
}

static void declare_initialised(const struct directive *d, const struct object *object) {
    struct slice *s = d->slice;
    slice_demand(s, DEMAND_DECLARE, object->id, 0, why);
    for (size_t i = 0; d->function != NULL && i < d->function->nodes.count; i++) {
        const struct node *node = d->function->nodes.items[i];
        if (node->declares != object || slice_keeps_node(s, node))
            continue;
        size_t mark = slice_mark(s);
        slice_demand(s, DEMAND_NODE, node->id, 0, why);
        if (!slice_is_cheap(s, mark))
            slice_take_back(s, mark);
    }
}

/* How many blocks are around the statement from the one on that declares the object; -1: it is not
 * declared there. What is declared at file scope is around all. */
static int scope_of(const struct directive *d, const struct object *object) {
    int outermost = 2, depth = -1;
    if (object->declared_in == NULL && object->parameter < 0)
        return object->function == NULL ? 0 : -1;
    if (object->parameter >= 0)
        return object->function == d->function && d->function != NULL ? 1 : -1;
    for (const struct tree *tree = d->tree; tree != NULL; tree = tree->parent) {
        bool found = tree->parent != NULL && tree->parent == object->declared_in->parent &&
                     object->declared_in->ast->range.begin < d->tree->ast->range.begin;
        depth = found ? outermost : depth >= 0 ? depth + 1 : -1;
    }
    return depth;
}

static void find_variables(struct hash_table *out, const struct program *program) {
    for (size_t i = 0; i < program->objects.count; i++) {
        struct object *object = program->objects.items[i];
        if (object->kind != OBJECT_VARIABLE)
            continue;
        object_names *list = hash_table_add(out, object->name, strlen(object->name), sizeof *list);
        vec_push(list, object);
    }
}

static void variables_dispose(struct hash_table *variables) {
    for (object_names *list = hash_table_first(variables); list != NULL;
         list = hash_table_next(list))
        vec_dispose(list);
    hash_table_dispose(variables);
}

static void demand_object(const struct directive *d, struct object *object, bool evaluated) {
    declare_initialised(d, object);
    struct lvalue lvalue = {.object = object->id, .pointer = -1, .class = CLASS_ANY};
    lvalue_list uses = {0};
    vec_push(&uses, lvalue);
    if (evaluated && d->node != NULL)
        slice_demand_uses(d->slice, d->node, &uses, why);
    vec_dispose(&uses);
}

/* Of several variables of that name, the one that it means there; at file scope those of all files.
 */
static void demand_name(const struct directive *d, const char *name, size_t length,
                        bool evaluated) {
    const object_names *list = hash_table_find(d->variables, name, length);
    int innermost = -1;
    for (size_t i = 0; list != NULL && i < list->count; i++) {
        int scope = scope_of(d, list->items[i]);
        innermost = scope > innermost ? scope : innermost;
    }
    for (size_t i = 0; innermost >= 0 && i < list->count; i++)
        if (scope_of(d, list->items[i]) == innermost)
            demand_object(d, list->items[i], evaluated);
}

/* Between which parentheses values are evaluated. */
static bool is_evaluated(const char *word, size_t length) {
    static const char *const clauses[] = {"num_threads", "if", "schedule"};
    for (size_t i = 0; i < sizeof clauses / sizeof *clauses; i++)
        if (strlen(clauses[i]) == length && strncmp(clauses[i], word, length) == 0)
            return true;
    return false;
}

static void demand_names(const struct directive *d) {
    int depth = 0, brackets = 0;
    bool evaluated = false;
    size_t length = 0;
    for (size_t i = 0; i < d->length; i += length > 0 ? length : 1) {
        const char *word = d->text + i;
        depth += (*word == '(') - (*word == ')');
        brackets += (*word == '[') - (*word == ']');
        for (length = 0; i + length < d->length && is_word_character(word[length]);)
            length++;
        if (length > 0 && depth == 0)
            evaluated = is_evaluated(word, length);
        else if (length > 0)
            demand_name(d, word, length, evaluated || brackets > 0);
    }
}

/* Loops that are joined have to stay nested. */
static void demand_nest(struct slice *s, const struct tree *tree) {
    for (; tree->ast->kind == AST_FOR || tree->ast->kind == AST_COMPOUND;
         tree = tree->kids.items[0]) {
        if (tree->ast->kind == AST_FOR && tree->condition != NULL)
            slice_demand(s, DEMAND_NODE, tree->condition->id, 0,
                         "is joined with a loop that stays");
        if (tree->kids.count != 1)
            return;
    }
}

/* Locks */

static bool is_lock(const struct call *call) {
    return call->library != NULL && text_has_prefix(call->library->name, "omp_") &&
           strstr(call->library->name, "_lock") != NULL;
}

static void demand_locks(struct slice *s, const struct function *function) {
    for (size_t i = 0; i < function->nodes.count; i++)
        for (size_t k = 0; k < function->nodes.items[i]->calls.count; k++)
            if (is_lock(function->nodes.items[i]->calls.items[k]))
                slice_demand(s, DEMAND_CALL, function->nodes.items[i]->calls.items[k]->id, 0,
                             "locks what stays in a parallel region");
}

static void demand_locks_under(struct slice *s, const struct tree *tree) {
    node_list nodes = {0};
    tree_nodes(tree, &nodes);
    for (size_t i = 0; i < nodes.count; i++)
        for (size_t k = 0; k < nodes.items[i]->calls.count; k++) {
            const struct call *call = nodes.items[i]->calls.items[k];
            if (is_lock(call))
                slice_demand(s, DEMAND_CALL, call->id, 0, "locks what stays in a parallel region");
            for (size_t t = 0; t < call->targets.count && slice_keeps_call(s, call); t++)
                for (size_t f = 0; f < s->program->functions.count; f++)
                    if (slice_may_run(s, call->targets.items[t], s->program->functions.items[f]))
                        demand_locks(s, s->program->functions.items[f]);
        }
    vec_dispose(&nodes);
}

/* ---- Statements ---- */

static void demand_directive(struct directive *d, struct tree *tree) {
    node_list nodes = {0};
    tree_nodes(tree, &nodes);
    d->node = nodes.count > 0 ? nodes.items[0] : NULL;
    vec_dispose(&nodes);
    demand_names(d);
    if (directives_have(d->text, d->length, "collapse") ||
        directives_have(d->text, d->length, "ordered"))
        demand_nest(d->slice, tree);
    if (directives_have(d->text, d->length, "parallel"))
        demand_locks_under(d->slice, tree);
    if (directives_have(d->text, d->length, "atomic")) /* both halves of `{ old = n; n += 1; }` */
        text_demands_whole(d->slice, &tree, 1, "is part of an atomic operation");
}

static void demand_tree(struct slice *s, const struct hash_table *variables,
                        const struct function *function, struct tree *tree) {
    if (!kept_tree(s, tree))
        return;
    struct directive directive = directive_of(s, tree);
    directive.variables = variables;
    directive.function = function;
    directive.tree = tree;
    if (directives_have(directive.text, directive.length, "omp"))
        demand_directive(&directive, tree);
    for (size_t i = 0; i < tree->kids.count; i++)
        demand_tree(s, variables, function, tree->kids.items[i]);
}

/* ---- Directives for variables, anywhere in a file ---- */

static void demand_file(struct slice *s, const struct hash_table *variables,
                        const struct source_file *file) {
    static const char *const kinds[] = {"threadprivate", "allocate", "target"};
    const char *at = file->text;
    while ((at = strstr(at, "pragma")) != NULL) {
        at += strlen("pragma");
        struct directive d = {
            .text = at, .length = strcspn(at, "\n"), .slice = s, .variables = variables};
        bool names = false;
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
            names = names || directives_have(at, d.length, kinds[i]);
        if (names && directives_have(at, d.length, "omp"))
            demand_names(&d);
    }
}

void openmp_demand(struct slice *s) {
    struct hash_table variables = {0};
    find_variables(&variables, s->program);
    for (size_t i = 0; i < s->program->functions.count; i++) {
        const struct function *function = s->program->functions.items[i];
        if (kept_function(s, function))
            demand_tree(s, &variables, function, function->tree);
    }
    for (size_t i = 0; i < s->program->files.count; i++)
        if (s->program->files.items[i]->in_project)
            demand_file(s, &variables, s->program->files.items[i]);
    variables_dispose(&variables);
}

/* ---- Messages in parallel regions ---- */

struct openmp_messages {
    struct slice *slice;
    bool *sends;        /* functions that exchange messages, or call one that does */
    struct range first; /* of such a call in a parallel region; file -1: none */
};

static bool call_sends(const struct openmp_messages *m, const struct call *call) {
    bool sends = call->mpi != NULL && call->mpi->criterion && !call->node->ends_abnormally;
    for (size_t i = 0; i < call->targets.count; i++)
        sends = sends || m->sends[call->targets.items[i]->id];
    for (size_t i = 0; i < call->callbacks.count; i++)
        sends = sends || m->sends[call->callbacks.items[i]->id];
    return sends;
}

static void find_senders(struct openmp_messages *m) {
    const struct program *program = m->slice->program;
    m->sends = memset(xmalloc(program->functions.count + 1), 0, program->functions.count + 1);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < program->calls.count; i++) {
            const struct function *function = program->calls.items[i]->node->function;
            if (function == NULL || m->sends[function->id] ||
                !call_sends(m, program->calls.items[i]))
                continue;
            m->sends[function->id] = changed = true;
        }
    }
}

static const struct call *message_in(const struct openmp_messages *m, const struct tree *tree) {
    node_list nodes = {0};
    const struct call *found = NULL;
    tree_nodes(tree, &nodes);
    for (size_t i = 0; i < nodes.count && found == NULL; i++)
        for (size_t k = 0; k < nodes.items[i]->calls.count && found == NULL; k++)
            if (call_sends(m, nodes.items[i]->calls.items[k]))
                found = nodes.items[i]->calls.items[k];
    vec_dispose(&nodes);
    return found;
}

/* `#define THREADS _Pragma("omp parallel")`: the definition, with the lines that go on. */
static bool is_defined_parallel(const struct program *program, const char *name) {
    for (size_t i = 0; i < program->files.count; i++)
        for (const char *at = program->files.items[i]->text; (at = strstr(at, name)) != NULL;) {
            const char *end = at += strlen(name);
            while (*end != '\0' && (*end != '\n' || end[-1] == '\\'))
                end++;
            if (directives_have(at, (size_t)(end - at), "parallel"))
                return true;
        }
    return false;
}

static bool begins_parallel(const struct program *program, const struct directive *d) {
    if (directives_have(d->text, d->length, "omp") &&
        directives_have(d->text, d->length, "parallel"))
        return true;
    size_t length = 0;
    for (size_t i = 0; i < d->length; i += length > 0 ? length : 1) {
        for (length = 0; i + length < d->length && is_word_character(d->text[i + length]);)
            length++;
        const char *word = arena_strndup(&d->slice->program->arena, d->text + i, length);
        if (length > 0 && program_is_pragma(program, word) && is_defined_parallel(program, word))
            return true;
    }
    return false;
}

static void report_tree(struct openmp_messages *m, const struct tree *tree) {
    struct directive d = directive_of(m->slice, tree);
    bool parallel = begins_parallel(m->slice->program, &d);
    const struct call *call = parallel ? message_in(m, tree) : NULL;
    if (call != NULL) {
        program_report(m->slice->program, call->ast->range, "warning",
                       "communicates inside a parallel region, where SimGrid's contexts confuse "
                       "the threads of different ranks: it is simulated with one thread, compiled "
                       "without OpenMP");
        if (m->first.file < 0)
            m->first = call->ast->range;
        return;
    }
    for (size_t i = 0; i < tree->kids.count; i++)
        report_tree(m, tree->kids.items[i]);
}

const char *openmp_report(struct slice *s, const struct commands *commands) {
    struct openmp_messages messages = {.slice = s, .first = {-1, 0, 0}};
    struct program *program = s->program;
    int line, column;
    find_senders(&messages);
    for (size_t i = 0; i < s->program->functions.count; i++) {
        const struct function *function = s->program->functions.items[i];
        if (function->is_live && openmp_option_is_given(&commands->compiles.items[function->unit]))
            report_tree(&messages, function->tree);
    }
    free(messages.sends);
    if (messages.first.file < 0)
        return NULL;
    program_position(program, messages.first, &line, &column);
    const char *path = program->files.items[messages.first.file]->path;
    return arena_printf(&program->arena, "%s:%d", program_relative(program, path), line);
}

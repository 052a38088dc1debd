/* SPDX-License-Identifier: Apache-2.0
 *
 * Cloning per call string: a small function gets one instance for each of its direct calls, callers
 * before callees, so that the calls inside an instance are calls of their own, too. Functions that
 * communicate come first, then those that take or give pointers; the number of statements that this
 * adds is bounded. Where it does not suffice for all of these, small ones come first, since each of
 * their calls that is told apart costs least: a helper that swaps bytes of data and of numbers that
 * decide. Calls through pointers, and calls beyond the bound, share the function as
 * written.
 *
 * Instances that turn out to need the same become one text again (skeletonizer/plan/variants.c).
 * Others are copied, so a function qualifies only if its text can be: no recursion, no static
 * locals (they would be two), no attributes, no conditional that ends behind it, a name that is
 * spelled in the file.
 */
#include "skeletonizer/slice/instances.h"

#include "skeletonizer/slice/slice.h"
#include "skeletonizer/text/directives.h"
#include "skeletonizer/text/scan.h"

#include "frontend/program/names.h"

#include <ctype.h>
#include <string.h>

#define HELPER_MAX_NODES 100
#define ADDED_MIN_NODES 3000 /* always allowed; larger programs may double */
#define INSTANCES_MAX 400    /* of one function: others have their part of what may be added */
#define HELPERS_PART 2       /* of the bound, for those that do not communicate, in any case */

struct instantiation {
    struct program *program;
    size_t function_count; /* as written */
    bool *communicates, *visited;
    VEC(struct function *) callees_first;
    size_t budget_nodes;
    int *numbers, *lowest; /* by function: its number in the walk, and the lowest one that it leads
                            * back to (R. Tarjan, "Depth-First Search and Linear Graph Algorithms",
                            * 1972) */
    int visited_count;
    VEC(int) open;         /* functions that may yet turn out to be in a circle */
    bool *recursive;       /* by function */
    enum answer *copyable; /* by function */
    call_list *calls_of;   /* by function as written: calls that have its key */
    size_t listed_calls;   /* calls of the program before this one are in these */
};

static struct function *callee_of(const struct instantiation *c, const struct call *call) {
    return call->callee < 0 ? program_function(c->program, call->key) : NULL;
}

static void visit(struct instantiation *c, struct function *function);

static void visit_callee(struct instantiation *c, struct function *function,
                         struct function *callee) {
    visit(c, callee);
    bool is_open = c->lowest[callee->id] >= 0;
    if (is_open && c->lowest[callee->id] < c->lowest[function->id])
        c->lowest[function->id] = c->lowest[callee->id];
    c->recursive[function->id] |= callee == function;
    c->communicates[function->id] |= c->communicates[callee->id];
}

/* All that is open behind the function is in a circle with it. */
static void close_circle(struct instantiation *c, const struct function *function) {
    bool is_alone = c->open.items[c->open.count - 1] == function->id;
    for (int id = -1; id != function->id;) {
        id = c->open.items[--c->open.count];
        c->recursive[id] |= !is_alone;
        c->lowest[id] = -1;
    }
}

static void visit(struct instantiation *c, struct function *function) {
    if (c->visited[function->id])
        return;
    c->visited[function->id] = true;
    c->numbers[function->id] = c->lowest[function->id] = c->visited_count++;
    vec_push(&c->open, function->id);
    for (size_t n = 0; n < function->nodes.count; n++)
        for (size_t i = 0; i < function->nodes.items[n]->calls.count; i++) {
            const struct call *call = function->nodes.items[n]->calls.items[i];
            struct function *callee = callee_of(c, call);
            c->communicates[function->id] |= call->mpi != NULL;
            if (callee != NULL)
                visit_callee(c, function, callee);
        }
    if (c->lowest[function->id] == c->numbers[function->id])
        close_circle(c, function);
    vec_push(&c->callees_first, function);
}

/* Texts */

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* The next identifier at or behind `at`; empty behind `end`. */
static struct range next_word(const struct source_file *file, int index, unsigned at,
                              unsigned end) {
    while ((at = scan_skip_space(file, at)) < end) {
        unsigned begin = at;
        while (at < end && is_word(file->text[at]))
            at++;
        if (at > begin)
            return (struct range){index, begin, at};
        at++;
    }
    return (struct range){index, end, end};
}

static bool spells(const struct source_file *file, struct range range, const char *word) {
    size_t length = range.end - range.begin;
    return length == strlen(word) && strncmp(file->text + range.begin, word, length) == 0;
}

struct range instances_name_range(const struct program *program, const struct function *function) {
    struct range head = function->range;
    const struct source_file *file = program->files.items[head.file];
    unsigned end = function->body->range.begin;
    for (unsigned at = head.begin;;) {
        struct range word = next_word(file, head.file, at, end);
        if (word.begin == end || spells(file, word, function->name))
            return word;
        at = word.end;
    }
}

/* Words in front of the body, as far as they are spelled there. */
struct instances_head {
    bool is_inline, is_static, is_extern, has_attribute;
};

/* False: it is not in one file with the body. */
static bool read_head(struct instances_head *out, const struct program *program,
                      const struct function *function) {
    static const char *const attribute[] = {"__attribute__", "__attribute", NULL};
    static const char *const inlined[] = {"inline", "__inline", "__inline__", NULL};
    const struct range range = function->range;
    const struct source_file *file = program->files.items[range.file];
    unsigned end = function->body->range.begin;
    *out = (struct instances_head){0};
    if (function->body->range.file != range.file || end <= range.begin)
        return false;
    for (unsigned at = range.begin;;) {
        struct range word = next_word(file, range.file, at, end);
        if (word.begin == end)
            return true;
        for (int i = 0; inlined[i] != NULL; i++)
            out->is_inline = out->is_inline || spells(file, word, inlined[i]);
        for (int i = 0; attribute[i] != NULL; i++)
            out->has_attribute = out->has_attribute || spells(file, word, attribute[i]);
        out->is_static = out->is_static || spells(file, word, "static");
        out->is_extern = out->is_extern || spells(file, word, "extern");
        at = word.end;
    }
}

static bool head_is_plain(const struct program *program, const struct function *function) {
    struct instances_head head;
    return read_head(&head, program, function) && !head.has_attribute &&
           (!head.is_inline || head.is_static);
}

bool instances_lack_definitions(const struct program *program) {
    bool lack = false;
    for (size_t i = 0; i < program->functions.count; i++) {
        struct instances_head head;
        if (program->units.items[program->functions.items[i]->unit]->is_cxx)
            continue; /* an inline function has one definition in all units */
        if (!read_head(&head, program, program->functions.items[i]) || !head.is_inline)
            continue;
        if (head.is_extern || head.has_attribute)
            return false;
        lack = lack || !head.is_static;
    }
    return lack;
}

/* How many conditionals it leaves that begin before it; -1: it does not leave one that it enters.
 */
static int open_conditionals(const struct program *program, const struct function *function) {
    struct range range = function->range;
    struct str lines = {0};
    int depth = 0, open = 0;
    directives_left(&lines, program->files.items[range.file], range.begin, range.end);
    for (const char *line = str_text(&lines); *line != '\0';) {
        const char *word = line + strspn(line, " \t#");
        bool closes = strncmp(word, "endif", 5) == 0, branches = strncmp(word, "el", 2) == 0;
        if (depth == 0 && (closes || branches)) {
            open++;
            depth++;
        }
        depth += strncmp(word, "if", 2) == 0 ? 1 : closes ? -1 : 0;
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    str_dispose(&lines);
    return depth == 0 ? open : -1;
}

const char *instances_before_copy(struct program *program, const struct function *function) {
    char *text = arena_strdup(&program->arena, "");
    for (int i = open_conditionals(program, function); i > 0; i--)
        text = arena_printf(&program->arena, "%s#if 1\n", text);
    return text;
}

static bool has_static_locals(const struct function *function) {
    for (size_t i = 0; i < function->locals.count; i++) {
        const struct declaration *declaration = function->locals.items[i]->declaration;
        if (declaration != NULL && declaration->static_storage && !declaration->global &&
            !declaration->external_linkage)
            return true;
    }
    return false;
}

bool instances_can_copy(const struct program *program, const struct function *function) {
    if (strcmp(function->name, "main") == 0 || program->units.items[function->unit]->is_cxx ||
        !program->files.items[function->range.file]->in_project ||
        function->declaration->variadic || function->body->from_macro ||
        has_static_locals(function) || !head_is_plain(program, function) ||
        open_conditionals(program, function) < 0)
        return false;
    struct range name = instances_name_range(program, function);
    return name.end > name.begin;
}

static bool is_copyable(struct instantiation *c, const struct function *function) {
    enum answer *known = &c->copyable[function->id];
    if (*known == ANSWER_UNKNOWN)
        *known = function->nodes.count <= HELPER_MAX_NODES && !c->recursive[function->id] &&
                         instances_can_copy(c->program, function)
                     ? ANSWER_YES
                     : ANSWER_NO;
    return *known == ANSWER_YES;
}

bool instances_can_rename(const struct program *program, const struct call *call) {
    const struct ast *callee = call->ast->kids[0];
    const struct tree *tree = call->node->tree;
    if (callee->kind != AST_REFERENCE || callee->from_macro || call->node->function == NULL ||
        callee->range.file != call->node->function->range.file ||
        callee->declaration->type == NULL ||
        text_has_suffix(callee->declaration->type->name, "()") ||
        (callee->in_macro_arg && program_spelled_again(program, callee->range)))
        return false;
    if (tree != NULL && tree->parent != NULL && tree->parent->ast->from_macro &&
        (tree == tree->parent->init || tree == tree->parent->step))
        return false;
    return spells(program->files.items[callee->range.file], callee->range, call->name);
}

/* Choice */

static bool handles_pointers(const struct function *function) {
    if (function->result_type->kind == TYPE_POINTER) /* an allocator */
        return true;
    for (size_t i = 0; i < function->parameters.count; i++) {
        enum type_kind kind = function->parameters.items[i]->type->kind;
        if (kind == TYPE_POINTER || kind == TYPE_ARRAY)
            return true;
    }
    return false;
}

/* Instances have calls of their own. A call that is given one is of no use any more in the list of
 * the function as written, which is looked at once. */
static void list_calls(struct instantiation *c) {
    for (; c->listed_calls < c->program->calls.count; c->listed_calls++) {
        struct call *call = c->program->calls.items[c->listed_calls];
        const struct function *callee = callee_of(c, call);
        if (callee != NULL && (size_t)callee->id < c->function_count &&
            strcmp(call->key, callee->key) == 0)
            vec_push(&c->calls_of[callee->id], call);
    }
}

static void instantiate_calls(struct instantiation *c, struct function *function) {
    struct program *program = c->program;
    bool shared = names_get(program->names, "object", function->key) != NULL;
    const call_list *all = &c->calls_of[function->id];
    call_list calls = {0};
    list_calls(c);
    for (size_t i = 0; i < all->count; i++) {
        if (instances_can_rename(program, all->items[i]))
            vec_push(&calls, all->items[i]);
        else
            shared = true;
    }
    for (size_t i = shared ? 0 : 1; i < calls.count && i < INSTANCES_MAX; i++) {
        if (c->budget_nodes < function->nodes.count)
            break;
        c->budget_nodes -= function->nodes.count;
        calls.items[i]->key = program_instantiate(program, function)->key;
    }
    vec_dispose(&calls);
}

static bool is_wanted(struct instantiation *c, const struct function *function, bool talking,
                      size_t most_nodes) {
    return c->communicates[function->id] == talking &&
           (talking || (handles_pointers(function) && function->nodes.count <= most_nodes)) &&
           is_copyable(c, function);
}

/* Of helpers up to that size: the statements that instances of them add to the calls as written. */
static size_t cost_of_helpers(struct instantiation *c, const size_t *calls, size_t most_nodes) {
    size_t cost = 0;
    for (size_t i = 0; i < c->function_count; i++) {
        const struct function *function = c->program->functions.items[i];
        if (calls[i] > 0 && is_wanted(c, function, false, most_nodes))
            cost += calls[i] * function->nodes.count;
    }
    return cost;
}

/* By function as written. */
static size_t *count_calls(const struct instantiation *c) {
    size_t *counts = xcalloc(c->function_count + 1, sizeof *counts);
    for (size_t i = 0; i < c->program->calls.count; i++) {
        const struct function *callee = callee_of(c, c->program->calls.items[i]);
        if (callee != NULL && (size_t)callee->id < c->function_count)
            counts[callee->id]++;
    }
    return counts;
}

static size_t largest_helper(struct instantiation *c) {
    size_t most_nodes = HELPER_MAX_NODES, *calls = count_calls(c);
    while (most_nodes > 1 && cost_of_helpers(c, calls, most_nodes) > c->budget_nodes)
        most_nodes /= 2;
    free(calls);
    return most_nodes;
}

static void instantiate_all(struct instantiation *c, bool talking, size_t most_nodes) {
    for (size_t i = c->function_count; i-- > 0;)
        if (is_wanted(c, c->callees_first.items[i], talking, most_nodes))
            instantiate_calls(c, c->callees_first.items[i]);
}

static void dispose(struct instantiation *c) {
    for (size_t i = 0; i < c->function_count; i++)
        vec_dispose(&c->calls_of[i]);
    vec_dispose(&c->callees_first);
    vec_dispose(&c->open);
    free(c->communicates);
    free(c->visited);
    free(c->numbers);
    free(c->lowest);
    free(c->recursive);
    free(c->copyable);
    free(c->calls_of);
}

void instances_make(struct program *program) {
    size_t count = program->functions.count;
    struct instantiation instantiation = {.program = program, .function_count = count};
    instantiation.communicates = xcalloc(count + 1, sizeof *instantiation.communicates);
    instantiation.visited = xcalloc(count + 1, sizeof *instantiation.visited);
    instantiation.numbers = xcalloc(count + 1, sizeof *instantiation.numbers);
    instantiation.lowest = xcalloc(count + 1, sizeof *instantiation.lowest);
    instantiation.recursive = xcalloc(count + 1, sizeof *instantiation.recursive);
    instantiation.copyable = xcalloc(count + 1, sizeof *instantiation.copyable);
    instantiation.calls_of = xcalloc(count + 1, sizeof *instantiation.calls_of);
    instantiation.budget_nodes =
        program->nodes.count > ADDED_MIN_NODES ? program->nodes.count : ADDED_MIN_NODES;
    for (size_t i = 0; i < count; i++)
        visit(&instantiation, program->functions.items[i]);
    size_t helpers = instantiation.budget_nodes / HELPERS_PART;
    instantiate_all(&instantiation, true, 0);
    instantiation.budget_nodes =
        instantiation.budget_nodes > helpers ? instantiation.budget_nodes : helpers;
    instantiate_all(&instantiation, false, largest_helper(&instantiation));
    dispose(&instantiation);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * In: the program and a region. Out: a hash of the region's text, of the texts of all functions
 * that it may call, of what stands outside of functions in their files and in all of the project's
 * headers (macros, types, constants), and of the options that their units are compiled with; all
 * without white space and comments. Of a value it is also a hash of its place, since what is
 * computed by statements that are spelled alike, or for other calls, are other numbers.
 *
 * Stricter than needed: an edit of any header changes all hashes. A function with directives in its
 * body counts as outside, since a macro may reach further.
 */
#include "skeletonizer/plan/code_hash.h"

#include "base/hash.h"
#include "frontend/program/tree.h"
#include "skeletonizer/plan/variants.h"
#include "skeletonizer/text/scan.h"

#include <string.h>

struct code_hash_code {
    struct plan *plan;
    const struct commands *commands;
    unsigned long long *outside;  /* by file: of its text outside of functions */
    unsigned long long *function; /* by function: of its text */
    unsigned long long headers;
};

static bool has_directives(const struct source_file *file, struct range range) {
    bool line_start = false;
    for (unsigned at = range.begin; at < range.end; at++) {
        if (line_start && file->text[at] == '#')
            return true;
        line_start =
            file->text[at] == '\n' || (line_start && strchr(" \t", file->text[at]) != NULL);
    }
    return false;
}

static bool is_in(const struct program *program, const struct function *function, size_t file) {
    return function->range.file == (int)file &&
           !has_directives(program->files.items[file], function->range);
}

/* The next function of the file that begins at or behind `at`. */
static const struct function *next_function(const struct program *program, size_t file,
                                            unsigned at) {
    const struct function *next = NULL;
    for (size_t i = 0; i < program->functions.count; i++) {
        const struct function *function = program->functions.items[i];
        if (is_in(program, function, file) && function->range.begin >= at &&
            (next == NULL || function->range.begin < next->range.begin))
            next = function;
    }
    return next;
}

static unsigned long long hash_outside(const struct program *program, size_t index) {
    const struct source_file *file = program->files.items[index];
    unsigned long long hash = HASH_SEED;
    unsigned at = 0;
    const struct function *function;
    while ((function = next_function(program, index, at)) != NULL) {
        hash = scan_hash(hash, file, at, function->range.begin);
        at = function->range.end > at ? function->range.end : at + 1;
    }
    return scan_hash(hash, file, at, (unsigned)file->length);
}

/* A word of a compile command; where the project lies is nothing that is executed. */
static unsigned long long hash_word(unsigned long long hash, const char *word, const char *root) {
    size_t length = strlen(root);
    for (const char *at; length > 1 && (at = strstr(word, root)) != NULL; word = at + length)
        hash = hash_text(hash_bytes(hash, word, (size_t)(at - word)), "@");
    return hash_text(hash, word);
}

/* Its own file's text outside, and the options of its unit. */
static unsigned long long hash_around(const struct code_hash_code *code, unsigned long long hash,
                                      const struct function *function) {
    const struct compile_command *command = &code->commands->compiles.items[function->unit];
    for (size_t i = 0; i < command->arguments.count; i++)
        hash = hash_word(hash, command->arguments.items[i], code->plan->slice->program->root);
    return hash_bytes(hash, &code->outside[function->range.file], sizeof *code->outside);
}

static bool is_main_file(const struct commands *commands, const char *path) {
    for (size_t i = 0; i < commands->compiles.count; i++)
        if (strcmp(commands->compiles.items[i].file, path) == 0)
            return true;
    return false;
}

static void hash_texts(struct code_hash_code *out, const struct program *program) {
    out->headers = HASH_SEED;
    out->outside = xmalloc((program->files.count + 1) * sizeof *out->outside);
    out->function = xmalloc((program->functions.count + 1) * sizeof *out->function);
    for (size_t i = 0; i < program->files.count; i++) {
        const struct source_file *file = program->files.items[i];
        out->outside[i] = file->in_project ? hash_outside(program, i) : 0;
        if (file->in_project && !is_main_file(out->commands, file->path))
            out->headers = hash_bytes(out->headers, &out->outside[i], sizeof out->outside[i]);
    }
    for (size_t i = 0; i < program->functions.count; i++) {
        const struct function *function = program->functions.items[i];
        out->function[i] = scan_hash(HASH_SEED, program->files.items[function->range.file],
                                     function->range.begin, function->range.end);
    }
}

static void mark_run(const struct slice *s, bool *called, const struct function *function) {
    for (size_t f = 0; f < s->program->functions.count; f++) {
        const struct function *other = s->program->functions.items[f];
        if (slice_may_run(s, function, other))
            called[program_origin(other)->id] = true;
    }
}

static void mark_called(const struct slice *s, bool *called, const struct tree *tree) {
    node_list nodes = {0};
    tree_nodes(tree, &nodes);
    for (size_t i = 0; i < nodes.count; i++)
        for (size_t k = 0; k < nodes.items[i]->calls.count; k++) {
            const struct call *call = nodes.items[i]->calls.items[k];
            for (size_t t = 0; t < call->targets.count; t++)
                mark_run(s, called, call->targets.items[t]);
            for (size_t t = 0; t < call->callbacks.count; t++)
                mark_run(s, called, call->callbacks.items[t]);
        }
    vec_dispose(&nodes);
}

bool *code_called(const struct plan *plan, const struct code_region *region) {
    size_t count = plan->slice->program->functions.count;
    bool *called = memset(xmalloc(count + 1), 0, count + 1);
    for (size_t i = 0; i < region->trees.count; i++)
        mark_called(plan->slice, called, region->trees.items[i]);
    return called;
}

static bool node_prints(const struct node *node) {
    for (size_t i = 0; i < node->calls.count; i++) {
        const struct call *call = node->calls.items[i];
        if (call->targets.count == 0 && call->library != NULL &&
            call->library->kind == EXTERN_OUTPUT)
            return true;
    }
    return false;
}

static bool tree_prints(const struct tree *tree) {
    node_list nodes = {0};
    bool prints = false;
    tree_nodes(tree, &nodes);
    for (size_t i = 0; i < nodes.count && !prints; i++)
        prints = node_prints(nodes.items[i]);
    vec_dispose(&nodes);
    return prints;
}

static bool function_prints(const struct function *function) {
    for (size_t i = 0; i < function->nodes.count; i++)
        if (node_prints(function->nodes.items[i]))
            return true;
    return false;
}

bool code_prints(const struct plan *plan, const struct code_region *region) {
    const struct program *program = plan->slice->program;
    bool *called = code_called(plan, region), prints = false;
    for (size_t i = 0; i < region->trees.count && !prints; i++)
        prints = tree_prints(region->trees.items[i]);
    for (size_t i = 0; i < program->functions.count && !prints; i++)
        prints = called[i] && function_prints(program->functions.items[i]);
    free(called);
    return prints;
}

/* Which of the statements that are spelled alike in its function. */
static int find_copy(const struct program *program, const struct node *node) {
    const struct source_file *file = program->files.items[node->range.file];
    unsigned long long text = scan_hash(HASH_SEED, file, node->range.begin, node->range.end);
    int copy = 0;
    for (int i = 0; i < node->index; i++) {
        const struct node *other = node->function->nodes.items[i];
        copy += node_is_statement(other) && other->range.file == node->range.file &&
                scan_hash(HASH_SEED, file, other->range.begin, other->range.end) == text;
    }
    return copy;
}

unsigned long long code_place(const struct plan *plan, const struct code_region *region) {
    unsigned long long hash = HASH_SEED;
    int instance = 0, copy = find_copy(plan->slice->program, region->value);
    for (const struct function *f = program_origin(region->function); f != NULL;
         f = f->next_instance, instance++)
        if (variants_text(plan, f) == region->function)
            hash = hash_bytes(hash, &instance, sizeof instance);
    return hash_bytes(hash, &copy, sizeof copy);
}

/* With what is on its left. */
static unsigned long long hash_value(const struct code_hash_code *code, unsigned long long hash,
                                     const struct code_region *region) {
    const struct node *node = region->value;
    const struct source_file *file = code->plan->slice->program->files.items[node->range.file];
    const char *name = node->function->name;
    unsigned long long place = code_place(code->plan, region);
    hash = scan_hash(hash, file, node->range.begin, node->range.end);
    hash = hash_text(hash, name);
    return hash_bytes(hash, &place, sizeof place);
}

static char *code_of(const struct code_hash_code *code, const struct code_region *region) {
    struct program *program = code->plan->slice->program;
    bool *called = code_called(code->plan, region);
    const struct source_file *file = program->files.items[region->range.file];
    unsigned long long hash =
        scan_hash(code->headers, file, region->range.begin, region->range.end);
    hash = hash_bytes(hash, &region->is_kept, sizeof region->is_kept);
    if (region->is_late)
        hash = hash_bytes(hash, "late", sizeof "late");
    if (region->value != NULL)
        hash = hash_value(code, hash, region);
    for (size_t i = 0; i < program->functions.count; i++) {
        if (called[i])
            hash = hash_bytes(hash, &code->function[i], sizeof code->function[i]);
        if (called[i] || program->functions.items[i] == program_origin(region->function))
            hash = hash_around(code, hash, program->functions.items[i]);
    }
    free(called);
    return arena_printf(&program->arena, "%016llx", hash);
}

void code_name(struct plan *plan, const struct commands *commands) {
    struct code_hash_code code = {.plan = plan, .commands = commands};
    hash_texts(&code, plan->slice->program);
    for (size_t i = 0; i < plan->regions.count; i++)
        plan->regions.items[i]->code = code_of(&code, plan->regions.items[i]);
    free(code.outside);
    free(code.function);
}

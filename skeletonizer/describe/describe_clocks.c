/* SPDX-License-Identifier: Apache-2.0
 *
 * What the program measures itself: pairs of readings of a clock whose difference it works out.
 *
 * In: the syntax trees of the program's functions. Out: for each difference the lines of its two
 * readings, for `run`, which tells the predicted time between them. One walk over a function, in
 * the order of its text: `x = clock`, `x = -clock` and `x -= clock` begin, and `y - x`, where y is
 * a clock or a variable that was set to one, and `x += clock` end what x began last. A clock is
 * MPI_Wtime, a function that externs.def calls a timer, or a small function of the program that
 * calls one of these and returns a floating-point number.
 *
 * Not handled: readings in different functions, which the user names with `--region`; clocks that
 * write to memory (gettimeofday) but in such a small function.
 */
#include "skeletonizer/describe/describe.h"

#include <string.h>

/* A function of more nodes is more than a clock under another name: a struct, a call, and the sum
 * of two members are four. */
#define CLOCK_NODES 8

/* A variable that was set to a clock, or to its negative. */
struct started {
    const char *name; /* the text of what is set */
    int line;
};

struct clock_finder {
    struct program *program;
    const struct function *function;
    bool *is_clock; /* by function of the program */
    VEC(const struct ast *) readings;
    VEC(struct started) started;
    json_t *list;
};

/* ---- Clocks ---- */

static bool reads_library_clock(const struct call *call) {
    return call->mpi != NULL       ? call->mpi->class == MPI_CLASS_TIME
           : call->library != NULL ? call->library->kind == EXTERN_TIMER
                                   : false;
}

static bool is_small(const struct function *function) {
    return function->result_type != NULL && function->result_type->kind == TYPE_FLOATING &&
           function->nodes.count <= CLOCK_NODES;
}

static void find_readings(struct clock_finder *finder) {
    const struct program *program = finder->program;
    for (size_t i = 0; i < program->calls.count; i++) {
        const struct function *function = program->calls.items[i]->node->function;
        if (reads_library_clock(program->calls.items[i]) && function != NULL && is_small(function))
            finder->is_clock[function->id] = true;
    }
    for (size_t i = 0; i < program->calls.count; i++) {
        const struct call *call = program->calls.items[i];
        bool is_own = call->targets.count == 1 && finder->is_clock[call->targets.items[0]->id];
        if (is_own || (call->targets.count == 0 && reads_library_clock(call)))
            vec_push(&finder->readings, call->ast);
    }
}

/* ---- Pairs ---- */

static bool is_reading(const struct clock_finder *finder, const struct ast *ast) {
    ast = ast_without_casts(ast);
    for (size_t i = 0; ast != NULL && i < finder->readings.count; i++)
        if (finder->readings.items[i] == ast)
            return true;
    return false;
}

static bool is_negative_reading(const struct clock_finder *finder, const struct ast *ast) {
    ast = ast_without_casts(ast);
    return ast != NULL && ast->kind == AST_UNARY && strcmp(ast->op, "-") == 0 &&
           is_reading(finder, ast->kids[0]);
}

static const struct started *find_started(const struct clock_finder *finder,
                                          const struct ast *ast) {
    ast = ast_without_casts(ast);
    if (ast == NULL || ast->range.file < 0)
        return NULL;
    const char *name = program_text(finder->program, ast->range);
    for (size_t i = finder->started.count; i > 0; i--)
        if (strcmp(finder->started.items[i - 1].name, name) == 0)
            return &finder->started.items[i - 1];
    return NULL;
}

static void start(struct clock_finder *finder, const char *name, int line) {
    struct started started = {name, line};
    vec_push(&finder->started, started);
}

static void add_pair(struct clock_finder *finder, const struct started *begin, int end_line,
                     struct range text) {
    struct program *program = finder->program;
    const char *path = program->files.items[finder->function->range.file]->path;
    if (end_line >= begin->line)
        json_array_append_new(finder->list,
                              json_pack("{s:o, s:i, s:i, s:o}", "file",
                                        describe_text(program_relative(program, path)), "begin",
                                        begin->line, "end", end_line, "text",
                                        describe_text(describe_shortened(program, text))));
}

static void take_difference(struct clock_finder *finder, const struct ast *ast) {
    const struct started *begin = find_started(finder, ast->kids[1]);
    const struct started *end = find_started(finder, ast->kids[0]);
    if (begin != NULL && is_reading(finder, ast->kids[0]))
        add_pair(finder, begin, ast->line, ast->range);
    else if (begin != NULL && end != NULL)
        add_pair(finder, begin, end->line, ast->range);
}

static void take_variable(struct clock_finder *finder, const struct ast *ast) {
    const struct ast *value = ast->kid_count > 0 ? ast->kids[0] : NULL;
    if (is_reading(finder, value) || is_negative_reading(finder, value))
        start(finder, ast->name, ast->line);
}

static void take_assignment(struct clock_finder *finder, const struct ast *ast) {
    const struct ast *value = ast->kids[1];
    if ((is_reading(finder, value) || is_negative_reading(finder, value)) &&
        ast->kids[0]->range.file >= 0)
        start(finder, program_text(finder->program, ast->kids[0]->range), ast->line);
}

/* `x -= clock` and `x += clock`. */
static void take_sum(struct clock_finder *finder, const struct ast *ast) {
    const struct started *begin = find_started(finder, ast->kids[0]);
    if (!is_reading(finder, ast->kids[1]) || ast->kids[0]->range.file < 0)
        return;
    if (strcmp(ast->op, "-=") == 0)
        start(finder, program_text(finder->program, ast->kids[0]->range), ast->line);
    else if (strcmp(ast->op, "+=") == 0 && begin != NULL)
        add_pair(finder, begin, ast->line, ast->range);
}

static void walk(struct clock_finder *finder, const struct ast *ast) {
    if (ast == NULL)
        return;
    for (int i = 0; i < ast->kid_count; i++)
        walk(finder, ast->kids[i]);
    if (ast->kind == AST_VARIABLE)
        take_variable(finder, ast);
    else if (ast_is_assignment(ast))
        take_assignment(finder, ast);
    else if (ast->kind == AST_COMPOUND_ASSIGN)
        take_sum(finder, ast);
    else if (ast->kind == AST_BINARY && strcmp(ast->op, "-") == 0)
        take_difference(finder, ast);
}

json_t *describe_clocks(const struct description *d) {
    struct program *program = d->plan->slice->program;
    struct clock_finder finder = {
        .program = program,
        .is_clock = ARENA_ARRAY(d->arena, bool, program->functions.count + 1),
        .list = json_array(),
    };
    find_readings(&finder);
    for (size_t i = 0; i < program->functions.count && finder.readings.count > 0; i++) {
        finder.function = program->functions.items[i];
        finder.started.count = 0;
        if (finder.function->origin == NULL && finder.function->is_live &&
            !finder.function->forwards && finder.function->range.file >= 0)
            walk(&finder, finder.function->body);
    }
    vec_dispose(&finder.readings);
    vec_dispose(&finder.started);
    return finder.list;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * loops.json of a bundle: all loops of the program, and of which `mpiskel run --set` can change how
 * often they iterate.
 *
 * A loop can be set if all that is left of it follows: where it stays it has to have a hook, and
 * where it is executed in a computation that was removed its trips have to be among the factors of
 * that region's features. Loops that iterate equally often are one feature: what each of them takes
 * was not measured apart, so they can be set together only.
 */
#include "skeletonizer/describe/describe.h"

#include "base/file.h"
#include "frontend/program/tree.h"
#include "skeletonizer/plan/variants.h"
#include "skeletonizer/rewrite/hooks.h"
#include "skeletonizer/slice/exits.h"
#include "skeletonizer/slice/loop_shape.h"

#include <string.h>

struct facts {
    const struct tree *tree; /* NULL: the loop is in none of the functions */
    const struct hook *hook; /* NULL: it does not stay */
    const char *obstacle;    /* NULL: it can be set */
    VEC(int) regions, together;
};

/* Loops and calls of a statement or function itself. */
struct describe_loops_code {
    int_list loops; /* their numbers */
    VEC(const struct function *) callees;
    bool is_read;
};

struct describe_loops {
    struct arena *arena;
    const struct plan *plan;
    const struct slice *slice; /* its */
    struct program *program;
    struct facts *of; /* by number */
    int count;
    struct describe_loops_code *code; /* by function */
};

static int number_of(const struct describe_loops *loops, const struct tree *tree) {
    return loops->slice->loop_numbers[hooks_condition(tree)->id];
}

static void oppose(struct describe_loops *loops, int loop, const char *obstacle) {
    if (loops->of[loop].obstacle == NULL)
        loops->of[loop].obstacle = obstacle;
}

/* ---- Loops that stay ---- */

static void find_loops(struct describe_loops *loops, const struct tree *tree) {
    if (tree_is_loop(tree) && loops->of[number_of(loops, tree)].tree == NULL)
        loops->of[number_of(loops, tree)].tree = tree;
    for (size_t i = 0; i < tree->kids.count; i++)
        find_loops(loops, tree->kids.items[i]);
}

static void look_at_hooks(struct describe_loops *loops) {
    struct program *program = loops->program;
    for (size_t i = 0; i < program->nodes.count; i++) {
        const struct hook *hook = loops->plan->hooks[i];
        const struct function *function = program->nodes.items[i]->function;
        if (hook == NULL || variants_text(loops->plan, function) != function)
            continue;
        struct facts *facts = &loops->of[hook->number];
        if (hook->obstacle != NULL)
            oppose(loops, hook->number, hook->obstacle);
        else if (facts->hook == NULL || hook->no_longer != NULL)
            facts->hook = hook;
    }
}

/* ---- Loops in regions ---- */

static void add_loops(const struct describe_loops *loops, const struct tree *tree, int_list *out) {
    if (tree_is_loop(tree))
        vec_push(out, number_of(loops, tree));
    for (size_t i = 0; i < tree->kids.count; i++)
        add_loops(loops, tree->kids.items[i], out);
}

static void read_code(struct describe_loops_code *out, const struct describe_loops *loops,
                      const struct tree *tree) {
    node_list nodes = {0};
    add_loops(loops, tree, &out->loops);
    tree_nodes(tree, &nodes);
    for (size_t i = 0; i < nodes.count; i++)
        for (size_t k = 0; k < nodes.items[i]->calls.count; k++) {
            const struct call *call = nodes.items[i]->calls.items[k];
            for (size_t t = 0; t < call->targets.count; t++)
                vec_push_new(&out->callees, call->targets.items[t]);
            for (size_t t = 0; t < call->callbacks.count; t++)
                vec_push_new(&out->callees, call->callbacks.items[t]);
        }
    vec_dispose(&nodes);
    out->is_read = true;
}

static void dispose_code(struct describe_loops_code *code) {
    vec_dispose(&code->loops);
    vec_dispose(&code->callees);
}

static bool *new_flags(size_t count) {
    return memset(xmalloc(count + 1), 0, count + 1);
}

static void reach_code(const struct describe_loops *loops, bool *out,
                       const struct describe_loops_code *code, bool *functions);

static void reach_function(const struct describe_loops *loops, bool *out,
                           const struct function *function, bool *functions) {
    struct describe_loops_code *code = &loops->code[function->id];
    if (functions[function->id])
        return;
    functions[function->id] = true;
    if (!code->is_read)
        read_code(code, loops, function->tree);
    reach_code(loops, out, code, functions);
}

static void reach_code(const struct describe_loops *loops, bool *out,
                       const struct describe_loops_code *code, bool *functions) {
    for (size_t i = 0; i < code->loops.count; i++)
        out[code->loops.items[i]] = true;
    for (size_t i = 0; i < code->callees.count; i++)
        reach_function(loops, out, code->callees.items[i], functions);
}

/* All loops that may be executed in a statement, or in a function. */
static void reached_loops(const struct describe_loops *loops, bool *out, const struct tree *tree,
                          const struct function *function) {
    bool *functions = new_flags(loops->program->functions.count);
    if (tree != NULL) {
        struct describe_loops_code code = {0};
        read_code(&code, loops, tree);
        reach_code(loops, out, &code, functions);
        dispose_code(&code);
    } else {
        reach_function(loops, out, function, functions);
    }
    free(functions);
}

static void find_in_features(bool *out, const struct code_region *region) {
    for (size_t i = 0; i < region->features.count; i++)
        for (const char *at = strstr(region->features.items[i].hooked, "_of("); at != NULL;
             at = strstr(at + 1, "_of("))
            out[atoi(at + strlen("_of("))] = true;
}

static const char *place_of(const struct describe_loops *loops, const struct code_region *region) {
    const char *path = loops->program->files.items[region->range.file]->path;
    return arena_printf(loops->arena, "%s:%d", program_relative(loops->program, path),
                        region->line);
}

static void look_at_gaps(struct describe_loops *loops, const struct code_region *region,
                         bool *featured) {
    for (const struct region_gap *gap = region->gaps; gap != NULL; gap = gap->next) {
        bool *unknown = new_flags((size_t)loops->count);
        if (gap->function != NULL)
            reached_loops(loops, unknown, NULL, gap->function);
        else if (gap->same_as < 0)
            unknown[gap->loop] = true;
        for (int i = 0; i < loops->count; i++)
            featured[i] = featured[i] && !unknown[i];
        free(unknown);
    }
}

static void tie_loops(struct describe_loops *loops, const struct code_region *region,
                      bool *featured) {
    for (const struct region_gap *gap = region->gaps; gap != NULL; gap = gap->next) {
        if (gap->function != NULL || gap->same_as < 0)
            continue;
        vec_push_new(&loops->of[gap->loop].together, gap->same_as);
        vec_push_new(&loops->of[gap->same_as].together, gap->loop);
        featured[gap->loop] = featured[gap->loop] || featured[gap->same_as];
        featured[gap->same_as] = featured[gap->loop];
    }
}

static void look_at_region(struct describe_loops *loops, const struct code_region *region) {
    struct arena *arena = loops->arena;
    bool *executed = new_flags((size_t)loops->count), *featured = new_flags((size_t)loops->count);
    for (size_t i = 0; i < region->trees.count; i++)
        reached_loops(loops, executed, region->trees.items[i], NULL);
    find_in_features(featured, region);
    tie_loops(loops, region, featured);
    look_at_gaps(loops, region, featured);
    for (int i = 0; i < loops->count; i++) {
        if (!executed[i])
            continue;
        vec_push(&loops->of[i].regions, region->index);
        if (region->is_kept)
            oppose(loops, i,
                   arena_printf(arena,
                                "in the region at %s it computes what decides about "
                                "communication, and stays as it is",
                                place_of(loops, region)));
        else if (!featured[i])
            oppose(loops, i,
                   arena_printf(arena,
                                "how often it iterates is not among the features of the region "
                                "at %s: its bounds are not known where that begins, or it has "
                                "more loops than features",
                                place_of(loops, region)));
    }
    free(executed);
    free(featured);
}

/* ---- MPI calls in loops ---- */

static void add_calls(struct describe_loops *loops, json_t *out, const struct node *node,
                      bool *functions);

static void add_calls_of(struct describe_loops *loops, json_t *out, const struct function *function,
                         bool *functions) {
    if (functions[function->id])
        return;
    functions[function->id] = true;
    for (size_t i = 0; i < function->nodes.count; i++)
        add_calls(loops, out, function->nodes.items[i], functions);
}

/* [file, line] of each that stays and does not end the program. */
static void add_calls(struct describe_loops *loops, json_t *out, const struct node *node,
                      bool *functions) {
    struct program *program = loops->program;
    for (size_t k = 0; k < node->calls.count; k++) {
        const struct call *call = node->calls.items[k];
        if (!slice_keeps_call(loops->slice, call) || node->ends_abnormally)
            continue;
        for (size_t t = 0; t < call->targets.count; t++)
            add_calls_of(loops, out, call->targets.items[t], functions);
        if (call->targets.count > 0 || call->mpi == NULL || !call->mpi->criterion ||
            exits_program(call))
            continue;
        const char *path = program->files.items[call->ast->range.file]->path;
        json_array_append_new(
            out,
            json_pack("[o, i]", describe_text(program_relative(program, path)), call->ast->line));
    }
}

static json_t *describe_calls(struct describe_loops *loops, const struct hook *hook,
                              const struct tree *tree) {
    json_t *list = json_array();
    node_list nodes = {0};
    if (hook == NULL || !hook->outermost)
        return list;
    bool *functions = new_flags(loops->program->functions.count);
    tree_nodes(tree, &nodes);
    for (size_t i = 0; i < nodes.count; i++)
        add_calls(loops, list, nodes.items[i], functions);
    vec_dispose(&nodes);
    free(functions);
    return list;
}

/* ---- The file ---- */

static const char *variable_of(const struct tree *tree) {
    struct loop_shape loop;
    return loop_shape_read(&loop, tree) ? loop.variable->name : "";
}

static const char *kind_of(const struct tree *tree) {
    return tree->ast->kind == AST_FOR ? "for" : tree->ast->kind == AST_DO ? "do" : "while";
}

static json_t *describe_loop(struct describe_loops *loops, int number) {
    struct program *program = loops->program;
    const struct facts *facts = &loops->of[number];
    const struct tree *tree = facts->tree;
    const struct hook *hook = facts->hook;
    int line, column;
    program_position(program, tree->ast->range, &line, &column);
    const char *path = program->files.items[tree->ast->range.file]->path;
    return json_pack(
        "{s:i, s:o, s:i, s:i, s:s, s:s, s:s, s:b, s:o, s:b, s:b, s:b, s:b, s:o, s:i, s:o, "
        "s:o, s:o, s:o}",
        "number", number, "file", describe_text(program_relative(program, path)), "line", line,
        "column", column, "function", tree->function->name, "kind", kind_of(tree), "variable",
        variable_of(tree), "stays", hook != NULL, "left",
        describe_text(hook != NULL && hook->left != NULL ? hook->left : ""), "single",
        hook != NULL && hook->single, "given", hook != NULL && hook->given >= 0, "talks",
        hook != NULL && hook->talks, "outermost", hook != NULL && hook->outermost, "no_longer",
        describe_text(hook != NULL && hook->no_longer != NULL ? hook->no_longer : ""), "exit_line",
        hook != NULL && hook->exit != NULL ? hook->exit->line : 0, "regions",
        json_integers(facts->regions.items, facts->regions.count), "together",
        json_integers(facts->together.items, facts->together.count), "calls",
        describe_calls(loops, hook, tree), "obstacle",
        describe_text(facts->obstacle != NULL ? facts->obstacle : ""));
}

static void find_all(struct describe_loops *loops) {
    struct program *program = loops->program;
    for (size_t i = 0; i < program->functions.count; i++)
        if (program->functions.items[i]->origin == NULL)
            find_loops(loops, program->functions.items[i]->tree);
    for (size_t i = 0; i < loops->plan->regions.count; i++)
        if (loops->plan->regions.items[i]->value == NULL)
            look_at_region(loops, loops->plan->regions.items[i]);
    look_at_hooks(loops);
    for (int i = 0; i < loops->count; i++)
        if (loops->of[i].hook == NULL && loops->of[i].regions.count == 0)
            oppose(loops, i, "nothing of it is in the skeleton");
}

int describe_write_loops(const struct description *d, struct error *error) {
    const struct slice *s = d->plan->slice;
    struct program *program = s->program;
    struct describe_loops loops = {
        .arena = d->arena, .plan = d->plan, .slice = s, .program = program};
    json_t *list = json_array();
    for (size_t i = 0; i < program->nodes.count; i++)
        if (s->loop_numbers[i] >= loops.count)
            loops.count = s->loop_numbers[i] + 1;
    loops.of = ARENA_ARRAY(d->arena, struct facts, (size_t)loops.count + 1);
    loops.code = ARENA_ARRAY(d->arena, struct describe_loops_code, program->functions.count + 1);
    find_all(&loops);
    for (int i = 0; i < loops.count; i++) {
        if (loops.of[i].tree != NULL)
            json_array_append_new(list, describe_loop(&loops, i));
        vec_dispose(&loops.of[i].regions);
        vec_dispose(&loops.of[i].together);
    }
    for (size_t i = 0; i < program->functions.count; i++)
        dispose_code(&loops.code[i]);
    json_t *root = json_pack("{s:s, s:i, s:s, s:o}", "format", "mpiskel-loops", "version", 1,
                             "bundle", d->bundle_id, "loops", list);
    int result = json_write(root, path_join(d->arena, d->directory, "loops.json"), error);
    json_decref(root);
    return result;
}

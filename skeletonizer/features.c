/* SPDX-License-Identifier: Apache-2.0
 *
 * Walks the statements of a region, into the functions that it calls, and keeps for each loop how
 * often its body runs in one execution of the region: the product of its trip count and those of
 * the loops around it. Where bounds depend on the variables of outer loops (triangular loops,
 * blocks), the product is averaged over their first and last values: exact when it is linear in
 * them, and otherwise a factor away, which is the latency model's business. Loops whose bounds are
 * not known where the region begins (the rows of a sparse matrix, a while loop over data) are left
 * out.
 */
#include "skeletonizer/features.h"

#include "skeletonizer/cut_parts.h"
#include "skeletonizer/loops.h"

#include <string.h>

#define MAX_FEATURES 6
#define MAX_FEATURE_TEXT 1200 /* beyond it, a stub would cost more than it is worth */
#define MAX_CHOICES 12
#define MAX_AVERAGED 3

/* What multiplies a statement's executions: a loop around it, or a condition. */
struct level {
    const struct level *outer;
    const struct frame *frame;
    const struct loop *loop;     /* or */
    const struct node *guard;    /* the condition's node, its expression, */
    const struct ast *condition; /* and whether this is the else branch */
    bool negated;
};

struct walk {
    struct slice *slice;
    struct plan_region *region;
    struct choice *choices[MAX_CHOICES];
    int choice_count;
    int unknown_loops;
    size_t size_limit; /* features that there may be once sizes are among them */
};

static char *keep(const struct walk *w, struct str *text) {
    char *copy = arena_strdup(&w->slice->program->arena, str_text(text));
    str_dispose(text);
    return copy;
}

static void add_feature(struct walk *w, const char *expression, const char *meaning) {
    feature_list *list = &w->region->features;
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].expression, expression) == 0)
            return;
    if (list->count >= MAX_FEATURES)
        return;
    struct plan_feature feature = {.expression = expression, .meaning = meaning};
    feature.name = arena_printf(&w->slice->program->arena, "n%zu", list->count + 1);
    vec_push(list, feature);
}

/* Products */

static bool print_factor(struct str *out, const struct level *level) {
    if (level->loop != NULL)
        return loop_print_trips(out, level->frame, level->loop);
    str_add(out, level->negated ? "(!" : "(");
    if (!expression_print(out, level->frame, level->guard, level->condition))
        return false;
    str_add(out, " ? 1 : 0)");
    return true;
}

static bool print_product(struct str *out, const struct level *level) {
    if (level == NULL) {
        str_addc(out, '1');
        return true;
    }
    if (level->outer == NULL)
        return print_factor(out, level);
    str_add(out, "BSIM_TIMES(");
    if (!print_product(out, level->outer))
        return false;
    str_add(out, ", ");
    if (!print_factor(out, level))
        return false;
    str_addc(out, ')');
    return true;
}

/* `inner` (may be NULL) is a further factor: operations of a kernel. */
struct product {
    const struct level *level;
    const struct frame *frame;
    const struct node *node;
    const struct call *kernel;
};

static bool print_cost(struct str *out, const struct product *p);

static bool print_all(struct str *out, const struct product *p) {
    if (p->kernel == NULL)
        return print_product(out, p->level);
    if (p->level == NULL)
        return print_cost(out, p);
    str_add(out, "BSIM_TIMES(");
    if (!print_product(out, p->level))
        return false;
    str_add(out, ", ");
    if (!print_cost(out, p))
        return false;
    str_addc(out, ')');
    return true;
}

static int find_touched(const struct walk *w, struct choice **touched) {
    int count = 0;
    for (int i = 0; i < w->choice_count; i++) {
        if (!w->choices[i]->touched)
            continue;
        if (count == MAX_AVERAGED)
            return -1;
        touched[count++] = w->choices[i];
    }
    return count;
}

/* The mean over first and last values of the loop variables that the product mentions, or NULL. */
static char *print_mean(const struct walk *w, const struct product *p) {
    struct choice *touched[MAX_AVERAGED];
    struct str text = {0};
    for (int i = 0; i < w->choice_count; i++)
        *w->choices[i] = (struct choice){0};
    bool known = print_all(&text, p);
    int count = known ? find_touched(w, touched) : -1;
    if (count <= 0) {
        char *single = keep(w, &text);
        return count == 0 && strlen(single) <= MAX_FEATURE_TEXT ? single : NULL;
    }
    text.length = 0;
    for (int corner = 0; corner < 1 << count && known; corner++) {
        for (int i = 0; i < count; i++)
            touched[i]->last = (corner >> i) & 1;
        str_add(&text, corner == 0 ? "((" : " + ");
        known = print_all(&text, p);
    }
    for (int i = 0; i < count; i++)
        touched[i]->last = false;
    str_printf(&text, ") / %d)", 1 << count);
    char *mean = keep(w, &text);
    return known && strlen(mean) <= MAX_FEATURE_TEXT ? mean : NULL;
}

/* Kernels: the cost of a row of externs.def with arguments for names. */

static int cost_argument(const struct call *call, const char *name, size_t length) {
    for (int i = 0; i < call->library->parameter_count; i++) {
        const char *parameter = call->library->parameters[i].name;
        if (parameter != NULL && strlen(parameter) == length &&
            strncmp(parameter, name, length) == 0)
            return (size_t)i < call->arguments.count ? i : -1;
    }
    return -1;
}

static bool print_cost(struct str *out, const struct product *p) {
    const char *cost = p->kernel->library->cost;
    str_addc(out, '(');
    while (*cost != '\0') {
        size_t length = strspn(cost, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_");
        if (length == 0) {
            str_addc(out, *cost++);
            continue;
        }
        int index = cost_argument(p->kernel, cost, length);
        str_add(out, "(double)");
        if (index < 0 ||
            !expression_print(out, p->frame, p->node, p->kernel->arguments.items[index].ast))
            return false;
        cost += length;
    }
    str_addc(out, ')');
    return true;
}

static void walk_kernel(struct walk *w, const struct frame *frame, const struct node *node,
                        const struct call *call, const struct level *level) {
    struct product product = {level, frame, node, call};
    char *text = print_mean(w, &product);
    if (text != NULL)
        add_feature(w, text,
                    arena_printf(&w->slice->program->arena, "operations of %s at line %d",
                                 call->name, call->ast->line));
}

/* The walk */

static void walk_tree(struct walk *w, const struct frame *frame, const struct tree *tree,
                      const struct level *level);

static void walk_call(struct walk *w, const struct frame *frame, const struct node *node,
                      const struct call *call, const struct level *level) {
    struct frame inner;
    struct binding bindings[FRAME_MAX_BINDINGS];
    if (call->library != NULL && call->library->cost != NULL && call->targets.count == 0)
        walk_kernel(w, frame, node, call, level);
    else if (frame_enter(&inner, bindings, frame, node, call))
        walk_tree(w, &inner, inner.function->tree, level);
}

static void walk_calls(struct walk *w, const struct frame *frame, const struct tree *tree,
                       const struct level *level) {
    for (size_t i = 0; i < tree->nodes.count; i++) {
        const struct node *node = tree->nodes.items[i];
        for (size_t k = 0; k < node->calls.count; k++)
            walk_call(w, frame, node, node->calls.items[k], level);
    }
}

static void walk_unknown(struct walk *w, const struct frame *frame, const struct tree *tree,
                         const struct level *level) {
    struct frame inner = *frame;
    inner.unsafe = true;
    for (size_t i = 0; i < tree->kids.count; i++)
        walk_tree(w, &inner, tree->kids.items[i], level);
}

static void walk_loop(struct walk *w, const struct frame *frame, const struct tree *tree,
                      const struct level *outer) {
    struct loop loop;
    struct level level = {.outer = outer, .frame = frame, .loop = &loop};
    struct product product = {.level = &level};
    char *total = NULL;
    if (loop_read(&loop, tree) && w->choice_count < MAX_CHOICES)
        total = print_mean(w, &product);
    if (total == NULL) {
        w->unknown_loops++;
        walk_unknown(w, frame, tree, outer);
        return;
    }
    add_feature(w, total,
                arena_printf(&w->slice->program->arena, "iterations of the loop over %s at line %d",
                             loop.variable->name, tree->ast->line));
    struct choice choice = {0};
    struct binding binding = {.outer = frame->bindings,
                              .declaration = loop.variable,
                              .loop = &loop,
                              .loop_frame = frame,
                              .choice = &choice};
    struct frame inner = *frame;
    inner.bindings = &binding;
    w->choices[w->choice_count++] = &choice;
    walk_tree(w, &inner, tree->kids.items[0], &level);
    w->choice_count--;
}

static void walk_if(struct walk *w, const struct frame *frame, const struct tree *tree,
                    const struct level *outer) {
    struct level level = {.outer = outer, .frame = frame};
    struct product product = {.level = &level};
    level.guard = tree->nodes.items[0];
    level.condition = tree->ast->kids[0];
    if (print_mean(w, &product) == NULL) {
        walk_unknown(w, frame, tree, outer);
        return;
    }
    for (size_t i = 0; i < tree->kids.count; i++) {
        level.negated = i > 0;
        walk_tree(w, frame, tree->kids.items[i], &level);
    }
}

static void walk_tree(struct walk *w, const struct frame *frame, const struct tree *tree,
                      const struct level *level) {
    walk_calls(w, frame, tree, level);
    switch (tree->ast->kind) {
    case AST_FOR:
        walk_loop(w, frame, tree, level);
        return;
    case AST_IF:
        walk_if(w, frame, tree, level);
        return;
    case AST_WHILE:
    case AST_DO:
        w->unknown_loops++;
        walk_unknown(w, frame, tree, level);
        return;
    case AST_SWITCH:
        walk_unknown(w, frame, tree, level);
        return;
    default:
        for (size_t i = 0; i < tree->kids.count; i++)
            walk_tree(w, frame, tree->kids.items[i], level);
    }
}

/* Sizes: of values, and where no loop's trip count is known, integers of the function that are
 * known anyway may tell how much there is to do; which of them does is found by the fit. Not the
 * variables of loops around the region, which change from one execution to the next. */
#define MAX_SIZES 3

static bool is_within(const struct tree *tree, const struct tree *outer) {
    while (tree != NULL && tree != outer)
        tree = tree->parent;
    return tree != NULL;
}

/* Assigned in the loop, and declared outside of it. */
static bool changes_in(const struct tree *loop, const struct object *object) {
    node_list nodes = {0};
    bool changes = false;
    plan_nodes(loop, &nodes);
    for (size_t i = 0; i < nodes.count && !changes; i++)
        for (size_t k = 0; k < nodes.items[i]->defines.count; k++)
            changes = changes || nodes.items[i]->defines.items[k].object == object->id;
    vec_dispose(&nodes);
    return changes && !is_within(object->declared_in, loop);
}

/* Of a value also what changes in a loop in other ways: it would be another feature each time. */
static bool counts_a_loop_around(const struct plan_region *region, const struct object *object) {
    struct loop loop;
    const struct tree *tree = region->trees.items[0];
    for (tree = region->value != NULL ? tree : tree->parent; tree != NULL; tree = tree->parent) {
        enum ast_kind kind = tree->ast != NULL ? tree->ast->kind : AST_COMPOUND;
        bool loops = kind == AST_FOR || kind == AST_WHILE || kind == AST_DO;
        if ((loop_read(&loop, tree) && loop.variable == object->declaration) ||
            (loops && region->value != NULL && changes_in(tree, object)))
            return true;
    }
    return false;
}

/* By models: what depends on it would be seen with other features each time. */
static bool is_given(const struct slice *s, const struct object *object) {
    const struct function *function = object->function;
    for (size_t i = 0; s->cut != NULL && i < function->nodes.count; i++) {
        const struct node *node = function->nodes.items[i];
        for (size_t k = 0; k < node->defines.count; k++)
            if (node->defines.items[k].object == object->id && s->cut[node->id] != NULL)
                return true;
    }
    return false;
}

static bool is_size(const struct slice *s, const struct plan_region *region,
                    const struct object *object) {
    const struct type *type = object->type;
    return flow_tracks(object) && !is_given(s, object) && type->kind == TYPE_INTEGER &&
           type->size_bytes >= 4 && object->declaration != NULL &&
           expression_is_in_scope(region, object) && !counts_a_loop_around(region, object);
}

static bool is_passed_in(const struct plan_region *region, const struct object *object) {
    node_list nodes = {0};
    bool found = false;
    for (size_t i = 0; i < region->trees.count; i++)
        plan_nodes(region->trees.items[i], &nodes);
    for (size_t i = 0; i < nodes.count && !found; i++)
        for (size_t k = 0; k < nodes.items[i]->calls.count && !found; k++) {
            const struct call *call = nodes.items[i]->calls.items[k];
            for (size_t a = 0; a < call->arguments.count && !found; a++)
                found = call->arguments.items[a].ast->declaration == object->declaration;
        }
    vec_dispose(&nodes);
    return found;
}

/* First those that are arguments of calls in the region. */
static void add_sizes(struct walk *w, const struct frame *frame) {
    const struct plan_region *region = w->region;
    const struct function *function = region->function;
    const object_list *lists[] = {&function->parameters, &function->locals};
    size_t before = w->region->features.count;
    for (int passed = 1; passed >= 0 && w->region->features.count == before; passed--) {
        for (size_t n = 0; n < function->parameters.count + function->locals.count; n++) {
            bool local = n >= function->parameters.count;
            const struct object *object =
                lists[local]->items[local ? n - function->parameters.count : n];
            if (w->region->features.count >= w->size_limit ||
                !is_size(w->slice, w->region, object) ||
                is_passed_in(w->region, object) != (passed == 1) ||
                !(region->value != NULL ? expression_obtains(frame, object)
                                        : expression_knows(frame, object)))
                continue;
            add_feature(w, object->name,
                        arena_printf(&w->slice->program->arena, "the value of %s", object->name));
        }
    }
}

/* `s->n` and `s.n`, of which s is a variable: that variable. */
static const struct declaration *base_of(const struct ast *ast) {
    const struct ast *base = ast != NULL && ast->kind == AST_MEMBER ? ast->kids[0] : NULL;
    return base != NULL && base->kind == AST_REFERENCE ? base->declaration : NULL;
}

static bool reads_through(const place_list *uses, const struct declaration *base) {
    for (size_t i = 0; i < uses->count; i++)
        if (base_of(uses->items[i].ast) == base)
            return true;
    return false;
}

static bool evaluates_in_part(const struct ast *ast) {
    bool logical =
        ast->kind == AST_BINARY && (strcmp(ast->op, "&&") == 0 || strcmp(ast->op, "||") == 0);
    if (logical || ast->kind == AST_CONDITIONAL || ast->kind == AST_STATEMENT_EXPR)
        return true;
    for (int i = 0; i < ast->kid_count; i++)
        if (ast->kids[i] != NULL && evaluates_in_part(ast->kids[i]))
            return true;
    return false;
}

static bool node_reads_through(const struct node *node, const struct declaration *base) {
    bool found = reads_through(&node->uses, base);
    for (size_t k = 0; k < node->calls.count && !found; k++) {
        const struct call *call = node->calls.items[k];
        found = reads_through(&call->callee_uses, base);
        for (size_t a = 0; a < call->arguments.count && !found; a++)
            found = reads_through(&call->arguments.items[a].uses, base);
    }
    return found;
}

/* The region itself reads a member of what the variable points to, whatever happens in it, and does
 * not change the variable: so may a feature, where the region begins. */
static bool is_read_through(const struct plan_region *region, const struct object *object) {
    node_list nodes = {0};
    bool found = false, changed = region->exits.count > 0;
    for (size_t i = 0; i < region->trees.count; i++)
        plan_nodes(region->trees.items[i], &nodes);
    for (size_t i = 0; i < nodes.count && !changed; i++) {
        const struct node *node = nodes.items[i];
        for (size_t k = 0; k < node->defines.count; k++)
            changed = changed || node->defines.items[k].object == object->id;
        bool always = node->ast != NULL && !evaluates_in_part(node->ast);
        for (size_t k = 0; k < region->trees.count && always && !found; k++)
            found = region->trees.items[k] == node->tree && node->tree->ast->kind != AST_DO &&
                    node_reads_through(node, object->declaration);
    }
    vec_dispose(&nodes);
    return found && !changed;
}

static void add_members_of(struct walk *w, const struct frame *frame, const struct node *node,
                           const place_list *uses) {
    for (size_t i = 0; i < uses->count && w->region->features.count < w->size_limit; i++) {
        const struct ast *ast = uses->items[i].ast;
        const struct declaration *base = base_of(ast);
        struct str text = {0};
        if (base == NULL || ast->type->kind != TYPE_INTEGER || ast->type->size_bytes < 4)
            continue;
        const struct object *object = program_object(w->slice->program, frame->function, base);
        if (object == NULL || !flow_tracks(object) || !is_read_through(w->region, object))
            continue;
        size_t mark = slice_mark(w->slice);
        bool known = expression_knows(frame, object) && expression_print(&text, frame, node, ast);
        if (known && slice_mark(w->slice) == mark) /* it is read by what stays anyway */
            add_feature(
                w, arena_strdup(&w->slice->program->arena, str_text(&text)),
                arena_printf(&w->slice->program->arena, "the value of %s", str_text(&text)));
        else
            slice_take_back(w->slice, mark);
        str_dispose(&text);
    }
}

/* Integers that the function's kept statements read from the records that the region reads. */
static void add_members(struct walk *w, const struct frame *frame) {
    const struct function *function = w->region->function;
    for (size_t i = 0; i < function->nodes.count; i++) {
        const struct node *node = function->nodes.items[i];
        if (slice_keeps_node(w->slice, node))
            add_members_of(w, frame, node, &node->uses);
        for (size_t k = 0; k < node->calls.count; k++) {
            const struct call *call = node->calls.items[k];
            for (size_t a = 0; a < call->arguments.count; a++)
                if (slice_keeps_argument(w->slice, call, (int)a))
                    add_members_of(w, frame, node, &call->arguments.items[a].uses);
        }
    }
}

/* Of a loop or branch the code under it is not what decides it. */
static bool is_decision(const struct plan_region *region) {
    return region->value != NULL && cut_part_decides(region->value, region->part);
}

static struct node *find_entry(const struct plan_region *region) {
    node_list nodes = {0};
    struct node *entry = NULL;
    for (size_t i = 0; i < region->trees.count; i++)
        plan_nodes(region->trees.items[i], &nodes);
    if (nodes.count > 0) {
        entry = nodes.items[0];
        /* A for loop's nodes begin with its condition; its init is what is executed first. */
        const struct tree *first = region->trees.items[0];
        if (first->init != NULL && first->init->nodes.count > 0)
            entry = first->init->nodes.items[0];
    }
    vec_dispose(&nodes);
    return is_decision(region) ? region->value : entry;
}

/* Loops in front of the value, at each level of blocks: what they compute may be what is given.
 * What they read through pointers may be gone by now. */
static void walk_before(struct walk *w, const struct frame *frame) {
    struct frame inner = *frame;
    inner.unsafe = inner.scoped = true;
    for (const struct tree *tree = w->region->trees.items[0]; tree->parent != NULL;
         tree = tree->parent)
        for (size_t i = 0; i < tree->parent->kids.count && tree->parent->kids.items[i] != tree; i++)
            walk_tree(w, &inner, tree->parent->kids.items[i], NULL);
}

void features_find(struct slice *slice, struct plan_region *region) {
    struct walk walk = {.slice = slice, .region = region};
    struct frame frame = {.slice = slice,
                          .region = region,
                          .entry = find_entry(region),
                          .function = region->function};
    region->features.count = 0;
    if (frame.entry == NULL)
        return;
    for (size_t i = 0; i < region->trees.count && !is_decision(region); i++)
        walk_tree(&walk, &frame, region->trees.items[i], NULL);
    if (region->value != NULL && region->features.count == 0)
        walk_before(&walk, &frame);
    if (region->value != NULL || (walk.unknown_loops > 0 && region->features.count == 0)) {
        walk.size_limit = region->features.count + MAX_SIZES;
        add_sizes(&walk, &frame);
        add_members(&walk, &frame);
    }
}

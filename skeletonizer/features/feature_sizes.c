/* SPDX-License-Identifier: Apache-2.0
 *
 * Which loops become features where there are many; and features that are no loops: integers that
 * tell how much there is to do, which of them does is found by the fit. Of values all that is cheap
 * to have, but ranks, other values and what counts the loops around; of computations those that the
 * skeleton has anyway.
 */
#include "base/text_set.h"
#include "frontend/program/tree.h"
#include "skeletonizer/features/always_executed.h"
#include "skeletonizer/features/feature_walk.h"
#include "skeletonizer/features/program_inputs.h"
#include "skeletonizer/slice/loop_shape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FEATURES 8 /* loops and operations of kernels */
#define MAX_FACES 8
#define NEARLY 0.5 /* as many executions */
#define MAX_ALL (MAX_FEATURES + MAX_FACES + FEATURES_MAX_SOURCES + 1 + 2 * FEATURES_MAX_SIZES)

static const char *after_number(const char *at) {
    at += strspn(at, "0123456789");
    return at + strspn(at, ", ");
}

const char *features_plain(struct arena *arena, const char *expression) {
    static const char *const names[] = {"bsim_trips_of(", "bsim_doublings_of(",
                                        "bsim_halvings_of("};
    struct str text = {0};
    for (const char *at = expression; *at != '\0';) {
        size_t length = 0;
        for (size_t i = 0; i < sizeof names / sizeof *names && length == 0; i++)
            length = text_has_prefix(at, names[i]) ? strlen(names[i]) : 0;
        if (length == 0) {
            str_addc(&text, *at++);
            continue;
        }
        str_addn(&text, at, length - strlen("_of("));
        str_addc(&text, '(');
        at = after_number(at + length);
    }
    return str_into(arena, &text);
}

void features_walk_dispose(struct walk *w) {
    vec_dispose(&w->candidates);
    vec_dispose(&w->unknown);
    vec_dispose(&w->certain.followed);
    vec_dispose(&w->sources.items);
    vec_dispose(&w->sources.followed);
    region_writes_dispose(&w->reached);
}

void features_add(struct walk *walk, const char *expression, const char *meaning) {
    feature_list *list = &walk->region->features;
    const char *plain = features_plain(&walk->slice->program->arena, expression);
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].expression, plain) == 0)
            return;
    if (list->count >= (walk->region->value != NULL ? MAX_FEATURES : MAX_ALL))
        return;
    struct region_feature feature = {.expression = plain, .hooked = expression, .meaning = meaning};
    feature.name = arena_printf(&walk->slice->program->arena, "n%zu", list->count + 1);
    vec_push(list, feature);
}

/* ---- Candidates with the same text ---- */

/* Regions that lead to a large part of a program have thousands, most of them many times. */
static void mark_repeated(struct walk *w) {
    struct text_set plain = {0}, expressions = {0};
    for (size_t i = 0; i < w->candidates.count; i++) {
        struct feature_candidate *candidate = &w->candidates.items[i];
        if (candidate->expression == NULL)
            continue;
        candidate->is_repeated = text_set_add(&plain, candidate->plain);
        candidate->is_copy = text_set_add(&expressions, candidate->expression);
    }
    text_set_dispose(&plain);
    text_set_dispose(&expressions);
}

void features_note_gap(struct walk *walk, struct region_gap gap) {
    struct region_gap *copy = ARENA_NEW(&walk->slice->program->arena, struct region_gap);
    *copy = gap;
    copy->next = walk->region->gaps;
    walk->region->gaps = copy;
}

/* The number of the next loop in an expression; -1: there is none. */
static int next_loop(const char **at) {
    const char *found = strstr(*at, "_of(");
    if (found == NULL)
        return -1;
    *at = found + strlen("_of(");
    return atoi(*at);
}

static void tie(struct walk *walk, const char *one, const char *other) {
    int loop = next_loop(&one), same_as = next_loop(&other);
    for (; loop >= 0 && same_as >= 0; loop = next_loop(&one), same_as = next_loop(&other))
        if (loop != same_as)
            features_note_gap(walk, (struct region_gap){.loop = loop, .same_as = same_as});
}

static bool is_original(const struct feature_candidate *candidate) {
    return candidate->expression != NULL && !candidate->is_copy;
}

void features_tie(struct walk *w) {
    for (size_t i = 0; i < w->candidates.count; i++) {
        const struct feature_candidate *later = &w->candidates.items[i];
        if (!later->is_repeated || !is_original(later))
            continue;
        for (size_t k = 0; k < i; k++) {
            const struct feature_candidate *earlier = &w->candidates.items[k];
            if (is_original(earlier) && strcmp(earlier->plain, later->plain) == 0)
                tie(w, later->expression, earlier->expression);
        }
    }
}

void features_choose(struct walk *walk) {
    mark_repeated(walk);
    for (int left = MAX_FEATURES; left > 0; left--) {
        struct feature_candidate *best = NULL;
        for (size_t i = 0; i < walk->candidates.count; i++) {
            struct feature_candidate *candidate = &walk->candidates.items[i];
            if (candidate->expression != NULL && !candidate->chosen && candidate->rank >= 0 &&
                !candidate->is_repeated && (best == NULL || candidate->rank > best->rank))
                best = candidate;
        }
        if (best != NULL)
            best->chosen = true;
    }
    for (size_t i = 0, faces = 0; i < walk->candidates.count && faces < MAX_FACES; i++) {
        struct feature_candidate *candidate = &walk->candidates.items[i];
        candidate->chosen |= candidate->expression != NULL && candidate->rank == FEATURE_FACE &&
                             !candidate->is_repeated;
        faces += candidate->rank == FEATURE_FACE && candidate->chosen;
    }
}

void features_want_unknown(struct walk *w) {
    double most = w->busiest_unknown;
    for (size_t i = 0; i < w->unknown.count && most >= w->busiest_known; i++)
        if (fmax(w->unknown.items[i].executions, w->unknown.items[i].inside) >= most * NEARLY)
            for (int k = (int)i; k >= 0; k = w->unknown.items[k].outer)
                w->unknown.items[k].wanted = true;
}

/* The heaviest that is left, which is used up; NULL: there is none. */
static const char *next_source(struct origins *sources) {
    struct origin *best = NULL;
    for (size_t i = 0; i < sources->items.count; i++) {
        struct origin *source = &sources->items.items[i];
        if (source->weight >= 0 && (best == NULL || source->weight > best->weight))
            best = source;
    }
    if (best != NULL)
        best->weight = -1;
    return best != NULL ? best->text : NULL;
}

/* Loops in each other go by a product, where each goes by a size: perhaps that of all of them. */
void features_add_origins(struct walk *w) {
    struct arena *arena = &w->slice->program->arena;
    const char *text;
    struct str product = {0};
    int count = 0;
    while (count < FEATURES_MAX_SOURCES && (text = next_source(&w->sources)) != NULL) {
        features_add(
            w, text,
            arena_printf(arena, "the value of %s, which a loop of unknown length goes by", text));
        str_printf(&product, "%s(double)%s", count++ > 0 ? " * " : "", text);
    }
    if (count > 1 || (count == 1 && w->around != NULL))
        features_add(w,
                     w->around != NULL
                         ? arena_printf(arena, "BSIM_TIMES(%s, %s)", w->around, str_text(&product))
                         : arena_printf(arena, "(%s)", str_text(&product)),
                     "the product of what loops of unknown length go by");
    str_dispose(&product);
}

/* Sizes: of values, and where no loop's trip count is known, integers of the function that are
 * known anyway may tell how much there is to do; which of them does is found by the fit. Not the
 * variables of loops around the region, which change from one execution to the next. */

/* Assigned in the loop, and declared outside of it. */
static bool changes_in(const struct tree *loop, const struct object *object) {
    node_list nodes = {0};
    bool changes = false;
    tree_nodes(loop, &nodes);
    for (size_t i = 0; i < nodes.count && !changes; i++)
        for (size_t k = 0; k < nodes.items[i]->defines.count; k++)
            changes = changes || nodes.items[i]->defines.items[k].object == object->id;
    vec_dispose(&nodes);
    return changes && !tree_is_within(object->declared_in, loop);
}

/* Of a value also what changes in a loop in other ways: it would be another feature each time. */
static bool counts_a_loop_around(const struct code_region *region, const struct object *object) {
    struct loop_shape loop;
    const struct tree *tree = region->trees.items[0];
    for (tree = region->value != NULL ? tree : tree->parent; tree != NULL; tree = tree->parent) {
        if ((loop_shape_read(&loop, tree) && loop.variable == object->declaration) ||
            (tree_is_loop(tree) && region->value != NULL && changes_in(tree, object)))
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

static const struct ast *without_operators(const struct ast *ast) {
    while (ast != NULL && ast->kid_count == 1 && (ast->kind == AST_UNARY || ast->kind == AST_CAST))
        ast = ast->kids[0];
    return ast;
}

bool features_is_reference(const struct ast *ast, const void *object) {
    ast = without_operators(ast);
    return ast != NULL && ast->kind == AST_REFERENCE &&
           ast->declaration == ((const struct object *)object)->declaration;
}

/* `s->n` and `s.n`, of which s is a variable: that variable. */
static const struct declaration *base_of(const struct ast *ast) {
    const struct ast *base = ast != NULL && ast->kind == AST_MEMBER ? ast->kids[0] : NULL;
    return base != NULL && base->kind == AST_REFERENCE ? base->declaration : NULL;
}

static bool is_same_member(const struct ast *ast, const void *member) {
    ast = without_operators(ast);
    return base_of(ast) != NULL && base_of(ast) == base_of(member) &&
           strcmp(ast->name, ((const struct ast *)member)->name) == 0;
}

static bool is_size(const struct slice *s, const struct code_region *region,
                    const struct object *object) {
    const struct type *type = object->type;
    if (!flow_tracks(object) || type->kind != TYPE_INTEGER || type->size_bytes < 4 ||
        object->declaration == NULL || !expression_is_in_scope(region, object) ||
        counts_a_loop_around(region, object))
        return false;
    return region->value == NULL ||
           (!is_given(s, object) &&
            !features_is_rank(object->function, features_is_reference, object));
}

static bool is_passed_in(const struct code_region *region, const struct object *object) {
    node_list nodes = {0};
    bool found = false;
    for (size_t i = 0; i < region->trees.count; i++)
        tree_nodes(region->trees.items[i], &nodes);
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
    const struct code_region *region = w->region;
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
            features_add(w, object->name,
                         arena_printf(&w->slice->program->arena, "the value of %s", object->name));
        }
    }
}

static bool reads_through(const lvalue_list *uses, const struct declaration *base) {
    for (size_t i = 0; i < uses->count; i++)
        if (base_of(uses->items[i].ast) == base)
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
static bool is_read_through(const struct code_region *region, const struct object *object) {
    node_list nodes = {0};
    bool found = false, changed = region->exits.count > 0;
    for (size_t i = 0; i < region->trees.count; i++)
        tree_nodes(region->trees.items[i], &nodes);
    for (size_t i = 0; i < nodes.count && !changed; i++) {
        const struct node *node = nodes.items[i];
        for (size_t k = 0; k < node->defines.count; k++)
            changed = changed || node->defines.items[k].object == object->id;
        bool always = node->ast != NULL && !always_executed_is_in_part(node->ast);
        for (size_t k = 0; k < region->trees.count && always && !found; k++)
            found = region->trees.items[k] == node->tree && node->tree->ast->kind != AST_DO &&
                    node_reads_through(node, object->declaration);
    }
    vec_dispose(&nodes);
    return found && !changed;
}

/* Nothing has to be followed to read a member of the record itself. */
static bool is_read(const struct code_region *region, const struct object *record) {
    node_list nodes = {0};
    bool found = false;
    for (size_t i = 0; i < region->trees.count; i++)
        tree_nodes(region->trees.items[i], &nodes);
    for (size_t i = 0; i < nodes.count && !found; i++)
        found = node_reads_through(nodes.items[i], record->declaration);
    vec_dispose(&nodes);
    return found;
}

static void add_members_of(struct walk *w, const struct frame *frame, const struct node *node,
                           const lvalue_list *uses) {
    for (size_t i = 0; i < uses->count && w->region->features.count < w->size_limit; i++) {
        const struct ast *ast = uses->items[i].ast;
        const struct declaration *base = base_of(ast);
        struct str text = {0};
        if (base == NULL || ast->type->kind != TYPE_INTEGER || ast->type->size_bytes < 4 ||
            (w->region->value != NULL && features_is_rank(frame->function, is_same_member, ast)))
            continue;
        const struct object *object = program_object(w->slice->program, frame->function, base);
        bool held = !ast->arrow && w->region->value == NULL; /* the record itself */
        if (object == NULL || (held ? !is_read(w->region, object)
                                    : !flow_tracks(object) || !is_read_through(w->region, object)))
            continue;
        size_t mark = slice_mark(w->slice);
        bool known =
            (held || expression_knows(frame, object)) && expression_print(&text, frame, node, ast);
        if (known && slice_mark(w->slice) == mark) /* it is read by what stays anyway */
            features_add(
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

void features_add_guessed_sizes(struct walk *w, const struct frame *frame, int unknown_loops) {
    struct code_region *region = w->region;
    bool busy = region->value == NULL && w->counts != NULL && w->busiest_unknown > 0 &&
                w->busiest_unknown >= w->busiest_known;
    bool lacks = unknown_loops > 0 && (region->features.count == 0 || busy);
    bool joins = region->value == NULL && lacks &&
                 inputs_join(w->slice, region->trees.items, region->trees.count, w->counts);
    if (region->value == NULL && (!lacks || joins))
        return;
    w->size_limit = region->features.count + FEATURES_MAX_SIZES;
    add_sizes(w, frame);
    if (busy || region->value != NULL)
        w->size_limit = region->features.count + FEATURES_MAX_SIZES;
    add_members(w, frame);
}

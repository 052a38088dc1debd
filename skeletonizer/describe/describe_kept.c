/* SPDX-License-Identifier: Apache-2.0
 *
 * What stays in the skeleton, for `mpiskel explain`. Every kept statement belongs to one entry:
 *   region     a computation without communication: what is executed inside it counts with it
 *   loop       a loop outside such regions: the statements in it, but not in an inner entry
 *   function   what is left of a function
 * An entry has an estimated weight (work_estimate.h), the demand that tells best why its heaviest
 * statements are there, and the criteria at the ends of all its statements' chains. What would be
 * left under no-abnormal-exit is found by slicing and planning once more under that assumption, not
 * guessed.
 */
#include "skeletonizer/describe/describe.h"

#include "base/str.h"
#include "frontend/program/tree.h"
#include "skeletonizer/hot/work_estimate.h"
#include "skeletonizer/plan/regions.h"
#include "skeletonizer/slice/exits.h"
#include "skeletonizer/slice/kept.h"

#include <string.h>

#define MOST_CALLS 8 /* that are followed from a computation to its heaviest statement */

struct describe_kept_entry {
    const char *kind;
    struct function *function;
    const struct tree *tree;
    const struct code_region *region; /* NULL: none */
    node_list nodes;                  /* kept ones that are its own */
    node_list inner;                  /* kept ones of the functions that it calls; of a region */
};

struct collector {
    const struct plan *plan;
    const struct slice *slice; /* its */
    struct program *program;
    struct weights weights;
    bool *covered; /* by function */
    bool *inside;  /* by node: it belongs to a region, or to a covered function */
    VEC(struct describe_kept_entry) entries;
    struct plan alternative; /* under no-abnormal-exit; slice NULL: not computed */
    struct slice alternative_slice;
    signed char *telling, *alternative_telling; /* by demand that is a criterion */
    struct arena arena;
};

static const struct code_region *kept_region_at(const struct plan *plan, const struct tree *tree) {
    const struct code_region *region = plan_region_at(plan, tree);
    return region != NULL && region->is_kept ? region : NULL;
}

/* Entries */

static void add_nodes(struct collector *c, size_t entry, const node_list *nodes) {
    for (size_t i = 0; i < nodes->count; i++)
        if (weights_count(&c->weights, nodes->items[i]))
            vec_push(&c->entries.items[entry].nodes, nodes->items[i]);
}

static void add_inner(struct collector *c, size_t entry, bool *seen, const node_list *nodes) {
    for (size_t i = 0; i < nodes->count; i++)
        for (size_t k = 0; k < nodes->items[i]->calls.count; k++) {
            const struct call *call = nodes->items[i]->calls.items[k];
            for (size_t t = 0; slice_keeps_call(c->slice, call) && t < call->targets.count; t++) {
                const struct function *function = call->targets.items[t];
                if (seen[function->id])
                    continue;
                seen[function->id] = true;
                for (size_t n = 0; n < function->nodes.count; n++)
                    if (weights_count(&c->weights, function->nodes.items[n]))
                        vec_push(&c->entries.items[entry].inner, function->nodes.items[n]);
                add_inner(c, entry, seen, &function->nodes);
            }
        }
}

static size_t new_entry(struct collector *c, const char *kind, struct function *function,
                        const struct tree *tree, const struct code_region *region) {
    struct describe_kept_entry entry = {
        .kind = kind, .function = function, .tree = tree, .region = region};
    vec_push(&c->entries, entry);
    return c->entries.count - 1;
}

static void add_region(struct collector *c, struct function *function, const struct tree *tree,
                       const struct code_region *region) {
    size_t count = c->program->functions.count, at;
    bool *seen = memset(xmalloc(count + 1), 0, count + 1);
    node_list nodes = {0};
    at = new_entry(c, "region", function, tree, region);
    tree_nodes(tree, &nodes);
    add_nodes(c, at, &nodes);
    add_inner(c, at, seen, &c->entries.items[at].nodes);
    vec_dispose(&nodes);
    free(seen);
}

static void collect(struct collector *c, size_t entry, const struct tree *tree) {
    if (tree == NULL)
        return;
    struct function *function = c->entries.items[entry].function;
    const struct code_region *region = kept_region_at(c->plan, tree);
    if (region != NULL) {
        add_region(c, function, tree, region);
        return;
    }
    collect(c, entry, tree->init); /* is executed once, outside */
    if (tree_is_loop(tree))
        entry = new_entry(c, "loop", function, tree, NULL);
    add_nodes(c, entry, &tree->nodes);
    collect(c, entry, tree->step);
    for (size_t i = 0; i < tree->kids.count; i++)
        collect(c, entry, tree->kids.items[i]);
}

static void collect_all(struct collector *c) {
    const struct program *program = c->program;
    for (size_t i = 0; i < program->functions.count; i++) {
        struct function *function = program->functions.items[i];
        if (c->covered[i] || !kept_function(c->slice, function))
            continue;
        size_t entry = new_entry(c, "function", function, function->tree, NULL);
        collect(c, entry, function->tree);
    }
}

/* A function that is called inside a region counts there, and elsewhere for its other calls. */
static void find_inside(struct collector *c) {
    const struct program *program = c->program;
    const struct plan *plan = c->plan;
    c->covered = regions_covered(plan);
    c->inside = memset(xmalloc(program->nodes.count + 1), 0, program->nodes.count + 1);
    for (size_t i = 0; i < program->nodes.count; i++) {
        const struct function *function = program->nodes.items[i]->function;
        c->inside[i] = function != NULL && c->covered[function->id];
    }
    for (size_t i = 0; i < plan->regions.count; i++) {
        node_list nodes = {0};
        if (plan->regions.items[i]->is_kept)
            tree_nodes(plan->regions.items[i]->trees.items[0], &nodes);
        for (size_t k = 0; k < nodes.count; k++)
            c->inside[nodes.items[k]->id] = true;
        vec_dispose(&nodes);
    }
}

/* Reasons */

static int count_loops(const node_list *nodes) {
    int loops = 0;
    for (size_t i = 0; i < nodes->count; i++)
        loops += nodes->items[i]->kind == NODE_LOOP;
    return loops;
}

/* A slice as a source of reasons. */
struct reasons {
    const struct slice *slice;
    signed char *telling; /* by demand that is a criterion */
};

/* How well a criterion tells why something stays. */
enum telling { TELLING_UNKNOWN, TELLING_MPI, TELLING_OTHER, TELLING_EXIT };

static enum telling criterion_telling(const struct slice *s, const struct demand *root) {
    if (root->kind != DEMAND_CALL)
        return TELLING_EXIT; /* joined for nothing */
    const struct call *call = s->program->calls.items[root->subject];
    const struct call *within = describe_criterion(s, call);
    if (exits_program(within != NULL ? within : call))
        return TELLING_EXIT;
    return (within != NULL ? within : call)->mpi != NULL ? TELLING_MPI : TELLING_OTHER;
}

static enum telling telling_of(const struct reasons *r, int demand) {
    while (r->slice->demands.items[demand].parent >= 0)
        demand = r->slice->demands.items[demand].parent;
    if (r->telling[demand] == TELLING_UNKNOWN)
        r->telling[demand] =
            (signed char)criterion_telling(r->slice, &r->slice->demands.items[demand]);
    return (enum telling)r->telling[demand];
}

static bool is_for_exit(const struct reasons *r, int demand) {
    return telling_of(r, demand) == TELLING_EXIT;
}

/* A chain to an exit is told only where there is no other: who reads it would take the exit away
 * and find the computation still there. */
static int better(const struct reasons *r, int one, int other) {
    if (one < 0 || other < 0)
        return one < 0 ? other : one;
    enum telling left = telling_of(r, one), right = telling_of(r, other);
    return left != right ? (left < right ? one : other) : kept_earlier(one, other);
}

static const struct function *heaviest_target(const struct collector *c, const struct node *node) {
    const struct function *best = NULL;
    for (size_t i = 0; i < node->calls.count; i++) {
        const struct call *call = node->calls.items[i];
        for (size_t k = 0; slice_keeps_call(c->slice, call) && k < call->targets.count; k++)
            if (best == NULL ||
                c->weights.weight[call->targets.items[k]->id] > c->weights.weight[best->id])
                best = call->targets.items[k];
    }
    return best;
}

static double weight_if_kept(const struct collector *c, const struct reasons *r,
                             const struct node *node, bool with_calls) {
    return kept_node_demand(r->slice, node) >= 0 ? weights_within(&c->weights, node, with_calls)
                                                 : 0;
}

/* The demand that best tells why the heaviest statements are there; -1: none of them is. Where the
 * loops are in a function that is called, the demand for something in that function: it may be
 * kept for another of its calls as well. */
static int telling_demand(const struct collector *c, const struct reasons *r,
                          const node_list *nodes, int depth) {
    const struct node *heaviest = NULL;
    bool loops = count_loops(nodes) > 0;
    double most = 0;
    int best = -1;
    for (size_t i = 0; i < nodes->count; i++) {
        double weight = weight_if_kept(c, r, nodes->items[i], true);
        heaviest = weight > most ? nodes->items[i] : heaviest;
        most = weight > most ? weight : most;
    }
    const struct function *inner = heaviest != NULL ? heaviest_target(c, heaviest) : NULL;
    if (inner != NULL && !loops && depth > 0 && weight_if_kept(c, r, heaviest, false) < most / 2)
        best = telling_demand(c, r, &inner->nodes, depth - 1);
    if (best >= 0)
        return best;
    for (size_t i = 0; i < nodes->count; i++)
        if (weight_if_kept(c, r, nodes->items[i], true) >= most / 2)
            best = better(r, best, kept_node_demand(r->slice, nodes->items[i]));
    return best;
}

struct describe_kept_tally {
    int criterion, statements;
};

typedef VEC(struct describe_kept_tally) tallies;

static void count_criteria(tallies *out, const struct slice *s, const node_list *nodes) {
    for (size_t i = 0; i < nodes->count; i++) {
        int demand = kept_node_demand(s, nodes->items[i]);
        while (demand >= 0 && s->demands.items[demand].parent >= 0)
            demand = s->demands.items[demand].parent;
        size_t at = 0;
        while (at < out->count && out->items[at].criterion != demand)
            at++;
        if (at == out->count && demand >= 0)
            vec_push(out, ((struct describe_kept_tally){demand, 0}));
        if (demand >= 0)
            out->items[at].statements++;
    }
}

static int by_statements(const void *left, const void *right) {
    const struct describe_kept_tally *one = left, *other = right;
    if (one->statements != other->statements)
        return one->statements > other->statements ? -1 : 1;
    return one->criterion < other->criterion ? -1 : one->criterion > other->criterion;
}

static json_t *describe_criteria(const struct slice *s, const struct describe_kept_entry *entry) {
    tallies found = {0};
    json_t *list = json_array();
    count_criteria(&found, s, &entry->nodes);
    count_criteria(&found, s, &entry->inner);
    if (found.count > 0)
        qsort(found.items, found.count, sizeof *found.items, by_statements);
    for (size_t i = 0; i < found.count; i++)
        json_array_append_new(
            list, json_pack("[i, i]", found.items[i].criterion, found.items[i].statements));
    vec_dispose(&found);
    return list;
}

/* Numbers */

static int count_left(const struct slice *s, const node_list *nodes) {
    int left = 0;
    for (size_t i = 0; i < nodes->count; i++)
        left += kept_part_of_node(s, nodes->items[i]);
    return left;
}

static char *kernels_of(struct arena *arena, const struct slice *s,
                        const struct describe_kept_entry *entry) {
    const node_list *lists[] = {&entry->nodes, &entry->inner};
    struct str names = {0};
    for (int l = 0; l < 2; l++)
        for (size_t i = 0; i < lists[l]->count; i++)
            for (size_t k = 0; k < lists[l]->items[i]->calls.count; k++) {
                const struct call *call = lists[l]->items[i]->calls.items[k];
                if (call->library == NULL || call->library->cost == NULL ||
                    call->targets.count > 0 || !slice_keeps_call(s, call) ||
                    strstr(str_text(&names), call->name) != NULL)
                    continue;
                str_printf(&names, "%s%s", names.length > 0 ? ", " : "", call->name);
            }
    return str_into(arena, &names);
}

static double estimate(const struct collector *c, const struct describe_kept_entry *entry) {
    double sum = 0;
    for (size_t i = 0; i < entry->nodes.count; i++)
        sum += weights_of(&c->weights, entry->nodes.items[i], entry->region != NULL);
    return sum;
}

static const char *entry_text(struct collector *c, const struct describe_kept_entry *entry) {
    if (entry->kind[0] == 'f')
        return arena_printf(&c->arena, "%s(), outside its loops", entry->function->name);
    for (size_t i = 0; i < entry->nodes.count; i++)
        if (entry->nodes.items[i]->tree == entry->tree && tree_is_loop(entry->tree) &&
            entry->nodes.items[i]->kind == NODE_LOOP)
            return describe_node(c->program, entry->nodes.items[i]);
    return describe_node(c->program, entry->nodes.items[0]);
}

/* Where an exit is all that the log tells: the chain that is left under no-abnormal-exit, its
 * criterion first. */
static void add_other_chain(struct collector *c, json_t *value, const node_list *nodes) {
    const struct slice *s = c->alternative.slice;
    struct reasons reasons = {s, c->alternative_telling};
    int demand = telling_demand(c, &reasons, nodes, MOST_CALLS);
    if (demand < 0 || is_for_exit(&reasons, demand))
        return;
    json_t *chain = json_array();
    for (; demand >= 0; demand = s->demands.items[demand].parent)
        json_array_insert_new(chain, 0, describe_demand(s, demand));
    json_object_set_new(value, "chain_without_exits", chain);
}

static json_t *describe_entry(struct collector *c, const struct describe_kept_entry *entry) {
    const struct slice *s = c->slice;
    const struct program *program = c->program;
    int line = entry->tree->ast->line, end_line = line, column;
    const node_list *nodes = &entry->nodes;
    struct range range = entry->tree->ast->range;
    struct reasons reasons = {s, c->telling};
    int demand = telling_demand(c, &reasons, nodes, MOST_CALLS);
    if (range.end > range.begin)
        program_position(program, (struct range){range.file, range.end - 1, range.end}, &end_line,
                         &column);
    json_t *value = json_pack(
        "{s:s, s:o, s:i, s:i, s:s, s:o, s:i, s:i, s:i, s:s, s:f, s:i, s:o}", "kind", entry->kind,
        "file", describe_text(program_relative(c->program, program->files.items[range.file]->path)),
        "line", line, "end_line", end_line, "function", entry->function->name, "text",
        describe_text(entry_text(c, entry)), "region",
        entry->region != NULL ? entry->region->index : -1, "statements",
        (int)(nodes->count + entry->inner.count), "loops",
        count_loops(nodes) + count_loops(&entry->inner), "kernels", kernels_of(&c->arena, s, entry),
        "estimate", estimate(c, entry), "demand", demand, "criteria", describe_criteria(s, entry));
    if (c->alternative.slice != NULL)
        json_object_set_new(value, "left_without_exits",
                            json_integer(count_left(c->alternative.slice, nodes) +
                                         count_left(c->alternative.slice, &entry->inner)));
    if (c->alternative.slice != NULL && is_for_exit(&reasons, demand))
        add_other_chain(c, value, nodes);
    return value;
}

static signed char *zeroes(size_t count) {
    return memset(xmalloc(count + 1), 0, count + 1);
}

/* What generate would do under no-abnormal-exit: the same steps, on the same program. */
static void find_alternative(struct collector *c) {
    struct program *program = c->program;
    struct assumptions assumptions = c->slice->assumptions;
    if (assumptions.no_abnormal_exit)
        return;
    assumptions.no_abnormal_exit = true;
    slice_compute(&c->alternative_slice, program, c->slice->points_to, &assumptions);
    plan_compute(&c->alternative, &c->alternative_slice, NULL);
    c->alternative_telling = zeroes(c->alternative_slice.demands.count);
    for (size_t i = 0; i < program->nodes.count; i++)
        program->nodes.items[i]->ends_abnormally = program->nodes.items[i]->is_unguarded = false;
}

static void collector_dispose(struct collector *c) {
    for (size_t i = 0; i < c->entries.count; i++) {
        vec_dispose(&c->entries.items[i].nodes);
        vec_dispose(&c->entries.items[i].inner);
    }
    vec_dispose(&c->entries);
    if (c->alternative.slice != NULL) {
        plan_dispose(&c->alternative);
        slice_dispose(&c->alternative_slice);
    }
    weights_dispose(&c->weights);
    free(c->covered);
    free(c->inside);
    free(c->telling);
    free(c->alternative_telling);
    arena_dispose(&c->arena);
}

json_t *describe_kept(const struct plan *plan) {
    const struct slice *s = plan->slice;
    struct collector c = {.plan = plan, .slice = s, .program = s->program};
    json_t *list = json_array();
    find_inside(&c);
    c.telling = zeroes(s->demands.count);
    weights_compute(&c.weights, s, true, c.inside);
    collect_all(&c);
    find_alternative(&c);
    for (size_t i = 0; i < c.entries.count; i++)
        if (c.entries.items[i].nodes.count > 0)
            json_array_append_new(list, describe_entry(&c, &c.entries.items[i]));
    collector_dispose(&c);
    return list;
}

json_t *describe_estimate(const struct generate_summary *summary) {
    return json_pack("{s:f, s:f}", "all", summary->work, "kept", summary->work_kept);
}

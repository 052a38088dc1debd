/* SPDX-License-Identifier: Apache-2.0
 *
 * Union and find over iterations of ranks, then the longest path to each; see iteration_clock.h.
 */
#include "synthesis/learn/iteration_clock.h"

#include "synthesis/learn/sightings.h"

#include <string.h>

struct loop_key {
    uint32_t run, node;
    int64_t part;
};

struct clocked_call { /* a call in an iteration of the loop at hand */
    size_t order;     /* its place among its rank's calls */
    int rank, iteration;
    const struct recorded_call *call;
};

struct clock_work {
    const struct sightings *own;
    const struct recorded_run *run;
    uint32_t number;     /* of the run */
    int *counts, *first; /* by rank: iterations, and the first one's place in `parent` */
    size_t total;
    size_t *parent;
    int *level;
    VEC(struct clocked_call) calls;
    struct hash_table channels; /* queues of calls not yet paired */
};

/* ---- Calls of a loop ---- */

static int compare_calls(const void *left, const void *right) {
    const struct clocked_call *a = left, *b = right;
    if (a->rank != b->rank)
        return a->rank - b->rank;
    return (a->order > b->order) - (a->order < b->order);
}

/* The outermost loop around a node; false: it is in none. */
static bool outermost(uint32_t *node, int *part, const struct program_tree *tree, uint32_t of) {
    bool found = false;
    for (uint32_t at = of; at != 0; at = tree->nodes.items[at].parent) {
        uint32_t parent = tree->nodes.items[at].parent;
        int number = tree->nodes.items[at].part;
        if (tree->nodes.items[parent].parts.items[number].is_loop) {
            *node = parent;
            *part = number;
            found = true;
        }
    }
    return found;
}

static void collect(struct clock_work *work, uint32_t node, int part) {
    const struct program_tree *tree = work->own->tree;
    for (size_t i = 0; i < tree->nodes.count; i++) {
        uint32_t loop = 0;
        int number = 0;
        if (tree->nodes.items[i].call < 0 || !outermost(&loop, &number, tree, (uint32_t)i) ||
            loop != node || number != part)
            continue;
        const struct sighting_rows *rows = &work->own->nodes[i].calls;
        for (size_t k = 0; k < rows->of.count; k++) {
            const struct sighting *row = &rows->of.items[k];
            if (row->run == work->number)
                vec_push(&work->calls,
                         (struct clocked_call){
                             (size_t)(row->call - work->run->by_rank[row->rank].calls.items),
                             row->rank, work->own->loops.items[row->loops].index, row->call});
        }
    }
    if (work->calls.count > 0)
        qsort(work->calls.items, work->calls.count, sizeof *work->calls.items, compare_calls);
}

/* ---- Which are the same ---- */

static size_t find(const struct clock_work *work, size_t at) {
    while (work->parent[at] != at)
        at = work->parent[at] = work->parent[work->parent[at]];
    return at;
}

static size_t place_of(const struct clock_work *work, const struct clocked_call *call) {
    return (size_t)(work->first[call->rank] + call->iteration);
}

struct pairing { /* of a channel or of a collective: iterations of one side */
    VEC(size_t) places;
};

struct pairing_key {
    int64_t kind, group, one, other, tag, number;
};

static struct pairing *pairing_of(struct clock_work *work, const struct pairing_key *key) {
    struct pairing *known = hash_table_find(&work->channels, key, sizeof *key);
    return known != NULL ? known : hash_table_add(&work->channels, key, sizeof *key, sizeof *known);
}

static void pair_message(struct clock_work *work, const struct clocked_call *call, int peer,
                         int tag, bool sends) {
    const struct synth_group *group = &work->run->groups[call->call->group];
    if (peer < 0 || peer >= group->places[call->rank].size)
        return;
    int other = group->members[call->rank][peer];
    const struct pairing_key key = {
        sends, call->call->group, sends ? call->rank : other, sends ? other : call->rank, tag, 0};
    vec_push(&pairing_of(work, &key)->places, place_of(work, call));
}

static void pair_collective(struct clock_work *work, const struct clocked_call *call,
                            int64_t *numbers) {
    const struct synth_group *group = &work->run->groups[call->call->group];
    if (group->places[call->rank].size == 0)
        return;
    const struct pairing_key key = {
        2, call->call->group, group->members[call->rank][0], 0, 0, numbers[call->call->group]++};
    struct pairing *pairing = pairing_of(work, &key);
    vec_push(&pairing->places, place_of(work, call));
    work->parent[find(work, pairing->places.items[0])] = find(work, place_of(work, call));
}

static void pair_all(struct clock_work *work) {
    int64_t numbers[SYNTH_GROUPS_MOST] = {0};
    for (size_t i = 0; i < work->calls.count; i++) {
        const struct clocked_call *call = &work->calls.items[i];
        bool exchanges = bsim_synth_role(call->call->call) == SYNTH_EXCHANGE;
        if (i > 0 && call->rank != work->calls.items[i - 1].rank)
            memset(numbers, 0, sizeof numbers);
        if (bsim_synth_sends(call->call->call))
            pair_message(work, call, call->call->peer, call->call->tag, true);
        if (bsim_synth_receives(call->call->call))
            pair_message(work, call, exchanges ? call->call->other_peer : call->call->peer,
                         exchanges ? call->call->other_tag : call->call->tag, false);
        if (bsim_synth_is_collective(call->call->call))
            pair_collective(work, call, numbers);
    }
}

static void join_messages(struct clock_work *work) {
    for (struct pairing *sent = hash_table_first(&work->channels); sent != NULL;
         sent = hash_table_next(sent)) {
        struct pairing_key key = *(const struct pairing_key *)hash_table_key(sent);
        if (key.kind != 1)
            continue;
        key.kind = 0;
        const struct pairing *got = hash_table_find(&work->channels, &key, sizeof key);
        for (size_t i = 0; got != NULL && i < sent->places.count && i < got->places.count; i++)
            work->parent[find(work, sent->places.items[i])] = find(work, got->places.items[i]);
    }
}

/* ---- Numbers ---- */

/* Raises levels until each iteration is behind the one before on its rank; false: that never ends.
 */
static bool find_levels(struct clock_work *work) {
    bool changes = true;
    for (size_t round = 0; changes; round++) {
        changes = false;
        if (round > work->total)
            return false;
        for (int rank = 0; rank < work->run->ranks; rank++)
            for (int i = 1; i < work->counts[rank]; i++) {
                size_t before = find(work, (size_t)(work->first[rank] + i - 1));
                size_t at = find(work, (size_t)(work->first[rank] + i));
                if (before == at)
                    return false;
                if (work->level[at] <= work->level[before]) {
                    work->level[at] = work->level[before] + 1;
                    changes = true;
                }
            }
    }
    return true;
}

static void keep(struct iteration_clock *out, struct clock_work *work, const struct loop_key *key) {
    struct clocked_loop *loop = hash_table_add(&out->loops, key, sizeof *key, sizeof *loop);
    loop->by_rank = ARENA_ARRAY(&out->arena, int *, (size_t)work->run->ranks);
    for (int rank = 0; rank < work->run->ranks; rank++) {
        loop->by_rank[rank] = ARENA_ARRAY(&out->arena, int, (size_t)work->counts[rank] + 1);
        for (int i = 0; i < work->counts[rank]; i++) {
            int number = work->level[find(work, (size_t)(work->first[rank] + i))];
            loop->by_rank[rank][i] = number;
            loop->count = number >= loop->count ? number + 1 : loop->count;
        }
    }
}

static bool counts_differ(const struct clock_work *work) {
    for (int rank = 1; rank < work->run->ranks; rank++)
        if (work->counts[rank] != work->counts[0])
            return true;
    return false;
}

static void count_iterations(struct clock_work *work, const struct sighting_rows *rows) {
    for (size_t i = 0; i < rows->of.count; i++)
        if (rows->of.items[i].run == work->number)
            work->counts[rows->of.items[i].rank] = (int)rows->of.items[i].value;
    for (int rank = 0; rank < work->run->ranks; rank++) {
        work->first[rank] = (int)work->total;
        work->total += (size_t)work->counts[rank];
    }
}

static void number_loop(struct iteration_clock *out, const struct sightings *own, uint32_t run,
                        uint32_t node, int part) {
    struct clock_work work = {.own = own, .run = own->runs->items.items[run], .number = run};
    const struct loop_key key = {run, node, part};
    work.counts = xcalloc((size_t)work.run->ranks, sizeof(int));
    work.first = xcalloc((size_t)work.run->ranks, sizeof(int));
    count_iterations(&work, &own->nodes[node].iterations[part]);
    work.parent = xcalloc(work.total + 1, sizeof(size_t));
    work.level = xcalloc(work.total + 1, sizeof(int));
    for (size_t i = 0; i < work.total; i++)
        work.parent[i] = i;
    if (counts_differ(&work)) {
        collect(&work, node, part);
        pair_all(&work);
        join_messages(&work);
        if (find_levels(&work))
            keep(out, &work, &key);
    }
    for (struct pairing *pairing = hash_table_first(&work.channels); pairing != NULL;
         pairing = hash_table_next(pairing))
        vec_dispose(&pairing->places);
    hash_table_dispose(&work.channels);
    vec_dispose(&work.calls);
    free(work.counts);
    free(work.first);
    free(work.parent);
    free(work.level);
}

void iteration_clock_make(struct iteration_clock *out, const struct sightings *own) {
    const struct program_tree *tree = own->tree;
    *out = (struct iteration_clock){0};
    arena_init(&out->arena);
    for (size_t node = 0; node < tree->nodes.count; node++)
        for (size_t part = 0; part < tree->nodes.items[node].parts.count; part++)
            if (tree->nodes.items[node].parts.items[part].is_loop &&
                own->nodes[node].iterations[part].depth == 0)
                for (size_t run = 0; run < own->runs->items.count; run++)
                    number_loop(out, own, (uint32_t)run, (uint32_t)node, (int)part);
}

void iteration_clock_dispose(struct iteration_clock *clock) {
    hash_table_dispose(&clock->loops);
    arena_dispose(&clock->arena);
}

const struct clocked_loop *iteration_clock_find(const struct iteration_clock *clock, uint32_t run,
                                                uint32_t node, int part) {
    const struct loop_key key = {run, node, part};
    return hash_table_find(&clock->loops, &key, sizeof key);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Each encoding turns the peers into numbers, which are learned like any other; rows that leave
 * open what the number is (nobody beyond an edge; a dimension with two ranks, around which both
 * directions lead to the same one) are left out, and what was learned is checked with all rows.
 * Dimension and distance are learned apart. See peer_hypotheses.h.
 */
#include "synthesis/learn/peer_hypotheses.h"

#include <stdlib.h>

#define NOBODY_ON_RING (1LL << 30)
#define INEXACT_COSTS 1000 /* complexity: of all rows wrong */

struct peer_row {
    struct synth_situation at;
    const struct synth_group *group;
    struct synth_place me;
    int number; /* of the group */
    long long peer;
};

struct peer_search {
    struct peer_hypotheses *out;
    struct synth_pool *pool;
    const struct learn_input *input;
    long long *values, *distances;
    bool *known, *distance_known;
    double costs[HYPOTHESES_MOST];
};

static struct peer_row row_at(const struct learn_input *input, size_t i) {
    const struct sighting *row = &input->rows->of.items[i];
    struct peer_row out = {.at = sighting_situation(input->sightings, input->rows, row),
                           .number = row->call->group,
                           .peer = input->values[i]};
    out.group = &input->sightings->runs->items.items[row->run]->groups[out.number];
    out.me = out.group->places[out.at.rank];
    return out;
}

/* ---- Encodings of numbers ---- */

/* A distance around a dimension: the shorter way; both are as long with two ranks. */
static long long around(bool *known, long long distance, int sides) {
    long long forward = (distance % sides + sides) % sides;
    *known = forward * 2 != sides;
    return forward * 2 > sides ? forward - sides : forward;
}

/* Distances on a ring: forward round it, or the shorter way, which is not known on a ring of one
 * rank or two. */
static long long encode(bool *known, enum synth_encoding encoding, bool shorter,
                        const struct peer_row *row) {
    bool nobody = row->peer < 0;
    long long size = row->me.size > 0 ? row->me.size : 1, me = row->me.position;
    *known = true;
    if (encoding == SYNTH_RING && shorter && !nobody) {
        long long distance = around(known, row->peer - me, (int)size);
        *known = *known && size > 2;
        return distance;
    }
    if (encoding == SYNTH_RING)
        return nobody ? NOBODY_ON_RING : (row->peer - me + size) % size;
    if (encoding == SYNTH_XOR)
        return nobody ? SYNTH_NOBODY : row->peer ^ me;
    if (encoding == SYNTH_ABSOLUTE)
        return nobody ? SYNTH_NOBODY : row->peer;
    *known = !nobody;
    return nobody ? 0 : row->peer - me;
}

static void encode_all(struct peer_search *search, enum synth_encoding encoding, bool shorter) {
    for (size_t i = 0; i < search->input->rows->of.count; i++) {
        const struct peer_row row = row_at(search->input, i);
        search->values[i] = encode(&search->known[i], encoding, shorter, &row);
    }
}

/* ---- Encodings by a topology ---- */

/* The one dimension in which two ranks differ; -1: there is not just one. */
static int differing(const int *one, const int *other, int count) {
    int found = -1;
    for (int k = 0; k < count; k++) {
        if (one[k] == other[k])
            continue;
        if (found >= 0)
            return -1;
        found = k;
    }
    return found;
}

static void encode_grid_row(struct peer_search *search, size_t i, const struct peer_row *row,
                            const struct synth_group *topology, bool is_torus) {
    int mine[SYNTH_DIMENSIONS_MOST], theirs[SYNTH_DIMENSIONS_MOST];
    search->known[i] = search->distance_known[i] = false;
    if (row->peer < 0 || topology->places[row->at.rank].size == 0)
        return;
    bsim_synth_coordinates(mine, topology, topology->places[row->at.rank].position);
    bsim_synth_coordinates(theirs, topology, (int)row->peer);
    int dimension = differing(mine, theirs, topology->dimension_count);
    if (dimension < 0)
        return;
    search->known[i] = true;
    search->values[i] = dimension;
    search->distance_known[i] = true;
    search->distances[i] = theirs[dimension] - mine[dimension];
    if (is_torus)
        search->distances[i] = around(&search->distance_known[i], search->distances[i],
                                      topology->dimensions[dimension]);
}

static void encode_grid(struct peer_search *search, int topology, bool is_torus) {
    for (size_t i = 0; i < search->input->rows->of.count; i++) {
        const struct peer_row row = row_at(search->input, i);
        const struct sighting *sighting = &search->input->rows->of.items[i];
        encode_grid_row(
            search, i, &row,
            &search->input->sightings->runs->items.items[sighting->run]->groups[topology],
            is_torus);
    }
}

/* ---- Keeping the best ---- */

static double share_right(const struct peer_search *search, const struct synth_peer *peer) {
    size_t right = 0, count = search->input->rows->of.count;
    for (size_t i = 0; i < count; i++) {
        const struct peer_row row = row_at(search->input, i);
        right += bsim_synth_peer(&row.at, peer, row.number) == row.peer;
    }
    return count > 0 ? (double)right / (double)count : 1;
}

/* Cheaper ones first; of equal ones those found first. An exact one drives out those that are not.
 */
static void keep(struct peer_search *search, const struct synth_peer *peer, double right,
                 double cost) {
    struct peer_hypotheses *out = search->out;
    if (out->count > 0 && cost > search->costs[0])
        return;
    if (out->count > 0 && cost < search->costs[0])
        out->count = 0;
    if (out->count == HYPOTHESES_MOST)
        return;
    if (out->count == 0)
        out->right = right;
    search->costs[out->count] = cost;
    out->items[out->count++] = *peer;
}

static void judge(struct peer_search *search, const struct synth_peer *peer) {
    double right = share_right(search, peer);
    int complexity = expression_complexity(peer->value) +
                     (peer->distance != NULL ? expression_complexity(peer->distance) : 0);
    keep(search, peer, right, complexity + (1 - right) * INEXACT_COSTS);
}

static bool any_known(const bool *known, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (known[i])
            return true;
    return false;
}

static void learn(struct hypotheses *out, const struct peer_search *search, const long long *values,
                  const bool *known) {
    struct learn_input input = *search->input;
    input.values = values;
    input.known = known;
    input.may_be_near = false;
    hypotheses_learn(out, search->pool, &input);
}

static void try_numbers(struct peer_search *search, enum synth_encoding encoding, bool shorter) {
    struct hypotheses found;
    encode_all(search, encoding, shorter);
    if (!any_known(search->known, search->input->rows->of.count))
        return;
    learn(&found, search, search->values, search->known);
    for (int i = 0; i < found.count; i++) {
        const struct synth_peer peer = {.encoding = encoding, .value = found.items[i]};
        judge(search, &peer);
    }
}

static void encode_stencil_row(struct peer_search *search, size_t i, const struct peer_row *row,
                               const struct synth_group *topology) {
    int mine[SYNTH_DIMENSIONS_MOST], theirs[SYNTH_DIMENSIONS_MOST];
    search->known[i] = row->peer >= 0 && topology->places[row->at.rank].size > 0;
    search->values[i] = 0;
    if (!search->known[i])
        return;
    bsim_synth_coordinates(mine, topology, topology->places[row->at.rank].position);
    bsim_synth_coordinates(theirs, topology, (int)row->peer);
    for (int k = 0; k < topology->dimension_count; k++) {
        search->known[i] &= abs(theirs[k] - mine[k]) <= 1;
        search->values[i] = 3 * search->values[i] + theirs[k] - mine[k] + 1;
    }
}

static void try_stencil(struct peer_search *search, int topology) {
    struct hypotheses found;
    for (size_t i = 0; i < search->input->rows->of.count; i++) {
        const struct peer_row row = row_at(search->input, i);
        uint32_t run = search->input->rows->of.items[i].run;
        encode_stencil_row(search, i, &row,
                           &search->input->sightings->runs->items.items[run]->groups[topology]);
    }
    if (!any_known(search->known, search->input->rows->of.count))
        return;
    learn(&found, search, search->values, search->known);
    for (int i = 0; i < found.count; i++) {
        const struct synth_peer peer = {
            .encoding = SYNTH_STENCIL, .group = topology, .value = found.items[i]};
        judge(search, &peer);
    }
}

/* With two ranks in each dimension both lead to the same one: which is meant shows on more. */
static void both_directions(struct hypotheses *out, struct synth_pool *pool) {
    *out = (struct hypotheses){.count = 2, .right = 1};
    out->items[0] = expression_constant(pool, 1);
    out->items[1] = expression_constant(pool, -1);
}

static void try_grid(struct peer_search *search, int topology, bool is_torus) {
    struct hypotheses dimension, distance;
    encode_grid(search, topology, is_torus);
    if (!any_known(search->known, search->input->rows->of.count))
        return;
    learn(&dimension, search, search->values, search->known);
    if (any_known(search->distance_known, search->input->rows->of.count))
        learn(&distance, search, search->distances, search->distance_known);
    else
        both_directions(&distance, search->pool);
    for (int i = 0; i < dimension.count; i++)
        for (int k = 0; k < distance.count; k++) {
            const struct synth_peer peer = {.encoding = is_torus ? SYNTH_TORUS : SYNTH_GRID,
                                            .group = topology,
                                            .value = dimension.items[i],
                                            .distance = distance.items[k]};
            judge(search, &peer);
        }
}

/* Whether all peers are ranks of a topology: of calls on communicators with as many ranks. */
static bool fits(const struct learn_input *input, int topology) {
    for (size_t i = 0; i < input->rows->of.count; i++) {
        const struct peer_row row = row_at(input, i);
        const struct sighting *sighting = &input->rows->of.items[i];
        const struct synth_group *of =
            &input->sightings->runs->items.items[sighting->run]->groups[topology];
        if (of->places[row.at.rank].size != row.me.size ||
            of->places[row.at.rank].position != row.me.position)
            return false;
    }
    return true;
}

static bool is_settled(const struct peer_search *search) {
    return search->out->count > 0 && search->out->right == 1 && search->costs[0] == 0;
}

static void try_all(struct peer_search *search) {
    static const enum synth_encoding numbers[] = {SYNTH_ABSOLUTE, SYNTH_RING, SYNTH_LINE,
                                                  SYNTH_XOR};
    const struct vocabulary *vocabulary = search->input->vocabulary;
    for (int i = 0; i < vocabulary->grid_count; i++)
        for (int torus = 0; torus < 2; torus++)
            if (fits(search->input, vocabulary->grids[i]))
                try_grid(search, vocabulary->grids[i], torus != 0);
    for (int i = 0; i < vocabulary->grid_count && !is_settled(search); i++)
        if (fits(search->input, vocabulary->grids[i]))
            try_stencil(search, vocabulary->grids[i]);
    bool has_grid = is_settled(search);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers && !has_grid; i++)
        for (int shorter = numbers[i] == SYNTH_RING; shorter >= 0; shorter--)
            try_numbers(search, numbers[i], shorter != 0);
}

void peer_hypotheses_learn(struct peer_hypotheses *out, struct synth_pool *pool,
                           const struct learn_input *input) {
    size_t count = input->rows->of.count;
    struct peer_search search = {.out = out,
                                 .pool = pool,
                                 .input = input,
                                 .values = xcalloc(count + 1, sizeof(long long)),
                                 .distances = xcalloc(count + 1, sizeof(long long)),
                                 .known = xcalloc(count + 1, sizeof(bool)),
                                 .distance_known = xcalloc(count + 1, sizeof(bool))};
    *out = (struct peer_hypotheses){0};
    try_all(&search);
    if (out->count == 0) { /* nobody, always */
        out->items[0] = (struct synth_peer){.value = expression_constant(pool, SYNTH_NOBODY)};
        out->count = 1;
        out->right = share_right(&search, &out->items[0]);
    }
    free(search.values);
    free(search.distances);
    free(search.known);
    free(search.distance_known);
}

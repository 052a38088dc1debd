/* SPDX-License-Identifier: Apache-2.0
 *
 * Logarithms of measured over predicted times, interpolated by linear radial basis functions; see
 * residual.h. The weights add up to zero, so that the factor is bounded. Points that are nearly at
 * one place are one; of more points than there is room for those are taken, one after the other,
 * at which the ones before are farthest off.
 */
#include "model/latency/residual.h"

#include "base/memory.h"
#include "model/solve/nnls.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define EXACT 0.001      /* a formula that is that near needs no factor */
#define SAME_PLACE 0.005 /* the factor would be steep between points that are nearer */
#define SHORTEST_S 1e-9  /* what is below cannot be measured */
/* Points that are left out in turn have to be told by the others, as those of a curve are: better
 * than independent numbers are, of which the mean of two others is off by one and a half times
 * their square. */
#define TELLS_OTHERS 1.4

/* Points at one place. */
struct rest_node {
    double at[BSIM_REST_DIMENSIONS]; /* by all features */
    double log_ratio, weight;
};

struct rest_nodes {
    struct rest_node items[BSIM_REST_POINTS];
    size_t count;
};

static void choose_features(struct bsim_rest *out, const struct design *design) {
    const struct dictionary *dictionary = design->dictionary;
    if (design->points->distinct_count < 2)
        return;
    for (int j = 0; j < dictionary->linear_count && out->dimensions < BSIM_REST_DIMENSIONS; j++)
        out->features[out->dimensions++] = dictionary->items[j].factors[0].feature;
}

/* True: one of them was at the same place. */
static bool merge(struct rest_node *nodes, size_t count, const struct bsim_rest *rest,
                  const struct rest_node *node) {
    for (size_t i = 0; i < count; i++) {
        struct rest_node *there = &nodes[i];
        if (bsim_rest_distance(rest, there->at, node->at) > SAME_PLACE)
            continue;
        double weight = there->weight + node->weight;
        there->log_ratio =
            (there->weight * there->log_ratio + node->weight * node->log_ratio) / weight;
        there->weight = weight;
        return true;
    }
    return false;
}

static size_t make_nodes(struct rest_node *out, const struct bsim_rest *rest,
                         const struct design *design, const struct candidate *candidate,
                         const double *coefficients, const bool *left_out) {
    size_t count = 0;
    for (size_t i = 0; i < design->rows; i++) {
        const struct point *point = &design->points->items[i];
        double latency_s = point->latency_s;
        double formula_s = design_formula_s(design, candidate, coefficients, point->features);
        if ((left_out != NULL && left_out[design->fold[i]]) || latency_s < SHORTEST_S ||
            formula_s < SHORTEST_S || !(design->plain_weight[i] > 0))
            continue;
        struct rest_node node = {.log_ratio = log(latency_s / formula_s),
                                 .weight = design->plain_weight[i]};
        bsim_rest_place(node.at, rest, point->features);
        if (!merge(out, count, rest, &node))
            out[count++] = node;
    }
    return count;
}

/* ---- Interpolation ---- */

static double value_at(const struct bsim_rest *rest, const double *place) {
    double sum = rest->level;
    for (int i = 0; i < rest->count; i++)
        sum += rest->weight[i] * bsim_rest_distance(rest, place, rest->at[i]);
    return sum;
}

/* Weights and level with which it goes through the nodes. */
static void solve(struct bsim_rest *rest, const struct rest_node *nodes) {
    double a[(BSIM_REST_POINTS + 1) * (BSIM_REST_POINTS + 1)];
    double b[BSIM_REST_POINTS + 1], x[BSIM_REST_POINTS + 1];
    size_t n = (size_t)rest->count, columns = n + 1;
    for (size_t i = 0; i < n; i++) {
        memcpy(rest->at[i], nodes[i].at, sizeof rest->at[i]);
        for (size_t k = 0; k < n; k++)
            a[i * columns + k] = bsim_rest_distance(rest, nodes[i].at, nodes[k].at);
        a[i * columns + n] = a[n * columns + i] = 1;
        b[i] = nodes[i].log_ratio;
    }
    a[n * columns + n] = b[n] = 0;
    least_squares_solve(
        x, &(struct least_squares){
               .a = a, .b = b, .rows = columns, .columns = columns, .stride = columns});
    memcpy(rest->weight, x, n * sizeof *x);
    rest->level = x[n];
}

/* Without node `but`. */
static struct bsim_rest interpolate(const struct bsim_rest *all, const struct rest_nodes *nodes,
                                    size_t but) {
    struct rest_node others[BSIM_REST_POINTS];
    struct bsim_rest out = {.dimensions = all->dimensions};
    memcpy(out.features, all->features, sizeof out.features);
    for (size_t i = 0; i < nodes->count; i++)
        if (i != but)
            others[out.count++] = nodes->items[i];
    solve(&out, others);
    bsim_rest_find_ends(&out);
    return out;
}

/* ---- Choice ---- */

static size_t farthest_off(const struct bsim_rest *rest, const struct rest_node *all,
                           size_t count) {
    size_t farthest = 0;
    double most = -1;
    for (size_t i = 0; i < count; i++) {
        double off = all[i].weight * fabs(all[i].log_ratio - value_at(rest, all[i].at));
        if (off <= most)
            continue;
        most = off;
        farthest = i;
    }
    return farthest;
}

/* Those of `all` that there is room for. */
static void take_nodes(struct rest_nodes *out, const struct bsim_rest *by,
                       const struct rest_node *all, size_t count) {
    out->count = count <= BSIM_REST_POINTS ? count : 1;
    memcpy(out->items, all, out->count * sizeof *all);
    while (out->count < count && out->count < BSIM_REST_POINTS) {
        struct bsim_rest through = interpolate(by, out, SIZE_MAX);
        out->items[out->count++] = all[farthest_off(&through, all, count)];
    }
}

static double squares_of(const struct rest_nodes *nodes) {
    double squares = 0, weight = 0;
    for (size_t i = 0; i < nodes->count; i++) {
        squares += nodes->items[i].weight * pow(nodes->items[i].log_ratio, 2);
        weight += nodes->items[i].weight;
    }
    return weight > 0 ? squares / weight : 0;
}

/* Of nodes that the others tell. */
static double squares_left_out(const struct bsim_rest *all, const struct rest_nodes *nodes) {
    double squares = 0, weight = 0;
    for (size_t i = 0; i < nodes->count; i++) {
        const struct rest_node *node = &nodes->items[i];
        struct bsim_rest rest = interpolate(all, nodes, i);
        squares += node->weight * pow(node->log_ratio - value_at(&rest, node->at), 2);
        weight += node->weight;
    }
    return weight > 0 ? squares / weight : 0;
}

bool residual_find(struct bsim_rest *out, const struct design *design,
                   const struct candidate *candidate, const double *coefficients,
                   const bool *left_out) {
    struct bsim_rest all = {0};
    struct rest_nodes nodes;
    choose_features(&all, design);
    if (!design->points->are_exact || all.dimensions == 0)
        return false;
    struct rest_node *rests = xmalloc((design->rows + 1) * sizeof *rests);
    size_t count = make_nodes(rests, &all, design, candidate, coefficients, left_out);
    take_nodes(&nodes, &all, rests, count);
    free(rests);
    double squares = squares_of(&nodes);
    if (nodes.count < 2 || squares <= EXACT * EXACT ||
        squares_left_out(&all, &nodes) > TELLS_OTHERS * squares)
        return false;
    *out = interpolate(&all, &nodes, SIZE_MAX);
    out->goes_on = design->points->has_caches;
    return true;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Logarithms of measured over predicted times, averaged for each size of a feature; see residual.h.
 */
#include "model/latency/residual.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

#define ROUNDS 2        /* features that the factor is a product of */
#define EXACT 0.001     /* a formula that is that near needs no factor */
#define SAME_SIZE 1.005 /* sizes so near are one: factors between them would be steep */
#define AS_GOOD 0.1     /* of the squares: features that leave so much more explain as well */
#define TURNS_MOST 2.05 /* once up and down again is what a curve leaves beside a straight line */
#define SHORTEST_S 1e-9

/* A point that counts. */
struct rest {
    size_t row;
    double log_ratio, weight;
};

/* A size of the feature. */
struct size_node {
    double size, log_ratio, weight;
};

struct rests {
    const struct design *design;
    const struct candidate *candidate;
    struct rest *items;
    size_t count;
    double squares;
    struct size_node *nodes; /* of the feature that is looked at */
    size_t node_count;
};

static double feature_of(const struct rests *rests, const struct rest *rest, int feature) {
    return rests->design->points->items[rest->row].features[feature];
}

static double predicted_s(const struct design *design, const struct candidate *candidate,
                          const double *coefficients, size_t row) {
    double latency_s = 0;
    for (size_t k = 0; k < candidate->count; k++)
        latency_s += coefficients[k] * design_value(design, candidate, row, k);
    return latency_s;
}

static void take_rests(struct rests *out, const struct design *design,
                       const struct candidate *candidate, const double *coefficients,
                       const bool *left_out) {
    for (size_t i = 0; i < design->rows; i++) {
        double latency_s = design->points->items[i].latency_s;
        double formula_s = predicted_s(design, candidate, coefficients, i);
        if ((left_out != NULL && left_out[design->fold[i]]) || latency_s < SHORTEST_S ||
            formula_s < SHORTEST_S)
            continue;
        out->items[out->count++] =
            (struct rest){i, log(latency_s / formula_s), design->plain_weight[i]};
    }
}

static double squares_of(const struct rests *rests) {
    double squares = 0, weight = 0;
    for (size_t i = 0; i < rests->count; i++) {
        squares += rests->items[i].weight * pow(rests->items[i].log_ratio, 2);
        weight += rests->items[i].weight;
    }
    return weight > 0 ? squares / weight : 0;
}

static int compare_nodes(const void *left, const void *right) {
    const struct size_node *l = left, *r = right;
    return (l->size > r->size) - (l->size < r->size);
}

static void merge(struct size_node *into, const struct size_node *node) {
    double weight = into->weight + node->weight;
    if (weight > 0)
        into->log_ratio =
            (into->weight * into->log_ratio + node->weight * node->log_ratio) / weight;
    into->weight = weight;
}

/* False: the feature is 0 somewhere, or the same everywhere. */
static bool make_nodes(struct rests *rests, int feature) {
    rests->node_count = 0;
    for (size_t i = 0; i < rests->count; i++) {
        double size = feature_of(rests, &rests->items[i], feature);
        if (!(size > 0))
            return false;
        rests->nodes[i] =
            (struct size_node){size, rests->items[i].log_ratio, rests->items[i].weight};
    }
    qsort(rests->nodes, rests->count, sizeof *rests->nodes, compare_nodes);
    for (size_t i = 0; i < rests->count; i++) {
        struct size_node *last = &rests->nodes[rests->node_count > 0 ? rests->node_count - 1 : 0];
        if (rests->node_count > 0 && rests->nodes[i].size <= SAME_SIZE * last->size)
            merge(last, &rests->nodes[i]);
        else
            rests->nodes[rests->node_count++] = rests->nodes[i];
    }
    return rests->node_count > 1;
}

/* How far a straight line between its neighbours is off at node i. */
static double off_line(const struct size_node *nodes, size_t i) {
    const struct size_node *left = &nodes[i - 1], *right = &nodes[i + 1];
    double part = log(nodes[i].size / left->size) / log(right->size / left->size);
    return nodes[i].log_ratio - left->log_ratio - part * (right->log_ratio - left->log_ratio);
}

/* The node between whose neighbours a straight line is nearest to it. */
static size_t least_needed(const struct size_node *nodes, size_t count) {
    size_t least = 1;
    double least_off = INFINITY;
    for (size_t i = 1; i + 1 < count; i++) {
        double off = fabs(off_line(nodes, i)) * nodes[i].weight;
        if (off < least_off) {
            least_off = off;
            least = i;
        }
    }
    return least;
}

static void thin_out(struct rests *rests, size_t most) {
    while (rests->node_count > most && rests->node_count > 2) {
        size_t least = least_needed(rests->nodes, rests->node_count);
        rests->node_count--;
        for (size_t i = least; i < rests->node_count; i++)
            rests->nodes[i] = rests->nodes[i + 1];
    }
}

static double at(const struct rests *rests, double size) {
    const struct size_node *node = rests->nodes, *last = node + rests->node_count - 1;
    if (size <= node->size)
        return node->log_ratio;
    while (node < last && size > node[1].size)
        node++;
    if (node == last)
        return last->log_ratio;
    double part = log(size / node->size) / log(node[1].size / node->size);
    return node->log_ratio + part * (node[1].log_ratio - node->log_ratio);
}

static double variation(const struct rests *rests) {
    double sum = 0;
    for (size_t i = 1; i < rests->node_count; i++)
        sum += fabs(rests->nodes[i].log_ratio - rests->nodes[i - 1].log_ratio);
    return sum;
}

/* A factor that goes up and down again and again tells nothing of a size between two others: what
 * decides is no function of this feature. */
static bool tells_others(const struct rests *rests) {
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < rests->node_count; i++) {
        least = fmin(least, rests->nodes[i].log_ratio);
        most = fmax(most, rests->nodes[i].log_ratio);
    }
    return variation(rests) <= TURNS_MOST * (most - least);
}

static double squares_left(const struct rests *rests, int feature) {
    double squares = 0, weight = 0;
    for (size_t i = 0; i < rests->count; i++) {
        const struct rest *rest = &rests->items[i];
        double left = rest->log_ratio - at(rests, feature_of(rests, rest, feature));
        squares += rest->weight * left * left;
        weight += rest->weight;
    }
    return weight > 0 ? squares / weight : INFINITY;
}

/* Whether time goes with it: then it counts all that is done, as a working set does. */
static bool is_in_formula(const struct rests *rests, int feature) {
    const struct candidate *candidate = rests->candidate;
    for (size_t k = 0; candidate->powers == NULL && k < candidate->count; k++) {
        const struct monomial *monomial = &rests->design->dictionary->items[candidate->columns[k]];
        for (int i = 0; candidate->coefficients[k] > 0 && i < monomial->factor_count; i++)
            if (monomial->factors[i].feature == feature)
                return true;
    }
    return candidate->powers != NULL && candidate->powers[feature] > 0;
}

/* How well a feature explains what is left; the nodes are made. */
struct explanation {
    int feature; /* -1: it explains nothing */
    double squares, variation;
    bool is_in_formula;
};

static struct explanation explain(struct rests *rests, int feature, size_t most_nodes) {
    struct explanation out = {.feature = -1, .squares = INFINITY};
    if (!make_nodes(rests, feature) || !tells_others(rests))
        return out;
    thin_out(rests, most_nodes);
    out = (struct explanation){feature, squares_left(rests, feature), variation(rests),
                               is_in_formula(rests, feature)};
    return out;
}

static bool is_better(const struct explanation *left, const struct explanation *right,
                      double as_good) {
    if (fabs(left->squares - right->squares) > as_good || right->feature < 0)
        return left->squares < right->squares;
    if (left->is_in_formula != right->is_in_formula)
        return left->is_in_formula;
    return left->variation < right->variation;
}

/* -1: none explains anything. Its nodes are made. */
static int choose_feature(struct rests *rests, size_t most_nodes) {
    const struct dictionary *dictionary = rests->design->dictionary;
    struct explanation best = {.feature = -1, .squares = INFINITY};
    for (int j = 0; j < dictionary->linear_count; j++) {
        struct explanation one =
            explain(rests, dictionary->items[j].factors[0].feature, most_nodes);
        if (one.feature >= 0 && is_better(&one, &best, AS_GOOD * rests->squares))
            best = one;
    }
    if (best.feature < 0 || best.squares > rests->squares / 2)
        return -1;
    explain(rests, best.feature, most_nodes);
    return best.feature;
}

static void add_steps(struct residual *out, const struct rests *rests, int feature) {
    out->level *= exp(rests->nodes[0].log_ratio);
    for (size_t i = 1; i < rests->node_count && out->count < BSIM_STEPS_MAX; i++) {
        const struct size_node *from = &rests->nodes[i - 1], *to = &rests->nodes[i];
        double factor = exp(to->log_ratio - from->log_ratio);
        out->steps[out->count++] =
            (struct bsim_step){.feature = feature,
                               .from = from->size,
                               .to = to->size,
                               .factor = factor,
                               .power = bsim_step_power(from->size, to->size, factor)};
    }
}

static void take_off(struct rests *rests, int feature) {
    for (size_t i = 0; i < rests->count; i++)
        rests->items[i].log_ratio -= at(rests, feature_of(rests, &rests->items[i], feature));
}

void residual_find(struct residual *out, const struct design *design,
                   const struct candidate *candidate, const double *coefficients,
                   const bool *left_out) {
    struct rests rests = {.design = design, .candidate = candidate};
    *out = (struct residual){.level = 1};
    if (!design->points->are_exact)
        return;
    rests.items = xmalloc((design->rows + 1) * sizeof *rests.items);
    rests.nodes = xmalloc((design->rows + 1) * sizeof *rests.nodes);
    take_rests(&rests, design, candidate, coefficients, left_out);
    int most = BSIM_STEPS_MAX - candidate->has_step;
    for (int round = 0; round < ROUNDS && rests.count > 0; round++) {
        rests.squares = squares_of(&rests);
        int room = most - out->count;
        int feature = rests.squares > EXACT * EXACT && room > 1
                          ? choose_feature(&rests, (size_t)(room - (ROUNDS - 1 - round) * room / 3))
                          : -1;
        if (feature < 0)
            break;
        add_steps(out, &rests, feature);
        take_off(&rests, feature);
    }
    free(rests.items);
    free(rests.nodes);
}

double residual_factor(const struct residual *residual, const double *features) {
    double factor = residual->level;
    for (int i = 0; i < residual->count; i++)
        factor *= bsim_step_factor(&residual->steps[i], features[residual->steps[i].feature]);
    return factor;
}

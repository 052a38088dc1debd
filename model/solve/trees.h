/* SPDX-License-Identifier: Apache-2.0
 *
 * Random forests for regression: rows of inputs with a target and a weight -> trees. Grown by
 * XGBoost in one round of parallel trees (each on a part of the rows and, at each node, of the
 * inputs), with one thread and a fixed seed, so that the same rows give the same trees.
 */
#pragma once

#include "base/arena.h"
#include "base/error.h"

#define TREES_MAX 100
#define TREES_DEPTH_MAX 5

struct tree_rows {
    size_t count;
    int input_count;
    const float *inputs; /* input_count of each row in turn; finite */
    const float *targets, *weights;
    double least_gain; /* weighted squares that a division has to save, or it is not made */
};

/* Where the input is below `value` the node behind it follows, else the one that comes after all
 * nodes of that. */
struct tree_node {
    int input; /* -1: a leaf, which gives `value` */
    double value;
    int other; /* position of the child for what is not below */
};

struct regression_tree {
    struct tree_node *nodes; /* in preorder */
    int count;
};

struct trees {
    struct regression_tree items[TREES_MAX];
    int count;
};

/* So many trees, from the arena; 0 or -1. */
int trees_grow(struct trees *out, struct arena *arena, const struct tree_rows *rows, int count,
               struct error *error);

/* The sum of what all trees give. */
double trees_sum(const struct trees *trees, const float *inputs);

/* SPDX-License-Identifier: Apache-2.0
 *
 * Reductions (Open MPI's coll_base_reduce.c and coll_base_allreduce.c), of operations that commute.
 *
 * The fixed decisions ask for no segments. So a segmented ring is a ring, and a tree is followed in
 * one piece: at most two children are received from at a time. With fewer elements than ranks a
 * ring is recursive doubling, and with fewer than the power of two of ranks Rabenseifner's
 * algorithm (R. Rabenseifner, "Optimization of collective reduction operations", ICCS 2004) is a
 * reduction and a broadcast. Not handled: Rabenseifner's reduce, which is decided for less than 8
 * bytes.
 */
#include "runtime/openmpi/collective_tree.h"
#include "runtime/openmpi/decisions.h"
#include "runtime/openmpi/openmpi.h"

enum { LINEAR = 1, CHAIN, PIPELINE, BINARY, BINOMIAL, BINARY_IN_ORDER };
enum { ALL_BY_ROOT = 2, ALL_RECURSIVE_DOUBLING, ALL_RING, ALL_SEGMENTED_RING, ALL_RABENSEIFNER };

/* ---- To a root ---- */

/* From the last rank on. */
static void reduce_linear(const struct group *group, const struct payload_block *in,
                          const struct payload_block *out, MPI_Op op, int root) {
    if (group->rank != root) {
        bsim__group_send(group, out, root);
        return;
    }
    struct payload_block part = bsim__block_new(group, out, out->count);
    bsim__block_copy(group, in, out);
    for (int i = group->size - 1; i >= 0; i--)
        if (i != root) {
            bsim__group_receive(group, &part, i);
            bsim__block_reduce(group, in, &part, op);
        }
    bsim__block_release(group, &part);
}

/* A child's message is waited for when the next child's receive is posted. */
static void receive_children(const struct group *group, const struct payload_block *sum,
                             const struct collective_tree *tree, MPI_Op op) {
    struct payload_block parts[2] = {bsim__block_new(group, sum, sum->count),
                                     bsim__block_new(group, sum, sum->count)};
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    for (int i = 0; i <= tree->count; i++) {
        if (i < tree->count)
            requests[i % 2] = bsim__group_irecv(group, &parts[i % 2], tree->children[i]);
        if (i == 0)
            continue;
        bsim__group_wait(1, &requests[(i - 1) % 2]);
        bsim__block_reduce(group, sum, &parts[(i - 1) % 2], op);
    }
    bsim__block_release(group, &parts[0]);
    bsim__block_release(group, &parts[1]);
}

static void reduce_along(const struct group *group, const struct payload_block *in,
                         const struct payload_block *out, MPI_Op op,
                         const struct collective_tree *tree) {
    if (tree->count == 0) {
        bsim__group_send(group, out, tree->parent);
        return;
    }
    bool is_root = tree->parent < 0;
    struct payload_block sum = is_root ? *in : bsim__block_new(group, out, out->count);
    bsim__block_copy(group, &sum, out);
    receive_children(group, &sum, tree, op);
    if (is_root)
        return;
    bsim__group_send(group, &sum, tree->parent);
    bsim__block_release(group, &sum);
}

/* The tree's root is the last rank, which sends the result to the root. */
static void reduce_in_order(const struct group *group, const struct payload_block *in,
                            const struct payload_block *out, MPI_Op op, int root) {
    struct collective_tree tree;
    int last = group->size - 1;
    bsim__tree_binary_in_order(&tree, group);
    struct payload_block sum =
        group->rank == last && root != last ? bsim__block_new(group, out, out->count) : *in;
    reduce_along(group, &sum, out, op, &tree);
    if (root == last)
        return;
    if (group->rank == last) {
        bsim__group_send(group, &sum, root);
        bsim__block_release(group, &sum);
    } else if (group->rank == root) {
        bsim__group_receive(group, in, last);
    }
}

static void reduce_by(const struct group *group, const struct payload_block *in,
                      const struct payload_block *out, MPI_Op op, int root, int algorithm) {
    struct collective_tree tree;
    switch (algorithm) {
    case CHAIN:
    case PIPELINE:
        bsim__tree_chain(&tree, group, root);
        break;
    case BINARY:
        bsim__tree_binary(&tree, group, root);
        break;
    case BINOMIAL:
        bsim__tree_binomial_in_order(&tree, group, root);
        break;
    case BINARY_IN_ORDER:
        reduce_in_order(group, in, out, op, root);
        return;
    default:
        reduce_linear(group, in, out, op, root);
        return;
    }
    reduce_along(group, in, out, op, &tree);
}

void bsim__openmpi_reduce(const struct group *group, const struct payload_block *in,
                          const struct payload_block *out, MPI_Op op, int root) {
    if (group->size < 2)
        bsim__block_copy(group, in, out);
    else if (out->count > 0)
        reduce_by(
            group, in, out, op, root,
            bsim__openmpi_decide(OPENMPI_REDUCE, group->size, (double)bsim__block_bytes(out)));
}

/* ---- To all ---- */

/* Of the first 2 * (size - power) ranks the odd ones take over what the even ones have. */
static void recursive_doubling(const struct group *group, const struct payload_block *sum,
                               MPI_Op op) {
    int power = bsim__group_power(group), extra = group->size - power, rank = group->rank;
    struct payload_block part = bsim__block_new(group, sum, sum->count);
    bool is_extra = rank < 2 * extra, is_out = is_extra && rank % 2 == 0;
    int place = is_extra ? rank / 2 : rank - extra;
    if (is_out) {
        bsim__group_send(group, sum, rank + 1);
    } else if (is_extra) {
        bsim__group_receive(group, &part, rank - 1);
        bsim__block_reduce(group, sum, &part, op);
    }
    for (int mask = 1; mask < power && !is_out; mask *= 2) {
        int other = place ^ mask;
        other = other < extra ? 2 * other + 1 : other + extra;
        bsim__group_exchange(group, sum, other, &part, other);
        bsim__block_reduce(group, sum, &part, op);
    }
    if (is_out)
        bsim__group_receive(group, sum, rank + 1);
    else if (is_extra)
        bsim__group_send(group, sum, rank - 1);
    bsim__block_release(group, &part);
}

/* The ring's part of a rank: the first ones have one element more where they cannot be equal. */
static struct payload_block ring_part(const struct group *group, const struct payload_block *all,
                                      int number) {
    int index = (number % group->size + group->size) % group->size;
    int least = all->count / group->size, more = all->count % group->size;
    int first = index * least + (index < more ? index : more);
    return bsim__block_part(all, first, least + (index < more));
}

/* Each part goes round once while it is summed up, and once more to all. */
static void ring(const struct group *group, const struct payload_block *sum, MPI_Op op) {
    int next = (group->rank + 1) % group->size;
    int before = (group->rank + group->size - 1) % group->size;
    struct payload_block space = bsim__block_new(group, sum, sum->count / group->size + 1);
    for (int step = 0; step < group->size - 1; step++) {
        struct payload_block out = ring_part(group, sum, group->rank - step);
        struct payload_block in = ring_part(group, sum, group->rank - step - 1);
        struct payload_block part = {space.at, in.count, in.type};
        bsim__group_exchange(group, &out, next, &part, before);
        bsim__block_reduce(group, &in, &part, op);
    }
    for (int step = 0; step < group->size - 1; step++) {
        struct payload_block out = ring_part(group, sum, group->rank + 1 - step);
        struct payload_block in = ring_part(group, sum, group->rank - step);
        bsim__group_exchange(group, &out, next, &in, before);
    }
    bsim__block_release(group, &space);
}

/* A range of elements that is halved step by step. */
struct half {
    int first, count, other; /* other: the rank that has the other half */
    int out_first, out_count;
};

#define STEPS_MOST 31

static struct half halve(int first, int count, bool keeps_left, int other) {
    int left = count / 2;
    if (keeps_left)
        return (struct half){first, left, other, first + left, count - left};
    return (struct half){first + left, count - left, other, first, left};
}

/* Before the halving: of two ranks each sums up one half, and the even one has both then. */
static void sum_pair(const struct group *group, const struct payload_block *sum,
                     const struct payload_block *space, MPI_Op op) {
    bool is_even = group->rank % 2 == 0;
    int other = group->rank ^ 1;
    struct half half = halve(0, sum->count, is_even, other);
    struct payload_block out = bsim__block_part(sum, half.out_first, half.out_count);
    struct payload_block in = bsim__block_part(sum, half.first, half.count);
    struct payload_block part = {space->at, half.count, sum->type};
    bsim__group_exchange(group, &out, other, &part, other);
    bsim__block_reduce(group, &in, &part, op);
    if (is_even)
        bsim__group_receive(group, &out, other);
    else
        bsim__group_send(group, &in, other);
}

static void halve_and_double(const struct group *group, const struct payload_block *sum,
                             const struct payload_block *space, MPI_Op op, int place, int extra) {
    struct half halves[STEPS_MOST] = {{.count = sum->count}};
    int power = bsim__group_power(group), steps = 0;
    int first = 0, count = sum->count;
    for (int mask = 1; mask < power; mask *= 2, steps++) {
        int other = place ^ mask;
        other = other < extra ? 2 * other : other + extra;
        halves[steps] = halve(first, count, group->rank < other, other);
        first = halves[steps].first;
        count = halves[steps].count;
        struct payload_block out =
            bsim__block_part(sum, halves[steps].out_first, halves[steps].out_count);
        struct payload_block in = bsim__block_part(sum, first, count);
        struct payload_block part = {space->at, count, sum->type};
        bsim__group_exchange(group, &out, other, &part, other);
        bsim__block_reduce(group, &in, &part, op);
    }
    while (steps-- > 0) {
        struct payload_block out = bsim__block_part(sum, halves[steps].first, halves[steps].count);
        struct payload_block in =
            bsim__block_part(sum, halves[steps].out_first, halves[steps].out_count);
        bsim__group_exchange(group, &out, halves[steps].other, &in, halves[steps].other);
    }
}

static void rabenseifner(const struct group *group, const struct payload_block *sum, MPI_Op op) {
    int extra = group->size - bsim__group_power(group), rank = group->rank;
    struct payload_block space = bsim__block_new(group, sum, sum->count);
    bool is_extra = rank < 2 * extra, is_out = is_extra && rank % 2 == 1;
    if (is_extra)
        sum_pair(group, sum, &space, op);
    if (!is_out)
        halve_and_double(group, sum, &space, op, is_extra ? rank / 2 : rank - extra, extra);
    if (is_out)
        bsim__group_receive(group, sum, rank - 1);
    else if (is_extra)
        bsim__group_send(group, sum, rank + 1);
    bsim__block_release(group, &space);
}

/* What the decision means with so few elements. */
static int usable(const struct group *group, int algorithm, int count) {
    bool is_ring = algorithm == ALL_RING || algorithm == ALL_SEGMENTED_RING;
    if (is_ring && count < group->size)
        return ALL_RECURSIVE_DOUBLING;
    if (algorithm == ALL_RABENSEIFNER && count < bsim__group_power(group))
        return LINEAR;
    return algorithm;
}

static void sum_up_at_root(const struct group *group, const struct payload_block *in,
                           const struct payload_block *out, MPI_Op op, bool is_linear) {
    if (is_linear)
        reduce_linear(group, in, out, op, 0);
    else
        bsim__openmpi_reduce(group, in, out, op, 0);
    bsim__openmpi_bcast(group, in, 0);
}

void bsim__openmpi_allreduce(const struct group *group, const struct payload_block *in,
                             const struct payload_block *out, MPI_Op op) {
    int algorithm =
        bsim__openmpi_decide(OPENMPI_ALLREDUCE, group->size, (double)bsim__block_bytes(out));
    algorithm = usable(group, algorithm, out->count);
    bool is_at_root = algorithm == LINEAR || algorithm == ALL_BY_ROOT;
    if (group->size < 2 || out->count == 0 || !is_at_root)
        bsim__block_copy(group, in, out);
    if (group->size < 2 || out->count == 0)
        return;
    if (is_at_root)
        sum_up_at_root(group, in, out, op, algorithm == LINEAR);
    else if (algorithm == ALL_RECURSIVE_DOUBLING)
        recursive_doubling(group, in, op);
    else if (algorithm == ALL_RABENSEIFNER)
        rabenseifner(group, in, op);
    else
        ring(group, in, op);
}

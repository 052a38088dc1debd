/* SPDX-License-Identifier: Apache-2.0
 *
 * Broadcasts (Open MPI's coll_base_bcast.c): along trees, in one piece, since its fixed decisions
 * ask for no segments, or as parts that are scattered and gathered again by all (R. Thakur, R.
 * Rabenseifner, W. Gropp, "Optimization of collective communication operations in MPICH", IJHPCA
 * 19(1), 2005).
 */
#include "runtime/openmpi/collective_tree.h"
#include "runtime/openmpi/decisions.h"
#include "runtime/openmpi/openmpi.h"

#include <stdlib.h>

enum { LINEAR = 1, CHAIN, PIPELINE, SPLIT_BINARY, BINARY, BINOMIAL, KNOMIAL, SCATTER_ALLGATHER };

static void send_to_all(const struct group *group, const struct payload_block *block,
                        const int *ranks, int count) {
    MPI_Request *requests = calloc((size_t)count + 1, sizeof *requests);
    if (requests == NULL)
        MPI_Abort(group->comm, MPI_ERR_NO_MEM);
    for (int i = 0; i < count; i++)
        requests[i] = bsim__group_isend(group, block, ranks[i]);
    bsim__group_wait(count, requests);
    free(requests);
}

static void linear(const struct group *group, const struct payload_block *block, int root) {
    if (group->rank != root) {
        bsim__group_receive(group, block, root);
        return;
    }
    int *others = calloc((size_t)group->size, sizeof *others), count = 0;
    if (others == NULL)
        MPI_Abort(group->comm, MPI_ERR_NO_MEM);
    for (int i = 0; i < group->size; i++)
        if (i != root)
            others[count++] = i;
    send_to_all(group, block, others, count);
    free(others);
}

static void along(const struct group *group, const struct payload_block *block,
                  const struct collective_tree *tree) {
    if (tree->parent >= 0)
        bsim__group_receive(group, block, tree->parent);
    send_to_all(group, block, tree->children, tree->count);
}

/* ---- In two halves ---- */

/* One half goes down each subtree of a binary tree, and a rank exchanges its own half with one of
 * the other subtree: odd places are in the left one. The last of an even number of ranks has no
 * partner, and gets the other half from the root. */
static void split_binary(const struct group *group, const struct payload_block *block, int root) {
    struct collective_tree tree;
    int size = group->size, place = (group->rank - root + size) % size, left = place % 2;
    int first = (block->count + 1) / 2;
    struct payload_block halves[] = {bsim__block_part(block, first, block->count - first),
                                     bsim__block_part(block, 0, first)};
    bsim__tree_binary(&tree, group, root);
    if (place == 0) {
        for (int i = 0; i < tree.count; i++)
            bsim__group_send(group, &halves[1 - i], tree.children[i]);
    } else {
        along(group, &halves[left], &tree);
    }
    int last = (root + size - 1) % size;
    int other = (group->rank + (left ? 1 : size - 1)) % size;
    if (size % 2 == 0 && place == 0)
        bsim__group_send(group, &halves[0], last);
    else if (size % 2 == 0 && group->rank == last)
        bsim__group_receive(group, &halves[0], root);
    else if (place > 0)
        bsim__group_exchange(group, &halves[left], other, &halves[1 - left], other);
}

/* ---- In parts, one for each rank ---- */

/* So many parts of `each` elements from the part `first` on; the last ones may be empty. */
static struct payload_block parts_of(const struct payload_block *block, int each, int first,
                                     int count) {
    long begin = (long)first * each, end = ((long)first + count) * each;
    begin = begin < block->count ? begin : block->count;
    end = end < block->count ? end : block->count;
    return bsim__block_part(block, (int)begin, (int)(end - begin));
}

/* A rank gets the parts of its subtree. */
static void scatter_parts(const struct group *group, const struct payload_block *block, int root,
                          int each) {
    struct collective_tree tree;
    int size = group->size, place = (group->rank - root + size) % size;
    bsim__tree_binomial_in_order(&tree, group, root);
    if (tree.parent >= 0) {
        struct payload_block own = parts_of(block, each, place, place & -place);
        if (own.count > 0)
            bsim__group_receive(group, &own, tree.parent);
    }
    for (int i = tree.count - 1; i >= 0; i--) {
        int child = (tree.children[i] - root + size) % size;
        struct payload_block part = parts_of(block, each, child, child & -child);
        if (part.count > 0)
            bsim__group_send(group, &part, tree.children[i]);
    }
}

/* Of the `mask` places that a rank is one of, those whose partner would be beyond the last rank get
 * `part` from the others, of which there are `count`. */
static void hand_to_unpaired(const struct group *group, const struct payload_block *part, int root,
                             int mask, int count) {
    int size = group->size, place = (group->rank - root + size) % size;
    for (int half = mask / 2; half > 0; half /= 2) {
        int other = place ^ half, begin = place - place % (2 * half);
        int low = place < other ? place : other, high = place < other ? other : place;
        if (low >= begin + count || high < begin + count)
            continue;
        if (place == low)
            bsim__group_send(group, part, (other + root) % size);
        else
            bsim__group_receive(group, part, (other + root) % size);
    }
}

static void gather_parts(const struct group *group, const struct payload_block *block, int root,
                         int each) {
    int size = group->size, place = (group->rank - root + size) % size;
    for (int mask = 1; mask < size; mask *= 2) {
        int other = place ^ mask, own_first = place - place % mask;
        int other_first = other - other % mask;
        struct payload_block out = parts_of(block, each, own_first, mask);
        struct payload_block in = parts_of(block, each, other_first, mask);
        if (other < size)
            bsim__group_exchange(group, &out, (other + root) % size, &in, (other + root) % size);
        if (other_first + mask > size)
            hand_to_unpaired(group, &in, root, mask, size - other_first);
    }
}

static void scatter_allgather(const struct group *group, const struct payload_block *block,
                              int root) {
    int each = (block->count + group->size - 1) / group->size;
    scatter_parts(group, block, root, each);
    gather_parts(group, block, root, each);
}

/* ---- Which one ---- */

static void choose_tree(struct collective_tree *out, const struct group *group, int algorithm,
                        int root) {
    switch (algorithm) {
    case CHAIN:
    case PIPELINE:
        bsim__tree_chain(out, group, root);
        break;
    case BINARY:
        bsim__tree_binary(out, group, root);
        break;
    case KNOMIAL:
        bsim__tree_knomial(out, group, root);
        break;
    default:
        bsim__tree_binomial(out, group, root);
    }
}

/* What the decision means with so few elements. */
static int usable(const struct group *group, int algorithm, int count) {
    if (algorithm == SCATTER_ALLGATHER && count < group->size)
        return LINEAR;
    if (algorithm == SPLIT_BINARY && count < 2)
        return CHAIN;
    return algorithm;
}

void bsim__openmpi_bcast(const struct group *group, const struct payload_block *block, int root) {
    struct collective_tree tree;
    if (group->size < 2 || block->count == 0)
        return;
    int algorithm =
        bsim__openmpi_decide(OPENMPI_BCAST, group->size, (double)bsim__block_bytes(block));
    switch (usable(group, algorithm, block->count)) {
    case LINEAR:
        linear(group, block, root);
        break;
    case SPLIT_BINARY:
        split_binary(group, block, root);
        break;
    case SCATTER_ALLGATHER:
        scatter_allgather(group, block, root);
        break;
    default:
        choose_tree(&tree, group, algorithm, root);
        along(group, block, &tree);
    }
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Broadcasts (Open MPI's coll_base_bcast.c): along trees, in one piece, since its fixed decisions
 * ask for no segments. Not handled: scatter_allgather, for which a binomial tree stands in (16
 * ranks and more with messages from 256 KiB to 1 MiB on), and split_binary, for which a binary one
 * does.
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

static void choose_tree(struct collective_tree *out, const struct group *group, int algorithm,
                        int root) {
    switch (algorithm) {
    case CHAIN:
    case PIPELINE:
        bsim__tree_chain(out, group, root);
        break;
    case SPLIT_BINARY:
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

void bsim__openmpi_bcast(const struct group *group, const struct payload_block *block, int root) {
    struct collective_tree tree;
    if (group->size < 2 || block->count == 0)
        return;
    int algorithm =
        bsim__openmpi_decide(OPENMPI_BCAST, group->size, (double)bsim__block_bytes(block));
    if (algorithm == LINEAR) {
        linear(group, block, root);
        return;
    }
    choose_tree(&tree, group, algorithm, root);
    along(group, block, &tree);
}

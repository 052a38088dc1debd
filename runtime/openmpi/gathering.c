/* SPDX-License-Identifier: Apache-2.0
 *
 * Gather, scatter, allgather and alltoall, with one count or several (Open MPI's
 * coll_base_gather.c, _scatter.c, _allgather.c, _allgatherv.c, _alltoall.c, _alltoallv.c).
 *
 * What is put together of several ranks' blocks on the way is bytes: each rank's block is packed.
 * Bruck's algorithms (J. Bruck, C.-T. Ho et al., "Efficient algorithms for all-to-all
 * communications in multiport message-passing systems", TPDS 8(11), 1997) count from the own rank
 * on. Not handled: the limits of requests that Open MPI's parameters may set.
 */
#include "runtime/openmpi/collective_tree.h"
#include "runtime/openmpi/decisions.h"
#include "runtime/openmpi/openmpi.h"

#include <stdlib.h>

enum { GATHER_LINEAR = 1, GATHER_BINOMIAL, GATHER_SYNCHRONOUS };
enum { SCATTER_LINEAR = 1, SCATTER_BINOMIAL, SCATTER_NONBLOCKING };
enum { ALL_LINEAR = 1, ALL_BRUCK, ALL_RECURSIVE_DOUBLING, ALL_RING, ALL_NEIGHBOURS, ALL_TWO };
enum { ALLV_DEFAULT = 1, ALLV_BRUCK, ALLV_RING, ALLV_NEIGHBOURS, ALLV_TWO };
enum { EXCHANGE_LINEAR = 1, EXCHANGE_PAIRWISE, EXCHANGE_BRUCK, EXCHANGE_SYNCHRONOUS, EXCHANGE_TWO };

struct payload_block bsim__blocks_of(const struct payload_blocks *blocks, int rank) {
    const struct payload_block all = {blocks->at, 0, blocks->type};
    if (blocks->counts == NULL)
        return bsim__block_part(&all, rank * blocks->count, blocks->count);
    return bsim__block_part(&all, blocks->displacements[rank], blocks->counts[rank]);
}

static MPI_Request *new_requests(const struct group *group, int count) {
    MPI_Request *requests = calloc((size_t)count + 1, sizeof *requests);
    if (requests == NULL)
        MPI_Abort(group->comm, MPI_ERR_NO_MEM);
    return requests;
}

/* ---- Bytes of several ranks ---- */

/* Blocks of ranks in the order of `first`, `first` + 1, ... (modulo the number of ranks): as bytes,
 * begins[i] to begins[i + 1] for the i-th of them. */
struct packed {
    struct payload_block bytes;
    size_t *begins;
};

static struct packed packed_new(const struct group *group, const void *like,
                                const struct payload_blocks *blocks, size_t each, int first) {
    struct packed packed = {.begins = calloc((size_t)group->size + 1, sizeof *packed.begins)};
    if (packed.begins == NULL)
        MPI_Abort(group->comm, MPI_ERR_NO_MEM);
    for (int i = 0; i < group->size; i++) {
        size_t bytes = each;
        if (blocks != NULL) {
            struct payload_block block = bsim__blocks_of(blocks, (first + i) % group->size);
            bytes = bsim__block_bytes(&block);
        }
        packed.begins[i + 1] = packed.begins[i] + bytes;
    }
    const struct payload_block likeness = {(void *)(MPI_Aint)like, 0, MPI_BYTE};
    packed.bytes = bsim__block_new(group, &likeness, (int)packed.begins[group->size]);
    return packed;
}

static struct payload_block packed_part(const struct packed *packed, int first, int count) {
    return bsim__block_part(&packed->bytes, (int)packed->begins[first],
                            (int)(packed->begins[first + count] - packed->begins[first]));
}

static void packed_free(const struct group *group, struct packed *packed) {
    bsim__block_release(group, &packed->bytes);
    free(packed->begins);
}

static void pack_all(const struct group *group, const struct packed *packed,
                     const struct payload_blocks *blocks, int first) {
    for (int i = 0; i < group->size; i++) {
        struct payload_block to = packed_part(packed, i, 1);
        struct payload_block from = bsim__blocks_of(blocks, (first + i) % group->size);
        bsim__block_copy(group, &to, &from);
    }
}

static void unpack_all(const struct group *group, const struct payload_blocks *blocks,
                       const struct packed *packed, int first) {
    for (int i = 0; i < group->size; i++) {
        struct payload_block from = packed_part(packed, i, 1);
        struct payload_block to = bsim__blocks_of(blocks, (first + i) % group->size);
        bsim__block_copy(group, &to, &from);
    }
}

/* ---- One to all, all to one ---- */

/* How many ranks the subtree of a binomial tree has that begins at a place. */
static int subtree_size(const struct group *group, int place) {
    int size = place == 0 ? group->size : place & -place;
    return place + size > group->size ? group->size - place : size;
}

static int place_of(const struct group *group, int rank, int root) {
    return (rank - root + group->size) % group->size;
}

static void gather_binomial(const struct group *group, const struct payload_blocks *all,
                            const struct payload_block *own, int root) {
    struct collective_tree tree;
    bsim__tree_binomial_in_order(&tree, group, root);
    int place = place_of(group, group->rank, root), count = subtree_size(group, place);
    if (tree.count == 0 && tree.parent >= 0) {
        bsim__group_send(group, own, tree.parent);
        return;
    }
    struct packed packed = packed_new(group, own->at, NULL, bsim__block_bytes(own), root);
    struct payload_block first = packed_part(&packed, 0, 1);
    bsim__block_copy(group, &first, own);
    for (int i = 0; i < tree.count; i++) {
        int child = place_of(group, tree.children[i], root);
        struct payload_block part = packed_part(&packed, child - place, subtree_size(group, child));
        bsim__group_receive(group, &part, tree.children[i]);
    }
    if (tree.parent < 0) {
        unpack_all(group, all, &packed, root);
    } else {
        struct payload_block part = packed_part(&packed, 0, count);
        bsim__group_send(group, &part, tree.parent);
    }
    packed_free(group, &packed);
}

static void gather_linear(const struct group *group, const struct payload_blocks *all,
                          const struct payload_block *own, int root) {
    if (group->rank != root) {
        bsim__group_send(group, own, root);
        return;
    }
    for (int i = 0; i < group->size; i++) {
        struct payload_block to = bsim__blocks_of(all, i);
        if (i != root)
            bsim__group_receive(group, &to, i);
        else
            bsim__block_copy(group, &to, own);
    }
}

/* A rank sends when the root asks it to; what comes behind its block is empty without segments. */
static void gather_synchronous(const struct group *group, const struct payload_blocks *all,
                               const struct payload_block *own, int root) {
    if (group->rank != root) {
        bsim__group_receive(group, NO_BLOCK, root);
        bsim__group_send(group, own, root);
        bsim__group_send(group, NO_BLOCK, root);
        return;
    }
    MPI_Request *rest = new_requests(group, group->size);
    for (int i = 0; i < group->size; i++) {
        struct payload_block to = bsim__blocks_of(all, i);
        rest[i] = MPI_REQUEST_NULL;
        if (i == root) {
            bsim__block_copy(group, &to, own);
            continue;
        }
        MPI_Request block = bsim__group_irecv(group, &to, i);
        bsim__group_send(group, NO_BLOCK, i);
        rest[i] = bsim__group_irecv(group, NO_BLOCK, i);
        bsim__group_wait(1, &block);
    }
    bsim__group_wait(group->size, rest);
    free(rest);
}

void bsim__openmpi_gather(const struct group *group, const struct payload_blocks *all,
                          const struct payload_block *own, int root) {
    int algorithm =
        bsim__openmpi_decide(OPENMPI_GATHER, group->size, (double)bsim__block_bytes(own));
    if (algorithm == GATHER_BINOMIAL)
        gather_binomial(group, all, own, root);
    else if (algorithm == GATHER_SYNCHRONOUS)
        gather_synchronous(group, all, own, root);
    else
        gather_linear(group, all, own, root);
}

static void scatter_binomial(const struct group *group, const struct payload_block *own,
                             const struct payload_blocks *all, int root) {
    struct collective_tree tree;
    bsim__tree_binomial_in_order(&tree, group, root);
    int place = place_of(group, group->rank, root);
    if (tree.count == 0 && tree.parent >= 0) {
        bsim__group_receive(group, own, tree.parent);
        return;
    }
    struct packed packed = packed_new(group, own->at, NULL, bsim__block_bytes(own), root);
    if (tree.parent < 0) {
        pack_all(group, &packed, all, root);
    } else {
        struct payload_block part = packed_part(&packed, 0, subtree_size(group, place));
        bsim__group_receive(group, &part, tree.parent);
    }
    for (int i = tree.count - 1; i >= 0; i--) {
        int child = place_of(group, tree.children[i], root);
        struct payload_block part = packed_part(&packed, child - place, subtree_size(group, child));
        bsim__group_send(group, &part, tree.children[i]);
    }
    struct payload_block first = packed_part(&packed, 0, 1);
    bsim__block_copy(group, own, &first);
    packed_free(group, &packed);
}

static void scatter_linear(const struct group *group, const struct payload_block *own,
                           const struct payload_blocks *all, int root, bool waits_for_each) {
    if (group->rank != root) {
        bsim__group_receive(group, own, root);
        return;
    }
    MPI_Request *requests = new_requests(group, group->size);
    for (int i = 0; i < group->size; i++) {
        struct payload_block from = bsim__blocks_of(all, i);
        requests[i] = i != root ? bsim__group_isend(group, &from, i) : MPI_REQUEST_NULL;
        if (i == root)
            bsim__block_copy(group, own, &from);
        else if (waits_for_each)
            bsim__group_wait(1, &requests[i]);
    }
    bsim__group_wait(group->size, requests);
    free(requests);
}

void bsim__openmpi_scatter(const struct group *group, const struct payload_block *own,
                           const struct payload_blocks *all, int root) {
    int algorithm =
        bsim__openmpi_decide(OPENMPI_SCATTER, group->size, (double)bsim__block_bytes(own));
    if (algorithm == SCATTER_BINOMIAL)
        scatter_binomial(group, own, all, root);
    else
        scatter_linear(group, own, all, root, algorithm == SCATTER_LINEAR);
}

/* ---- All to all, the same to each ---- */

static void allgather_bruck(const struct group *group, const struct payload_blocks *all) {
    struct packed packed = packed_new(group, all->at, all, 0, group->rank);
    struct payload_block own = bsim__blocks_of(all, group->rank),
                         first = packed_part(&packed, 0, 1);
    bsim__block_copy(group, &first, &own);
    for (int distance = 1; distance < group->size; distance *= 2) {
        int count = distance < group->size - distance ? distance : group->size - distance;
        struct payload_block out = packed_part(&packed, 0, count);
        struct payload_block in = packed_part(&packed, distance, count);
        bsim__group_exchange(group, &out, (group->rank - distance + group->size) % group->size, &in,
                             (group->rank + distance) % group->size);
    }
    unpack_all(group, all, &packed, group->rank);
    packed_free(group, &packed);
}

/* Of a power of two of ranks. */
static void allgather_recursive_doubling(const struct group *group,
                                         const struct payload_blocks *all) {
    struct packed packed = packed_new(group, all->at, all, 0, 0);
    struct payload_block own = bsim__blocks_of(all, group->rank),
                         at = packed_part(&packed, group->rank, 1);
    bsim__block_copy(group, &at, &own);
    for (int distance = 1; distance < group->size; distance *= 2) {
        int other = group->rank ^ distance;
        struct payload_block out = packed_part(&packed, group->rank & -distance, distance);
        struct payload_block in = packed_part(&packed, other & -distance, distance);
        bsim__group_exchange(group, &out, other, &in, other);
    }
    unpack_all(group, all, &packed, 0);
    packed_free(group, &packed);
}

static void allgather_ring(const struct group *group, const struct payload_blocks *all) {
    int next = (group->rank + 1) % group->size;
    int before = (group->rank + group->size - 1) % group->size;
    for (int step = 0; step < group->size - 1; step++) {
        struct payload_block out =
            bsim__blocks_of(all, (group->rank - step + group->size) % group->size);
        struct payload_block in =
            bsim__blocks_of(all, (group->rank - step - 1 + group->size) % group->size);
        bsim__group_exchange(group, &out, next, &in, before);
    }
}

/* Of an even number of ranks: a pair exchanges its blocks, and then with the neighbours of either
 * side by turns what it got last (J. Chen et al., "Performance evaluation of allgather algorithms
 * on terascale Linux cluster with fast Ethernet", HPC-Asia 2005). */
static void allgather_neighbours(const struct group *group, const struct payload_blocks *all) {
    struct packed packed = packed_new(group, all->at, all, 0, 0);
    int size = group->size, rank = group->rank, is_even = rank % 2 == 0, sign = is_even ? 1 : -1;
    int neighbours[2] = {(rank + sign + size) % size, (rank - sign + size) % size};
    int sent = is_even ? rank : rank - 1, received_from[2] = {sent, sent};
    struct payload_block own = bsim__blocks_of(all, rank), at = packed_part(&packed, rank, 1);
    bsim__block_copy(group, &at, &own);
    struct payload_block other = packed_part(&packed, neighbours[0], 1);
    bsim__group_exchange(group, &at, neighbours[0], &other, neighbours[0]);
    for (int i = 1; i < size / 2; i++) {
        int side = i % 2, step = (side == 0) == is_even ? 2 : -2;
        received_from[side] = (received_from[side] + step + size) % size;
        struct payload_block out = packed_part(&packed, sent, 2);
        struct payload_block in = packed_part(&packed, received_from[side], 2);
        bsim__group_exchange(group, &out, neighbours[side], &in, neighbours[side]);
        sent = received_from[side];
    }
    unpack_all(group, all, &packed, 0);
    packed_free(group, &packed);
}

/* With different counts: at rank 0, and from there to all. */
static void allgather_by_root(const struct group *group, const struct payload_blocks *all) {
    struct packed packed = packed_new(group, all->at, all, 0, 0);
    struct payload_block own = bsim__blocks_of(all, group->rank);
    if (group->rank > 0)
        bsim__group_send(group, &own, 0);
    for (int i = 1; i < group->size && group->rank == 0; i++) {
        struct payload_block to = bsim__blocks_of(all, i);
        bsim__group_receive(group, &to, i);
    }
    if (group->rank == 0)
        pack_all(group, &packed, all, 0);
    bsim__openmpi_bcast(group, &packed.bytes, 0);
    unpack_all(group, all, &packed, 0);
    packed_free(group, &packed);
}

static int choose_allgather(const struct group *group, const struct payload_blocks *all,
                            const struct payload_block *own) {
    static const int meanings[] = {0, ALL_LINEAR, ALL_BRUCK, ALL_RING, ALL_NEIGHBOURS, ALL_TWO};
    double bytes = (double)bsim__block_bytes(own) * group->size;
    if (all->counts == NULL)
        return bsim__openmpi_decide(OPENMPI_ALLGATHER, group->size, bytes);
    bytes = 0;
    for (int i = 0; i < group->size; i++) {
        struct payload_block block = bsim__blocks_of(all, i);
        bytes += (double)bsim__block_bytes(&block);
    }
    return meanings[bsim__openmpi_decide(OPENMPI_ALLGATHERV, group->size, bytes / group->size)];
}

void bsim__openmpi_allgather(const struct group *group, const struct payload_blocks *all,
                             const struct payload_block *own) {
    struct payload_block at = bsim__blocks_of(all, group->rank);
    bsim__block_copy(group, &at, own);
    if (group->size < 2)
        return;
    int algorithm = choose_allgather(group, all, own);
    if (algorithm == ALL_RECURSIVE_DOUBLING && bsim__group_power(group) == group->size)
        allgather_recursive_doubling(group, all);
    else if (algorithm == ALL_BRUCK || algorithm == ALL_RECURSIVE_DOUBLING)
        allgather_bruck(group, all);
    else if (algorithm == ALL_NEIGHBOURS && group->size % 2 == 0)
        allgather_neighbours(group, all);
    else if (algorithm == ALL_LINEAR)
        allgather_by_root(group, all);
    else /* of two ranks it is one exchange */
        allgather_ring(group, all);
}

/* ---- All to all, something else to each ---- */

static void alltoall_linear(const struct group *group, const struct payload_blocks *in,
                            const struct payload_blocks *out) {
    MPI_Request *requests = new_requests(group, 2 * group->size);
    int count = 0;
    for (int i = 1; i < group->size; i++) {
        int from = (group->rank + i) % group->size;
        struct payload_block block = bsim__blocks_of(in, from);
        requests[count++] = bsim__group_irecv(group, &block, from);
    }
    for (int i = 1; i < group->size; i++) {
        int to = (group->rank + group->size - i) % group->size;
        struct payload_block block = bsim__blocks_of(out, to);
        requests[count++] = bsim__group_isend(group, &block, to);
    }
    bsim__group_wait(count, requests);
    free(requests);
}

static void alltoall_pairwise(const struct group *group, const struct payload_blocks *in,
                              const struct payload_blocks *out) {
    for (int step = 1; step < group->size; step++) {
        int to = (group->rank + step) % group->size;
        int from = (group->rank - step + group->size) % group->size;
        struct payload_block sent = bsim__blocks_of(out, to), received = bsim__blocks_of(in, from);
        bsim__group_exchange(group, &sent, to, &received, from);
    }
}

/* In step k go those blocks whose distance has bit k. */
static void alltoall_bruck(const struct group *group, const struct payload_blocks *in,
                           const struct payload_blocks *out) {
    struct packed packed = packed_new(group, out->at, out, 0, group->rank);
    struct payload_block sent = bsim__block_new(group, &packed.bytes, packed.bytes.count);
    struct payload_block received = bsim__block_new(group, &packed.bytes, packed.bytes.count);
    pack_all(group, &packed, out, group->rank);
    for (int distance = 1; distance < group->size; distance *= 2) {
        sent.count = 0;
        for (int i = 0; i < group->size; i++)
            if (i & distance) {
                struct payload_block from = packed_part(&packed, i, 1);
                struct payload_block to = bsim__block_part(&sent, sent.count, from.count);
                bsim__block_copy(group, &to, &from);
                sent.count += from.count;
            }
        received.count = sent.count;
        bsim__group_exchange(group, &sent, (group->rank + distance) % group->size, &received,
                             (group->rank - distance + group->size) % group->size);
        for (int i = 0, at = 0; i < group->size; i++)
            if (i & distance) {
                struct payload_block to = packed_part(&packed, i, 1);
                struct payload_block from = bsim__block_part(&received, at, to.count);
                bsim__block_copy(group, &to, &from);
                at += to.count;
            }
    }
    for (int i = 0; i < group->size; i++) {
        struct payload_block from = packed_part(&packed, i, 1);
        struct payload_block to =
            bsim__blocks_of(in, (group->rank - i + group->size) % group->size);
        bsim__block_copy(group, &to, &from);
    }
    bsim__block_release(group, &sent);
    bsim__block_release(group, &received);
    packed_free(group, &packed);
}

void bsim__openmpi_alltoall(const struct group *group, const struct payload_blocks *in,
                            const struct payload_blocks *out) {
    struct payload_block sent = bsim__blocks_of(out, group->rank),
                         received = bsim__blocks_of(in, group->rank);
    bsim__block_copy(group, &received, &sent);
    if (group->size < 2)
        return;
    int algorithm = out->counts != NULL ? bsim__openmpi_decide(OPENMPI_ALLTOALLV, group->size, 0)
                                        : bsim__openmpi_decide(OPENMPI_ALLTOALL, group->size,
                                                               (double)bsim__block_bytes(&sent));
    if (algorithm == EXCHANGE_PAIRWISE || algorithm == EXCHANGE_TWO)
        alltoall_pairwise(group, in, out);
    else if (algorithm == EXCHANGE_BRUCK)
        alltoall_bruck(group, in, out);
    else
        alltoall_linear(group, in, out);
}

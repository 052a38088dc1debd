/* SPDX-License-Identifier: Apache-2.0
 *
 * MPI_Reduce_scatter. Blocks of one size: a reduction to rank 0, which scatters the result. Others
 * as MPICH does it (Thakur, Rabenseifner, Gropp: Optimization of Collective Communication
 * Operations in MPICH, IJHPCA 19(1), 2005): much data in pairs, each rank with each other one; else
 * by recursive doubling, in which ranks exchange what the other one's half of the ranks has to get.
 */
#include "engine/collectives/nonblocking.h"

#include "base/arena.h"
#include "engine/objects/reduce_operation.h"

#include <stdlib.h>

#define PAIRS_FROM_ELEMENTS 524288

struct reduce_scatter {
    const int *counts;
    int *offsets; /* of blocks, in elements */
    int rank, size, total;
    struct SMPI_Datatype *type;
    struct SMPI_Op *op;
    struct SMPI_Comm *comm;
};

static char *element(const void *buffer, int64_t number, const struct SMPI_Datatype *type) {
    if (buffer == NULL)
        return NULL;
    return (char *)(uintptr_t)buffer + number * datatype_extent(type);
}

static void copy(const struct reduce_scatter *all, void *to, const void *from, int count) {
    datatype_copy(to, count, all->type, from, count, all->type);
}

static void apply(const struct reduce_scatter *all, const void *in, void *inout, int count) {
    if (count > 0)
        operation_apply(all->op, in, inout, count, all->type);
}

static int by_root(const struct reduce_scatter *all, const void *sent, void *received) {
    void *sums = temporary_new(all->total, all->type, received);
    reduce_linear(sent, sums, all->total, all->type, all->op, 0, all->comm);
    struct spread_buffer spread = {
        .buffer = sums, .counts = all->counts, .offsets = all->offsets, .type = all->type};
    int result = collective_wait(nonblocking_scatterv(&spread, received, all->counts[0], all->type,
                                                      0, all->comm, TAG_SCATTER),
                                 "MPI_Reduce_scatter");
    temporary_free(sums);
    return result;
}

/* ---- In pairs ---- */

static void in_pairs(const struct reduce_scatter *all, const void *sent, void *received) {
    int own = all->counts[all->rank];
    void *other = temporary_new(own, all->type, received);
    copy(all, received, element(sent, all->offsets[all->rank], all->type), own);
    for (int i = 1; i < all->size; i++) {
        int from = (all->rank - i + all->size) % all->size, to = (all->rank + i) % all->size;
        struct exchange_side send = {element(sent, all->offsets[to], all->type), all->counts[to],
                                     all->type, to, TAG_REDUCE_SCATTER};
        struct exchange_side receive = {other, own, all->type, from, TAG_REDUCE_SCATTER};
        exchange_both(&send, &receive, all->comm, MPI_STATUS_IGNORE);
        apply(all, other, received, own);
    }
    temporary_free(other);
}

/* ---- By recursive doubling ---- */

/* All blocks but those of some ranks that are next to each other. */
struct other_blocks {
    int before, behind; /* elements */
    int behind_at;      /* where those behind begin */
};

static struct other_blocks blocks_around(const struct reduce_scatter *all, int first, int ranks) {
    int begin = first < all->size ? all->offsets[first] : all->total;
    int end = first + ranks < all->size ? all->offsets[first + ranks] : all->total;
    return (struct other_blocks){.before = begin, .behind = all->total - end, .behind_at = end};
}

struct reduce_doubling {
    const struct reduce_scatter *all;
    void *results, *other, *packed_out, *packed_in;
};

static void pack(const struct reduce_doubling *state, void *packed, const void *from,
                 const struct other_blocks *blocks) {
    const struct SMPI_Datatype *type = state->all->type;
    copy(state->all, packed, from, blocks->before);
    copy(state->all, element(packed, blocks->before, type), element(from, blocks->behind_at, type),
         blocks->behind);
}

static void unpack(const struct reduce_doubling *state, void *to, const void *packed,
                   const struct other_blocks *blocks) {
    const struct SMPI_Datatype *type = state->all->type;
    copy(state->all, to, packed, blocks->before);
    copy(state->all, element(to, blocks->behind_at, type), element(packed, blocks->before, type),
         blocks->behind);
}

static void exchange(const struct reduce_doubling *state, int with, const struct other_blocks *sent,
                     const struct other_blocks *received) {
    const struct reduce_scatter *all = state->all;
    pack(state, state->packed_out, state->results, sent);
    struct exchange_side send = {state->packed_out, sent->before + sent->behind, all->type, with,
                                 TAG_REDUCE_SCATTER};
    struct exchange_side receive = {state->packed_in, received->before + received->behind,
                                    all->type, with, TAG_REDUCE_SCATTER};
    exchange_both(&send, &receive, all->comm, MPI_STATUS_IGNORE);
    unpack(state, state->other, state->packed_in, received);
}

/* Ranks without a partner get from those of their half what these have received. Is there something
 * now? */
static bool hand_on(const struct reduce_doubling *state, int mask, int own_root, bool has_received,
                    const struct other_blocks *blocks) {
    const struct reduce_scatter *all = state->all;
    int complete = all->size - own_root - mask, count = blocks->before + blocks->behind;
    for (int part = mask / 2; part > 0; part /= 2) {
        int with = all->rank ^ part, root = all->rank & ~(2 * part - 1);
        if (with > all->rank && all->rank < root + complete && with >= root + complete) {
            pack(state, state->packed_out, state->other, blocks);
            exchange_send(state->packed_out, count, all->type, with, TAG_REDUCE_SCATTER, all->comm);
        } else if (with < all->rank && with < root + complete && all->rank >= root + complete) {
            exchange_receive(state->packed_in, count, all->type, with, TAG_REDUCE_SCATTER,
                             all->comm, MPI_STATUS_IGNORE);
            unpack(state, state->other, state->packed_in, blocks);
            has_received = true;
        }
    }
    return has_received;
}

static void reduce_blocks(const struct reduce_doubling *state, bool other_is_first,
                          const struct other_blocks *blocks) {
    const struct reduce_scatter *all = state->all;
    void *behind = element(state->results, blocks->behind_at, all->type);
    void *other_behind = element(state->other, blocks->behind_at, all->type);
    if (other_is_first) {
        apply(all, state->other, state->results, blocks->before);
        apply(all, other_behind, behind, blocks->behind);
        return;
    }
    apply(all, state->results, state->other, blocks->before);
    apply(all, behind, other_behind, blocks->behind);
    copy(all, state->results, state->other, blocks->before);
    copy(all, behind, other_behind, blocks->behind);
}

static void double_up(const struct reduce_doubling *state, int mask) {
    const struct reduce_scatter *all = state->all;
    int with = all->rank ^ mask, own_root = all->rank & ~(mask - 1), root = with & ~(mask - 1);
    struct other_blocks sent = blocks_around(all, own_root, mask);
    struct other_blocks received = blocks_around(all, root, mask);
    bool has_received = with < all->size;
    if (has_received)
        exchange(state, with, &sent, &received);
    if (root + mask > all->size)
        has_received = hand_on(state, mask, own_root, has_received, &received);
    if (has_received)
        reduce_blocks(state, all->op == MPI_OP_NULL || all->op->commutes || root < own_root,
                      &received);
}

static void by_doubling(const struct reduce_scatter *all, const void *sent, void *received) {
    struct reduce_doubling state = {.all = all,
                                    .results = temporary_new(all->total, all->type, received),
                                    .other = temporary_new(all->total, all->type, received),
                                    .packed_out = temporary_new(all->total, all->type, received),
                                    .packed_in = temporary_new(all->total, all->type, received)};
    copy(all, state.results, sent, all->total);
    for (int mask = 1; mask < all->size; mask *= 2)
        double_up(&state, mask);
    copy(all, received, element(state.results, all->offsets[all->rank], all->type),
         all->counts[all->rank]);
    temporary_free(state.results);
    temporary_free(state.other);
    temporary_free(state.packed_out);
    temporary_free(state.packed_in);
}

/* ---- The choice ---- */

static bool find_offsets(struct reduce_scatter *all) {
    bool is_regular = true;
    all->offsets = xmalloc((size_t)all->size * sizeof *all->offsets);
    for (int i = 0; i < all->size; i++) {
        is_regular = is_regular && all->counts[i] == all->counts[0];
        all->offsets[i] = all->total;
        all->total += all->counts[i];
    }
    return is_regular;
}

int reduce_scatter_by_size(const void *sent, void *received, const int *counts,
                           struct SMPI_Datatype *type, struct SMPI_Op *op, struct SMPI_Comm *comm) {
    struct reduce_scatter all = {.counts = counts,
                                 .rank = communicator_rank(comm),
                                 .size = comm->group->size,
                                 .type = type,
                                 .op = op,
                                 .comm = comm};
    int result = MPI_SUCCESS;
    if (find_offsets(&all))
        result = by_root(&all, sent, received);
    else if (all.total > PAIRS_FROM_ELEMENTS && (op == MPI_OP_NULL || op->commutes))
        in_pairs(&all, sent, received);
    else
        by_doubling(&all, sent, received);
    free(all.offsets);
    return result;
}

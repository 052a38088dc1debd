/* SPDX-License-Identifier: Apache-2.0
 *
 * Collectives that move data. A row says who sends how many blocks to whom; what has to arrive is
 * computed by that, without MPI, and all of the receiver's memory is compared.
 */
#include "check.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum pattern { BCAST, GATHER, SCATTER, ALLGATHER, ALLTOALL };
enum sizes { ALIKE, BY_RANK, WITH_TYPES };

static const struct row {
    const char *name;
    enum pattern pattern;
    enum sizes sizes;
    bool can_be_in_place;
} rows[] = {
    {"Bcast", BCAST, ALIKE, false},           {"Gather", GATHER, ALIKE, true},
    {"Gatherv", GATHER, BY_RANK, true},       {"Scatter", SCATTER, ALIKE, true},
    {"Scatterv", SCATTER, BY_RANK, true},     {"Allgather", ALLGATHER, ALIKE, true},
    {"Allgatherv", ALLGATHER, BY_RANK, true}, {"Alltoall", ALLTOALL, ALIKE, true},
    {"Alltoallv", ALLTOALL, BY_RANK, true},   {"Alltoallw", ALLTOALL, WITH_TYPES, true},
};

struct side {
    const struct layout *layout;
    int blocks, items; /* 0 blocks: this rank has no such side */
    char *memory;
    int counts[MOST_RANKS], offsets[MOST_RANKS], firsts[MOST_RANKS];
    MPI_Datatype types[MOST_RANKS];
};

struct exchange {
    const struct ranks *ranks;
    const struct row *row;
    int items, root;
    bool in_place;
    struct side send, receive;
};

/* The same in both directions, as MPI_IN_PLACE demands of MPI_Alltoallv. */
static int items_of(const struct exchange *exchange, int from, int to) {
    enum pattern pattern = exchange->row->pattern;
    int rank = pattern == SCATTER ? to : pattern == ALLTOALL ? from + to : from;
    return exchange->row->sizes == ALIKE ? exchange->items : exchange->items * (rank % 3);
}

static bool has_one_root(const struct exchange *exchange) {
    enum pattern pattern = exchange->row->pattern;
    return pattern == BCAST || pattern == GATHER || pattern == SCATTER;
}

/* Who sends to whom. */
static bool is_sent(const struct exchange *exchange, int from, int to) {
    int root = exchange->root;
    switch (exchange->row->pattern) {
    case BCAST:
        return from == root && to != root;
    case GATHER:
        return to == root;
    case SCATTER:
        return from == root;
    default:
        return true;
    }
}

/* What is sent to all is one block. */
static int receiver_of_block(const struct exchange *exchange, int block) {
    enum pattern pattern = exchange->row->pattern;
    return pattern == SCATTER || pattern == ALLTOALL ? block : 0;
}

static int sender_of_block(const struct exchange *exchange, int block) {
    return exchange->receive.blocks == 1 ? exchange->root : block;
}

static int to_of_sender(const struct exchange *exchange) {
    return receiver_of_block(exchange, exchange->ranks->rank);
}

/* Blocks of different sizes lie in the opposite order, with an item between them. */
static void place_blocks(struct side *side, enum sizes sizes) {
    int at = 0;
    for (int i = 0; i < side->blocks; i++) {
        int block = sizes == ALIKE ? i : side->blocks - 1 - i;
        side->firsts[block] = at;
        at += side->counts[block] + (sizes != ALIKE);
    }
    side->items = at;
    for (int i = 0; i < side->blocks; i++) {
        side->types[i] = side->layout->type;
        side->offsets[i] = sizes == WITH_TYPES ? (int)(side->firsts[i] * side->layout->item_bytes)
                                               : side->firsts[i] * side->layout->per_item;
        side->counts[i] *= side->layout->per_item;
    }
    side->memory = memory_new(side->layout, side->items);
}

static void put(const struct side *side, char *memory, int block, int from, int to) {
    int items = side->counts[block] / side->layout->per_item;
    for (int i = 0; i < items * ITEM_ELEMENTS; i++)
        *layout_element(side->layout, memory, side->firsts[block] + i / ITEM_ELEMENTS,
                        i % ITEM_ELEMENTS) = value_of(from, to, i);
}

static void make_sides(struct exchange *exchange) {
    int rank = exchange->ranks->rank, size = exchange->ranks->size, root = exchange->root;
    enum pattern pattern = exchange->row->pattern;
    bool is_root = rank == root || !has_one_root(exchange);
    exchange->send.blocks = pattern == SCATTER    ? (is_root ? size : 0)
                            : pattern == ALLTOALL ? size
                            : pattern == BCAST    ? is_root
                                                  : 1;
    exchange->receive.blocks = pattern == GATHER    ? (is_root ? size : 0)
                               : pattern == BCAST   ? !is_root
                               : pattern == SCATTER ? 1
                                                    : size;
    for (int i = 0; i < exchange->send.blocks; i++)
        exchange->send.counts[i] = items_of(exchange, rank, receiver_of_block(exchange, i));
    for (int i = 0; i < exchange->receive.blocks; i++)
        exchange->receive.counts[i] = items_of(exchange, sender_of_block(exchange, i), rank);
    place_blocks(&exchange->send, exchange->row->sizes);
    place_blocks(&exchange->receive, exchange->row->sizes);
    for (int i = 0; i < exchange->send.blocks; i++)
        put(&exchange->send, exchange->send.memory, i, rank, receiver_of_block(exchange, i));
}

/* What is in place before: what this rank has for others, or for itself. */
static void put_in_place(struct exchange *exchange) {
    int rank = exchange->ranks->rank;
    struct side *receive = &exchange->receive;
    if (exchange->row->pattern == ALLTOALL)
        for (int i = 0; i < receive->blocks; i++)
            put(receive, receive->memory, i, rank, i);
    else if (exchange->row->pattern != SCATTER && receive->blocks > 1)
        put(receive, receive->memory, rank, rank, to_of_sender(exchange));
}

static char *expected_memory(const struct exchange *exchange) {
    const struct side *receive = &exchange->receive;
    size_t bytes = layout_bytes(receive->layout, receive->items);
    char *expected = malloc(bytes);
    memcpy(expected, receive->memory, bytes);
    for (int i = 0; i < receive->blocks; i++) {
        int from = sender_of_block(exchange, i), rank = exchange->ranks->rank;
        bool stays = exchange->in_place && exchange->row->pattern == SCATTER && from == rank;
        if (is_sent(exchange, from, rank) && !stays)
            put(receive, expected, i, from, receiver_of_block(exchange, rank));
    }
    return expected;
}

/* ---- Calls ---- */

#define ARGUMENTS_OF_SENDER from, send->counts[0], send->layout->type
#define ARGUMENTS_OF_RECEIVER to, receive->counts[0], receive->layout->type
#define SPREAD_SENDER from, send->counts, send->offsets, send->layout->type
#define SPREAD_RECEIVER to, receive->counts, receive->offsets, receive->layout->type
#define TYPED_SENDER from, send->counts, send->offsets, send->types
#define TYPED_RECEIVER to, receive->counts, receive->offsets, receive->types
#define CALL(blocking, nonblocking, ...)                                                           \
    (is_nonblocking ? MPI_##nonblocking(__VA_ARGS__, comm, request)                                \
                    : MPI_##blocking(__VA_ARGS__, comm))

static int call(struct exchange *exchange, bool is_nonblocking, MPI_Request *request) {
    const struct side *send = &exchange->send, *receive = &exchange->receive;
    bool is_root = exchange->ranks->rank == exchange->root || !has_one_root(exchange);
    bool in_place = exchange->in_place && is_root, is_scatter = exchange->row->pattern == SCATTER;
    void *from = in_place && !is_scatter ? MPI_IN_PLACE : send->memory + MARGIN_BYTES;
    void *to = in_place && is_scatter ? MPI_IN_PLACE : receive->memory + MARGIN_BYTES;
    MPI_Comm comm = exchange->ranks->comm;
    int root = exchange->root;
    switch (exchange->row->pattern) {
    case BCAST:
        return is_root ? CALL(Bcast, Ibcast, ARGUMENTS_OF_SENDER, root)
                       : CALL(Bcast, Ibcast, ARGUMENTS_OF_RECEIVER, root);
    case GATHER:
        return exchange->row->sizes == ALIKE
                   ? CALL(Gather, Igather, ARGUMENTS_OF_SENDER, ARGUMENTS_OF_RECEIVER, root)
                   : CALL(Gatherv, Igatherv, ARGUMENTS_OF_SENDER, SPREAD_RECEIVER, root);
    case SCATTER:
        return exchange->row->sizes == ALIKE
                   ? CALL(Scatter, Iscatter, ARGUMENTS_OF_SENDER, ARGUMENTS_OF_RECEIVER, root)
                   : CALL(Scatterv, Iscatterv, SPREAD_SENDER, ARGUMENTS_OF_RECEIVER, root);
    case ALLGATHER:
        return exchange->row->sizes == ALIKE
                   ? CALL(Allgather, Iallgather, ARGUMENTS_OF_SENDER, ARGUMENTS_OF_RECEIVER)
                   : CALL(Allgatherv, Iallgatherv, ARGUMENTS_OF_SENDER, SPREAD_RECEIVER);
    default:
        if (exchange->row->sizes == WITH_TYPES)
            return CALL(Alltoallw, Ialltoallw, TYPED_SENDER, TYPED_RECEIVER);
        return exchange->row->sizes == ALIKE
                   ? CALL(Alltoall, Ialltoall, ARGUMENTS_OF_SENDER, ARGUMENTS_OF_RECEIVER)
                   : CALL(Alltoallv, Ialltoallv, SPREAD_SENDER, SPREAD_RECEIVER);
    }
}

static void check_row(struct exchange exchange, bool is_nonblocking) {
    MPI_Request request;
    make_sides(&exchange);
    if (exchange.in_place)
        put_in_place(&exchange);
    struct side *send = &exchange.send, *receive = &exchange.receive;
    char *expected = expected_memory(&exchange);
    size_t bytes = layout_bytes(send->layout, send->items);
    char *sent = memcpy(malloc(bytes), send->memory, bytes);
    int code = call(&exchange, is_nonblocking, &request);
    if (is_nonblocking && code == MPI_SUCCESS)
        complete(&request);
    const char *prefix = is_nonblocking ? "I" : "", *where = exchange.in_place ? " in place" : "";
#define ROW                                                                                        \
    "%s%s%s: %s to %s, %d items, root %d", prefix, exchange.row->name, where, send->layout->name,  \
        receive->layout->name, exchange.items, exchange.root
    check(code == MPI_SUCCESS, "an error: " ROW);
    check_memory(send->memory, sent, bytes, "sender's: " ROW);
    check_memory(receive->memory, expected, layout_bytes(receive->layout, receive->items), ROW);
}

void moves_check(const struct ranks *ranks, const struct layout *send, const struct layout *receive,
                 int items, int root) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int variant = 0; is_asked_for(ranks, rows[i].name) && variant < 4; variant++) {
            struct exchange exchange = {.ranks = ranks,
                                        .row = &rows[i],
                                        .items = items,
                                        .root = root,
                                        .in_place = variant % 2 == 1,
                                        .send = {.layout = send},
                                        .receive = {.layout = receive}};
            bool is_nonblocking = variant / 2 == 1;
            if ((!exchange.in_place || rows[i].can_be_in_place) &&
                (!is_nonblocking || ranks->has_nonblocking))
                check_row(exchange, is_nonblocking);
        }
}

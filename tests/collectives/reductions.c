/* SPDX-License-Identifier: Apache-2.0
 *
 * Reductions, with operations that commute and such that do not, on elements of any layout. What
 * has to come out is what all ranks have, folded in the order of ranks.
 *
 * An own operation finds out by its datatype where the elements lie, so it has to be given the
 * program's.
 */
#include "check.h"

#include <stdlib.h>
#include <string.h>

enum result { AT_ROOT, FOR_ALL, UP_TO_RANK, BELOW_RANK, PARTS, EQUAL_PARTS };

static const struct row {
    const char *name;
    enum result result;
} rows[] = {
    {"Reduce", AT_ROOT},    {"Allreduce", FOR_ALL},    {"Scan", UP_TO_RANK},
    {"Exscan", BELOW_RANK}, {"Reduce_scatter", PARTS}, {"Reduce_scatter_block", EQUAL_PARTS},
};

/* ---- Operations ---- */

typedef unsigned combine(unsigned left, unsigned right);

/* Functions x -> a x + b modulo 2^16, the left one applied first. */
static unsigned compose(unsigned left, unsigned right) {
    unsigned a = (left & 0xffff) * (right & 0xffff);
    unsigned b = (right & 0xffff) * (left >> 16) + (right >> 16);
    return (a & 0xffff) | b << 16;
}

static unsigned first(unsigned left, unsigned right) {
    (void)right;
    return left;
}

static unsigned last(unsigned left, unsigned right) {
    (void)left;
    return right;
}

static unsigned add(unsigned left, unsigned right) {
    return left + right;
}

static unsigned larger(unsigned left, unsigned right) {
    return left > right ? left : right;
}

static int layout_key = MPI_KEYVAL_INVALID; /* where ranks share it, it is the same for all */

static void apply(combine *one, void *in, void *inout, int count, MPI_Datatype type) {
    struct layout plain = {.per_item = ITEM_ELEMENTS, .item_bytes = ITEM_ELEMENTS * sizeof(int)};
    const struct layout *layout = &plain;
    int flag = 1;
    if (type != MPI_UNSIGNED)
        MPI_Type_get_attr(type, layout_key, &layout, &flag);
    if (!flag)
        return check(false, "an operation is given another datatype");
    for (int i = 0; i < count; i++)
        for (int k = 0; k < ITEM_ELEMENTS / layout->per_item; k++) {
            MPI_Aint at = i * (layout->item_bytes / layout->per_item) + layout->offsets[k];
            unsigned *right = (void *)((char *)inout + at);
            *right = one(*(unsigned *)(void *)((char *)in + at), *right);
        }
}

#define OPERATION(name)                                                                            \
    static void apply_##name(void *in, void *inout, int *count, MPI_Datatype *type) {              \
        apply(name, in, inout, *count, *type);                                                     \
    }
OPERATION(compose)
OPERATION(first)
OPERATION(last)
OPERATION(add)

static const struct operation {
    const char *name;
    combine *combine;
    MPI_User_function *function; /* NULL: a predefined one */
    int commutes;
} operations[] = {
    {"compose", compose, apply_compose, 0},
    {"first", first, apply_first, 0},
    {"last", last, apply_last, 0},
    {"own sum", add, apply_add, 1},
    {"MPI_SUM", add, NULL, 1},
    {"MPI_MAX", larger, NULL, 1},
};

static MPI_Op operation_new(const struct operation *operation) {
    MPI_Op op = operation->combine == add ? MPI_SUM : MPI_MAX;
    if (operation->function != NULL)
        MPI_Op_create(operation->function, operation->commutes, &op);
    return op;
}

/* ---- What is reduced ---- */

struct reduction {
    const struct ranks *ranks;
    const struct row *row;
    const struct operation *operation;
    const struct layout *layout;
    int items, root;
    bool in_place;
    int counts[MOST_RANKS]; /* of parts, in items */
    char *send, *receive;
};

static bool has_parts(const struct reduction *reduction) {
    return reduction->row->result == PARTS || reduction->row->result == EQUAL_PARTS;
}

/* Of the whole vector; and before the part of a rank. */
static int items_before(const struct reduction *reduction, int rank) {
    int items = 0;
    for (int i = 0; i < rank; i++)
        items += reduction->counts[i];
    return items;
}

static int all_items(const struct reduction *reduction) {
    return has_parts(reduction) ? items_before(reduction, reduction->ranks->size)
                                : reduction->items;
}

/* Number `i` of what ranks from 0 to `last_rank` have, folded. */
static unsigned folded(const struct reduction *reduction, int last_rank, int i) {
    unsigned value = value_of(0, 0, i);
    for (int rank = 1; rank <= last_rank; rank++)
        value = reduction->operation->combine(value, value_of(rank, 0, i));
    return value;
}

static unsigned *element(const struct reduction *reduction, char *memory, int i) {
    return layout_element(reduction->layout, memory, i / ITEM_ELEMENTS, i % ITEM_ELEMENTS);
}

/* The number of items of the result here; how many ranks it is of; where it begins. */
static int result_of(const struct reduction *reduction, int *last_rank, int *first_item) {
    int rank = reduction->ranks->rank;
    enum result result = reduction->row->result;
    *last_rank = result == UP_TO_RANK   ? rank
                 : result == BELOW_RANK ? rank - 1
                                        : reduction->ranks->size - 1;
    *first_item = has_parts(reduction) ? items_before(reduction, rank) : 0;
    if ((result == AT_ROOT && rank != reduction->root) || *last_rank < 0)
        return 0;
    return has_parts(reduction) ? reduction->counts[rank] : reduction->items;
}

static char *expected_memory(const struct reduction *reduction) {
    size_t bytes = layout_bytes(reduction->layout, all_items(reduction));
    int last_rank, first_item, items = result_of(reduction, &last_rank, &first_item);
    char *expected = memcpy(malloc(bytes), reduction->receive, bytes);
    for (int i = 0; i < items * ITEM_ELEMENTS; i++)
        *element(reduction, expected, i) =
            folded(reduction, last_rank, first_item * ITEM_ELEMENTS + i);
    return expected;
}

static void make_memory(struct reduction *reduction) {
    enum result result = reduction->row->result;
    int rank = reduction->ranks->rank;
    bool is_here = reduction->in_place && (result != AT_ROOT || rank == reduction->root);
    for (int i = 0; i < reduction->ranks->size; i++)
        reduction->counts[i] =
            result == EQUAL_PARTS ? reduction->items : reduction->items * ((i + 2) % 3);
    int items = all_items(reduction);
    reduction->send = memory_new(reduction->layout, items);
    reduction->receive = memory_new(reduction->layout, items);
    char *from = is_here ? reduction->receive : reduction->send;
    for (int i = 0; i < items * ITEM_ELEMENTS; i++)
        *element(reduction, from, i) = value_of(rank, 0, i);
}

/* MPI_IN_PLACE leaves the rest of the vector undefined, and MPI_Exscan all of rank 0's. */
static void forget_the_undefined(const struct reduction *reduction, char *expected) {
    int last_rank, first_item, items = result_of(reduction, &last_rank, &first_item);
    bool is_first = reduction->row->result == BELOW_RANK && reduction->ranks->rank == 0;
    if (!is_first && !(has_parts(reduction) && reduction->in_place))
        return;
    for (int i = items * ITEM_ELEMENTS; i < all_items(reduction) * ITEM_ELEMENTS; i++)
        *element(reduction, expected, i) = *element(reduction, reduction->receive, i);
}

/* ---- Calls ---- */

#define CALL(blocking, nonblocking, ...)                                                           \
    (is_nonblocking ? MPI_##nonblocking(__VA_ARGS__, comm, request)                                \
                    : MPI_##blocking(__VA_ARGS__, comm))

static int call(struct reduction *reduction, MPI_Op op, bool is_nonblocking, MPI_Request *request) {
    const struct layout *layout = reduction->layout;
    bool is_root = reduction->row->result != AT_ROOT || reduction->ranks->rank == reduction->root;
    void *from = reduction->in_place && is_root ? MPI_IN_PLACE : reduction->send + MARGIN_BYTES;
    void *to = reduction->receive + MARGIN_BYTES;
    int count = reduction->items * layout->per_item, counts[MOST_RANKS];
    MPI_Comm comm = reduction->ranks->comm;
    for (int i = 0; i < reduction->ranks->size; i++)
        counts[i] = reduction->counts[i] * layout->per_item;
    switch (reduction->row->result) {
    case AT_ROOT:
        return CALL(Reduce, Ireduce, from, to, count, layout->type, op, reduction->root);
    case FOR_ALL:
        return CALL(Allreduce, Iallreduce, from, to, count, layout->type, op);
    case UP_TO_RANK:
        return CALL(Scan, Iscan, from, to, count, layout->type, op);
    case BELOW_RANK:
        return CALL(Exscan, Iexscan, from, to, count, layout->type, op);
    case PARTS:
        return CALL(Reduce_scatter, Ireduce_scatter, from, to, counts, layout->type, op);
    default:
        return CALL(Reduce_scatter_block, Ireduce_scatter_block, from, to, count, layout->type, op);
    }
}

static void check_row(struct reduction reduction, bool is_nonblocking) {
    MPI_Request request;
    MPI_Op op = operation_new(reduction.operation);
    make_memory(&reduction);
    size_t bytes = layout_bytes(reduction.layout, all_items(&reduction));
    char *expected = expected_memory(&reduction);
    char *sent = memcpy(malloc(bytes), reduction.send, bytes);
    int code = call(&reduction, op, is_nonblocking, &request);
    if (is_nonblocking && code == MPI_SUCCESS)
        complete(&request);
    forget_the_undefined(&reduction, expected);
#define ROW                                                                                        \
    "%s%s%s: %s of %s, %d items, root %d", is_nonblocking ? "I" : "", reduction.row->name,         \
        reduction.in_place ? " in place" : "", reduction.operation->name, reduction.layout->name,  \
        reduction.items, reduction.root
    check(code == MPI_SUCCESS, "an error: " ROW);
    check_memory(reduction.send, sent, bytes, "sender's: " ROW);
    check_memory(reduction.receive, expected, bytes, ROW);
    if (reduction.operation->function != NULL)
        MPI_Op_free(&op);
}

static void check_operation(const struct ranks *ranks, const struct layout *layout,
                            const struct operation *operation, int items, int root) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int variant = 0;
             is_asked_for(ranks, rows[i].name) && variant < (ranks->has_nonblocking ? 4 : 2);
             variant++) {
            struct reduction reduction = {.ranks = ranks,
                                          .row = &rows[i],
                                          .operation = operation,
                                          .layout = layout,
                                          .items = items,
                                          .root = root,
                                          .in_place = variant % 2 == 1};
            check_row(reduction, variant / 2 == 1);
        }
}

void reductions_check(const struct ranks *ranks, const struct layout *layout, int items, int root) {
    if (layout->type == MPI_BYTE)
        return;
    if (layout_key == MPI_KEYVAL_INVALID)
        MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &layout_key, NULL);
    if (layout->type != MPI_UNSIGNED)
        MPI_Type_set_attr(layout->type, layout_key, (void *)(MPI_Aint)layout);
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        if (operations[i].function != NULL || layout->type == MPI_UNSIGNED)
            check_operation(ranks, layout, &operations[i], items, root);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * See pair_matrix.h. The sends of one rank are sorted by receiver and summed up, rank by rank.
 */
#include "analysis/views/pair_matrix.h"

#include <stdlib.h>

static int compare_receivers(const void *a, const void *b) {
    const struct pair_sum *x = a, *y = b;
    return x->to < y->to ? -1 : x->to > y->to;
}

static int compare_bytes(const void *a, const void *b) {
    const struct pair_sum *x = a, *y = b;
    if (x->bytes != y->bytes)
        return x->bytes > y->bytes ? -1 : 1;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return x->to < y->to ? -1 : x->to > y->to;
}

static bool is_send(const struct run_view *view, const struct trace_event *event) {
    return event->direction == TRACE_SENDS && event->message != 0 && event->peer >= 0 &&
           event->peer < view->ranks;
}

static void add_rank(struct pair_matrix *out, const struct run_view *view, int rank) {
    size_t first = out->pairs.count, kept = first;
    for (size_t i = view->rank_first[rank]; i < view->rank_first[rank + 1]; i++) {
        const struct trace_event *event = &view->events.items[i];
        if (is_send(view, event))
            vec_push(&out->pairs, (struct pair_sum){(uint32_t)rank, (uint32_t)event->peer, 1,
                                                    event->bytes > 0 ? (uint64_t)event->bytes : 0});
    }
    if (out->pairs.count == first)
        return;
    struct pair_sum *pairs = out->pairs.items;
    qsort(pairs + first, out->pairs.count - first, sizeof *pairs, compare_receivers);
    for (size_t i = first + 1; i < out->pairs.count; i++)
        if (pairs[i].to == pairs[kept].to) {
            pairs[kept].messages += pairs[i].messages;
            pairs[kept].bytes += pairs[i].bytes;
        } else {
            pairs[++kept] = pairs[i];
        }
    out->pairs.count = kept + 1;
}

static void fill_blocks(struct pair_matrix *out, uint32_t ranks, uint32_t most) {
    out->block = ranks > most ? (ranks + most - 1) / most : 1;
    out->size = (ranks + out->block - 1) / out->block;
    out->bytes = xcalloc((size_t)out->size * out->size, sizeof *out->bytes);
    for (size_t i = 0; i < out->pairs.count; i++) {
        const struct pair_sum *pair = &out->pairs.items[i];
        out->bytes[(size_t)(pair->from / out->block) * out->size + pair->to / out->block] +=
            (double)pair->bytes;
        out->messages += pair->messages;
        out->total_bytes += pair->bytes;
    }
}

void pair_matrix_make(struct pair_matrix *out, const struct run_view *view, uint32_t most) {
    *out = (struct pair_matrix){0};
    for (int rank = 0; rank < view->ranks; rank++)
        add_rank(out, view, rank);
    fill_blocks(out, (uint32_t)view->ranks, most);
    if (out->pairs.count > 0)
        qsort(out->pairs.items, out->pairs.count, sizeof *out->pairs.items, compare_bytes);
}

void pair_matrix_dispose(struct pair_matrix *matrix) {
    vec_dispose(&matrix->pairs);
    free(matrix->bytes);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * See layouts.h. Places are computed here, without MPI: they are what datatypes are held against.
 */
#include "layouts.h"

#include <stdlib.h>

#define N ITEM_ELEMENTS
#define WORD ((MPI_Aint)sizeof(unsigned))

typedef void layout_maker(struct layout *out, int most_items);

/* Elements `step` words apart, from `first` on. */
static void place(struct layout *out, MPI_Aint first, MPI_Aint step, MPI_Aint item_bytes) {
    out->item_bytes = item_bytes;
    for (int i = 0; i < N; i++)
        out->offsets[i] = (first + i * step) * WORD;
}

static void resize(struct layout *out, MPI_Datatype inner, MPI_Aint lower, MPI_Aint bytes) {
    MPI_Type_create_resized(inner, lower, bytes, &out->type);
    MPI_Type_free(&inner);
}

static void elements(struct layout *out, int most_items) {
    (void)most_items;
    out->type = MPI_UNSIGNED;
    out->per_item = N;
    place(out, 0, 1, N * WORD);
}

static void bytes(struct layout *out, int most_items) {
    (void)most_items;
    out->type = MPI_BYTE;
    out->per_item = N * (int)WORD;
    place(out, 0, 1, N * WORD);
}

static void contiguous(struct layout *out, int most_items) {
    (void)most_items;
    MPI_Type_contiguous(N, MPI_UNSIGNED, &out->type);
    place(out, 0, 1, N * WORD);
}

static void halves(struct layout *out, int most_items) {
    (void)most_items;
    MPI_Type_contiguous(N / 2, MPI_UNSIGNED, &out->type);
    out->per_item = 2;
    place(out, 0, 1, N * WORD);
}

static void vector(struct layout *out, int most_items) {
    (void)most_items;
    MPI_Type_vector(N, 1, 3, MPI_UNSIGNED, &out->type);
    place(out, 0, 3, ((N - 1) * 3 + 1) * WORD);
}

static void backwards(struct layout *out, int most_items) {
    MPI_Datatype inner;
    (void)most_items;
    MPI_Type_vector(N, 1, -1, MPI_UNSIGNED, &inner);
    resize(out, inner, -(N - 1) * WORD, N * WORD);
    place(out, 0, -1, N * WORD);
}

/* Items lie between each other, as columns of a matrix do. */
static void column(struct layout *out, int most_items) {
    MPI_Datatype inner;
    MPI_Type_vector(N, 1, most_items, MPI_UNSIGNED, &inner);
    resize(out, inner, 0, WORD);
    place(out, 0, most_items, WORD);
}

static void padded(struct layout *out, int most_items) {
    MPI_Datatype inner;
    (void)most_items;
    MPI_Type_contiguous(N, MPI_UNSIGNED, &inner);
    resize(out, inner, 0, (N + 2) * WORD);
    place(out, 0, 1, (N + 2) * WORD);
}

static void padded_elements(struct layout *out, int most_items) {
    (void)most_items;
    MPI_Type_create_resized(MPI_UNSIGNED, 0, 3 * WORD, &out->type);
    out->per_item = N;
    place(out, 0, 3, N * 3 * WORD);
}

static void padded_before(struct layout *out, int most_items) {
    MPI_Datatype inner;
    (void)most_items;
    MPI_Type_contiguous(N, MPI_UNSIGNED, &inner);
    resize(out, inner, -2 * WORD, (N + 3) * WORD);
    place(out, 0, 1, (N + 3) * WORD);
}

static void shifted(struct layout *out, int most_items) {
    int length = N;
    MPI_Aint offset = 2 * WORD;
    (void)most_items;
    MPI_Type_create_hindexed(1, &length, &offset, MPI_UNSIGNED, &out->type);
    place(out, 2, 1, N * WORD);
}

static void structure(struct layout *out, int most_items) {
    int lengths[2] = {1, N - 1};
    MPI_Aint offsets[2] = {0, 2 * WORD};
    MPI_Datatype types[2] = {MPI_UNSIGNED, MPI_UNSIGNED};
    (void)most_items;
    MPI_Type_create_struct(2, lengths, offsets, types, &out->type);
    place(out, 1, 1, (N + 1) * WORD);
    out->offsets[0] = 0;
}

/* The data's order is not that of memory. */
static void scattered(struct layout *out, int most_items) {
    int lengths[N], places[N];
    (void)most_items;
    for (int i = 0; i < N; i++) {
        lengths[i] = 1;
        places[i] = 2 * ((i + 2) % N);
    }
    MPI_Type_indexed(N, lengths, places, MPI_UNSIGNED, &out->type);
    place(out, 0, 0, (2 * (N - 1) + 1) * WORD);
    for (int i = 0; i < N; i++)
        out->offsets[i] = places[i] * WORD;
}

static void subarray(struct layout *out, int most_items) {
    int sizes[2] = {3, N + 1}, parts[2] = {2, N / 2}, starts[2] = {1, 1};
    (void)most_items;
    MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, MPI_UNSIGNED, &out->type);
    place(out, 0, 1, 3 * (N + 1) * WORD);
    for (int i = 0; i < N; i++)
        out->offsets[i] = ((1 + i / (N / 2)) * (N + 1) + 1 + i % (N / 2)) * WORD;
}

static void nested(struct layout *out, int most_items) {
    MPI_Datatype inner;
    (void)most_items;
    MPI_Type_create_resized(MPI_UNSIGNED, 0, 2 * WORD, &inner);
    MPI_Type_contiguous(N, inner, &out->type);
    MPI_Type_free(&inner);
    place(out, 0, 2, 2 * N * WORD);
}

static void duplicate(struct layout *out, int most_items) {
    MPI_Datatype inner;
    (void)most_items;
    MPI_Type_vector(N / 2, 2, 3, MPI_UNSIGNED, &inner);
    MPI_Type_dup(inner, &out->type);
    MPI_Type_free(&inner);
    place(out, 0, 1, ((N / 2 - 1) * 3 + 2) * WORD);
    for (int i = 0; i < N; i++)
        out->offsets[i] = (i / 2 * 3 + i % 2) * WORD;
}

static const struct layout_row {
    const char *name;
    layout_maker *make;
} rows[] = {
    {"elements", elements},
    {"bytes", bytes},
    {"contiguous", contiguous},
    {"halves", halves},
    {"vector", vector},
    {"backwards", backwards},
    {"column", column},
    {"padded", padded},
    {"padded elements", padded_elements},
    {"padded before", padded_before},
    {"shifted", shifted},
    {"struct", structure},
    {"scattered", scattered},
    {"subarray", subarray},
    {"nested", nested},
    {"duplicate", duplicate},
};

int layouts_make(struct layout **out, int most_items) {
    int count = sizeof rows / sizeof *rows;
    *out = calloc((size_t)count, sizeof **out);
    for (int i = 0; i < count; i++) {
        struct layout *layout = &(*out)[i];
        layout->name = rows[i].name;
        layout->per_item = 1;
        rows[i].make(layout, most_items);
        if (layout->type != MPI_UNSIGNED && layout->type != MPI_BYTE)
            MPI_Type_commit(&layout->type);
    }
    return count;
}

void layouts_free(struct layout *layouts, int count) {
    for (int i = 0; i < count; i++)
        if (layouts[i].type != MPI_UNSIGNED && layouts[i].type != MPI_BYTE)
            MPI_Type_free(&layouts[i].type);
    free(layouts);
}

size_t layout_bytes(const struct layout *layout, int items) {
    MPI_Aint most = 0;
    for (int i = 0; i < N; i++)
        most = layout->offsets[i] > most ? layout->offsets[i] : most;
    return 2 * MARGIN_BYTES + (size_t)(items * layout->item_bytes + most + WORD);
}

unsigned *layout_element(const struct layout *layout, char *base, int item, int element) {
    return (void *)(base + MARGIN_BYTES + item * layout->item_bytes + layout->offsets[element]);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Which bytes a datatype has, in the order of its data: the type is taken apart by
 * MPI_Type_get_envelope and _get_contents (MPI 3.1, section 4.1.13) down to predefined types.
 * What SimGrid 3.32 answers is odd in three ways: a struct calls itself indexed (it alone of those
 * has addresses), a subarray or resized type is a struct between MPI_LB and MPI_UB, and a struct or
 * indexed type whose blocks lie behind one another is contiguous, at its lower bound. The engine
 * answers as MPI says.
 */
#include "runtime/simgrid/datatype_layout.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct parts {
    int combiner, numbers, addresses, types;
    int *number;
    MPI_Aint *address;
    MPI_Datatype *type;
    MPI_Offset lower_bound; /* of the datatype itself */
};

static void *reserve(void *old, size_t count, size_t size) {
    void *grown = realloc(old, count * size + 1);
    if (grown == NULL) {
        fputs("mpiskel: error: out of memory for the layout of a datatype\n", stderr);
        abort();
    }
    return grown;
}

static void add(struct bsim__layout *out, MPI_Offset place, MPI_Offset length) {
    struct bsim__layout_segment *last = out->count > 0 ? &out->segments[out->count - 1] : NULL;
    if (length == 0)
        return;
    out->size += length;
    if (last != NULL && last->place + last->length == place) {
        last->length += length;
        return;
    }
    if (out->count == out->capacity) {
        size_t capacity = 2 * out->capacity + 4;
        out->segments = reserve(out->segments, capacity, sizeof *out->segments);
        out->capacity = capacity;
    }
    out->segments[out->count++] = (struct bsim__layout_segment){place, length, out->size - length};
}

static int take_apart(struct bsim__layout *out, MPI_Datatype type, MPI_Offset place);

static MPI_Offset extent_of(MPI_Datatype type) {
    MPI_Aint lower, extent = 0;
    MPI_Type_get_extent(type, &lower, &extent);
    return extent;
}

static MPI_Offset lower_bound_of(MPI_Datatype type) {
    MPI_Aint lower = 0, extent;
    MPI_Type_get_extent(type, &lower, &extent);
    return lower;
}

/* `count` of them, one behind the other. */
static int repeat(struct bsim__layout *out, MPI_Datatype type, long count, MPI_Offset place) {
    MPI_Offset extent = extent_of(type);
    int code = MPI_SUCCESS;
    if (type == MPI_LB || type == MPI_UB)
        return MPI_SUCCESS;
    for (long i = 0; code == MPI_SUCCESS && i < count; i++)
        code = take_apart(out, type, place + i * extent);
    return code;
}

static int take_vector(struct bsim__layout *out, const struct parts *parts, MPI_Offset stride,
                       MPI_Offset place) {
    int code = MPI_SUCCESS;
    for (int i = 0; code == MPI_SUCCESS && i < parts->number[0]; i++)
        code = repeat(out, parts->type[0], parts->number[1], place + i * stride);
    return code;
}

/* The first number is that of the blocks, then come their lengths, then (unless there are
 * addresses) their displacements in elements. */
static int take_blocks(struct bsim__layout *out, const struct parts *parts, MPI_Offset place) {
    int blocks = parts->number[0], code = MPI_SUCCESS;
    for (int i = 0; code == MPI_SUCCESS && i < blocks; i++) {
        MPI_Datatype type = parts->type[parts->types > i ? i : 0];
        MPI_Offset at = parts->addresses > 0 ? parts->address[i]
                                             : parts->number[1 + blocks + i] * extent_of(type);
        code = repeat(out, type, parts->number[1 + i], place + at);
    }
    return code;
}

/* All of one length. */
static int take_equal_blocks(struct bsim__layout *out, const struct parts *parts,
                             MPI_Offset place) {
    int code = MPI_SUCCESS;
    for (int i = 0; code == MPI_SUCCESS && i < parts->number[0]; i++) {
        MPI_Offset at = parts->addresses > 0 ? parts->address[i]
                                             : parts->number[2 + i] * extent_of(parts->type[0]);
        code = repeat(out, parts->type[0], parts->number[1], place + at);
    }
    return code;
}

/* The numbers: dimensions; sizes of the array, of its part, starts, by dimension; the order. */
static int take_subarray(struct bsim__layout *out, const struct parts *parts, int depth,
                         MPI_Offset place) {
    int dimensions = parts->number[0], code = MPI_SUCCESS;
    bool is_c_order = parts->number[1 + 3 * dimensions] == MPI_ORDER_C;
    const int *sizes = parts->number + 1, *part = sizes + dimensions, *starts = part + dimensions;
    if (depth == dimensions)
        return repeat(out, parts->type[0], 1, place);
    int i = is_c_order ? depth : dimensions - 1 - depth;
    MPI_Offset stride = extent_of(parts->type[0]);
    for (int k = is_c_order ? i + 1 : i - 1; k >= 0 && k < dimensions; k += is_c_order ? 1 : -1)
        stride *= sizes[k];
    for (int k = 0; code == MPI_SUCCESS && k < part[i]; k++)
        code = take_subarray(out, parts, depth + 1, place + (starts[i] + k) * stride);
    return code;
}

static int take_parts(struct bsim__layout *out, const struct parts *parts, MPI_Offset place) {
    switch (parts->combiner) {
    case MPI_COMBINER_DUP:
        return repeat(out, parts->type[0], 1, place);
    case MPI_COMBINER_CONTIGUOUS: /* or, in SimGrid, one block somewhere: only its bound says where
                                   */
        return repeat(out, parts->type[0], parts->number[0],
                      place + parts->lower_bound - lower_bound_of(parts->type[0]));
    case MPI_COMBINER_VECTOR:
        return take_vector(out, parts, parts->number[2] * extent_of(parts->type[0]), place);
    case MPI_COMBINER_HVECTOR:
        return take_vector(out, parts, parts->address[0], place);
    case MPI_COMBINER_INDEXED:
    case MPI_COMBINER_HINDEXED:
    case MPI_COMBINER_STRUCT:
        return take_blocks(out, parts, place);
    case MPI_COMBINER_INDEXED_BLOCK:
    case MPI_COMBINER_HINDEXED_BLOCK:
        return take_equal_blocks(out, parts, place);
    case MPI_COMBINER_RESIZED:
        return repeat(out, parts->type[0], 1, place);
    case MPI_COMBINER_SUBARRAY:
        return take_subarray(out, parts, 0, place);
    default:
        return MPI_ERR_TYPE;
    }
}

/* Those that are not predefined are the caller's, to be freed. */
static void give_back(MPI_Datatype type) {
    int numbers, addresses, types, combiner = MPI_COMBINER_NAMED;
    MPI_Type_get_envelope(type, &numbers, &addresses, &types, &combiner);
    if (combiner != MPI_COMBINER_NAMED)
        MPI_Type_free(&type);
}

static int take_apart(struct bsim__layout *out, MPI_Datatype type, MPI_Offset place) {
    struct parts parts;
    int size = 0, code = MPI_Type_get_envelope(type, &parts.numbers, &parts.addresses, &parts.types,
                                               &parts.combiner);
    if (code != MPI_SUCCESS)
        return code;
    parts.lower_bound = lower_bound_of(type);
    if (parts.combiner == MPI_COMBINER_NAMED) {
        MPI_Type_size(type, &size);
        add(out, place, size);
        return MPI_SUCCESS;
    }
    parts.number = reserve(NULL, (size_t)parts.numbers, sizeof *parts.number);
    parts.address = reserve(NULL, (size_t)parts.addresses, sizeof *parts.address);
    parts.type = reserve(NULL, (size_t)parts.types, sizeof *parts.type);
    code = MPI_Type_get_contents(type, parts.numbers, parts.addresses, parts.types, parts.number,
                                 parts.address, parts.type);
    if (code == MPI_SUCCESS)
        code = take_parts(out, &parts, place);
    for (int i = 0; i < parts.types; i++)
        give_back(parts.type[i]);
    free(parts.number);
    free(parts.address);
    free(parts.type);
    return code;
}

int bsim__layout_init(struct bsim__layout *out, MPI_Datatype type) {
    *out = (struct bsim__layout){0};
    if (type == MPI_DATATYPE_NULL)
        return MPI_ERR_TYPE;
    out->extent = extent_of(type);
    int code = take_apart(out, type, 0);
    if (code != MPI_SUCCESS)
        bsim__layout_dispose(out);
    return code;
}

void bsim__layout_dispose(struct bsim__layout *layout) {
    free(layout->segments);
    *layout = (struct bsim__layout){0};
}

/* The last segment with no more than so many bytes before it. */
static const struct bsim__layout_segment *find(const struct bsim__layout *layout, MPI_Offset at) {
    size_t low = 0, high = layout->count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (layout->segments[middle].before <= at)
            low = middle;
        else
            high = middle;
    }
    return &layout->segments[low];
}

MPI_Offset bsim__layout_place(MPI_Offset *out_run, const struct bsim__layout *layout,
                              MPI_Offset at) {
    if (layout->size == 0) {
        *out_run = 0;
        return 0;
    }
    MPI_Offset tile = at / layout->size, within = at % layout->size;
    const struct bsim__layout_segment *segment = find(layout, within);
    MPI_Offset skipped = within - segment->before;
    bool is_dense = layout->count == 1 && layout->size == layout->extent;
    *out_run = is_dense ? INT64_MAX / 2 : segment->length - skipped;
    return tile * layout->extent + segment->place + skipped;
}

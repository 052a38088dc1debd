/* SPDX-License-Identifier: Apache-2.0
 *
 * See typed_bytes.h. A datatype that cannot be taken apart (none that programs can make here) ends
 * the simulation.
 */
#include "runtime/collectives/typed_bytes.h"

#include "runtime/simgrid/datatype_layout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void die(const char *why) {
    fprintf(stderr, "mpiskel: error: %s, in a collective\n", why);
    abort();
}

void *typed_bytes_memory(size_t bytes) {
    void *memory = malloc(bytes + 1);
    if (memory == NULL)
        die("out of memory");
    return memory;
}

bool typed_bytes_is_predefined(MPI_Datatype type) {
    int integers, addresses, types, combiner = MPI_COMBINER_NAMED;
    MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
    return combiner == MPI_COMBINER_NAMED;
}

size_t typed_bytes_size(MPI_Datatype type) {
    int size = 0;
    MPI_Type_size(type, &size);
    return (size_t)size;
}

static void make_layout(struct bsim__layout *out, MPI_Datatype type) {
    if (bsim__layout_init(out, type) != MPI_SUCCESS)
        die("a datatype of unknown form");
}

typedef void copier(char *element_side, char *packed_side, size_t bytes);

static void to_packed(char *element_side, char *packed_side, size_t bytes) {
    memcpy(packed_side, element_side, bytes);
}

static void from_packed(char *element_side, char *packed_side, size_t bytes) {
    memcpy(element_side, packed_side, bytes);
}

static void copy_all(char *elements, char *packed, long count, MPI_Datatype type, copier *copy) {
    struct bsim__layout layout;
    if (count <= 0)
        return;
    make_layout(&layout, type);
    for (MPI_Offset at = 0, all = layout.size * count, run; at < all; at += run) {
        MPI_Offset place = bsim__layout_place(&run, &layout, at);
        run = run < all - at ? run : all - at;
        copy(elements + place, packed + at, (size_t)run);
    }
    bsim__layout_dispose(&layout);
}

void typed_bytes_pack(void *out, const void *from, long count, MPI_Datatype type) {
    copy_all((char *)(MPI_Aint)from, out, count, type, to_packed);
}

void typed_bytes_unpack(void *to, const void *packed, long count, MPI_Datatype type) {
    copy_all(to, (char *)(MPI_Aint)packed, count, type, from_packed);
}

/* The first and the last byte of the first and of the last element. */
static void bounds(MPI_Offset *lowest, MPI_Offset *highest, const struct bsim__layout *layout,
                   long count) {
    for (size_t i = 0; i < layout->count; i++)
        for (long k = 0; k < 2; k++) {
            MPI_Offset begin =
                layout->segments[i].place + (k == 0 ? 0 : count - 1) * layout->extent;
            MPI_Offset end = begin + layout->segments[i].length;
            *lowest = begin < *lowest ? begin : *lowest;
            *highest = end > *highest ? end : *highest;
        }
}

void *typed_bytes_new(void **out, long count, MPI_Datatype type) {
    struct bsim__layout layout;
    MPI_Offset lowest = 0, highest = 0;
    make_layout(&layout, type);
    bounds(&lowest, &highest, &layout, count > 0 ? count : 1);
    bsim__layout_dispose(&layout);
    *out = typed_bytes_memory((size_t)(highest - lowest));
    return (char *)*out - lowest;
}

void typed_bytes_reduce(const void *in, void *inout, long count, MPI_Datatype type, MPI_Op op) {
    smpi_bench_begin();
    MPI_Reduce_local(in, inout, (int)count, type, op);
}

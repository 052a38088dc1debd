/* SPDX-License-Identifier: Apache-2.0
 *
 * MPI_Type_create_struct with the padding of the C compiler: the extent of a struct is a multiple
 * of the alignment of what is in it (MPI 3.1, section 4.1.6), so that arrays of structs can be
 * sent. SimGrid 3.32 has none. And MPI_Type_create_subarray with the extent of the whole array
 * (ibid., 4.1.3), by which the next one lies behind it: SimGrid's is that of one element.
 */
#include "runtime/smpi/runtime.h"

#include <mpi.h>
#include <stddef.h>
#include <stdlib.h>

#define BSIM_NO_MACROS
#include "bsim_calls.h"

#define DEPTH_MAX 64

static MPI_Aint alignment_of_named(MPI_Datatype type) {
    const struct {
        MPI_Datatype type;
        size_t alignment;
    } others[] = {{MPI_LONG_DOUBLE, _Alignof(long double)},
                  {MPI_C_LONG_DOUBLE_COMPLEX, _Alignof(long double)},
                  {MPI_C_DOUBLE_COMPLEX, _Alignof(double)},
                  {MPI_C_FLOAT_COMPLEX, _Alignof(float)},
                  {MPI_FLOAT_INT, _Alignof(float)},
                  {MPI_2INT, _Alignof(int)},
                  {MPI_SHORT_INT, _Alignof(int)},
                  {MPI_DOUBLE_INT, _Alignof(double)},
                  {MPI_LONG_INT, _Alignof(long)},
                  {MPI_LONG_DOUBLE_INT, _Alignof(long double)}};
    int size = 1;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i].type == type)
            return (MPI_Aint)others[i].alignment;
    MPI_Type_size(type, &size);
    return size == 1 || size == 2 || size == 4 || size == 8 ? size : 1;
}

static MPI_Aint alignment_of(MPI_Datatype type, int depth);

static MPI_Aint largest_alignment(const MPI_Datatype *types, int count, int depth) {
    MPI_Aint largest = 1;
    for (int i = 0; i < count; i++) {
        MPI_Aint alignment = alignment_of(types[i], depth);
        largest = alignment > largest ? alignment : largest;
    }
    return largest;
}

static MPI_Aint alignment_of(MPI_Datatype type, int depth) {
    int integers, addresses, types, combiner;
    MPI_Aint alignment = 1;
    if (type == MPI_DATATYPE_NULL || depth > DEPTH_MAX ||
        MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner) != MPI_SUCCESS)
        return 1;
    if (combiner == MPI_COMBINER_NAMED)
        return alignment_of_named(type);
    int *numbers = calloc((size_t)integers + 1, sizeof *numbers);
    MPI_Aint *places = calloc((size_t)addresses + 1, sizeof *places);
    MPI_Datatype *inside = calloc((size_t)types + 1, sizeof *inside);
    if (numbers != NULL && places != NULL && inside != NULL &&
        MPI_Type_get_contents(type, integers, addresses, types, numbers, places, inside) ==
            MPI_SUCCESS)
        alignment = largest_alignment(inside, types, depth + 1);
    free(numbers);
    free(places);
    free(inside);
    return alignment;
}

/* Who marks the bounds has said where they are. */
static int has_bounds(const MPI_Datatype *types, int count) {
    for (int i = 0; i < count; i++)
        if (types[i] == MPI_LB || types[i] == MPI_UB)
            return 1;
    return 0;
}

static int pad(MPI_Datatype *type, const MPI_Datatype *types, int count) {
    MPI_Aint lower, extent, alignment = largest_alignment(types, count, 0);
    MPI_Datatype padded, packed = *type;
    int result = MPI_Type_get_extent(packed, &lower, &extent);
    if (result != MPI_SUCCESS || extent % alignment == 0)
        return result;
    extent += alignment - extent % alignment;
    result = MPI_Type_create_resized(packed, lower, extent, &padded);
    if (result != MPI_SUCCESS)
        return result;
    *type = padded;
    return MPI_Type_free(&packed);
}

int bsim_MPI_Type_create_struct(int count, const int *lengths, const MPI_Aint *displacements,
                                const MPI_Datatype *types, MPI_Datatype *type) {
    int result = MPI_Type_create_struct(count, lengths, displacements, types, type);
    if (result == MPI_SUCCESS && count > 0 && !has_bounds(types, count))
        result = pad(type, types, count);
    if (result == MPI_SUCCESS)
        bsim__elements_note_struct(*type, count, lengths, types);
    return result;
}

int bsim_MPI_Type_struct(int count, const int *lengths, const MPI_Aint *displacements,
                         const MPI_Datatype *types, MPI_Datatype *type) {
    return bsim_MPI_Type_create_struct(count, lengths, displacements, types, type);
}

int bsim_MPI_Type_create_subarray(int dimensions, const int *sizes, const int *subsizes,
                                  const int *starts, int order, MPI_Datatype old,
                                  MPI_Datatype *type) {
    MPI_Aint lower, extent;
    MPI_Datatype part;
    int result = MPI_Type_create_subarray(dimensions, sizes, subsizes, starts, order, old, &part);
    if (result == MPI_SUCCESS)
        result = MPI_Type_get_extent(old, &lower, &extent);
    if (result != MPI_SUCCESS)
        return result;
    for (int i = 0; i < dimensions; i++)
        extent *= sizes[i];
    result = MPI_Type_create_resized(part, 0, extent, type);
    MPI_Type_free(&part);
    return result;
}

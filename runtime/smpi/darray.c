/* SPDX-License-Identifier: Apache-2.0
 *
 * MPI_Type_create_darray (MPI 3.1, section 4.1.4), which aborts in SimGrid 3.32: the part of an
 * array that a process of a grid has. Dimension by dimension, the fastest first, the blocks of this
 * process become an indexed type of what one step in that dimension is, resized to the whole
 * dimension, so that the next one goes by whole rows.
 */
#include "runtime/smpi/replaced.h"
#include "runtime/smpi/runtime.h"

#include <stdlib.h>

/* One dimension: its size, and how it is dealt out to `processes`, of which this is number
 * `place`. */
struct darray_dimension {
    int size, distribution, argument, processes, place;
};

static int block_of(const struct darray_dimension *dimension) {
    bool is_default = dimension->argument == MPI_DISTRIBUTE_DFLT_DARG;
    if (dimension->distribution == MPI_DISTRIBUTE_NONE)
        return dimension->size;
    if (dimension->distribution == MPI_DISTRIBUTE_CYCLIC)
        return is_default ? 1 : dimension->argument;
    return is_default ? (dimension->size + dimension->processes - 1) / dimension->processes
                      : dimension->argument;
}

static int blocks_of(int *lengths, int *places, const struct darray_dimension *dimension) {
    int block = block_of(dimension), count = 0;
    bool is_whole = dimension->distribution == MPI_DISTRIBUTE_NONE;
    long begin = is_whole ? 0 : (long)block * dimension->place;
    for (; begin < dimension->size; begin += (long)block * dimension->processes) {
        places[count] = (int)begin;
        lengths[count++] = begin + block > dimension->size ? dimension->size - (int)begin : block;
    }
    return count;
}

/* `type`: one step in the dimension; becomes all of it. */
static int extend(MPI_Datatype *type, MPI_Aint *extent, const struct darray_dimension *dimension) {
    MPI_Datatype blocks, old = *type;
    size_t bytes = ((size_t)dimension->size + 1) * sizeof(int);
    int *lengths = bsim__grow(NULL, 0, bytes), *places = bsim__grow(NULL, 0, bytes);
    int code = block_of(dimension) > 0 ? MPI_Type_indexed(blocks_of(lengths, places, dimension),
                                                          lengths, places, old, &blocks)
                                       : MPI_ERR_ARG;
    free(lengths);
    free(places);
    if (code != MPI_SUCCESS)
        return code;
    *extent *= dimension->size;
    code = MPI_Type_create_resized(blocks, 0, *extent, type);
    MPI_Type_free(&blocks);
    return code;
}

/* Processes lie in the grid in C's order, whatever that of the array is. */
static int place_of(int rank, const int *processes, int dimensions, int dimension) {
    for (int i = dimensions - 1; i > dimension; i--)
        rank /= processes[i];
    return rank % processes[dimension];
}

int bsim__MPI_Type_create_darray(int size, int rank, int ndims, int *gsize_array,
                                 int *distrib_array, int *darg_array, int *psize_array, int order,
                                 MPI_Datatype oldtype, MPI_Datatype *newtype) {
    MPI_Aint lower, extent;
    MPI_Datatype type = oldtype;
    int code = MPI_Type_get_extent(oldtype, &lower, &extent);
    (void)size;
    for (int i = 0; code == MPI_SUCCESS && i < ndims; i++) {
        int k = order == MPI_ORDER_C ? ndims - 1 - i : i;
        struct darray_dimension dimension = {gsize_array[k], distrib_array[k], darg_array[k],
                                             psize_array[k], place_of(rank, psize_array, ndims, k)};
        MPI_Datatype before = type;
        code = extend(&type, &extent, &dimension);
        if (before != oldtype)
            MPI_Type_free(&before);
    }
    *newtype = code == MPI_SUCCESS ? type : MPI_DATATYPE_NULL;
    return code;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * How much a status says was received, and datatypes by size. SimGrid 3.32 counts no elements
 * within derived datatypes, divides by the size of an empty datatype, does not see a part of an
 * element, and takes the elements that a program sets for bytes.
 *
 * The elements are counted along the datatype as it was made (MPI_Type_get_contents): whole ones at
 * once, and of one that came in part those of its parts that came, in their order.
 */
#include "runtime/smpi/replaced.h"
#include "runtime/smpi/runtime.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define BSIM_NO_MACROS
#include "bsim_calls.h"

/* What a derived datatype was made of: numbers as MPI_Type_get_contents gives them. */
struct elements_contents {
    int combiner, number_count, address_count, type_count;
    int *numbers;
    MPI_Aint *addresses;
    MPI_Datatype *types;
};

static void contents_of(struct elements_contents *out, MPI_Datatype datatype) {
    *out = (struct elements_contents){.combiner = MPI_COMBINER_NAMED};
    MPI_Type_get_envelope(datatype, &out->number_count, &out->address_count, &out->type_count,
                          &out->combiner);
    if (out->combiner == MPI_COMBINER_NAMED)
        return;
    out->numbers = bsim__grow(NULL, 0, ((size_t)out->number_count + 1) * sizeof *out->numbers);
    out->addresses = bsim__grow(NULL, 0, ((size_t)out->address_count + 1) * sizeof *out->addresses);
    out->types = bsim__grow(NULL, 0, ((size_t)out->type_count + 1) * sizeof(MPI_Datatype));
    MPI_Type_get_contents(datatype, out->number_count, out->address_count, out->type_count,
                          out->numbers, out->addresses, out->types);
}

static void contents_dispose(struct elements_contents *contents) {
    free(contents->numbers);
    free(contents->addresses);
    free(contents->types);
}

/* Elements of part i, of `parts` (types or blocks); the first number is that of blocks, or of
 * dimensions. */
static long long length_of_part(const struct elements_contents *contents, int i) {
    const int *numbers = contents->numbers;
    long long length = 1;
    switch (contents->combiner) {
    case MPI_COMBINER_CONTIGUOUS:
        return numbers[0];
    case MPI_COMBINER_VECTOR:
    case MPI_COMBINER_HVECTOR:
    case MPI_COMBINER_INDEXED_BLOCK:
    case MPI_COMBINER_HINDEXED_BLOCK:
        return (long long)numbers[0] * numbers[1];
    case MPI_COMBINER_INDEXED:
    case MPI_COMBINER_HINDEXED:
    case MPI_COMBINER_STRUCT:
        return numbers[1 + i];
    case MPI_COMBINER_SUBARRAY:
        for (int k = 0; k < numbers[0]; k++)
            length *= numbers[1 + numbers[0] + k];
        return length;
    default:
        return 1;
    }
}

static int part_count(const struct elements_contents *contents) {
    switch (contents->combiner) {
    case MPI_COMBINER_INDEXED:
    case MPI_COMBINER_HINDEXED:
    case MPI_COMBINER_STRUCT:
        return contents->numbers[0];
    default:
        return 1;
    }
}

static bool is_pair(MPI_Datatype datatype) {
    const MPI_Datatype pairs[] = {MPI_FLOAT_INT, MPI_DOUBLE_INT, MPI_LONG_INT,
                                  MPI_SHORT_INT, MPI_2INT,       MPI_LONG_DOUBLE_INT};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (pairs[i] == datatype)
            return true;
    return false;
}

/* ---- Structs ---- */

/* SimGrid makes bytes of a struct without gaps, so what it was made of is kept beside it. */
static int struct_key(void) {
    struct bsim__shared *shared = bsim__shared();
    if (!shared->has_struct_key)
        MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, &shared->struct_key, NULL);
    shared->has_struct_key = true;
    return shared->struct_key;
}

static MPI_Datatype kept_type(MPI_Datatype datatype) {
    struct elements_contents contents;
    contents_of(&contents, datatype);
    if (contents.combiner != MPI_COMBINER_NAMED)
        MPI_Type_dup(datatype, &datatype);
    contents_dispose(&contents);
    return datatype;
}

void bsim__elements_note_struct(MPI_Datatype made, int count, const int *lengths,
                                const MPI_Datatype *types) {
    struct elements_contents *kept = bsim__grow(NULL, 0, sizeof *kept);
    kept->combiner = MPI_COMBINER_STRUCT;
    kept->type_count = count;
    kept->numbers = bsim__grow(NULL, 0, ((size_t)count + 1) * sizeof *kept->numbers);
    kept->types = bsim__grow(NULL, 0, (size_t)count * sizeof(MPI_Datatype));
    kept->numbers[0] = count;
    for (int i = 0; i < count; i++) {
        kept->numbers[1 + i] = lengths[i];
        kept->types[i] = kept_type(types[i]);
    }
    MPI_Type_set_attr(made, struct_key(), kept);
}

static const struct elements_contents *struct_of(MPI_Datatype datatype) {
    struct elements_contents *kept = NULL;
    int found = 0;
    if (bsim__shared()->has_struct_key)
        MPI_Type_get_attr(datatype, struct_key(), &kept, &found);
    return found ? kept : NULL;
}

/* ---- Counting ---- */

/* Of `times` elements of the datatype in *left bytes, which those found are taken off. */
static long long take(long long *left, MPI_Datatype datatype, long long times);

static long long take_parts(long long *left, const struct elements_contents *contents) {
    long long sum = 0;
    for (int i = 0; i < part_count(contents) && *left > 0; i++)
        sum += take(left, contents->types[contents->type_count > 1 ? i : 0],
                    length_of_part(contents, i));
    return sum;
}

static long long take(long long *left, MPI_Datatype datatype, long long times) {
    int size;
    struct elements_contents contents;
    MPI_Type_size(datatype, &size);
    if (size == 0)
        return 0;
    long long whole = *left / size < times ? *left / size : times, of_one = size, sum = 0;
    contents_of(&contents, datatype);
    *left -= whole * size;
    if (contents.combiner == MPI_COMBINER_NAMED)
        return whole * (is_pair(datatype) ? 2 : 1);
    const struct elements_contents *made = struct_of(datatype);
    if (whole > 0)
        sum = whole * take_parts(&of_one, made != NULL ? made : &contents);
    if (whole < times)
        sum += take_parts(left, made != NULL ? made : &contents);
    contents_dispose(&contents);
    return sum;
}

static long long bytes_of(const MPI_Status *status) {
    return status->count;
}

int bsim__MPI_Get_elements_x(MPI_Status *status, MPI_Datatype datatype, MPI_Count *count) {
    long long left = bytes_of(status);
    *count = take(&left, datatype, LLONG_MAX);
    if (left > 0)
        *count = MPI_UNDEFINED;
    return MPI_SUCCESS;
}

int bsim__MPI_Get_elements(MPI_Status *status, MPI_Datatype datatype, int *count) {
    MPI_Count elements;
    int result = bsim__MPI_Get_elements_x(status, datatype, &elements);
    *count = elements <= INT_MAX ? (int)elements : MPI_UNDEFINED;
    return result;
}

int bsim__MPI_Get_count(const MPI_Status *status, MPI_Datatype datatype, int *count) {
    int size;
    long long bytes = bytes_of(status);
    MPI_Type_size(datatype, &size);
    if (size == 0)
        *count = bytes == 0 ? 0 : MPI_UNDEFINED;
    else
        *count = bytes % size == 0 && bytes / size <= INT_MAX ? (int)(bytes / size) : MPI_UNDEFINED;
    return MPI_SUCCESS;
}

int bsim__MPI_Status_set_elements_x(MPI_Status *status, MPI_Datatype datatype, MPI_Count count) {
    int size;
    MPI_Type_size(datatype, &size);
    return MPI_Status_set_elements(status, MPI_BYTE, (int)(count * size));
}

int bsim__MPI_Status_set_elements(MPI_Status *status, MPI_Datatype datatype, int count) {
    return bsim__MPI_Status_set_elements_x(status, datatype, count);
}

/* ---- By size ---- */

static MPI_Datatype match(const MPI_Datatype *types, size_t count, int size) {
    for (size_t i = 0; i < count; i++) {
        int size_of_type;
        MPI_Type_size(types[i], &size_of_type);
        if (size_of_type == size)
            return types[i];
    }
    return MPI_DATATYPE_NULL;
}

int bsim__MPI_Type_match_size(int typeclass, int size, MPI_Datatype *datatype) {
    const MPI_Datatype reals[] = {MPI_FLOAT, MPI_DOUBLE, MPI_LONG_DOUBLE};
    const MPI_Datatype integers[] = {MPI_INT8_T, MPI_SHORT, MPI_INT, MPI_LONG};
    const MPI_Datatype complexes[] = {MPI_C_FLOAT_COMPLEX, MPI_C_DOUBLE_COMPLEX,
                                      MPI_C_LONG_DOUBLE_COMPLEX};
    *datatype = typeclass == MPI_TYPECLASS_REAL      ? match(reals, 3, size)
                : typeclass == MPI_TYPECLASS_INTEGER ? match(integers, 4, size)
                : typeclass == MPI_TYPECLASS_COMPLEX ? match(complexes, 3, size)
                                                     : MPI_DATATYPE_NULL;
    if (*datatype != MPI_DATATYPE_NULL)
        return MPI_SUCCESS;
    MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_ARG);
    return MPI_ERR_ARG;
}

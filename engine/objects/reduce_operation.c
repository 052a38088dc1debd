/* SPDX-License-Identifier: Apache-2.0
 *
 * See reduce_operation.h. A table of functions, by operation and kind of element; NULL: MPI has no
 * such pair, and nothing is done, as with SMPI.
 */
#include "engine/objects/reduce_operation.h"

#include "base/arena.h"
#include "engine/objects/scratch_memory.h"

#include <complex.h>
#include <stdlib.h>
#include <string.h>

typedef void reduction(const void *in, void *inout, size_t count);

#define REDUCTION(name, type, expression)                                                          \
    static void name(const void *in, void *inout, size_t count) {                                  \
        const type *left = in;                                                                     \
        type *right = inout;                                                                       \
        for (size_t i = 0; i < count; i++) {                                                       \
            type a = left[i], b = right[i];                                                        \
            right[i] = (type)(expression);                                                         \
        }                                                                                          \
    }

#define ORDERED(suffix, type)                                                                      \
    REDUCTION(max_##suffix, type, a > b ? a : b)                                                   \
    REDUCTION(min_##suffix, type, a < b ? a : b)
#define ARITHMETIC(suffix, type)                                                                   \
    REDUCTION(sum_##suffix, type, a + b)                                                           \
    REDUCTION(prod_##suffix, type, a *b)                                                           \
    REDUCTION(land_##suffix, type, a != 0 && b != 0)                                               \
    REDUCTION(lor_##suffix, type, a != 0 || b != 0)                                                \
    REDUCTION(lxor_##suffix, type, (a != 0) != (b != 0))
#define BITWISE(suffix, type)                                                                      \
    REDUCTION(band_##suffix, type, a &b)                                                           \
    REDUCTION(bor_##suffix, type, a | b)                                                           \
    REDUCTION(bxor_##suffix, type, a ^ b)

#define INTEGER(suffix, type) ORDERED(suffix, type) ARITHMETIC(suffix, type) BITWISE(suffix, type)
#define REAL(suffix, type) ORDERED(suffix, type) ARITHMETIC(suffix, type)

INTEGER(int8, int8_t)
INTEGER(int16, int16_t)
INTEGER(int32, int32_t)
INTEGER(int64, int64_t)
INTEGER(uint8, uint8_t)
INTEGER(uint16, uint16_t)
INTEGER(uint32, uint32_t)
INTEGER(uint64, uint64_t)
REAL(float, float)
REAL(double, double)
REAL(long_double, long double)
ARITHMETIC(float_complex, float complex)
ARITHMETIC(double_complex, double complex)
ARITHMETIC(long_double_complex, long double complex)

/* The value decides, then the smaller index. */
#define LOCATED(suffix, value_type, index_type)                                                    \
    struct pair_##suffix {                                                                         \
        value_type value;                                                                          \
        index_type index;                                                                          \
    };                                                                                             \
    static void maxloc_##suffix(const void *in, void *inout, size_t count) {                       \
        const struct pair_##suffix *a = in;                                                        \
        struct pair_##suffix *b = inout;                                                           \
        for (size_t i = 0; i < count; i++)                                                         \
            if (a[i].value > b[i].value || (a[i].value == b[i].value && a[i].index < b[i].index))  \
                b[i] = a[i];                                                                       \
    }                                                                                              \
    static void minloc_##suffix(const void *in, void *inout, size_t count) {                       \
        const struct pair_##suffix *a = in;                                                        \
        struct pair_##suffix *b = inout;                                                           \
        for (size_t i = 0; i < count; i++)                                                         \
            if (a[i].value < b[i].value || (a[i].value == b[i].value && a[i].index < b[i].index))  \
                b[i] = a[i];                                                                       \
    }

LOCATED(float_int, float, int)
LOCATED(double_int, double, int)
LOCATED(long_int, long, int)
LOCATED(short_int, short, int)
LOCATED(2int, int, int)
LOCATED(long_double_int, long double, int)
LOCATED(2float, float, float)
LOCATED(2double, double, double)
LOCATED(2long, long, long)

#define ARITHMETIC_ROW(suffix)                                                                     \
    [OPERATION_SUM] = sum_##suffix, [OPERATION_PROD] = prod_##suffix,                              \
    [OPERATION_LAND] = land_##suffix, [OPERATION_LOR] = lor_##suffix,                              \
    [OPERATION_LXOR] = lxor_##suffix
#define REAL_ROW(suffix)                                                                           \
    {[OPERATION_MAX] = max_##suffix, [OPERATION_MIN] = min_##suffix, ARITHMETIC_ROW(suffix)}
#define INTEGER_ROW(suffix)                                                                        \
    {[OPERATION_MAX] = max_##suffix, [OPERATION_MIN] = min_##suffix,                               \
     ARITHMETIC_ROW(suffix),         [OPERATION_BAND] = band_##suffix,                             \
     [OPERATION_BOR] = bor_##suffix, [OPERATION_BXOR] = bxor_##suffix}
#define PAIR_ROW(suffix)                                                                           \
    {[OPERATION_MAXLOC] = maxloc_##suffix, [OPERATION_MINLOC] = minloc_##suffix}

static reduction *const reductions[ELEMENT_2LONG + 1][OPERATION_NO_OP + 1] = {
    [ELEMENT_BYTES] =
        {[OPERATION_BAND] = band_uint8, [OPERATION_BOR] = bor_uint8, [OPERATION_BXOR] = bxor_uint8},
    [ELEMENT_INT8] = INTEGER_ROW(int8),
    [ELEMENT_INT16] = INTEGER_ROW(int16),
    [ELEMENT_INT32] = INTEGER_ROW(int32),
    [ELEMENT_INT64] = INTEGER_ROW(int64),
    [ELEMENT_UINT8] = INTEGER_ROW(uint8),
    [ELEMENT_UINT16] = INTEGER_ROW(uint16),
    [ELEMENT_UINT32] = INTEGER_ROW(uint32),
    [ELEMENT_UINT64] = INTEGER_ROW(uint64),
    [ELEMENT_FLOAT] = REAL_ROW(float),
    [ELEMENT_DOUBLE] = REAL_ROW(double),
    [ELEMENT_LONG_DOUBLE] = REAL_ROW(long_double),
    [ELEMENT_FLOAT_COMPLEX] = {ARITHMETIC_ROW(float_complex)},
    [ELEMENT_DOUBLE_COMPLEX] = {ARITHMETIC_ROW(double_complex)},
    [ELEMENT_LONG_DOUBLE_COMPLEX] = {ARITHMETIC_ROW(long_double_complex)},
    [ELEMENT_FLOAT_INT] = PAIR_ROW(float_int),
    [ELEMENT_DOUBLE_INT] = PAIR_ROW(double_int),
    [ELEMENT_LONG_INT] = PAIR_ROW(long_int),
    [ELEMENT_SHORT_INT] = PAIR_ROW(short_int),
    [ELEMENT_2INT] = PAIR_ROW(2int),
    [ELEMENT_LONG_DOUBLE_INT] = PAIR_ROW(long_double_int),
    [ELEMENT_2FLOAT] = PAIR_ROW(2float),
    [ELEMENT_2DOUBLE] = PAIR_ROW(2double),
    [ELEMENT_2LONG] = PAIR_ROW(2long),
};

#define PREDEFINED(name)                                                                           \
    struct SMPI_Op smpi_MPI_##name = {.kind = OPERATION_##name, .commutes = true}
PREDEFINED(MAX);
PREDEFINED(MIN);
PREDEFINED(SUM);
PREDEFINED(PROD);
PREDEFINED(LAND);
PREDEFINED(LOR);
PREDEFINED(LXOR);
PREDEFINED(BAND);
PREDEFINED(BOR);
PREDEFINED(BXOR);
PREDEFINED(MAXLOC);
PREDEFINED(MINLOC);
PREDEFINED(REPLACE);
PREDEFINED(NO_OP);

void operation_apply(const struct SMPI_Op *op, const void *in, void *inout, int count,
                     struct SMPI_Datatype *type) {
    if (op == MPI_OP_NULL || in == NULL || inout == NULL || count == 0)
        return;
    if (op->kind == OPERATION_OWN) {
        op->function((void *)(uintptr_t)in, inout, &count, &type);
        return;
    }
    if (scratch_memory_has(in) || scratch_memory_has(inout))
        return;
    reduction *reduce = reductions[type->kind][op->kind];
    if (op->kind == OPERATION_REPLACE)
        datatype_copy(inout, count, type, in, count, type);
    else if (reduce != NULL)
        reduce(in, inout, (size_t)count);
}

struct accumulation {
    const struct SMPI_Op *op;
    const char *packed;
    char *memory;
    size_t left;
    struct SMPI_Datatype *element;
};

static bool accumulate_piece(void *context, MPI_Aint offset, size_t bytes) {
    struct accumulation *sum = context;
    size_t taken = bytes < sum->left ? bytes : sum->left;
    int count = (int)(taken / sum->element->size);
    if (sum->op->kind == OPERATION_REPLACE)
        memcpy(sum->memory + offset, sum->packed, taken);
    else
        operation_apply(sum->op, sum->packed, sum->memory + offset, count, sum->element);
    sum->packed += taken;
    sum->left -= taken;
    return sum->left > 0;
}

void operation_accumulate(const struct SMPI_Op *op, const void *packed, void *to, size_t bytes,
                          struct SMPI_Datatype *type) {
    struct SMPI_Datatype *element = type;
    while (element->blocks != NULL && element->block_count > 0)
        element = element->blocks[0].of;
    struct accumulation sum = {
        .op = op, .packed = packed, .memory = to, .left = bytes, .element = element};
    if (type->size > 0 && bytes > 0 && op->kind != OPERATION_NO_OP)
        datatype_visit(type, 0, (int)(bytes / type->size), accumulate_piece, &sum);
}

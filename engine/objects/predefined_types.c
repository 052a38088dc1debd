/* SPDX-License-Identifier: Apache-2.0
 *
 * MPI's predefined datatypes, under the names that SMPI's mpi.h has for them, with SMPI's sizes (of
 * which that of MPI_INTEGER1 is not one byte).
 */
#include "engine/objects/datatype.h"

#include <complex.h>
#include <stdbool.h>
#include <wchar.h>

#define PREDEFINED_TYPE(suffix, type, element)                                                     \
    struct SMPI_Datatype smpi_MPI_##suffix = {.size = sizeof(type),                                \
                                              .upper = sizeof(type),                               \
                                              .true_upper = sizeof(type),                          \
                                              .kind = ELEMENT_##element,                           \
                                              .is_dense = true,                                    \
                                              .combiner = MPI_COMBINER_NAMED,                      \
                                              .name = "MPI_" #suffix}
#define EMPTY_TYPE(suffix)                                                                         \
    struct SMPI_Datatype smpi_MPI_##suffix = {                                                     \
        .is_dense = true, .combiner = MPI_COMBINER_NAMED, .name = "MPI_" #suffix}

struct float_int {
    float value;
    int index;
};
struct long_int {
    long value;
    int index;
};
struct double_int {
    double value;
    int index;
};
struct short_int {
    short value;
    int index;
};
struct two_ints {
    int value, index;
};
struct two_floats {
    float value, index;
};
struct two_doubles {
    double value, index;
};
struct two_longs {
    long value, index;
};
struct long_double_int {
    long double value;
    int index;
};

EMPTY_TYPE(DATATYPE_NULL);
EMPTY_TYPE(LB);
EMPTY_TYPE(UB);
PREDEFINED_TYPE(DOUBLE, double, DOUBLE);
PREDEFINED_TYPE(INT, int, INT32);
PREDEFINED_TYPE(CHAR, char, INT8);
PREDEFINED_TYPE(SHORT, short, INT16);
PREDEFINED_TYPE(LONG, long, INT64);
PREDEFINED_TYPE(FLOAT, float, FLOAT);
PREDEFINED_TYPE(BYTE, char, BYTES);
PREDEFINED_TYPE(LONG_LONG, long long, INT64);
PREDEFINED_TYPE(SIGNED_CHAR, signed char, INT8);
PREDEFINED_TYPE(UNSIGNED_CHAR, unsigned char, UINT8);
PREDEFINED_TYPE(UNSIGNED_SHORT, unsigned short, UINT16);
PREDEFINED_TYPE(UNSIGNED, unsigned, UINT32);
PREDEFINED_TYPE(UNSIGNED_LONG, unsigned long, UINT64);
PREDEFINED_TYPE(UNSIGNED_LONG_LONG, unsigned long long, UINT64);
PREDEFINED_TYPE(LONG_DOUBLE, long double, LONG_DOUBLE);
PREDEFINED_TYPE(WCHAR, wchar_t, INT32);
PREDEFINED_TYPE(C_BOOL, bool, UINT8);
PREDEFINED_TYPE(INT8_T, int8_t, INT8);
PREDEFINED_TYPE(INT16_T, int16_t, INT16);
PREDEFINED_TYPE(INT32_T, int32_t, INT32);
PREDEFINED_TYPE(INT64_T, int64_t, INT64);
PREDEFINED_TYPE(UINT8_T, uint8_t, UINT8);
PREDEFINED_TYPE(UINT16_T, uint16_t, UINT16);
PREDEFINED_TYPE(UINT32_T, uint32_t, UINT32);
PREDEFINED_TYPE(UINT64_T, uint64_t, UINT64);
PREDEFINED_TYPE(C_FLOAT_COMPLEX, float complex, FLOAT_COMPLEX);
PREDEFINED_TYPE(C_DOUBLE_COMPLEX, double complex, DOUBLE_COMPLEX);
PREDEFINED_TYPE(C_LONG_DOUBLE_COMPLEX, long double complex, LONG_DOUBLE_COMPLEX);
PREDEFINED_TYPE(AINT, MPI_Aint, INT64);
PREDEFINED_TYPE(OFFSET, MPI_Offset, INT64);
PREDEFINED_TYPE(COUNT, long long, INT64);
PREDEFINED_TYPE(FLOAT_INT, struct float_int, FLOAT_INT);
PREDEFINED_TYPE(LONG_INT, struct long_int, LONG_INT);
PREDEFINED_TYPE(DOUBLE_INT, struct double_int, DOUBLE_INT);
PREDEFINED_TYPE(SHORT_INT, struct short_int, SHORT_INT);
PREDEFINED_TYPE(2INT, struct two_ints, 2INT);
PREDEFINED_TYPE(2FLOAT, struct two_floats, 2FLOAT);
PREDEFINED_TYPE(2DOUBLE, struct two_doubles, 2DOUBLE);
PREDEFINED_TYPE(2LONG, struct two_longs, 2LONG);
PREDEFINED_TYPE(LONG_DOUBLE_INT, struct long_double_int, LONG_DOUBLE_INT);
PREDEFINED_TYPE(REAL, float, FLOAT);
PREDEFINED_TYPE(REAL4, float, FLOAT);
PREDEFINED_TYPE(REAL8, double, DOUBLE);
PREDEFINED_TYPE(REAL16, long double, LONG_DOUBLE);
PREDEFINED_TYPE(COMPLEX8, float complex, FLOAT_COMPLEX);
PREDEFINED_TYPE(COMPLEX16, double complex, DOUBLE_COMPLEX);
PREDEFINED_TYPE(COMPLEX32, double complex, DOUBLE_COMPLEX);
PREDEFINED_TYPE(INTEGER1, int, INT32);
PREDEFINED_TYPE(INTEGER2, int16_t, INT16);
PREDEFINED_TYPE(INTEGER4, int32_t, INT32);
PREDEFINED_TYPE(INTEGER8, int64_t, INT64);
PREDEFINED_TYPE(INTEGER16, struct two_longs, BYTES);
PREDEFINED_TYPE(PACKED, char, BYTES);

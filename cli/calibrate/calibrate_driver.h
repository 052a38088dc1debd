/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels that `mpiskel calibrate` knows, and the C program that measures one of them. It is
 * written anew for each kernel, compiled with the user's compiler and library, and prints a line
 * for each call: its sizes, and the seconds of one call with its data in the caches and without.
 */
#ifndef CLI_CALIBRATE_CALIBRATE_DRIVER_H
#define CLI_CALIBRATE_CALIBRATE_DRIVER_H

#include "base/str.h"
#include "model/latency/calibration.h"

struct kernel_kind {
    const char *name; /* of BLAS: dgemm */
    int size_count;   /* of m, n, k: those that it has, in this order of `sizes` */
    const char *sizes[CALIBRATION_SIZES_MAX];
    const char *operations;  /* as in mpi/externs.def, so that regions have the same feature */
    const char *elements[3]; /* of its operands a, b, c; NULL: it has none */
    const char *type;        /* of an element */
    const char *declaration;
    const char *call;
    int largest; /* size by default; vectors are longer than matrices are wide */
};

/* NULL: none of that name. */
const struct kernel_kind *kernel_kind_find(const char *name);

/* All names, separated by ", ". */
void kernel_kinds_list(struct str *out);

/* The program. Arguments: largest size, budget in seconds. */
void kernel_driver_write(struct str *out, const struct kernel_kind *kind);

#endif

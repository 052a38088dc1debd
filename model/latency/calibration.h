/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels that were measured alone, by `mpiskel calibrate`: the file that it writes and `mpiskel
 * fit
 * --kernels` reads (docs/reference/model.md). Names are those of BLAS without `cblas_` or a
 * trailing underscore: dgemm.
 */
#pragma once

#include "base/arena.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

#define CALIBRATION_SIZES_MAX 3

/* Calls with the same sizes. */
struct calibrated_call {
    double sizes[CALIBRATION_SIZES_MAX];
    double operations;     /* > 0: the feature that a region has of such a call */
    double warm_s, cold_s; /* of one call: with its data in the caches, and without */
};

struct calibrated_kernel {
    const char *name;
    int size_count;
    const char *size_names[CALIBRATION_SIZES_MAX];
    struct calibrated_call *calls;
    size_t call_count;
};

struct calibration {
    struct arena arena; /* owns everything below */
    const char *machine, *host, *cpu;
    const char *compiler, *library; /* command and options that it was measured with */
    bool cold;                      /* what models are to be made of */
    struct calibrated_kernel *kernels;
    size_t kernel_count;
};

/* 0 or -1. After -1 there is nothing to dispose. */
int calibration_read(struct calibration *out, const char *path, struct error *error);
int calibration_write(const struct calibration *calibration, const char *path, struct error *error);
void calibration_dispose(struct calibration *calibration);

/* The kernel that a function is (cblas_dgemm, dgemm_), or NULL. */
const struct calibrated_kernel *calibration_find(const struct calibration *calibration,
                                                 const char *function);

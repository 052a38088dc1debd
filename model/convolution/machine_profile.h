/* SPDX-License-Identifier: Apache-2.0
 *
 * At which rates a machine makes operations, loads and stores: what `mpiskel calibrate --profile`
 * measures, or somebody writes by hand (docs/reference/profile.md). All times are nanoseconds.
 */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "base/json.h"
#include "model/signature/signature.h"

#include <stdbool.h>

/* Rates: the operations of signatures, and what they do not count as operations. */
enum machine_rate {
    RATE_LOAD = OPERATION_COUNT, /* of what is in the nearest cache */
    RATE_STORE,
    RATE_PAGE, /* an access to a page that the processor has no translation of */
    RATE_COUNT
};

const char *machine_rate_name(int rate);

/* Ways to go over memory, of which each has its own cost of a line, or of an access. */
enum memory_curve {
    CURVE_STREAM, /* a line, read in order */
    CURVE_STRIDE, /* a line, read with a stride of at least a line */
    CURVE_RANDOM, /* an element, anywhere */
    CURVE_CHASE,  /* an element, where the one before tells */
    CURVE_STORE,  /* a line, written in order */
    CURVE_COUNT
};

const char *memory_curve_name(enum memory_curve curve);

struct curve_level {
    double bytes, ns; /* of the working set; > 0; >= 0 */
};

struct measured_curve {
    const struct curve_level *levels; /* by ascending bytes */
    int count;
};

/* A kernel of the probe suite as it was measured. */
struct measured_kernel {
    const char *name;
    int size, feature_count;
    const double *features;
    double seconds; /* > 0 */
};

struct machine_profile {
    struct arena arena; /* owns everything below */
    const char *made, *host, *cpu, *compiler;
    double rates_ns[RATE_COUNT];
    bool has_rates;      /* false: they are to be fitted */
    double overlap;      /* which part of the shorter one of memory and arithmetic costs no time */
    double prior_weight; /* of usual rates in a fit, relative to a kernel's relative error */
    double sharing;      /* by how much reading slows down when all cores do; 1: not at all */
    struct measured_curve curves[CURVE_COUNT];
    int kernel_count;
    const struct measured_kernel *kernels; /* none in a profile that was written by hand */
};

/* After -1 there is nothing to dispose. `path` is for errors. */
int machine_profile_read(struct machine_profile *out, const char *path, struct error *error);
int machine_profile_parse(struct machine_profile *out, const char *text, const char *path,
                          struct error *error);
void machine_profile_dispose(struct machine_profile *profile);

/* The caller's. */
json_t *machine_profile_to_json(const struct machine_profile *profile);

/* What a line or an access costs more than in the nearest cache, in a working set of so many
 * bytes. */
double machine_profile_memory_ns(const struct machine_profile *profile, enum memory_curve curve,
                                 double bytes);

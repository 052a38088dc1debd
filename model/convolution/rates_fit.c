/* SPDX-License-Identifier: Apache-2.0
 *
 * The probe suite, and rates fitted to it; see convolution.h.
 */
#include "model/convolution/convolution.h"

#include "base/file.h"
#include "model/solve/nnls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What operations cost relative to each other on processors as there are (A. Fog, "Instruction
 * tables"): where the probes do not tell a rate it is this, times what all are off by. */
static const double usual[RATE_COUNT] = {
    [OPERATION_ADD] = 1,       [OPERATION_MULTIPLY] = 1,
    [OPERATION_DIVIDE] = 8,    [OPERATION_SQUARE_ROOT] = 10,
    [OPERATION_FUNCTION] = 25, [OPERATION_COMPARE] = 1,
    [OPERATION_INTEGER] = 0.3, [OPERATION_INTEGER_DIVIDE] = 8,
    [OPERATION_BRANCH] = 0.6,  [OPERATION_CALL] = 3,
    [OPERATION_CHAIN_ADD] = 2, [OPERATION_CHAIN_OTHER] = 3,
    [RATE_LOAD] = 0.6,         [RATE_STORE] = 0.6,
    [RATE_PAGE] = 1,
};

#define MEMORY_MOST 0.6 /* of a kernel's time: where it is more, the rest tells no rates */
#define OVERLAP_STEPS 5

int probe_suite_read_installed(struct probe_suite *out, struct error *error) {
    struct arena arena;
    arena_init(&arena);
    int result =
        signature_read(&out->signature, path_of_library(&arena, "probes/probe_suite.json"), error);
    arena_dispose(&arena);
    return result;
}

void probe_suite_dispose(struct probe_suite *suite) {
    signature_dispose(&suite->signature);
}

const struct signature_region *probe_suite_find(const struct probe_suite *suite,
                                                const struct measured_kernel *kernel) {
    for (int i = 0; i < suite->signature.count; i++) {
        const struct signature_region *region = &suite->signature.regions[i];
        if (strcmp(region->id, kernel->name) == 0)
            return region->feature_count == kernel->feature_count ? region : NULL;
    }
    return NULL;
}

/* A row for each kernel that is not left out. */
struct rates_problem {
    const struct measured_kernel **kernels;
    struct region_counts *counts;
    double *memory_ns;
    size_t count;
};

static int gather(struct rates_problem *out, struct arena *arena,
                  const struct machine_profile *profile, const struct probe_suite *suite,
                  const char *left_out, struct error *error) {
    size_t most = (size_t)profile->kernel_count;
    out->kernels = ARENA_ARRAY(arena, const struct measured_kernel *, most);
    out->counts = ARENA_ARRAY(arena, struct region_counts, most);
    out->memory_ns = ARENA_ARRAY(arena, double, most);
    for (int i = 0; i < profile->kernel_count; i++) {
        const struct measured_kernel *kernel = &profile->kernels[i];
        const struct signature_region *region = probe_suite_find(suite, kernel);
        struct region_counts *counts = &out->counts[out->count];
        if (region == NULL || !region_counts_find(counts, arena, region, kernel->features))
            return error_set(error,
                             "kernel '%s' of a profile is not one of this version's probes: "
                             "measure the profile again",
                             kernel->name);
        if (left_out != NULL && strcmp(left_out, kernel->name) == 0)
            continue;
        out->memory_ns[out->count] = convolution_memory_ns(counts, profile);
        out->kernels[out->count++] = kernel;
    }
    return 0;
}

static double usual_sum(const struct region_counts *counts) {
    double sum = 0;
    for (int i = 0; i < RATE_COUNT; i++)
        sum += counts->rates[i] * usual[i];
    return sum;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* By how much this machine's operations take longer than the usual ones, in ns: the median. */
static double usual_scale(const struct rates_problem *p, struct arena *arena) {
    double *scales = ARENA_ARRAY(arena, double, p->count);
    for (size_t i = 0; i < p->count; i++) {
        double ns = 1e9 * p->kernels[i]->seconds;
        scales[i] = fmax(ns - p->memory_ns[i], 0.05 * ns) / usual_sum(&p->counts[i]);
    }
    qsort(scales, p->count, sizeof *scales, by_size);
    return scales[p->count / 2];
}

static void solve(double *rates, const struct rates_problem *p, const double *expected,
                  struct arena *arena, double overlap, double prior_weight) {
    size_t rows = p->count + RATE_COUNT, used = 0;
    double *a = ARENA_ARRAY(arena, double, rows *RATE_COUNT), *b = ARENA_ARRAY(arena, double, rows);
    for (size_t i = 0; i < p->count; i++) {
        double ns = 1e9 * p->kernels[i]->seconds;
        if (p->memory_ns[i] > MEMORY_MOST * ns)
            continue;
        for (int k = 0; k < RATE_COUNT; k++)
            a[used * RATE_COUNT + (size_t)k] = p->counts[i].rates[k] / ns;
        b[used++] = 1 - (1 - overlap) * p->memory_ns[i] / ns;
    }
    for (int k = 0; k < RATE_COUNT; k++) {
        if (expected[k] <= 0)
            continue;
        a[used * RATE_COUNT + (size_t)k] = prior_weight / expected[k];
        b[used++] = prior_weight;
    }
    const struct least_squares problem = {
        .a = a, .b = b, .rows = used, .columns = RATE_COUNT, .stride = RATE_COUNT};
    nnls_solve(rates, &problem);
}

static double error_of(const struct rates_problem *p, const struct machine_profile *profile) {
    double sum = 0;
    for (size_t i = 0; i < p->count; i++) {
        double seconds = convolution_seconds(&p->counts[i], profile);
        double error = log(fmax(seconds, 1e-15) / p->kernels[i]->seconds);
        sum += error * error;
    }
    return sum;
}

static void fit(struct machine_profile *profile, const struct rates_problem *p,
                struct arena *arena) {
    struct machine_profile tried = *profile;
    double expected[RATE_COUNT], best = INFINITY, scale = usual_scale(p, arena);
    for (int k = 0; k < RATE_COUNT; k++)
        expected[k] = scale * usual[k];
    for (int step = 0; step <= OVERLAP_STEPS; step++) {
        tried.overlap = (double)step / OVERLAP_STEPS;
        solve(tried.rates_ns, p, expected, arena, tried.overlap, profile->prior_weight);
        double error = error_of(p, &tried);
        if (error < best) {
            best = error;
            profile->overlap = tried.overlap;
            memcpy(profile->rates_ns, tried.rates_ns, sizeof tried.rates_ns);
        }
    }
    profile->has_rates = true;
}

int rates_fit(struct machine_profile *profile, const struct probe_suite *suite,
              const char *left_out, struct error *error) {
    struct arena arena;
    struct rates_problem problem = {0};
    if (profile->kernel_count == 0)
        return 0;
    arena_init(&arena);
    int result = gather(&problem, &arena, profile, suite, left_out, error);
    if (result == 0 && problem.count > 0)
        fit(profile, &problem, &arena);
    arena_dispose(&arena);
    return result;
}

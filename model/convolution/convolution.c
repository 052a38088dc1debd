/* SPDX-License-Identifier: Apache-2.0
 *
 * Times of counts by a profile, translated times, and what they are off by; see convolution.h.
 */
#include "model/convolution/convolution.h"

#include "base/vec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MEMORY_MOST 0.9 /* of a measured time: a profile that says more is wrong about the rest */

typedef VEC(double) number_list;

static double arithmetic_ns(const struct region_counts *counts,
                            const struct machine_profile *profile) {
    double sum = 0;
    for (int i = 0; i < RATE_COUNT; i++)
        sum += counts->rates[i] * profile->rates_ns[i];
    return sum;
}

double convolution_memory_ns(const struct region_counts *counts,
                             const struct machine_profile *profile) {
    double sum = 0;
    for (int i = 0; i < counts->reuse_count; i++) {
        const struct memory_reuse *reuse = &counts->reuses[i];
        sum += reuse->count * machine_profile_memory_ns(profile, reuse->curve, reuse->bytes);
    }
    return sum;
}

/* What of it arithmetic does not hide. */
static double shown_ns(const struct region_counts *counts, const struct machine_profile *profile) {
    double memory = convolution_memory_ns(counts, profile);
    return memory - profile->overlap * fmin(memory, arithmetic_ns(counts, profile));
}

double convolution_seconds(const struct region_counts *counts,
                           const struct machine_profile *profile) {
    return 1e-9 * (arithmetic_ns(counts, profile) + shown_ns(counts, profile));
}

double convolution_translate(double seconds, const struct region_counts *counts,
                             const struct machine_profile *here,
                             const struct machine_profile *there) {
    double here_ns = arithmetic_ns(counts, here), there_ns = arithmetic_ns(counts, there);
    double shown_here = 1e-9 * shown_ns(counts, here);
    double shown_there = 1e-9 * shown_ns(counts, there);
    double taken = fmin(shown_here, MEMORY_MOST * seconds);
    double ratio = here_ns > 0 && there_ns > 0 ? there_ns / here_ns : 1;
    if (taken < shown_here)
        shown_there *= taken / shown_here;
    return (seconds - taken) * ratio + shown_there;
}

/* ---- Quality ---- */

static const struct measured_kernel *same_kernel(const struct machine_profile *profile,
                                                 const struct measured_kernel *kernel) {
    for (int i = 0; i < profile->kernel_count; i++)
        if (strcmp(profile->kernels[i].name, kernel->name) == 0 &&
            profile->kernels[i].size == kernel->size)
            return &profile->kernels[i];
    return NULL;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double mean_of(const double *items, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += items[i];
    return sum / (double)count;
}

static double mean_distance(const double *items, size_t count, double from) {
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += fabs(items[i] - from);
    return sum / (double)count;
}

static void sum_up(struct convolution_quality *out, double *errors, const double *ratios,
                   size_t count) {
    double squares = 0;
    for (size_t i = 0; i < count; i++) {
        squares += errors[i] * errors[i];
        errors[i] = fabs(errors[i]);
    }
    qsort(errors, count, sizeof *errors, ascending);
    out->mean = exp(mean_of(errors, count));
    out->median = exp(errors[count / 2]);
    out->worst = exp(errors[count - 1]);
    out->deviation = sqrt(squares / (double)count);
    out->one_factor = exp(mean_distance(ratios, count, mean_of(ratios, count)));
}

/* The kernel at `i`, left out: its ratio as measured and as predicted. False: there is none. */
static bool judge_kernel(struct convolution_case *out, struct arena *arena,
                         const struct machine_profile *here, const struct machine_profile *there,
                         const struct probe_suite *suite, const struct measured_kernel *kernel) {
    const struct measured_kernel *other = same_kernel(there, kernel);
    const struct signature_region *region = probe_suite_find(suite, kernel);
    struct region_counts counts;
    if ((there->kernel_count > 0 && other == NULL) || region == NULL ||
        !region_counts_find(&counts, arena, region, kernel->features))
        return false;
    *out = (struct convolution_case){.kernel = kernel};
    if (other != NULL) {
        double seconds = convolution_translate(kernel->seconds, &counts, here, there);
        out->measured = other->seconds / kernel->seconds;
        out->predicted = seconds / kernel->seconds;
    } else {
        out->measured = 1;
        out->predicted = convolution_seconds(&counts, here) / kernel->seconds;
    }
    return out->predicted > 0;
}

static bool is_first_of_its_name(const struct machine_profile *profile, int at) {
    return at == 0 || strcmp(profile->kernels[at].name, profile->kernels[at - 1].name) != 0;
}

/* With the profiles' weights of usual rates. */
static int judge(struct convolution_quality *out, struct arena *arena, struct machine_profile *here,
                 struct machine_profile *there, const struct probe_suite *suite,
                 struct error *error) {
    size_t most = (size_t)here->kernel_count, count = 0;
    struct convolution_case *cases = ARENA_ARRAY(arena, struct convolution_case, most + 1);
    double *errors = ARENA_ARRAY(arena, double, most + 1);
    double *ratios = ARENA_ARRAY(arena, double, most + 1);
    *out = (struct convolution_quality){.cases = cases};
    for (int i = 0; i < here->kernel_count; i++) {
        const struct measured_kernel *kernel = &here->kernels[i];
        if (is_first_of_its_name(here, i) && (rates_fit(here, suite, kernel->name, error) != 0 ||
                                              rates_fit(there, suite, kernel->name, error) != 0))
            return -1;
        if (!judge_kernel(&cases[count], arena, here, there, suite, kernel))
            continue;
        errors[count] = log(cases[count].predicted / cases[count].measured);
        ratios[count] = log(cases[count].measured);
        count++;
    }
    if (count == 0)
        return error_set(error, "the profile of the machine that was measured has no kernels: how "
                                "far convolution is off is not known; measure it with `mpiskel "
                                "calibrate --profile`");
    sum_up(out, errors, ratios, count);
    out->count = there->kernel_count > 0 ? (int)count : 0;
    return 0;
}

/* Machines that are alike are compared best by usual rates, others by what probes tell of them:
 * the weight is the one with which kernels that are left out are off by the least. */
int convolution_judge(struct convolution_quality *out, struct arena *arena,
                      struct machine_profile *here, struct machine_profile *there,
                      const struct probe_suite *suite, struct error *error) {
    static const double weights[] = {0.03, 0.3, 3};
    double best = weights[0];
    *out = (struct convolution_quality){.mean = INFINITY};
    for (size_t i = 0; i < sizeof weights / sizeof *weights; i++) {
        struct convolution_quality quality;
        here->prior_weight = there->prior_weight = weights[i];
        if (judge(&quality, arena, here, there, suite, error) != 0)
            return -1;
        if (quality.mean < out->mean) {
            *out = quality;
            best = weights[i];
        }
    }
    here->prior_weight = there->prior_weight = best;
    return rates_fit(here, suite, NULL, error) != 0 || rates_fit(there, suite, NULL, error) != 0
               ? -1
               : 0;
}

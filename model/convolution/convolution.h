/* SPDX-License-Identifier: Apache-2.0
 *
 * The convolution of a signature with the profile of a machine (A. Snavely et al., "A framework for
 * performance modeling and prediction", SC 2002), used to translate a time from one machine to
 * another: what memory takes by the profile here is taken away, what is left goes by the rates of
 * operations, and what memory takes there is added. How far that is off is measured on kernels of
 * the probe suite that were left out of the fit of rates.
 */
#pragma once

#include "model/convolution/machine_profile.h"
#include "model/convolution/reuse.h"

/* The signature of the probe suite, region by region in the order of its kernels' names. */
struct probe_suite {
    struct signature signature;
};

/* The one that came with mpiskel. After -1 there is nothing to dispose. */
int probe_suite_read_installed(struct probe_suite *out, struct error *error);
void probe_suite_dispose(struct probe_suite *suite);

/* NULL: it has none of that name with as many features. */
const struct signature_region *probe_suite_find(const struct probe_suite *suite,
                                                const struct measured_kernel *kernel);

/* Fits rates and overlap to the profile's kernels but for those of a name (NULL: to all), if it has
 * any: by nonnegative least squares of relative errors, with a prior, since few probes tell some
 * rates; the overlap is the one with the least error of logarithms. An error if there is a kernel
 * that the suite does not have. */
int rates_fit(struct machine_profile *profile, const struct probe_suite *suite,
              const char *left_out, struct error *error);

/* What a region takes there, if it takes `seconds` here. */
double convolution_translate(double seconds, const struct region_counts *counts,
                             const struct machine_profile *here,
                             const struct machine_profile *there);

/* What it takes by the profile alone. */
double convolution_seconds(const struct region_counts *counts,
                           const struct machine_profile *profile);

/* What memory takes, of which arithmetic may hide a part. */
double convolution_memory_ns(const struct region_counts *counts,
                             const struct machine_profile *profile);

struct convolution_case {
    const struct measured_kernel *kernel; /* of the profile here */
    double measured, predicted;           /* the time there over that here */
};

/* How far convolution is off on kernels that were left out: factors from 1 on. */
struct convolution_quality {
    int count; /* 0: the profile there has no kernels; then the errors are those of times here by
                  rates alone */
    double mean, median, worst;
    double deviation;  /* of the logarithm, about 0 */
    double one_factor; /* the mean factor that one ratio for all kernels would be off by */
    const struct convolution_case *cases;
};

/* Both profiles have rates afterwards. `cases` is in the arena. */
int convolution_judge(struct convolution_quality *out, struct arena *arena,
                      struct machine_profile *here, struct machine_profile *there,
                      const struct probe_suite *suite, struct error *error);

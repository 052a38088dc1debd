/* SPDX-License-Identifier: Apache-2.0
 *
 * `mpiskel fit --from HERE --to THERE`: samples of one machine, translated to another one of which
 * there is a profile only (model/convolution).
 */
#ifndef CLI_FIT_FIT_FROM_H
#define CLI_FIT_FIT_FROM_H

#include "cli/common/opened.h"
#include "model/convolution/convolution.h"
#include "model/latency/latency.h"
#include "model/samples/sample.h"

struct fit_from {
    const char *from, *to;
    double ratio; /* of times there over here, of regions of unknown signature; NAN: refuse them */
};

/* Translates the samples in place, and tells how far that is off. An error that names the regions
 * of unknown signature, unless a ratio is given for them. */
int fit_from_translate(struct samples *samples, struct convolution_quality *out,
                       const struct opened *opened, const struct fit_from *from,
                       struct arena *arena, struct error *error);

/* The models' spread has the deviation as well, and their notes begin with ROUGH_NOTE. */
void fit_from_mark(struct models *models, const struct convolution_quality *quality,
                   const struct regions *regions, const struct fit_from *from);

#endif

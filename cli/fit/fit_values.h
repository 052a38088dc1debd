/* SPDX-License-Identifier: Apache-2.0
 *
 * What `mpiskel fit` says and keeps of given values, beside their models.
 */
#ifndef CLI_FIT_FIT_VALUES_H
#define CLI_FIT_FIT_VALUES_H

#include "base/error.h"
#include "model/latency/latency.h"
#include "model/samples/region.h"
#include "model/samples/sample.h"
#include "model/verdict/verdict.h"

#include <stdbool.h>

/* Values by which communication goes, and which nothing that is known tells. */
void fit_values_tell(const struct models *models, const struct regions *regions);

/* Numbers of iterations that were off on what was left out, where the guard could not leave out
 * sizes: whether there are any. */
bool fit_values_tell_uncertain(const struct models *models, const struct regions *regions,
                               const struct verdict *verdict);

/* What varied in the runs, for predictions of other arguments. */
int fit_values_keep(const char *bundle, const struct samples *samples,
                    const struct regions *regions, struct error *error);

/* Adds values whose models are off by more percent to the bundle's list of values that the next
 * generate has computed; what earlier fits found is kept. */
int fit_values_keep_untold(const char *bundle, const struct models *models,
                           const struct regions *regions, double percent, struct error *error);

#endif

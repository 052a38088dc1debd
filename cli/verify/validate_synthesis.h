/* SPDX-License-Identifier: Apache-2.0
 *
 * The other way to a prediction in `validate`: what was synthesised from recordings of the same
 * program, as if there were no source.
 */
#ifndef CLI_VERIFY_VALIDATE_SYNTHESIS_H
#define CLI_VERIFY_VALIDATE_SYNTHESIS_H

#include "cli/verify/validate_step.h"

/* Opens the bundle with its models: 0, or -1. The caller closes it. */
int validate_synthesis_open(struct bundle *out, const char *directory, struct error *error);

/* Simulates it with these parameters ("n=512,steps=10") where the skeleton was simulated, and sets
 * what `out` has of it. `skeleton`: what that did. Refused where the synthesised calls do not fit
 * together. */
int validate_synthesis(struct validated *out, const struct validate_step *step,
                       const struct bundle *bundle, const char *parameters,
                       const struct run_stats *skeleton, struct error *error);

#endif

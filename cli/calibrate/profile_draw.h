/* SPDX-License-Identifier: Apache-2.0
 *
 * The picture of a machine's profile: what memory costs, by working set, both in logarithms.
 */
#ifndef CLI_CALIBRATE_PROFILE_DRAW_H
#define CLI_CALIBRATE_PROFILE_DRAW_H

#include "base/str.h"
#include "model/convolution/machine_profile.h"

/* Adds an SVG. */
void profile_draw(struct str *out, const struct machine_profile *profile);

#endif

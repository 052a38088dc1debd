/* SPDX-License-Identifier: Apache-2.0
 *
 * Regions as people name them, on a command line:
 *   all             every region
 *   relax-3fa2c9d1  its id, as in JSON reports and regions.json
 *   stencil.c:120   the regions that begin on this line, or else the smallest one that it lies in
 *   stencil.c       all regions in a file
 *   relax           all regions in a function, or that are one call of this kernel (cblas_dgemm)
 *   devices         all that devices execute: kernels, fills, copies within a device
 *   links           all copies to and from devices
 * The last two only where nothing else has that name. A file is named as in reports or by the end
 * of its path. Values that the skeleton takes as given are no regions here.
 */
#pragma once

#include "base/error.h"
#include "model/samples/region.h"

#include <stdbool.h>

/* Sets out[i] for each of regions->count regions. A name that fits none is an error. */
int region_name_find(bool *out, const char *name, const struct regions *regions,
                     struct error *error);

/* SPDX-License-Identifier: Apache-2.0
 *
 * How much two sides communicate: part of the report of `mpiskel verify`.
 */
#pragma once

#include "base/json.h"
#include "simulator/compare/volume_difference.h"

#include <stdio.h>

/* A table, and a line about the tolerance if there is one. */
void volume_difference_print(FILE *out, const struct volume_difference *difference);
/* The caller's; docs/reference/run-files.md. */
json_t *volume_difference_json(const struct volume_difference *difference);

/* SPDX-License-Identifier: Apache-2.0
 *
 * The values that a skeleton was given, beside the original's: part of the report of `mpiskel
 * verify`.
 */
#pragma once

#include "base/json.h"
#include "simulator/compare/given_difference.h"

#include <stdio.h>

/* A list of the first few; nothing if no value was given. */
void given_difference_print(FILE *out, const struct given_difference *difference);
/* All of them, the caller's; docs/reference/run-files.md. */
json_t *given_difference_json(const struct given_difference *difference);

/* SPDX-License-Identifier: Apache-2.0
 *
 * The report of `mpiskel verify`.
 */
#pragma once

#include "base/json.h"
#include "model/samples/line_map.h"
#include "simulator/compare/verify.h"

#include <stdio.h>

struct volume_difference;
struct given_difference;
struct real_verdict;

/* By how much sides that differ do in all, and what the real run says; NULL: not known, or none. */
struct verify_sums {
    const struct real_verdict *real;
    const struct volume_difference *volumes;
    const struct given_difference *values;
};

/* The verdict in words: `identical: ...`, or what differs. */
void comparison_print(FILE *out, const struct comparison *comparison, const struct line_map *map,
                      const struct verify_sums *sums);
/* The first difference alone. */
void comparison_print_first(FILE *out, const struct comparison *comparison,
                            const struct line_map *map);
json_t *comparison_call_json(const struct comparison *comparison, enum verify_side side,
                             const struct line_map *map);
void comparison_print_json(FILE *out, const struct comparison *comparison,
                           const struct line_map *map, const struct verify_sums *sums);

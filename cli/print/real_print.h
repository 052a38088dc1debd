/* SPDX-License-Identifier: Apache-2.0
 *
 * What the real run says: part of the report of `mpiskel verify`.
 */
#pragma once

#include "base/json.h"
#include "model/samples/line_map.h"
#include "simulator/compare/real_verdict.h"

#include <stdio.h>

/* Nothing if there was no run. `sides_agree`: original and skeleton do. */
void real_verdict_print(FILE *out, const struct real_verdict *verdict, bool sides_agree,
                        const struct line_map *map);
/* The caller's; NULL: there was no run. */
json_t *real_verdict_json(const struct real_verdict *verdict, const struct line_map *map);

/* SPDX-License-Identifier: Apache-2.0
 *
 * Results for other programs: CSV, JSON and SVG.
 */
#pragma once

#include "analysis/events/result.h"

/* A line "output,row,column,value,unit" for each value; what has no row or column leaves it
 * empty. */
void csv_view(struct str *out, const result_list *results);
void json_view(struct str *out, const result_list *results);
/* All outputs below each other in one picture. */
void svg_view(struct str *out, const result_list *results);

/* SPDX-License-Identifier: Apache-2.0
 *
 * How reports say which region something is about.
 */
#pragma once

#include "cli/print/field/report_field.h"

/* All are of struct region (model/samples/region.h). */
extern const struct report_field region_fields[];           /* id, function, file, line */
extern const struct report_field region_summary_fields[];   /* summary */
extern const struct report_field region_index_fields[];     /* index, id, file, line */
extern const struct report_field region_reference_fields[]; /* region (its id), file, line */

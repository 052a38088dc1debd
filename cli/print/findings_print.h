/* SPDX-License-Identifier: Apache-2.0
 *
 * Findings: a line of text for each, and their fields in JSON and CSV.
 */
#pragma once

#include "cli/print/field/report_field.h"
#include "model/findings/findings.h"

#include <stdio.h>

/* "warning: TEXT; REMEDY", of what a report begins with; and of the rest, without what it says
 * elsewhere. */
void findings_print_first(FILE *out, const struct findings *findings);
void findings_print(FILE *out, const struct findings *findings);

extern const struct report_field finding_fields[];

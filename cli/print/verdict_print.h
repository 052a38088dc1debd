/* SPDX-License-Identifier: Apache-2.0
 *
 * The guard's verdict in reports: one line of text, an object in JSON.
 */
#pragma once

#include "base/arena.h"
#include "cli/print/field/report_field.h"
#include "model/verdict/verdict.h"

struct verdict_row {
    const char *check, *result;
    int ranks, rank;
    const char *what, *rank_what, *why;
    double percent, allowed_percent, rank_percent;
    const char *const *arguments;
    size_t argument_count;
};

struct verdict_report {
    const char *state, *text;
    struct verdict_row *rows;
    size_t row_count;
};

extern const struct report_field verdict_fields[];

/* From the arena. NULL: no fit has checked anything. */
void verdict_report_make(struct verdict_report *out, struct arena *arena,
                         const struct verdict *verdict);

/* SPDX-License-Identifier: Apache-2.0
 *
 * Skeleton and synthesised program side by side, in the report of `mpiskel validate`.
 */
#pragma once

#include "cli/print/field/report_field.h"
#include "simulator/prediction/validation.h"

#include <stdio.h>

struct synthesised_report {
    double predicted_s, difference;            /* of times: synthesised / skeleton - 1 */
    struct validated_function all, *functions; /* of all together; each */
    size_t function_count;
};

extern const struct report_field synthesised_fields[];

/* NULL: there is no synthesised program. */
const struct synthesised_report *synthesised_report_make(struct synthesised_report *out,
                                                         const struct validated *one);

/* What all configurations say together; nothing where there is no synthesised program. */
void synthesised_sum_up(FILE *out, const struct validation *validation);

void synthesised_print(FILE *out, const struct synthesised_report *report);

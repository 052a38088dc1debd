/* SPDX-License-Identifier: Apache-2.0
 *
 * The report of `mpiskel whatif`.
 */
#pragma once

#include "base/output_format.h"
#include "cli/common/simulations.h"

struct scenario_text {
    const char *name;
    const char *const *options;   /* NULL behind the last */
    const char *const *arguments; /* NULL: the base's */
};

/* Row 0 is the base. */
void whatif_print(const struct scenario_text *scenarios, const struct simulation *rows,
                  size_t count, enum output_format format);

/* SPDX-License-Identifier: Apache-2.0
 *
 * The points of a sweep as a table, as JSON and as CSV (docs/reference/json.md).
 */
#ifndef CLI_SWEEP_SWEEP_PRINT_H
#define CLI_SWEEP_SWEEP_PRINT_H

#include "cli/sweep/sweep_options.h"

void sweep_print(const struct sweep *sweep, const struct sweep_options *options,
                 const char *program);

#endif

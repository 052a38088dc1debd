/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line of `mpiskel verify`.
 */
#pragma once

#include "base/output_format.h"
#include "cli/common/command_syntax.h"
#include "cli/verify/real_side.h"
#include "simulator/run/placement.h"

#include <stdbool.h>
#include <stddef.h>

struct verify_options {
    const char *bundle, *keep; /* keep: NULL or a directory */
    struct placement_options placement;
    enum output_format format;
    bool multiset, replay, no_progress;
    /* Percent; negative: every difference counts, those of ranks as those of totals. */
    double tolerance, rank_tolerance;
    double clock_step_s;
    struct real_options real;
    char **arguments;
    size_t argument_count;
};

extern const struct command_syntax verify_syntax;

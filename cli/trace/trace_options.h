/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line of `mpiskel trace`, and what its actions share.
 */
#pragma once

#include "analysis/trace/trace_pass.h"
#include "base/output_format.h"
#include "cli/common/command_syntax.h"

struct trace_options {
    const char *arguments[SYNTAX_ARGUMENTS]; /* action, file; NULL: not given */
    const char *output;
    const char *window, *ranks, *every;
    const char *to, *from; /* formats */
    struct trace_settings settings;
    enum output_format format;
    size_t top;
    bool strict;
};

/* SPDX-License-Identifier: Apache-2.0
 *
 * The option --format of a command.
 */
#ifndef CLI_COMMON_FORMAT_OPTION_H
#define CLI_COMMON_FORMAT_OPTION_H

#include "base/output_format.h"

#include <argp.h>

/* Ends the command with a usage error if the text is none of the values. */
enum output_format format_option(const char *text, bool has_csv, struct argp_state *state);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * See format_option.h.
 */
#include "cli/common/format_option.h"

enum output_format format_option(const char *text, bool has_csv, struct argp_state *state) {
    enum output_format format = OUTPUT_TEXT;
    struct error error = {0};
    if (output_format_parse(&format, text, has_csv, &error) != 0)
        argp_error(state, "%s", error.text);
    return format;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * See output_format.h.
 */
#include "base/output_format.h"

#include <string.h>

int output_format_parse(enum output_format *out, const char *text, bool has_csv,
                        struct error *error) {
    static const char *const names[] = {"text", "json", "csv"};
    for (int i = OUTPUT_TEXT; i <= (has_csv ? OUTPUT_CSV : OUTPUT_JSON); i++)
        if (strcmp(text, names[i]) == 0) {
            *out = (enum output_format)i;
            return 0;
        }
    return error_set(error, "--format takes %s, not '%s'",
                     has_csv ? "text, json or csv" : "text or json", text);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/print/findings_print.h"

const struct report_field finding_fields[] = {
    {"kind", "name", REPORT_AT(struct finding, kind)},
    {"share", "share", REPORT_AT(struct finding, share)},
    {"text", "place", REPORT_AT(struct finding, text)},
    {"remedy", REPORT_AT(struct finding, remedy)},
    {0},
};

static void print(FILE *out, const struct findings *findings, bool is_first) {
    for (size_t i = 0; i < findings->items.count; i++) {
        const struct finding *finding = &findings->items.items[i];
        if (!finding->is_told && finding->is_first == is_first)
            fprintf(out, "warning: %s; %s\n", finding->text, finding->remedy);
    }
}

void findings_print_first(FILE *out, const struct findings *findings) {
    print(out, findings, true);
}

void findings_print(FILE *out, const struct findings *findings) {
    print(out, findings, false);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/print/region_fields.h"

#include "model/samples/region.h"

const struct report_field region_fields[] = {
    {"id", .csv = "name", REPORT_AT(struct region, id)},
    {"function", REPORT_AT(struct region, function)},
    {"file", REPORT_AT(struct region, file)},
    {"line", REPORT_AT(struct region, line)},
    {0},
};

const struct report_field region_summary_fields[] = {
    {"summary", REPORT_AT(struct region, summary)},
    {0},
};

const struct report_field region_index_fields[] = {
    {"index", .csv = "region", REPORT_AT(struct region, index)},
    {"id", .csv = "id", REPORT_AT(struct region, id)},
    {"file", .csv = "file", REPORT_AT(struct region, file), .is_quoted = true},
    {"line", .csv = "line", REPORT_AT(struct region, line)},
    {0},
};

const struct report_field region_reference_fields[] = {
    {"region", .csv = "name", REPORT_AT(struct region, id)},
    {"file", REPORT_AT(struct region, file)},
    {"line", REPORT_AT(struct region, line)},
    {0},
};

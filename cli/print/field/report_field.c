/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/print/field/report_field.h"

#include <math.h>

const void *report_field_address(const struct report_field *field, const void *record) {
    if (record == NULL)
        return NULL;
    const char *at = (const char *)record + field->offset;
    return field->is_pointer ? *(const void *const *)at : at;
}

size_t report_field_count(const struct report_field *field, const void *record) {
    if (field->item_count > 0)
        return field->item_count;
    const char *at = (const char *)record + field->count_offset;
    return field->is_int_count ? (size_t)*(const int *)at : *(const size_t *)at;
}

bool report_is_missing(enum report_kind kind, const void *at) {
    if (at == NULL)
        return true;
    switch (kind) {
    case REPORT_TEXT:
    case REPORT_NUMERAL:
    case REPORT_JSON:
        return *(const void *const *)at == NULL;
    case REPORT_ANSWER:
        return *(const enum report_answer *)at == REPORT_ANSWER_UNKNOWN;
    case REPORT_REAL:
        return isnan(*(const double *)at);
    default:
        return false;
    }
}

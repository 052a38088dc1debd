/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums, extremes and means keep a unit that all operands share; products with a number without unit
 * keep it as well, and a quotient of equal units has none.
 */
#include "analysis/events/unit.h"

#include "analysis/events/events_program.h"

#include <string.h>

static bool is_equal(const char *a, const char *b) {
    return a != NULL && b != NULL && strcmp(a, b) == 0;
}

static bool is_plain(const struct syntax *node) {
    return node->type == SYNTAX_VALUE || node->type == SYNTAX_CAST;
}

static const char *unit_of_operator(const struct syntax *node) {
    const char *a = unit_of(node->parts[0]);
    const char *b = node->part_count > 1 ? unit_of(node->parts[1]) : a;
    if (node->part_count == 1)
        return strcmp(node->text, "-") == 0 ? a : NULL;
    if (strcmp(node->text, "+") == 0 || strcmp(node->text, "-") == 0 ||
        strcmp(node->text, "%") == 0)
        return is_equal(a, b) || (b == NULL && is_plain(node->parts[1])) ? a : NULL;
    if (strcmp(node->text, "/") == 0)
        return b == NULL && is_plain(node->parts[1]) ? a : NULL;
    return strcmp(node->text, "*") != 0 ? NULL : a == NULL ? b : b == NULL ? a : NULL;
}

static const char *unit_of_call(const struct syntax *node) {
    static const char *const keep[] = {"sum",   "avg",   "std",  "min",     "max", "quantile",
                                       "abs",   "prev",  "take", "window",  "top", "spread",
                                       "round", "floor", "ceil", "default", NULL};
    for (size_t i = 0; keep[i] != NULL; i++)
        if (strcmp(node->text, keep[i]) == 0)
            for (size_t k = 0; k < node->part_count; k++)
                if (unit_of(node->parts[k]) != NULL)
                    return unit_of(node->parts[k]);
    return NULL;
}

const char *unit_of(const struct syntax *node) {
    switch (node->type) {
    case SYNTAX_VALUE:
        return node->unit;
    case SYNTAX_FIELD:
        return node->kind->fields[node->field].unit;
    case SYNTAX_NAME:
    case SYNTAX_INDEX:
        return node->variable != NULL ? node->variable->unit : NULL;
    case SYNTAX_OPERATOR:
        return unit_of_operator(node);
    case SYNTAX_CHOICE:
        return unit_of(node->parts[1]) != NULL ? unit_of(node->parts[1]) : unit_of(node->parts[2]);
    case SYNTAX_FILTER:
    case SYNTAX_CAST:
    case SYNTAX_BY:
        return unit_of(node->parts[0]);
    case SYNTAX_CALL:
        return unit_of_call(node);
    default:
        return NULL;
    }
}

struct unit_row {
    const char *unit;
    double factor;
    const char *name;
};

/* By falling factor; the last of a unit is for whatever is smaller. */
static const struct unit_row unit_rows[] = {
    {"ns", 1e9, "s"},     {"ns", 1e6, "ms"},    {"ns", 1e3, "us"},    {"ns", 1, "ns"},
    {"s", 1, "s"},        {"s", 1e-3, "ms"},    {"s", 1e-6, "us"},    {"s", 1e-9, "ns"},
    {"B", 1e9, "GB"},     {"B", 1e6, "MB"},     {"B", 1e3, "kB"},     {"B", 1, "B"},
    {"B/s", 1e9, "GB/s"}, {"B/s", 1e6, "MB/s"}, {"B/s", 1e3, "kB/s"}, {"B/s", 1, "B/s"},
};

struct unit_scale unit_scale(const char *unit, double most) {
    struct unit_scale scale = {1, unit != NULL ? unit : ""};
    for (size_t i = 0; unit != NULL && i < sizeof unit_rows / sizeof *unit_rows; i++) {
        const struct unit_row *row = &unit_rows[i];
        if (strcmp(row->unit, unit) != 0)
            continue;
        scale = (struct unit_scale){row->factor, row->name};
        if (most >= row->factor)
            break;
    }
    return scale;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/report/quantity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define DIGITS 4        /* significant ones of the largest number: more nobody compares at sight */
#define MORE_DECIMALS 2 /* at most, for the smallest number of a table to have two digits */

static const struct quantity_scale seconds[] = {
    {1, "s", 0}, {1e-3, "ms", 0}, {1e-6, "µs", 0}, {1e-9, "ns", 0}};
static const struct quantity_scale bytes[] = {
    {1e12, "TB", 0}, {1e9, "GB", 0}, {1e6, "MB", 0}, {1e3, "kB", 0}, {1, "B", 0}};
static const struct quantity_scale plain = {1, "", 0};

/* The largest scale that does not make the number smaller than 1, the last one if all do. */
static struct quantity_scale pick(const struct quantity_scale *scales, size_t count,
                                  double largest) {
    size_t at = 0;
    while (at + 1 < count && largest < scales[at].factor)
        at++;
    return scales[at];
}

static int decimals_for(double shown) {
    int before = shown >= 1 ? (int)floor(log10(shown)) + 1 : 1;
    return before < DIGITS ? DIGITS - before : 0;
}

/* The scale for numbers up to this size; 0, NaN and infinity are fine. */
static struct quantity_scale quantity_scale_for(enum document_unit unit, double largest) {
    struct quantity_scale scale = plain;
    double size = isfinite(largest) ? fabs(largest) : 0;
    switch (unit) {
    case UNIT_SECONDS:
        scale = pick(seconds, sizeof seconds / sizeof *seconds, size > 0 ? size : 1);
        scale.decimals = decimals_for(size / scale.factor);
        break;
    case UNIT_BYTES:
        scale = pick(bytes, sizeof bytes / sizeof *bytes, size);
        scale.decimals = scale.factor > 1 ? decimals_for(size / scale.factor) - 1 : 0;
        scale.decimals = scale.decimals < 0 ? 0 : scale.decimals;
        break;
    case UNIT_SHARE:
        scale = (struct quantity_scale){0.01, "%", 1};
        break;
    case UNIT_FACTOR:
        scale = (struct quantity_scale){1, "×", 2};
        break;
    default:
        break;
    }
    return scale;
}

/* The largest and the smallest number but 0 of all columns with that unit. */
struct quantity_extent {
    double largest, smallest;
};

static void extend(struct quantity_extent *extent, double number) {
    double size = fabs(number);
    if (!isfinite(size) || size <= 0)
        return;
    extent->largest = fmax(extent->largest, size);
    extent->smallest = extent->smallest > 0 ? fmin(extent->smallest, size) : size;
}

static struct quantity_extent extent_of(const struct document_table *table,
                                        enum document_unit unit) {
    struct quantity_extent extent = {0};
    for (size_t i = 0; i < table->cells.count; i++)
        if (table->columns[i % table->column_count].unit == unit)
            extend(&extent, table->cells.items[i].number);
    return extent;
}

struct quantity_scale quantity_scale_of_column(const struct document_table *table, size_t column) {
    enum document_unit unit = table->columns[column].unit;
    struct quantity_extent extent = extent_of(table, unit);
    struct quantity_scale scale = quantity_scale_for(unit, extent.largest);
    if (unit != UNIT_SECONDS || extent.smallest <= 0)
        return scale;
    double zeros = floor(log10(extent.smallest / scale.factor));
    int more = (int)fmin(fmax(1 - zeros - scale.decimals, 0), MORE_DECIMALS);
    scale.decimals += more;
    return scale;
}

/* 3,840,000; groups of three from the point to the left. */
static void add_grouped(struct str *out, const char *digits) {
    size_t length = strcspn(digits, ".e");
    size_t begin = digits[0] == '-' ? 1 : 0;
    for (size_t i = 0; digits[i] != '\0'; i++) {
        if (i > begin && i < length && (length - i) % 3 == 0)
            str_addc(out, ',');
        str_addc(out, digits[i]);
    }
}

void quantity_add(struct str *out, enum document_unit unit, struct quantity_scale scale,
                  double number) {
    char text[400];
    if (isnan(number)) {
        str_add(out, "–");
        return;
    }
    if (isinf(number)) {
        str_add(out, number > 0 ? "∞" : "-∞");
        return;
    }
    if (unit == UNIT_PLAIN || fabs(number / scale.factor) >= 1e15)
        snprintf(text, sizeof text, "%.6g", number / scale.factor);
    else
        snprintf(text, sizeof text, "%.*f", scale.decimals, number / scale.factor);
    add_grouped(out, text);
}

const char *quantity_text(struct arena *arena, enum document_unit unit, double number) {
    struct str text = {0};
    struct quantity_scale scale = quantity_scale_for(unit, number);
    quantity_add(&text, unit, scale, number);
    if (scale.name[0] != '\0' && !isnan(number)) {
        str_add(&text, unit == UNIT_FACTOR ? "" : " ");
        str_add(&text, scale.name);
    }
    return str_into(arena, &text);
}

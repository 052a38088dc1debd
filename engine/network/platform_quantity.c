/* SPDX-License-Identifier: Apache-2.0
 *
 * strtod, and a table of units; see platform_quantity.h. Prefixes are multiplied up one by one, as
 * SimGrid does, so that the numbers are the same to the last bit.
 */
#include "engine/network/platform_quantity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct quantity_unit {
    const char *name;
    double value;
    bool has_prefixes;
};

static const struct quantity_unit units[][10] = {
    [QUANTITY_BANDWIDTH] = {{"Bps", 1, true}, {"bps", 0.125, true}},
    [QUANTITY_TIME] = {{"s", 1, false},
                       {"w", 604800, false},
                       {"d", 86400, false},
                       {"h", 3600, false},
                       {"m", 60, false},
                       {"ms", 1e-3, false},
                       {"us", 1e-6, false},
                       {"ns", 1e-9, false},
                       {"ps", 1e-12, false}},
    [QUANTITY_SPEED] = {{"f", 1, true}},
};

static const char decimal_prefixes[] = "kMGTPEZY", binary_prefixes[] = "KMGTPEZY";

/* Of the text before the unit; 0: it is no prefix. */
static double prefix_value(const char *text, size_t length) {
    double step = length == 2 && text[1] == 'i' ? 1024 : 1000, value = 1;
    const char *prefixes = step == 1024 ? binary_prefixes : decimal_prefixes;
    const char *at = length > 0 && text[0] != '\0' ? strchr(prefixes, text[0]) : NULL;
    if (length == 0)
        return 1;
    if (at == NULL || (length == 2 && step == 1000) || length > 2)
        return 0;
    for (const char *prefix = prefixes; prefix <= at; prefix++)
        value *= step;
    return value;
}

static double unit_value(const char *text, const struct quantity_unit *unit) {
    size_t length = strlen(text), own = strlen(unit->name);
    if (length < own || strcmp(text + length - own, unit->name) != 0)
        return 0;
    if (!unit->has_prefixes && length > own)
        return 0;
    return unit->value * prefix_value(text, length - own);
}

bool quantity_read(double *out, const char *text, enum quantity_kind kind) {
    char *end;
    double number = strtod(text, &end), factor = *end == '\0' ? 1 : 0;
    for (const struct quantity_unit *unit = units[kind]; factor == 0 && unit->name != NULL; unit++)
        factor = unit_value(end, unit);
    *out = number * factor;
    return end != text && factor > 0 && number >= 0 && isfinite(*out);
}

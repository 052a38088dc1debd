/* SPDX-License-Identifier: Apache-2.0
 *
 * A growing array goes with any other of as many dimensions: what it lacks counts as zero.
 */
#include "analysis/events/syntax/shape.h"

#include <stdio.h>

static bool fits(const struct syntax_shape *a, const struct syntax_shape *b) {
    if (a->dimension_count != b->dimension_count || a->keyed != b->keyed ||
        (a->keyed && a->key_type != b->key_type))
        return false;
    for (size_t i = a->keyed; i < a->dimension_count; i++)
        if (a->dimensions[i] != b->dimensions[i] && a->dimensions[i] != DIMENSION_GROWS &&
            b->dimensions[i] != DIMENSION_GROWS)
            return false;
    return true;
}

/* "[8][4]", "[]", "[string]". */
static void print_shape(char *out, size_t length, const struct syntax_shape *shape) {
    size_t at = 0;
    out[0] = '\0';
    for (size_t i = 0; i < shape->dimension_count && at < length; i++) {
        int added;
        if (i == 0 && shape->keyed)
            added = snprintf(out, length, "[%s]", event_type_name(shape->key_type));
        else if (shape->dimensions[i] == DIMENSION_GROWS)
            added = snprintf(out + at, length - at, "[]");
        else
            added = snprintf(out + at, length - at, "[%ld]", shape->dimensions[i]);
        at += (size_t)added;
    }
}

int shape_join(struct syntax_shape *out, struct script *script, struct script_place place,
               const struct syntax_shape *a, const struct syntax_shape *b) {
    char first[80], second[80];
    if (a->dimension_count == 0 || b->dimension_count == 0) {
        *out = a->dimension_count == 0 ? *b : *a;
        return 0;
    }
    if (fits(a, b)) {
        *out = *a;
        if (b->dimensions[0] == DIMENSION_GROWS)
            out->dimensions[0] = DIMENSION_GROWS;
        return 0;
    }
    print_shape(first, sizeof first, a);
    print_shape(second, sizeof second, b);
    return script_fail(script, place,
                       "arrays of the forms %s and %s do not go together element by element; "
                       "declare them alike",
                       first, second);
}

struct syntax_shape shape_of_element(const struct syntax_shape *shape) {
    struct syntax_shape out = {.dimension_count = shape->dimension_count - 1};
    for (size_t i = 0; i < out.dimension_count; i++)
        out.dimensions[i] = shape->dimensions[i + 1];
    return out;
}

long shape_count(const struct syntax_shape *shape) {
    long count = 1;
    for (size_t i = 0; i < shape->dimension_count; i++) {
        if (shape->dimensions[i] == DIMENSION_GROWS)
            return DIMENSION_GROWS;
        count *= shape->dimensions[i];
    }
    return count;
}

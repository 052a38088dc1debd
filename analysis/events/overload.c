/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of functions and operators, in which those of ints stand before those of floats.
 */
#include "analysis/events/operation.h"

#include <string.h>

static const struct overload overloads[] = {
#define OPERATION(name, ...)
#define OVERLOAD1(text, a, result, name, ...)                                                      \
    {text, 1, {EVENT_##a}, EVENT_##result, OPERATION_##name},
#define OVERLOAD2(text, a, b, result, name, ...)                                                   \
    {text, 2, {EVENT_##a, EVENT_##b}, EVENT_##result, OPERATION_##name},
#define OVERLOAD4(text, a, b, c, d, result, name, ...)                                             \
    {text, 4, {EVENT_##a, EVENT_##b, EVENT_##c, EVENT_##d}, EVENT_##result, OPERATION_##name},
#include "analysis/events/operations.def"
};

#define OVERLOAD_COUNT (sizeof overloads / sizeof *overloads)

/* An int fits a float, and whatever is joined to a text. */
static bool fits(const struct overload *overload, const enum event_type *operands) {
    for (size_t i = 0; i < overload->count; i++) {
        bool widens = operands[i] == EVENT_INT && overload->operands[i] == EVENT_FLOAT;
        bool joins = overload->code == OPERATION_JOIN &&
                     (operands[0] == EVENT_STRING || operands[1] == EVENT_STRING);
        if (operands[i] != overload->operands[i] && !widens && !joins)
            return false;
    }
    return true;
}

const struct overload *overload_find(const char *text, size_t count,
                                     const enum event_type *operands) {
    for (size_t i = 0; i < OVERLOAD_COUNT; i++)
        if (overloads[i].count == count && strcmp(overloads[i].text, text) == 0 &&
            fits(&overloads[i], operands))
            return &overloads[i];
    return NULL;
}

bool overload_exists(size_t *out_count, const char *text) {
    for (size_t i = 0; i < OVERLOAD_COUNT; i++)
        if (strcmp(overloads[i].text, text) == 0) {
            *out_count = overloads[i].count;
            return true;
        }
    return false;
}

const char *overload_name(size_t number) {
    for (size_t i = 0; i < OVERLOAD_COUNT; i++) {
        bool repeats = i > 0 && strcmp(overloads[i].text, overloads[i - 1].text) == 0;
        if (overloads[i].text[0] >= 'a' && !repeats && number-- == 0)
            return overloads[i].text;
    }
    return NULL;
}

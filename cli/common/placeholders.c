/* SPDX-License-Identifier: Apache-2.0
 *
 * Placeholders in the application's arguments; see placeholders.h. Between the braces stand, in
 * this order: a factor and `*`, the word `ranks`, `^` and an exponent (a number or a fraction), `:`
 * and what the result is rounded to a multiple of. Braces with anything else are the application's
 * own.
 */
#include "cli/common/placeholders.h"

#include "base/str.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST 9e15 /* a double holds all integers below */

struct placeholder {
    double factor, exponent, multiple;
    const char *end; /* behind the brace */
};

/* Moves behind the number; false: there is none that is greater than 0. */
static bool take_number(double *out, const char **at) {
    char *end = NULL;
    if (**at < '0' || **at > '9')
        return false;
    *out = strtod(*at, &end);
    *at = end;
    return *out > 0 && isfinite(*out);
}

static bool take_character(const char **at, char character) {
    if (**at != character)
        return false;
    ++*at;
    return true;
}

static bool take_exponent(double *out, const char **at) {
    double divisor = 1;
    if (!take_character(at, '^'))
        return true;
    if (!take_number(out, at))
        return false;
    if (take_character(at, '/') && !take_number(&divisor, at))
        return false;
    *out /= divisor;
    return true;
}

/* At an opening brace. */
static bool take_placeholder(struct placeholder *out, const char *at) {
    *out = (struct placeholder){1, 1, 1, NULL};
    at++;
    if (*at != 'r' && !(take_number(&out->factor, &at) && take_character(&at, '*')))
        return false;
    if (strncmp(at, "ranks", strlen("ranks")) != 0)
        return false;
    at += strlen("ranks");
    if (!take_exponent(&out->exponent, &at) ||
        (take_character(&at, ':') && !take_number(&out->multiple, &at)) ||
        !take_character(&at, '}'))
        return false;
    out->end = at;
    return true;
}

bool placeholders_are_in(const char *argument) {
    struct placeholder placeholder;
    for (const char *at = strchr(argument, '{'); at != NULL; at = strchr(at + 1, '{'))
        if (take_placeholder(&placeholder, at))
            return true;
    return false;
}

int placeholders_replace(const char **out, struct arena *arena, const char *argument, size_t ranks,
                         struct error *error) {
    struct str text = {0};
    struct placeholder one;
    for (const char *at = argument; *at != '\0';) {
        if (*at != '{' || !take_placeholder(&one, at)) {
            str_addc(&text, *at++);
            continue;
        }
        double value = one.factor * pow((double)ranks, one.exponent);
        value = fmax(1, round(value / one.multiple)) * one.multiple;
        if (!(value < LARGEST)) {
            str_dispose(&text);
            return error_set(error, "the argument '%s' is too large on %zu ranks", argument, ranks);
        }
        str_printf(&text, "%.0f", value);
        at = one.end;
    }
    *out = str_into(arena, &text);
    return 0;
}

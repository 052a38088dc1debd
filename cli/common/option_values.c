/* SPDX-License-Identifier: Apache-2.0
 *
 * See option_values.h.
 */
#include "cli/common/option_values.h"

#include "model/store/store_machines.h"
#include "simulator/network/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t count_option(const char *text, const char *option, struct argp_state *state) {
    struct error error = {0};
    size_t count = 0;
    if (count_parse(&count, text, option, &error) != 0)
        argp_error(state, "%s", error.text);
    return count;
}

int number_parse(double *out, const char *text, const char *option, const char *unit, double least,
                 double most, struct error *error) {
    char *end = NULL;
    *out = strtod(text, &end);
    if (end != text && *end == '%' && strcmp(unit, "percent") == 0)
        end++;
    if (end == text || *end != '\0' || isnan(*out) || *out < least || *out > most)
        return error_set(error, "%s takes a number of %s, not '%s'", option, unit, text);
    return 0;
}

double number_option(const char *text, const char *option, const char *unit, double least,
                     double most, struct argp_state *state) {
    struct error error = {0};
    double number = 0;
    if (number_parse(&number, text, option, unit, least, most, &error) != 0)
        argp_error(state, "%s", error.text);
    return number;
}

const char *machine_option(const char *text, struct argp_state *state) {
    if (!machine_is_name(text))
        argp_error(state, "a machine's name has at most 64 letters, digits, '.', '_' and '-'");
    return text;
}

enum formula_style formulas_option(const char *text, struct argp_state *state) {
    for (int i = 0; i < FORMULA_STYLE_COUNT; i++)
        if (strcmp(text, formula_style_name((enum formula_style)i)) == 0)
            return (enum formula_style)i;
    argp_error(state, "--formulas takes text, latex, c or python, not '%s'", text);
    return FORMULA_TEXT;
}

void bundle_is_needed(const char *bundle, struct argp_state *state) {
    if (bundle == NULL)
        argp_error(state, "which bundle? Give the directory that `mpiskel generate` wrote");
}

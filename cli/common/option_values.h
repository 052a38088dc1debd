/* SPDX-License-Identifier: Apache-2.0
 *
 * What options and arguments of several commands take. What is wrong ends the command with a usage
 * error.
 */
#ifndef CLI_COMMON_OPTION_VALUES_H
#define CLI_COMMON_OPTION_VALUES_H

#include "base/error.h"
#include "model/store/model_text.h"

#include <argp.h>
#include <stddef.h>

/* A whole number of at least 1. */
size_t count_option(const char *text, const char *option, struct argp_state *state);

/* A number of `unit` ("seconds", "percent") from `least` to `most`; percent may have their sign. */
double number_option(const char *text, const char *option, const char *unit, double least,
                     double most, struct argp_state *state);

/* The same for texts that argp does not see, as lines of files. */
int number_parse(double *out, const char *text, const char *option, const char *unit, double least,
                 double most, struct error *error);

/* The text, which is a machine's name. */
const char *machine_option(const char *text, struct argp_state *state);

enum formula_style formulas_option(const char *text, struct argp_state *state);

/* To be asked at the end: was a bundle named? */
void bundle_is_needed(const char *bundle, struct argp_state *state);

#endif

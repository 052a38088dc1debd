/* SPDX-License-Identifier: Apache-2.0
 *
 * Arithmetic of a few named numbers: what a number is changed to, as in `--set
 * solver.c:46=trips/2`.
 *
 * In: text such as "max(1, trips / 2) + ranks". Numbers, the names, + - * / %, parentheses, min(a,
 * b) and max(a, b); all in doubles, so 7 / 2 is 3.5 (whoever counts with it rounds down). Out: a
 * program for a small stack, which is evaluated without further memory. By recursive descent, to a
 * depth of BSIM_ARITHMETIC_DEPTH parentheses. Linked into other people's programs like eval.h.
 */
#ifndef MODEL_EVAL_ARITHMETIC_H
#define MODEL_EVAL_ARITHMETIC_H

#include <stdbool.h>
#include <stddef.h>

#define BSIM_ARITHMETIC_STEPS 64
#define BSIM_ARITHMETIC_DEPTH 16

struct bsim_arithmetic_step {
    char kind; /* '#' a number, '$' a name, '+', '-', '*', '/', '%', '~' minus, '<' min, '>' max */
    int name;
    double number;
};

struct bsim_arithmetic {
    int count;
    struct bsim_arithmetic_step steps[BSIM_ARITHMETIC_STEPS];
};

/* `names` ends with NULL. Returns 0, or -1 with what is wrong in `error`. */
int bsim_arithmetic_read(struct bsim_arithmetic *out, const char *text, const char *const *names,
                         char *error, size_t error_size);

bool bsim_arithmetic_uses(const struct bsim_arithmetic *arithmetic, int name);

/* `values` in the order of the names. May be infinite or no number (a division by zero). */
double bsim_arithmetic_value(const struct bsim_arithmetic *arithmetic, const double *values);

#endif

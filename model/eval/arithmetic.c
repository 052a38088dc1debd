/* SPDX-License-Identifier: Apache-2.0
 *
 * One function per level of the grammar; see arithmetic.h.
 */
#include "model/eval/arithmetic.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arithmetic_reader {
    struct bsim_arithmetic *out;
    const char *at;
    const char *const *names;
    int depth;
    char *error;
    size_t error_size;
};

static int fail(struct arithmetic_reader *r, const char *what) {
    snprintf(r->error, r->error_size, "%s at '%.40s'", what, r->at);
    return -1;
}

static int add(struct arithmetic_reader *r, char kind, int name, double number) {
    if (r->out->count >= BSIM_ARITHMETIC_STEPS)
        return fail(r, "the expression is too long");
    r->out->steps[r->out->count++] = (struct bsim_arithmetic_step){kind, name, number};
    return 0;
}

static char next(struct arithmetic_reader *r) {
    while (isspace((unsigned char)*r->at))
        r->at++;
    return *r->at;
}

static bool take(struct arithmetic_reader *r, char wanted) {
    if (next(r) != wanted)
        return false;
    r->at++;
    return true;
}

static int read_sum(struct arithmetic_reader *r);

static int read_pair(struct arithmetic_reader *r, char kind) {
    if (!take(r, '(') || read_sum(r) != 0)
        return r->error[0] != '\0' ? -1 : fail(r, "'(' is expected");
    if (!take(r, ',') || read_sum(r) != 0)
        return r->error[0] != '\0' ? -1 : fail(r, "',' is expected");
    return take(r, ')') ? add(r, kind, 0, 0) : fail(r, "')' is expected");
}

static int unknown_name(struct arithmetic_reader *r) {
    char known[128] = "";
    for (int i = 0; r->names[i] != NULL; i++) {
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", i > 0 ? ", " : "", r->names[i]);
    }
    snprintf(r->error, r->error_size, "'%.40s' begins with a name that is not known; there are %s",
             r->at, known);
    return -1;
}

static int read_name(struct arithmetic_reader *r) {
    size_t length = 0;
    while (isalnum((unsigned char)r->at[length]) || r->at[length] == '_')
        length++;
    if (length == 3 && (strncmp(r->at, "min", 3) == 0 || strncmp(r->at, "max", 3) == 0)) {
        char kind = r->at[1] == 'i' ? '<' : '>';
        r->at += length;
        return read_pair(r, kind);
    }
    for (int i = 0; r->names[i] != NULL; i++)
        if (strlen(r->names[i]) == length && strncmp(r->names[i], r->at, length) == 0) {
            r->at += length;
            return add(r, '$', i, 0);
        }
    return unknown_name(r);
}

/* Not by strtod, which goes by the locale that the program has set. */
static int read_number(struct arithmetic_reader *r) {
    double number = 0, unit = 1;
    for (; isdigit((unsigned char)*r->at); r->at++)
        number = number * 10 + (*r->at - '0');
    if (*r->at == '.')
        for (r->at++; isdigit((unsigned char)*r->at); r->at++) {
            number = number * 10 + (*r->at - '0');
            unit *= 10;
        }
    number /= unit;
    return isfinite(number) ? add(r, '#', 0, number) : fail(r, "a smaller number is expected");
}

static int read_operand(struct arithmetic_reader *r) {
    char first = next(r);
    if (++r->depth > BSIM_ARITHMETIC_DEPTH)
        return fail(r, "parentheses are nested too deep");
    int result;
    if (take(r, '-'))
        result = read_operand(r) == 0 ? add(r, '~', 0, 0) : -1;
    else if (take(r, '('))
        result = read_sum(r) != 0 ? -1 : take(r, ')') ? 0 : fail(r, "')' is expected");
    else if (isalpha((unsigned char)first))
        result = read_name(r);
    else if (isdigit((unsigned char)first))
        result = read_number(r);
    else
        result = fail(r, first == '\0' ? "the expression ends early" : "a number is expected");
    r->depth--;
    return result;
}

static int read_product(struct arithmetic_reader *r) {
    if (read_operand(r) != 0)
        return -1;
    for (char op = next(r); op == '*' || op == '/' || op == '%'; op = next(r)) {
        r->at++;
        if (read_operand(r) != 0 || add(r, op, 0, 0) != 0)
            return -1;
    }
    return 0;
}

static int read_sum(struct arithmetic_reader *r) {
    if (read_product(r) != 0)
        return -1;
    for (char op = next(r); op == '+' || op == '-'; op = next(r)) {
        r->at++;
        if (read_product(r) != 0 || add(r, op, 0, 0) != 0)
            return -1;
    }
    return 0;
}

int bsim_arithmetic_read(struct bsim_arithmetic *out, const char *text, const char *const *names,
                         char *error, size_t error_size) {
    struct arithmetic_reader r = {
        .out = out, .at = text, .names = names, .error = error, .error_size = error_size};
    out->count = 0;
    error[0] = '\0';
    if (read_sum(&r) != 0)
        return -1;
    return next(&r) == '\0' ? 0 : fail(&r, "an operator is expected");
}

bool bsim_arithmetic_uses(const struct bsim_arithmetic *arithmetic, int name) {
    for (int i = 0; i < arithmetic->count; i++)
        if (arithmetic->steps[i].kind == '$' && arithmetic->steps[i].name == name)
            return true;
    return false;
}

static double combine(char kind, double left, double right) {
    switch (kind) {
    case '+':
        return left + right;
    case '-':
        return left - right;
    case '*':
        return left * right;
    case '/':
        return left / right;
    case '%':
        return fmod(left, right);
    case '<':
        return fmin(left, right);
    default:
        return fmax(left, right);
    }
}

double bsim_arithmetic_value(const struct bsim_arithmetic *arithmetic, const double *values) {
    double stack[BSIM_ARITHMETIC_STEPS + 1] = {0};
    int top = 0;
    for (int i = 0; i < arithmetic->count; i++) {
        const struct bsim_arithmetic_step *step = &arithmetic->steps[i];
        if (step->kind == '#' || step->kind == '$') {
            stack[top++] = step->kind == '#' ? step->number : values[step->name];
        } else if (step->kind == '~') {
            stack[top - 1] = -stack[top - 1];
        } else {
            top--;
            stack[top - 1] = combine(step->kind, stack[top - 1], stack[top]);
        }
    }
    return stack[0];
}

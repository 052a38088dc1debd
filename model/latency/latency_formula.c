/* SPDX-License-Identifier: Apache-2.0
 *
 * Formulas of latency models; see latency.h. Text and LaTeX are for people and have 4 digits, C and
 * Python are computed with and have as many digits as it takes to read the same numbers back.
 */
#include "model/latency/latency.h"

#include "model/eval/eval_latency.h"
#include "model/eval/eval_rest.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Numbers and names ---- */

static void add_exact(struct str *out, double number) {
    char text[32];
    for (int digits = 4; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, number);
        if (strtod(text, NULL) == number)
            break;
    }
    str_add(out, text);
}

static void add_latex_number(struct str *out, double number) {
    char text[32];
    snprintf(text, sizeof text, "%.4g", number);
    const char *e = strchr(text, 'e');
    if (e == NULL)
        str_add(out, text);
    else
        str_printf(out, "%.*s \\cdot 10^{%d}", (int)(e - text), text, atoi(e + 1));
}

static void add_number(struct str *out, double number, enum formula_style style) {
    if (style == FORMULA_TEXT)
        str_printf(out, "%.4g", number);
    else if (style == FORMULA_LATEX)
        add_latex_number(out, number);
    else
        add_exact(out, number);
}

/* n1 becomes n_{1}. */
static void add_latex_name(struct str *out, const char *name) {
    size_t letters = 0;
    while (isalpha((unsigned char)name[letters]))
        letters++;
    if (letters == 1 && name[letters] != '\0' &&
        strspn(name + 1, "0123456789") == strlen(name + 1)) {
        str_printf(out, "%c_{%s}", name[0], name + 1);
        return;
    }
    str_add(out, "\\mathit{");
    for (; *name != '\0'; name++)
        str_printf(out, "%s%c", strchr("_%#&${}", *name) != NULL ? "\\" : "", *name);
    str_addc(out, '}');
}

static void add_name(struct str *out, const char *name, enum formula_style style) {
    if (style == FORMULA_LATEX)
        add_latex_name(out, name);
    else
        str_add(out, name);
}

/* ---- Terms ---- */

static void add_power(struct str *out, const char *name, double exponent,
                      enum formula_style style) {
    bool has_bound = exponent < 0 && (style == FORMULA_C || style == FORMULA_PYTHON);
    if (exponent != 1 && style == FORMULA_C)
        str_add(out, "pow(");
    if (has_bound)
        str_printf(out, style == FORMULA_C ? "fmax(%s, 1)" : "max(%s, 1)", name);
    else
        add_name(out, name, style);
    if (exponent == 1)
        return;
    str_add(out, style == FORMULA_C        ? ", "
                 : style == FORMULA_PYTHON ? "**"
                 : style == FORMULA_LATEX  ? "^{"
                                           : "^");
    add_number(out, exponent, style);
    str_add(out, style == FORMULA_C ? ")" : style == FORMULA_LATEX ? "}" : "");
}

static void add_log(struct str *out, const char *name, int exponent, enum formula_style style) {
    switch (style) {
    case FORMULA_C:
        str_printf(out, exponent == 1 ? "log2(fmax(%s, 1))" : "pow(log2(fmax(%s, 1)), %d)", name,
                   exponent);
        return;
    case FORMULA_PYTHON:
        str_printf(out, exponent == 1 ? "math.log2(max(%s, 1))" : "math.log2(max(%s, 1))**%d", name,
                   exponent);
        return;
    case FORMULA_LATEX:
        str_add(out, "\\log_2");
        if (exponent != 1)
            str_printf(out, "^{%d}", exponent);
        str_addc(out, ' ');
        add_latex_name(out, name);
        return;
    default:
        str_printf(out, exponent == 1 ? "log2(%s)" : "log2(%s)^%d", name, exponent);
    }
}

static void add_term(struct str *out, const struct term *term, const struct region *region,
                     enum formula_style style) {
    const char *times = style == FORMULA_LATEX ? " \\, " : "*";
    add_number(out, term->coefficient_s, style);
    for (int j = 0; j < region->feature_count; j++) {
        if (term->exponents[j] != 0) {
            str_add(out, times);
            add_power(out, region->features[j].name, term->exponents[j], style);
        }
        if (term->logs[j] > 0) {
            str_add(out, times);
            add_log(out, region->features[j].name, term->logs[j], style);
        }
    }
}

/* ---- Steps ---- */

static void add_step_call(struct str *out, const struct bsim_step *step, const char *name,
                          enum formula_style style) {
    str_add(out, style == FORMULA_LATEX ? " \\cdot \\mathrm{step}(" : " * step(");
    add_name(out, name, style);
    const double numbers[] = {step->from, step->to, step->factor};
    for (int i = 0; i < 3; i++) {
        str_add(out, ", ");
        add_number(out, numbers[i], style);
    }
    str_addc(out, ')');
}

/* factor^min(log(max(x, from) / from) / log(to / from), 1) */
static void add_step_expression(struct str *out, const struct bsim_step *step, const char *name,
                                enum formula_style style) {
    bool c = style == FORMULA_C;
    str_add(out, c ? " * pow(" : " * ");
    add_exact(out, step->factor);
    str_printf(out, c ? ", fmin(log2(fmax(%s, " : "**min(math.log2(max(%s, ", name);
    add_exact(out, step->from);
    str_add(out, ") / ");
    add_exact(out, step->from);
    str_add(out, ") / ");
    add_exact(out, log2(step->to / step->from));
    str_add(out, c ? ", 1))" : ", 1)");
}

/* ---- The rest ---- */

static void add_rest_call(struct str *out, const struct bsim_rest *rest,
                          const struct region *region, enum formula_style style) {
    str_add(out, style == FORMULA_LATEX ? " \\cdot \\mathrm{rest}(" : " * rest(");
    for (int j = 0; j < rest->dimensions; j++) {
        str_add(out, j > 0 ? ", " : "");
        add_name(out, region->features[rest->features[j]].name, style);
    }
    str_addc(out, ')');
}

/* (log(max(x, 1)) - X)^2 */
static void add_square(struct str *out, const char *name, double at, bool c) {
    str_printf(out, c ? "pow(log(fmax(%s, 1)) - " : "(math.log(max(%s, 1)) - ", name);
    str_addc(out, '(');
    add_exact(out, at);
    str_add(out, c ? "), 2)" : "))**2");
}

static void add_rest_expression(struct str *out, const struct bsim_rest *rest,
                                const struct region *region, bool c) {
    str_add(out, c ? " * exp(" : " * math.exp(");
    add_exact(out, rest->level);
    for (int i = 0; i < rest->count; i++) {
        str_add(out, " + ");
        add_exact(out, rest->weight[i]);
        str_add(out, c ? "*sqrt(" : "*math.sqrt(");
        for (int j = 0; j < rest->dimensions; j++) {
            str_add(out, j > 0 ? " + " : "");
            add_square(out, region->features[rest->features[j]].name, rest->at[i][j], c);
        }
        str_addc(out, ')');
    }
    str_addc(out, ')');
}

void latency_formula(struct str *out, const struct latency_model *model,
                     const struct region *region, enum formula_style style) {
    if (model->value_formula != NULL) {
        str_add(out, model->value_formula);
        return;
    }
    bool is_multiplied = model->step_count > 0 || model->rest != NULL;
    for (int i = 0; i < model->term_count; i++) {
        str_add(out, i > 0 ? " + " : "");
        if (is_multiplied && i == model->plain_count)
            str_addc(out, '(');
        add_term(out, &model->terms[i], region, style);
    }
    if (model->term_count == 0)
        str_add(out, is_multiplied ? "(0" : "0");
    if (is_multiplied)
        str_addc(out, ')');
    for (int i = 0; i < model->step_count; i++) {
        const struct bsim_step *step = &model->steps[i];
        const char *name = region->features[step->feature].name;
        if (style == FORMULA_TEXT || style == FORMULA_LATEX)
            add_step_call(out, step, name, style);
        else
            add_step_expression(out, step, name, style);
    }
    if (model->rest != NULL && (style == FORMULA_TEXT || style == FORMULA_LATEX))
        add_rest_call(out, model->rest, region, style);
    else if (model->rest != NULL)
        add_rest_expression(out, model->rest, region, style == FORMULA_C);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Costs are products, "2*m*n*(side==142?n:m)", of numbers, names, and parentheses, of which those
 * with a question mark are a choice: name==number?one:other, where numbers may be characters and
 * conditions are joined by ||. If the call says which (it mostly does: CblasRight, "R") only that
 * alternative is printed; if nothing is known of it where the region begins, the other one.
 *
 * A face has its factors sorted, so that m*n of one call is n*m of another. Not handled: functions
 * (log) and sums of products.
 */
#include "skeletonizer/features/kernel_cost.h"

#include "base/vec.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define NAME_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"

struct factor {
    const char *text;
    size_t length;
};

/* ---- Arguments ---- */

static const struct ast *argument_of(const struct call *call, const char *name, size_t length) {
    for (int i = 0; i < call->library->parameter_count; i++) {
        const char *parameter = call->library->parameters[i].name;
        if (parameter != NULL && strlen(parameter) == length &&
            strncmp(parameter, name, length) == 0)
            return (size_t)i < call->arguments.count ? call->arguments.items[i].ast : NULL;
    }
    return NULL;
}

/* Of &n that is n, of other pointers nothing that is known. */
static bool print_argument(struct str *out, const struct kernel_call *kernel,
                           const struct ast *argument) {
    const struct ast *inner = ast_without_casts(argument);
    if (inner->kind == AST_UNARY && strcmp(inner->op, "&") == 0)
        return expression_print_pointed(out, kernel->frame, inner->kids[0]);
    return (argument->type == NULL || argument->type->kind != TYPE_POINTER) &&
           expression_print(out, kernel->frame, kernel->node, argument);
}

/* A constant, or the first character of a string. */
static bool argument_value(long long *out, const struct kernel_call *kernel,
                           const struct ast *argument) {
    const struct ast *inner = ast_without_casts(argument);
    if (inner->kind == AST_STRING) {
        const char *text = program_text(kernel->frame->slice->program, inner->range);
        *out = text[0] == '"' ? text[1] : 0;
        return text[0] == '"' && text[1] != '\\';
    }
    *out = inner->has_value ? inner->value : argument->value;
    return inner->has_value || argument->has_value;
}

/* ---- Costs ---- */

/* Of a parenthesis, with it; of other text 0. */
static size_t length_of_group(const char *text, size_t length) {
    size_t depth = 0;
    for (size_t i = 0; i < length && (depth > 0 || text[i] == '('); i++) {
        depth += text[i] == '(';
        depth -= text[i] == ')';
        if (depth == 0)
            return i + 1;
    }
    return 0;
}

/* Names become arguments; the rest stays. */
static bool print_plain(struct str *out, const struct kernel_call *kernel, const char *text,
                        size_t length) {
    for (size_t i = 0; i < length;) {
        size_t name = strspn(text + i, NAME_CHARACTERS);
        if (text[i] == '\'' || name == 0) {
            size_t plain = text[i] == '\'' ? strlen("'R'") : 1;
            str_addn(out, text + i, plain);
            i += plain;
            continue;
        }
        const struct ast *argument = argument_of(kernel->call, text + i, name);
        str_add(out, "(double)");
        if (argument == NULL || !print_argument(out, kernel, argument))
            return false;
        i += name;
    }
    return true;
}

/* False: the call does not say. */
static bool condition_value(bool *out, const struct kernel_call *kernel, const char *at,
                            const char *question) {
    *out = false;
    while (at < question) {
        size_t name = strspn(at, NAME_CHARACTERS);
        const struct ast *argument = argument_of(kernel->call, at, name);
        long long value;
        if (argument == NULL || !argument_value(&value, kernel, argument))
            return false;
        at += name + strlen("==");
        *out = *out || value == (*at == '\'' ? at[1] : atoll(at));
        at += strcspn(at, "|?");
        at += strspn(at, "|");
        if (*at == '?')
            break;
    }
    return true;
}

struct choice_of_factors {
    bool is_decided, first; /* told: the call says which */
    struct factor one, other;
};

/* False: the factor is no choice. */
static bool read_choice(struct choice_of_factors *out, const struct kernel_call *kernel,
                        struct factor factor) {
    const char *end = factor.text + factor.length - 1;
    const char *question = memchr(factor.text, '?', factor.length);
    const char *colon = question != NULL ? memchr(question, ':', (size_t)(end - question)) : NULL;
    if (colon == NULL || length_of_group(factor.text, factor.length) != factor.length)
        return false;
    out->one = (struct factor){question + 1, (size_t)(colon - question - 1)};
    out->other = (struct factor){colon + 1, (size_t)(end - colon - 1)};
    out->is_decided = condition_value(&out->first, kernel, factor.text + 1, question);
    return true;
}

/* What is no choice, or is not told, is as it is. */
static struct factor chosen_factor(const struct kernel_call *kernel, struct factor factor) {
    struct choice_of_factors choice;
    if (!read_choice(&choice, kernel, factor) || !choice.is_decided)
        return factor;
    return choice.first ? choice.one : choice.other;
}

static bool print_factor(struct str *out, const struct kernel_call *kernel, struct factor factor) {
    struct choice_of_factors choice;
    struct factor chosen = chosen_factor(kernel, factor);
    struct str text = {0};
    bool known = print_plain(&text, kernel, chosen.text, chosen.length);
    if (known)
        str_add(out, str_text(&text));
    else if (read_choice(&choice, kernel, chosen))
        known = print_plain(out, kernel, choice.other.text, choice.other.length);
    str_dispose(&text);
    return known;
}

/* ---- Faces ---- */

static size_t length_of_factor(const char *text) {
    size_t length = 0;
    while (text[length] != '\0' && text[length] != '*') {
        size_t group = length_of_group(text + length, strlen(text + length));
        length += group > 0 ? group : 1;
    }
    return length;
}

/* Numbers are none. 0: there are more than KERNEL_FACTORS_MAX, or no sizes. */
static int find_factors(struct factor out[KERNEL_FACTORS_MAX], const char *cost) {
    int count = 0;
    for (const char *at = cost; *at != '\0';) {
        size_t length = length_of_factor(at), plain = strcspn(at, "/*");
        if (!isdigit((unsigned char)*at)) {
            if (count == KERNEL_FACTORS_MAX)
                return 0;
            out[count++] = (struct factor){at, *at == '(' ? length : plain};
        }
        at += length;
        at += *at == '*';
    }
    return count;
}

int kernel_face_count(const struct kernel_call *kernel) {
    struct factor factors[KERNEL_FACTORS_MAX];
    int count = find_factors(factors, kernel->call->library->cost);
    return count > 1 ? count : 0;
}

const char *kernel_face_name(struct arena *arena, const struct kernel_call *kernel, int face) {
    struct factor factors[KERNEL_FACTORS_MAX];
    int count = find_factors(factors, kernel->call->library->cost);
    struct str text = {0};
    for (int i = 0; i < count; i++) {
        struct factor factor = chosen_factor(kernel, factors[i]);
        if (i != face)
            str_printf(&text, "%s%.*s", text.length > 0 ? "*" : "", (int)factor.length,
                       factor.text);
    }
    return str_into(arena, &text);
}

static int compare_texts(const void *left, const void *right) {
    return strcmp(*(char *const *)left, *(char *const *)right);
}

static bool print_face(struct str *out, const struct kernel_call *kernel, int face) {
    struct factor factors[KERNEL_FACTORS_MAX];
    struct str texts[KERNEL_FACTORS_MAX] = {{0}};
    const char *sorted[KERNEL_FACTORS_MAX];
    int count = find_factors(factors, kernel->call->library->cost), used = 0;
    bool known = true;
    for (int i = 0; i < count && known; i++) {
        if (i == face)
            continue;
        known = print_factor(&texts[i], kernel, factors[i]);
        sorted[used++] = str_text(&texts[i]);
    }
    qsort(sorted, (size_t)used, sizeof *sorted, compare_texts);
    for (int i = 0; i < used && known; i++)
        str_printf(out, "%s%s", i > 0 ? "*" : "", sorted[i]);
    for (int i = 0; i < count; i++)
        str_dispose(&texts[i]);
    return known;
}

static bool print_whole(struct str *out, const struct kernel_call *kernel) {
    bool known = true;
    for (const char *at = kernel->call->library->cost; known && *at != '\0';) {
        struct factor factor = {at, length_of_factor(at)};
        known = print_factor(out, kernel, factor);
        at += factor.length;
        if (*at == '*')
            str_addc(out, *at++);
    }
    return known;
}

bool kernel_cost_print(struct str *out, const struct kernel_call *kernel, int face) {
    str_addc(out, '(');
    bool known =
        face == KERNEL_COST_WHOLE ? print_whole(out, kernel) : print_face(out, kernel, face);
    str_addc(out, ')');
    return known;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of these functions.
 */
#include "analysis/events/builtin.h"

#include <string.h>

static const struct builtin builtins[] = {
    {"sum", BUILTIN_AGGREGATE, 1, 1, "sum(x)", AGGREGATE_SUM},
    {"count", BUILTIN_AGGREGATE, 1, 1, "count(x)", AGGREGATE_COUNT},
    {"avg", BUILTIN_AGGREGATE, 1, 1, "avg(x)", AGGREGATE_AVG},
    {"var", BUILTIN_AGGREGATE, 1, 1, "var(x)", AGGREGATE_VAR},
    {"std", BUILTIN_AGGREGATE, 1, 1, "std(x)", AGGREGATE_STD},
    {"min", BUILTIN_AGGREGATE, 1, 1, "min(x) or min(x, y)", AGGREGATE_MIN},
    {"max", BUILTIN_AGGREGATE, 1, 1, "max(x) or max(x, y)", AGGREGATE_MAX},
    {"quantile", BUILTIN_AGGREGATE, 2, 2, "quantile(x, 0.9)", AGGREGATE_QUANTILE},
    {"argmin", BUILTIN_AGGREGATE, 1, 1, "argmin(array)", AGGREGATE_ARGMIN},
    {"argmax", BUILTIN_AGGREGATE, 1, 1, "argmax(array)", AGGREGATE_ARGMAX},
    {"prev", BUILTIN_PREV, 1, 1, "prev(x)", 0},
    {"take", BUILTIN_TAKE, 1, 1, "take(map[key])", 0},
    {"has", BUILTIN_HAS, 1, 1, "has(map[key])", 0},
    {"default", BUILTIN_DEFAULT, 2, 2, "default(x, y)", 0},
    {"length", BUILTIN_LENGTH, 1, 1, "length(array)", 0},
    {"window", BUILTIN_WINDOW, 2, 2, "window(x, 100)", 0},
    {"top", BUILTIN_TOP, 2, 2, "top(array, 10)", 0},
    {"spread", BUILTIN_SPREAD, 4, 4, "spread(begin, end, low, high)", 0},
};

#define BUILTIN_COUNT (sizeof builtins / sizeof *builtins)

const struct builtin *builtin_find(const char *name) {
    for (size_t i = 0; i < BUILTIN_COUNT; i++)
        if (strcmp(builtins[i].name, name) == 0)
            return &builtins[i];
    return NULL;
}

bool builtin_is_call(const struct syntax *node, enum builtin_type type) {
    return node->type == SYNTAX_CALL && node->builtin != NULL && node->builtin->type == type;
}

struct syntax *builtin_argument(const struct syntax *call) {
    return call->parts[0]->type == SYNTAX_BY ? call->parts[0]->parts[0] : call->parts[0];
}

struct syntax *builtin_key(const struct syntax *call) {
    return call->parts[0]->type == SYNTAX_BY ? call->parts[0]->parts[1] : NULL;
}

const char *builtin_name(size_t number) {
    return number < BUILTIN_COUNT ? builtins[number].name : NULL;
}

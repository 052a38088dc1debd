/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions of the language that do not just go element by element.
 */
#pragma once

#include "analysis/events/syntax/syntax.h"
#include "analysis/events/values/aggregate.h"

enum builtin_type {
    BUILTIN_AGGREGATE,
    BUILTIN_PREV,
    BUILTIN_TAKE,
    BUILTIN_HAS,
    BUILTIN_DEFAULT,
    BUILTIN_LENGTH,
    BUILTIN_WINDOW,
    BUILTIN_TOP,
    BUILTIN_SPREAD,
};

struct builtin {
    const char *name;
    enum builtin_type type;
    size_t least, most; /* arguments */
    const char *form;   /* as messages show it */
    enum aggregate_function function;
};

/* NULL: there is none. */
const struct builtin *builtin_find(const char *name);
/* Is it a call of such a function? Once checked. */
bool builtin_is_call(const struct syntax *node, enum builtin_type type);
/* Of such a call the first argument without its `by`, and what stands behind that; NULL: nothing.
 */
struct syntax *builtin_argument(const struct syntax *call);
struct syntax *builtin_key(const struct syntax *call);
/* NULL behind the last. */
const char *builtin_name(size_t number);

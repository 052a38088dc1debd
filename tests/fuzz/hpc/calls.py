# SPDX-License-Identifier: Apache-2.0
"""Ways of an integer through calls: out parameters, callbacks, tables, recursion, the C library."""
from hpc.maker import UNIFORM
from hpc.memory import carried


def out_parameter(m):
    helper = m.need("split_number", "static int split_number(int whole, int *low, long *high) {\n"
                    "    *low = whole & 31;\n    if (high != NULL)\n        *high = whole >> 5;\n    return whole & 1;\n}")
    m.need("#stdlib", "#include <stdlib.h>")

    def make(level):
        e = m.expression(level)
        high = m.pick(("&high", "NULL"))
        return ["int low = 0;", "long high = 1;", f"int odd = {helper}(({e}) & 1023, &low, {high});"], \
            "low + 32 * (int)high + odd"
    return carried(m, make)


def returned_struct(m):
    m.need("struct span", "struct span {\n    int first, last;\n    double weight;\n};")
    helper = m.need("make_span", "static struct span make_span(int a, int b, double w) {\n"
                    "    struct span s = {a, b, w * w};\n    if (a > b) {\n        s.first = b;\n        s.last = a;\n    }\n"
                    "    return s;\n}")
    widen = m.need("widen", "static struct span widen(struct span s, int by) {\n    s.last += by;\n    s.weight += 1;\n"
                   "    return s;\n}")

    def make(level):
        e, f = m.expression(level), m.expression(level, 1)
        text = "s.last - s.first"
        lines = [f"struct span s = {helper}(({e}) & 1023, ({f}) & 1023, 0.25);"]
        if m.chance(50):
            lines.append(f"s = {widen}(s, ({m.expression(level, 1)}) & 15);")
        elif m.chance(50):
            text = f"{widen}(s, 3).last"
        return lines, text
    return carried(m, make)


def sorted_values(m):
    m.need("#stdlib", "#include <stdlib.h>")
    helper = m.need("by_value", "static int by_value(const void *a, const void *b) {\n"
                    "    return *(const int *)a - *(const int *)b;\n}")
    down = m.need("by_value_down", "static int by_value_down(const void *a, const void *b) {\n"
                  "    return by_value(b, a);\n}")

    def make(level):
        m.charge(30)
        values = ", ".join(f"({m.expression(level, 1)}) & 1023" for _ in range(4))
        lines = [f"int v[4] = {{{values}}};", f"qsort(v, 4, sizeof *v, {m.pick((helper, down))});"]
        if m.chance(30):
            lines += ["qsort(v, 4, sizeof *v, by_value);", "int key = v[2];",
                      "int *hit = bsearch(&key, v, 4, sizeof *v, by_value);"]
            return lines, "hit != NULL ? *hit : 1"
        return lines, "v[1]"
    return carried(m, make)


def through_text(m):
    m.need("#stdio", "#include <stdio.h>")
    m.need("#stdlib", "#include <stdlib.h>")
    m.need("#string", "#include <string.h>")

    def make(level):
        e, f = m.expression(level), m.expression(level, 1)
        form = m.rng.randrange(4)
        lines = ["char text[64];", f'snprintf(text, sizeof text, "%d,%d", ({e}) & 1023, ({f}) & 7);']
        if form == 0:
            return lines + ["int a = 0, b = 0;", 'if (sscanf(text, "%d,%d", &a, &b) != 2)', "    a = 1;"], "a + b"
        if form == 1:
            return lines, "atoi(text)"
        if form == 2:
            return lines + ["char *end;", "long a = strtol(text, &end, 10);", "int b = *end == ',' ? atoi(end + 1) : 9;"], \
                "(int)a + b"
        return lines + ["char *comma = strchr(text, ',');"], "(int)strlen(text) + (int)(comma - text)"
    return carried(m, make)


def state(m):
    """A function that remembers. Its state is UNIFORM, so it is called under UNIFORM control with such values."""
    if m.in_pure or m.level != UNIFORM:
        return None
    helper = m.need("next_state", "static int next_state(int add) {\n    static int state = 1, calls;\n"
                    "    calls++;\n    state = (state * 5 + add + calls) & 1023;\n    return state;\n}")
    cached = m.need("cached", "static int cached(int key) {\n    static int cache[8], full[8];\n"
                    "    if (!full[key & 7]) {\n        cache[key & 7] = key * 3;\n        full[key & 7] = 1;\n    }\n"
                    "    return cache[key & 7];\n}")
    place = m.target(UNIFORM)
    if place is None:
        return None
    lines = [m.store(place, f"{m.pick((helper, helper, cached))}(({m.expression(UNIFORM, 1)}) & 1023)")]
    if m.chance(25):
        return [f"{helper}(({m.expression(UNIFORM, 1)}) & 1023);"] + lines
    return lines


def variadic(m):
    m.need("#stdarg", "#include <stdarg.h>")
    helper = m.need("sum_of", "static int sum_of(int n, ...) {\n    va_list list;\n    int sum = 0;\n"
                    "    va_start(list, n);\n    while (n-- > 0)\n        sum += va_arg(list, int);\n    va_end(list);\n"
                    "    return sum;\n}")
    return carried(m, lambda level: ([], f"{helper}(3, ({m.expression(level)}) & 1023, ({m.expression(level, 1)}) & 15, "
                                     f"({m.expression(level, 1)}) & 15)"))


def virtual(m):
    """An object with operations, as codes in the style of PETSc or GSL have them."""
    m.need("struct shape", "struct shape {\n    const struct shape_ops *ops;\n    int a, b;\n    double area;\n};\n"
           "struct shape_ops {\n    int (*measure)(const struct shape *);\n    void (*grow)(struct shape *, int);\n};")
    m.need("shapes", "static int square_measure(const struct shape *s) {\n    return s->a * 4 & 1023;\n}\n"
           "static int box_measure(const struct shape *s) {\n    return s->a + s->b;\n}\n"
           "static void square_grow(struct shape *s, int by) {\n    s->a += by;\n    s->area = (double)s->a * s->a;\n}\n"
           "static void box_grow(struct shape *s, int by) {\n    s->b += by;\n    s->area += by * 0.5;\n}\n"
           "static const struct shape_ops shape_kinds[2] = {{square_measure, square_grow}, {box_measure, box_grow}};")

    def make(level):
        e, f, k = m.expression(level), m.expression(level, 1), m.expression(level, 1)
        return [f"struct shape s = {{&shape_kinds[({k}) & 1], ({e}) & 1023, 2, 0}};",
                f"s.ops->grow(&s, ({f}) & 15);"], "s.ops->measure(&s)"
    return carried(m, make)


def visitor(m):
    """A callback that is given a context through void *."""
    m.need("for_each", "static void for_each(const int *v, int n, void (*visit)(int, void *), void *context) {\n"
           "    for (int i = 0; i < n; i++)\n        visit(v[i], context);\n}")
    m.need("add_visit", "static void add_visit(int value, void *context) {\n    *(int *)context += value;\n}")
    m.need("max_visit", "static void max_visit(int value, void *context) {\n    int *best = context;\n"
           "    if (value > *best)\n        *best = value;\n}")
    m.need("use_of_visits", "static void (*const visits[2])(int, void *) = {add_visit, max_visit};")

    def make(level):
        values = ", ".join(f"({m.expression(level, 1)}) & 255" for _ in range(3))
        how = m.pick(("add_visit", "max_visit", f"visits[({m.expression(level, 1)}) & 1]"))
        keep = [] if how.startswith("visits") else ["(void)visits;"]
        return keep + [f"int v[3] = {{{values}}}, got = 0;", f"for_each(v, 3, {how}, &got);"], "got"
    return carried(m, make)


def macros(m):
    m.need("CLAMP", "#define CLAMP(x, lo, hi) ((x) < (lo) ? (lo) : (x) > (hi) ? (hi) : (x))")
    m.need("SWAP_INT", "#define SWAP_INT(a, b) \\\n    do { \\\n        int swap_ = (a); \\\n        (a) = (b); \\\n"
           "        (b) = swap_; \\\n    } while (0)")

    def make(level):
        e, f = m.expression(level), m.expression(level, 1)
        return [f"int a = ({e}) & 1023, b = ({f}) & 1023;", "SWAP_INT(a, b);"], "CLAMP(b, 3, 900) + (a & 1)"
    return carried(m, make)


def wrapper_of_malloc(m):
    m.need("#stdlib", "#include <stdlib.h>")
    get = m.need("get_memory", "static void *get_memory(size_t bytes) {\n    void *p = malloc(bytes);\n"
                 "    if (p == NULL)\n        abort();\n    return p;\n}")
    ints = m.need("get_ints", "static int get_ints(int **out, int n) {\n    *out = get_memory(n * sizeof **out);\n"
                  "    for (int i = 0; i < n; i++)\n        (*out)[i] = i;\n    return *out != NULL;\n}")

    def make(level):
        e, f = m.expression(level), m.expression(level, 1)
        form = m.rng.randrange(2)
        m.charge(8)
        if form == 0:
            return [f"int *a = {get}(8 * sizeof *a);", f"double *d = {get}(8 * sizeof *d);", "d[3] = 2.5;",
                    f"a[({f}) & 7] = 0;", f"a[5] = ({e}) & 1023;", "int got = a[5];", "free(a);", "free(d);",
                    f"(void){ints};"], "got"
        return ["int *a, got = 0;", f"if ({ints}(&a, 8)) {{", f"    a[2] += ({e}) & 1023;", "    got = a[2];", "}",
                "free(a);"], "got"
    return carried(m, make)


def stack_of_work(m):
    """A worklist in an array, as tree codes have it."""
    def make(level):
        m.charge(60)
        e = m.expression(level)
        return ["int stack[64], top = 0, seen = 0;", f"stack[top++] = ({e}) & 31;", "while (top > 0) {",
                "    int node = stack[--top];", "    seen += node & 3;", "    if (node > 2) {",
                "        stack[top++] = node / 2;", "        if (node & 1)", "            stack[top++] = node / 3;",
                "    }", "}"], "seen"
    return carried(m, make)


def returned_pointer(m):
    """A function that gives back one of its pointers, or its own static memory."""
    helper = m.need("either", "static int *either(int *a, int *b, int which) {\n    static int spare[2];\n    if (which % 5 == 4)\n"
                    "        return &spare[which & 1];\n    return which & 1 ? a : b;\n}")

    def make(level):
        if m.level != UNIFORM:
            level = max(level, m.level)
        e, f, k = m.expression(level), m.expression(level, 1), m.expression(level, 1)
        return [f"int a = ({e}) & 1023, b = 3;", f"int *p = {helper}(&a, &b, (({k}) & 1023) % 4);", f"*p = (*p + ({f})) & 1023;",
                "p = p == &a ? &b : &a;", "*p += 2;"], m.pick(("a", "b", "a + b", "*p"))
    return carried(m, make)


def function_that_gives_a_function(m):
    m.need("ways", "static int way_up(int a, int b) {\n    return a + b;\n}\nstatic int way_down(int a, int b) {\n    return a > b ? a - b : b;\n}")
    m.need("choose", "static int (*choose(int k))(int, int) {\n    if (k & 1)\n        return way_up;\n    return way_down;\n}")

    def make(level):
        e, f, k = m.expression(level), m.expression(level, 1), m.expression(level, 1)
        return [f"int (*way)(int, int) = choose(({k}) & 1023);"], f"way(({e}) & 1023, ({f}) & 15)"
    return carried(m, make)


def early_return(m):
    helper = m.need("first_above", "static int first_above(const int *v, int n, int least) {\n    for (int i = 0; i < n; i++) {\n"
                    "        if (v[i] < 0)\n            continue;\n        if (v[i] > least)\n            return v[i];\n"
                    "        least -= i;\n    }\n    return -1;\n}")

    def make(level):
        values = ", ".join(f"({m.expression(level, 1)}) & 63" for _ in range(3))
        return [f"int v[3] = {{{values}}};"], f"{helper}(v, 3, ({m.expression(level)}) & 63)"
    return carried(m, make)


def flags(m):
    def make(level):
        e, f = m.expression(level), m.expression(level, 1)
        return ["enum { COLD = 1, WARM = 2, HOT = 4 };", "unsigned state = COLD;", f"if (({e}) & 3)", "    state |= WARM;",
                f"state ^= ({f}) & 1 ? HOT : COLD;", "state &= ~(unsigned)(state & COLD ? WARM : 0);"], "(int)state"
    return carried(m, make)


PRODUCTIONS = tuple((3, f) for f in (
    out_parameter, returned_struct, sorted_values, through_text, state, state, variadic, virtual, visitor, macros,
    wrapper_of_malloc, stack_of_work,
    returned_pointer, function_that_gives_a_function, early_return, flags))

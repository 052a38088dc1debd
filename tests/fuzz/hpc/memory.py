# SPDX-License-Identifier: Apache-2.0
"""Ways of an integer through memory: each statement here writes a place with what it carried there by
structs, unions, bytes, pointers, lists, or arrays. All of it works at either level."""
from hpc.control import indent
from hpc.maker import Array, Place


def carried(m, make):
    """Statements in a block of their own that give a target a value: make(level) -> (lines, text)."""
    level = max(m.level, m.level_for_target())
    place = m.target(level)
    if place is None:
        return None
    lines, text = make(level)
    return ["{"] + indent(lines + [m.store(place, text)]) + ["}"]


def linked_list(m):
    m.need("#stdlib", "#include <stdlib.h>")
    m.need("struct cell", "struct cell {\n    double weight;\n    int value;\n    struct cell *next;\n};")
    m.need("cell_add", "static void cell_add(struct cell **head, int value) {\n"
           "    struct cell *c = malloc(sizeof *c);\n    c->value = value;\n    c->weight = value * 0.5;\n"
           "    c->next = *head;\n    *head = c;\n}")
    m.need("cell_free", "static void cell_free(struct cell *head) {\n    while (head != NULL) {\n"
           "        struct cell *next = head->next;\n        free(head);\n        head = next;\n    }\n}")

    def make(level):
        i = m.name("i")
        lines = ["struct cell *head = NULL;", "int total = 0;",
                 f"for (int {i} = 0; {i} < (({m.expression(level, 1)}) & 7); {i}++)",
                 f"    cell_add(&head, ({m.expression(level, 1)} + {i}) & 1023);",
                 "for (struct cell *c = head; c != NULL; c = c->next)",
                 "    total += c->value;", "cell_free(head);"]
        return lines, "total"
    return carried(m, make)


def bytes_in_a_buffer(m):
    m.need("#string", "#include <string.h>")

    def make(level):
        at = m.rng.randrange(8)
        e = m.expression(level)
        back = m.pick((f"memcpy(&out, raw + {at}, sizeof out);",
                       f"for (size_t b = 0; b < sizeof out; b++)\n        ((char *)&out)[b] = raw[{at} + b];",
                       f"memmove(raw, raw + {at}, 24);\n    memcpy(&out, raw, sizeof out);"))
        return ["char raw[32] = {0};", f"int in = ({e}) & 1023, out = 0;",
                f"memcpy(raw + {at}, &in, sizeof in);"] + back.split("\n    "), "out"
    return carried(m, make)


def union_members(m):
    m.need("union bits", "union bits {\n    long whole;\n    int half[2];\n    unsigned char byte[8];\n    double real;\n};")

    def make(level):
        e = m.expression(level)
        form = m.rng.randrange(3)
        if form == 0:
            return ["union bits u = {0};", f"u.half[0] = ({e}) & 1023;"], "u.byte[0] + 256 * u.byte[1]"
        if form == 1:
            return [f"union bits u = {{.whole = ({e}) & 1023}};", "union bits w = u;"], "w.half[0]"
        return [f"union bits u, w;", f"u.real = ({e}) & 1023;", "w.whole = u.whole;"], "(int)w.real"
    return carried(m, make)


def pointer_to_pointer(m):
    level = max(m.level, m.level_for_target())
    places = [p for p in m.scope.places if p.plain and p.level == level and p.ctype == "int" and "*" not in p.text]
    if len(places) < 2:
        return None
    a, b = m.pick(places), m.pick(places)
    p, pp = m.name("p"), m.name("pp")
    return ["{"] + indent([f"int *{p} = &{a.text}, **{pp} = &{p};", f"**{pp} = {m.value(a)};",
                           f"if ({m.condition(level, 1)})", f"    *{pp} = &{b.text};",
                           f"*{p} = (*{p} + {m.expression(level, 1)}) & 1023;"]) + ["}"]


def lvalue_by_condition(m):
    level = max(m.level, m.level_for_target())
    places = [p for p in m.scope.places if p.plain and p.level == level and p.ctype == "int"]
    if len(places) < 2:
        return None
    a, b = m.pick(places), m.pick(places)
    return [f"*({m.condition(level, 1)} ? &{a.text} : &{b.text}) = ({m.expression(level)}) & 1023;"]


def walk(m):
    level = max(m.level, m.level_for_target())
    arrays = [a for a in m.scope.arrays if a.level == level]
    if not arrays:
        return None
    a, q, k = m.pick(arrays), m.name("q"), m.name("k")
    mask = 127 if a.ctype == "unsigned char" else 1023
    value = f"({m.expression(level, 1)} + {k}++) & {mask}"
    m.charge(a.length)
    return ["{"] + indent([f"int {k} = 0;", f"{a.ctype} *{q} = {a.text} + (({m.expression(level, 1)}) & {a.length - 1});",
                           f"while ({q} < {a.text} + {a.length})", f"    *{q}++ = {value};"]) + ["}"]


def distance(m):
    def make(level):
        e, f = m.expression(level), m.expression(level, 1)
        return ["int row[32] = {0};", f"int *p = row + (({e}) & 15), *q = row + 16 + (({f}) & 15);",
                "*q = 3;"], "(int)(q - p) + *q + (p < q)"
    return carried(m, make)


def bit_fields(m):
    m.need("struct packed", "struct packed {\n    unsigned kind : 3;\n    signed delta : 12;\n    unsigned count : 10;\n};")

    def make(level):
        e, f = m.expression(level), m.expression(level, 1)
        return [f"struct packed s = {{.count = ({e}) & 1023}};", f"s.kind = ({f}) & 7;",
                "s.delta = s.count - s.kind;"], "s.delta + s.kind"
    return carried(m, make)


def compound_literal(m):
    m.need("struct pair", "struct pair {\n    int a;\n    double x;\n    int b;\n};")

    def make(level):
        e, f = m.expression(level), m.expression(level, 1)
        return [f"struct pair *p = &(struct pair){{.b = ({e}) & 1023, .a = ({f}) & 7, .x = 0.5}};",
                "struct pair q = *p;", "q.a += p->b;"], "q.a"
    return carried(m, make)


def variable_length(m):
    def make(level):
        n, i = m.name("n"), m.name("i")
        m.charge(16)
        return [f"int {n} = 1 + (({m.expression(level)}) & 7);", f"int vla[{n}][2], sum = 0;",
                f"for (int {i} = 0; {i} < {n}; {i}++)", f"    vla[{i}][{i} & 1] = {i}, vla[{i}][1 - ({i} & 1)] = "
                f"({m.expression(level, 1)}) & 15;",
                f"for (int {i} = 0; {i} < {n}; {i}++)", f"    sum += vla[{i}][1];"], "sum"
    return carried(m, make)


def grown(m):
    m.need("#stdlib", "#include <stdlib.h>")

    def make(level):
        e, f = m.expression(level), m.expression(level, 1)
        return ["int *g = malloc(4 * sizeof *g);", f"g[(({f}) & 3)] = 7;", f"g[1] = ({e}) & 1023;",
                "int kept = g[1];", "g = realloc(g, 64 * sizeof *g);", "kept = g[1];", "free(g);"], "kept"
    return carried(m, make)


def matrix(m):
    def make(level):
        e, f, r, c = (m.expression(level, 1) for _ in range(4))
        view = m.pick(("(*(grid + 2))[1]", "((int *)grid)[9]", "*(&grid[0][0] + 9)", "row[1]"))
        return ["int grid[4][4] = {{0}};", "int (*rows)[4] = grid + 2, *row = grid[2];", "(void)rows;", "(void)row;",
                f"grid[({r}) & 3][({c}) & 3] = ({e}) & 1023;", f"rows[0][1] += ({f}) & 15;"], view
    return carried(m, make)


def table_of_rows(m):
    """Rows of pointers, as codes that allocate matrices have them."""
    m.need("#stdlib", "#include <stdlib.h>")

    def make(level):
        e, r = m.expression(level), m.expression(level, 1)
        i = m.name("i")
        m.charge(16)
        return ["int **rows = malloc(4 * sizeof *rows);", f"for (int {i} = 0; {i} < 4; {i}++)",
                f"    rows[{i}] = calloc(4, sizeof **rows);", f"rows[({r}) & 3][2] = ({e}) & 1023;",
                "int got = rows[0][2] + rows[1][2] + rows[2][2] + rows[3][2];",
                f"for (int {i} = 0; {i} < 4; {i}++)", f"    free(rows[{i}]);", "free(rows);"], "got"
    return carried(m, make)


def untyped(m):
    """A pointer that went through void *, an integer or a struct."""
    def make(level):
        e = m.expression(level)
        m.need("#stdint", "#include <stdint.h>")
        form = m.rng.randrange(3)
        if form == 0:
            m.need("struct box", "struct box {\n    void *what;\n    int tag;\n};")
            return [f"int in = ({e}) & 1023;", "struct box b = {&in, 1}, c;", "c = b;", "++*(int *)c.what;"], "in"
        if form == 1:
            return [f"int in[2] = {{({e}) & 1023, 3}};", "uintptr_t u = (uintptr_t)&in[0];", "u += sizeof(int);",
                    f"*(int *)u = in[0] + 1;"], "in[1]"
        return [f"long in = ({e}) & 1023;", "void *v = &in;", "long **pp = (long **)&v;", "**pp += 2;"], "(int)in"
    return carried(m, make)


def records(m):
    """Whole structs copied, in one of the ways there are."""
    pairs = [(a, b) for a in m.scope.records for b in m.scope.records
             if a is not b and a.kind == b.kind and b.level <= a.level and a.level >= m.level]
    if not pairs:
        return None
    a, b = m.pick(pairs)
    if m.chance(40):
        m.need("#string", "#include <string.h>")
        return [f"memmove(&{a.text}, &{b.text}, sizeof {a.text});"]
    return [f"{a.text} = {b.text};"]


def reals_that_count(m):
    """Integers kept in doubles, exactly."""
    def make(level):
        e, f = m.expression(level), m.expression(level, 1)
        i = m.name("i")
        return ["double sum = 0, part[4] = {0.5, 1.5, 2.0, 4.0};", f"part[({f}) & 3] = ({e}) & 1023;",
                f"for (int {i} = 0; {i} < 4; {i}++)", f"    sum += part[{i}];"], "(int)sum"
    return carried(m, make)


def short_circuit(m):
    """A local that is assigned or not."""
    level = max(m.level, m.level_for_target())
    place = m.target(level, ctype="int")
    if place is None:
        return None
    joint = m.pick(("&&", "||"))
    test = m.condition(level, 1)
    return ["{"] + indent([f"int maybe = {place.text};", f"if ({test} {joint} (maybe = ({m.expression(level)}) & 1023) > 5)",
                           "    maybe ^= 1;", f"{place.text} = maybe & 1023;"]) + ["}"]


def comma(m):
    level = max(m.level, m.level_for_target())
    a, b = m.target(level, ctype="int"), m.target(level, ctype="int")
    if a is None or b is None:
        return None
    low = max(a.level, b.level)
    if a.level != b.level or low < level:
        return None
    return [f"{a.text} = (({b.text} = ({m.expression(a.level)}) & 511), {b.text} + 1);"]


def local_arrays(m):
    level = max(m.level, m.level_for_target())
    name, i = m.name("a"), m.name("i")
    length = m.pick((8, 16))
    m.charge(length)
    lines = [f"int {name}[{length}];", f"for (int {i} = 0; {i} < {length}; {i}++)",
             f"    {name}[{i}] = ({m.expression(level, 1)} * {i}) & 1023;"]
    m.scope.arrays.append(Array(name, "int", length, level, m.life))
    if m.chance(30):
        m.scope.places.append(Place(f"{name}[{m.rng.randrange(length)}]", "int", level, m.life))
    return lines


def run_of_members(m):
    """Several members at once, by the address of the first."""
    m.need("#string", "#include <string.h>")
    m.need("struct params", "struct params {\n    int nx, ny, nz;\n    double dx;\n    int steps, every;\n};")

    def make(level):
        e, f = m.expression(level), m.expression(level, 1)
        how = m.pick(("memcpy(&p.nx, raw, sizeof raw);", "memcpy(&p.ny, raw + 1, 2 * sizeof(int));",
                      "struct params q = {0};\n    memcpy(&q.ny, raw, 2 * sizeof *raw);\n    memcpy(&p.ny, &q.ny, 2 * sizeof(int));",
                      "memmove(&p, raw, sizeof raw);", "for (int *t = &p.nx, k = 0; k < 1; k++)\n        t[k] = raw[2];"))
        return ["struct params p = {1, 2, 3, 0.5, 4, 5};", f"int raw[3] = {{({f}) & 15, 7, ({e}) & 1023}};"] + how.split("\n    ") + \
            ["p.dx = raw[0] * 0.5;"], m.pick(("p.nz", "p.nx + p.nz", "p.ny", "p.steps + p.nz"))
    return carried(m, make)


def walk_over_records(m):
    m.need("struct pair", "struct pair {\n    int a;\n    double x;\n    int b;\n};")

    def make(level):
        e, f, k = m.expression(level), m.expression(level, 1), m.expression(level, 1)
        return ["struct pair list[4] = {{1, 0.5, 2}, {3, 1.5, 4}};", "struct pair *last = list;",
                f"list[({k}) & 3].b = ({e}) & 1023;", "for (struct pair *p = list; p < list + 4; p++) {",
                f"    p->a += ({f}) & 7;", "    p->x = p->a * 0.25;", "    if (p->b > last->b)", "        last = p;", "}"], \
            m.pick(("last->b", "(int)(last - list)", "last->a + list[1].a"))
    return carried(m, make)


def array_of_records(m):
    """Whole elements are copied, single members are read."""
    m.need("struct pair", "struct pair {\n    int a;\n    double x;\n    int b;\n};")
    m.need("#string", "#include <string.h>")

    def make(level):
        e, f, k = m.expression(level), m.expression(level, 1), m.expression(level, 1)
        to = f"list[({k}) & 3]"
        put = m.pick(([f"{to} = one;"], [f"memcpy(&{to}, &one, sizeof one);"], [f"{to} = (struct pair){{one.a, 0.5, one.b}};"],
                      ["struct pair other[2] = {{0}};", "other[1] = one;", "memcpy(list + 1, other, sizeof other);"],
                      ["for (int r = 0; r < 4; r++)", "    list[r] = r & 1 ? one : list[r / 2];"]))
        return ["struct pair list[4] = {{0}};", f"struct pair one = {{({f}) & 15, 1.5, ({e}) & 1023}};"] + put, \
            m.pick(("list[0].b + list[1].b + list[2].b + list[3].b", "list[1].b + list[2].b * 2", "list[2].a + list[3].b"))
    return carried(m, make)


PRODUCTIONS = tuple((3, f) for f in (
    linked_list, bytes_in_a_buffer, union_members, pointer_to_pointer, lvalue_by_condition, walk, distance,
    bit_fields, compound_literal, variable_length, grown, matrix, table_of_rows, untyped, records, records,
    reals_that_count, run_of_members, walk_over_records, array_of_records, array_of_records, short_circuit, short_circuit, comma, local_arrays, local_arrays))

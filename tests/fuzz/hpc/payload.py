# SPDX-License-Identifier: Apache-2.0
"""Floating-point work on payload, most of which nobody looks at."""
from hpc.control import braced, indent
from hpc.maker import LOCAL, N


def loop_over_array(m):
    i, x = m.name("i"), m.payload()
    m.charge(N)
    form = m.rng.randrange(5)
    first = m.rng.randrange(3)
    last = f"{N}" if m.chance(50) else f"(({m.expression(LOCAL, 1)}) & {N - 1})"
    head = f"for (int {i} = {first}; {i} < {last}; {i}++)"
    if form == 0:
        return [head, f"    {x}[{i}] = {m.real(i)} * {m.real(i)} + {m.real(i)};"]
    if form == 1:
        total = m.name("sum")
        m_lines = [f"double {total} = 0;", head, f"    {total} += {m.real(i)} * {m.real(i)};"]
        m.scope.reals.append(total)
        return m_lines
    if form == 2:
        return braced(head, [f"double t = {m.real(i)};", f"if (t > {m.real(i)})", f"    t = {m.real()};",
                             f"{x}[{i}] += t;"])
    if form == 3:
        j = m.name("j")
        m.charge(7 * N)
        return braced(head, [f"for (int {j} = 0; {j} < 8; {j}++)",
                             f"    {x}[({i} * 8 + {j}) & {N - 1}] -= {m.real(i)} / (1 + {j});"])
    p = m.name("q")
    return [f"for (double *{p} = {x}; {p} < {x} + {N}; {p}++)", f"    *{p} = *{p} * 0.5 + {m.real()};"]


def call_kernel(m):
    kernels = m.affordable(m.kernels)
    if not kernels:
        return None
    kernel = m.pick(kernels)
    m.charge(kernel.cost)
    count = f"({m.expression(LOCAL, 1)}) & {N - 1}"
    return [f"{kernel.name}({m.payload()}, {m.payload()}, {count}, {m.real()});"]


def exchange_pointers(m):
    if len(m.scope.payload) < 2 or not m.swappable:
        return None
    a, b = m.pick(m.swappable), m.pick(m.swappable)
    return None if a == b else ["{"] + indent([f"double *t = {a};", f"{a} = {b};", f"{b} = t;"]) + ["}"]


def look_at(m):
    """The rare place where payload steers: its computation has to stay."""
    place = m.target(LOCAL)
    if place is None or m.never_look:
        return None
    digits = m.need("digits", "static int digits(double x) {\n    return x > 0 && x < 1e9 ? (int)x & 1023 : 5;\n}")
    return [m.store(place, f"{digits}({m.real()})")]


def copy(m):
    a, b = m.payload(), m.payload()
    count = f"(({m.expression(LOCAL, 1)}) & {N // 2 - 1})"
    m.need("#string", "#include <string.h>")
    if m.chance(30):
        return [f"memset({a}, 0, {count} * sizeof(double));"]
    return [f"memmove({a} + {m.rng.randrange(0, N // 2)}, {b}, {count} * sizeof *{b});"]


def scratch_array(m):
    """An array of the block, on the stack or on the heap."""
    name = m.name("w")
    i = m.name("i")
    m.charge(N)
    fill = [f"for (int {i} = 0; {i} < {N}; {i}++)", f"    {name}[{i}] = {m.real(i)};"]
    m.scope.payload.append(name)
    return [f"double {name}[{N}];"] + fill


PRODUCTIONS = ((30, loop_over_array), (12, call_kernel), (5, exchange_pointers), (1, look_at), (6, copy),
               (5, scratch_array))

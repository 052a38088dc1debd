# SPDX-License-Identifier: Apache-2.0
"""Blocks and what steers them: assignments, declarations, loops, branches, jumps."""
from hpc.maker import LOCAL, MASKS, UNIFORM, Array, Place

INDENT = "    "


def indent(lines):
    return [INDENT + line if line and not line.startswith("#") else line for line in lines]


def braced(head, body, tail=""):
    return [f"{head} {{".lstrip()] + indent(body) + ["}" + tail]


def block(m, productions, statements):
    """Statements by the weights of the productions, a list of (weight, function of m or None back)."""
    lines = []
    total = sum(weight for weight, _ in productions)
    for _ in range(statements):
        for _ in range(8):
            dice = m.rng.randrange(total)
            for weight, production in productions:
                dice -= weight
                if dice < 0:
                    break
            made = production(m)
            if made:
                lines += made
                m.charge(len(made))
                break
    return lines


def assignment(m):
    place = m.target(m.level_for_target())
    if place is None:
        return None
    choice = m.rng.randrange(6)
    if choice == 0 and place.ctype != "double":
        return [f"{place.text} = ({place.text} + {m.expression(place.level, 1)}) & {MASKS[place.ctype]};"]
    if choice == 1 and place.ctype == "int":
        operator = m.pick(("+=", "^=", "|=", "*="))
        return [f"{place.text} {operator} ({m.expression(place.level, 1)}) & 15;", f"{place.text} &= 1023;"]
    if choice == 2 and place.ctype in ("int", "unsigned", "long"):
        step = m.pick((f"({place.text})++;", f"++{place.text};"))
        return [step, f"{place.text} &= 1023;"]
    return [f"{place.text} = {m.value(place)};"]


def embedded(m):
    """Assignments inside expressions, some of which may not happen."""
    level = max(m.level, m.level_for_target())
    a, b = m.target(level, ctype="int"), m.target(level, ctype="int")
    if a is None or a.level != b.level or a.text == b.text or "[" in a.text + b.text or "*" in a.text + b.text:
        return None
    level, test = a.level, m.condition(max(a.level, b.level), 1)
    e, f = (f"({m.expression(level, 1)}) & 1023" for _ in range(2))
    return m.pick((
        [f"{test} ? ({a.text} = {e}) : ({b.text} = {f});"],
        [f"{test} || ({a.text} = {e});"],
        [f"(void)({test} && ({a.text} = {e}, {b.text} = {f}));"],
        [f"{a.text} = {b.text} = {e};"],
        [f"if (({a.text} = {e}) > 100 || ({b.text} = {f}) > 3)", f"    {a.text} = ({b.text} + 1) & 1023;"],
        [f"{a.text} = {test} ? 3 : ({b.text} = {f});"],
        [f"{a.text} = {b.text}++ & 1023;", f"{b.text} &= 1023;"],
        [f"while (({a.text} = {b.text} / 2) > 40)", f"    {b.text} = {a.text} - 1;"]))


def declaration(m):
    level = max(m.level, m.level_for_target())
    ctype = m.pick(("int", "int", "int", "long", "short", "unsigned", "unsigned char", "double"))
    name = m.name("v")
    if m.chance(25):
        length = m.pick((4, 8, 16))
        first = [f"({m.expression(level, 1)}) & {MASKS[ctype]}" for _ in range(m.rng.randrange(1, 4))]
        m.scope.arrays.append(Array(name, ctype, length, level, m.life))
        return [f"{ctype} {name}[{length}] = {{{', '.join(first)}}};"]
    line = f"{ctype} {name} = ({m.expression(level)}) & {MASKS[ctype]};"
    m.scope.places.append(Place(name, ctype, level, m.life))
    return [line]


def pointer(m):
    """A pointer to a place or into an array; or an older one that is set anew."""
    old = [p for p in m.scope.pointers if p[1].level >= m.level]
    if old and m.chance(50):
        name, aim = m.pick(old)
        places = [p for p in m.scope.places if p.plain and p.ctype == aim.ctype and p.level == aim.level
                  and p.life <= aim.life and not p.text.startswith("*")]
        if not places:
            return None
        return [f"{name} = &{m.pick(places).text};"]
    places = [p for p in m.scope.places if p.plain and p.level >= m.level and not p.text.startswith("*")]
    if not places or m.life == 0:
        return None
    place, name = m.pick(places), m.name("p")
    aim = Place(f"*{name}", place.ctype, place.level, m.life)
    m.scope.places.append(aim)
    m.scope.pointers.append((name, aim))
    return [f"{place.ctype} *{name} = &{place.text};"]


def counted(m, body):
    """for and while loops of a few iterations. `body` makes the statements inside."""
    level = m.level_for_target() if m.level == UNIFORM else LOCAL
    name, most = m.name("i"), m.pick((3, 4, 8))
    bound = str(most) if m.chance(30) else f"(({m.expression(level)}) & {most - 1})"
    level = UNIFORM if bound == str(most) and m.level == UNIFORM else max(level, m.level)
    with m.block(level, most, loop=level):
        m.scope.constants.append((name, level))
        test = m.condition(level, 1)
        inner = body(m)
        if m.chance(25):
            inner.insert(m.rng.randrange(len(inner) + 1) if all(flat(line) for line in inner) else 0,
                         f"if ({test}) {m.pick(('break;', 'continue;'))}")
    return spell_loop(m, name, bound, inner)


def flat(line):
    return not line.startswith(" ") and line not in ("}",) and not line.endswith("{")


def spell_loop(m, name, bound, inner):
    choice = m.rng.randrange(5)
    if choice == 0:
        return ["{"] + indent([f"int {name} = -1, {name}e = {bound};"] +
                              braced(f"while (++{name} < {name}e)", inner)) + ["}"]
    if choice == 1:
        return braced(f"for (int {name} = {bound}; {name}-- > 0;)", inner)
    return braced(f"for (int {name} = 0, {name}e = {bound}; {name} < {name}e; {name}++)", inner)


def branch(m, body):
    level = m.level_for_target()
    test = m.condition(level)
    with m.block(level):
        first = body(m)
    lines = braced(f"if ({test})", first)
    if m.chance(40):
        with m.block(level):
            lines[-1:] = braced("} else", body(m))
    return lines


def choice(m, body):
    """A switch, some of whose cases fall through; break inside would end it, so loops are out of reach."""
    level = m.level_for_target()
    cases = m.rng.randrange(2, 5)
    lines = []
    subject = m.expression(level)
    for case in range(cases):
        with m.block(level, loop=None):
            inner = body(m)
        lines.append(f"case {case}: {{" if case or m.chance(70) else "default: {")
        lines += indent(inner)
        lines.append("}" + (" /* fall through */" if m.chance(30) and case + 1 < cases else " break;"))
    lines = [line.replace("} break;", "} break;") for line in lines]
    return [f"switch (({subject}) & 3) {{"] + lines + ["}"]


def jump_out(m, body):
    """Nested loops that a goto leaves."""
    level = m.level_for_target() if m.level == UNIFORM else LOCAL
    label, outer, inner = m.name("done"), m.name("i"), m.name("j")
    with m.block(level, 9, loop=level):
        m.scope.constants += [(outer, level), (inner, level)]
        test = m.condition(level, 1)
        lines = body(m)
    at = [f"if ({test})", INDENT + f"goto {label};"]
    lines = at + lines if m.chance(50) else lines + at
    nest = braced(f"for (int {outer} = 0; {outer} < 3; {outer}++)",
                  braced(f"for (int {inner} = 0; {inner} < 3; {inner}++)", lines))
    after = assignment(m) or [";"]
    return nest + [f"{label}:;"] + after


def jump_back(m, body):
    level = m.level_for_target() if m.level == UNIFORM else LOCAL
    label, count = m.name("again"), m.name("n")
    with m.block(level, 4, loop=None):
        test = m.condition(level, 1)
        lines = body(m)
    return ["{"] + indent([f"int {count} = 0;", f"{label}:"] + braced("", lines) +
                          [f"if (++{count} < 4 && {test})", INDENT + f"goto {label};"]) + ["}"]


def do_while(m, body):
    level = m.level_for_target() if m.level == UNIFORM else LOCAL
    count = m.name("n")
    with m.block(level, 4, loop=None):
        test = m.condition(level, 1)
        lines = body(m)
    return ["{"] + indent([f"int {count} = 0;"] + braced("do", lines, f" while ({count}++ < 3 && {test});")) + ["}"]


def leave(m):
    """break, continue or return, under a condition that all ranks that are here agree on where others wait."""
    if m.quiet:
        return None
    if m.loop is not None and m.level <= m.loop and m.chance(70):
        return [f"if ({m.condition(m.loop, 1)})", INDENT + m.pick(("break;", "continue;"))]
    if m.returns and m.level == UNIFORM:
        return [f"if ({m.condition(UNIFORM)})", INDENT + f"return ({m.expression(UNIFORM, 1)}) & 1023;"]
    return None


def nested(m):
    if m.depth > 4 or m.weight > 200:
        return None
    body = lambda m: m.some(3)
    form = m.pick((counted, counted, counted, branch, branch, branch, choice, jump_out, jump_back, do_while))
    return form(m, body)

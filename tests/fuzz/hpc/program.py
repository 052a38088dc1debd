# SPDX-License-Identifier: Apache-2.0
"""A whole program: structs and globals, functions in one to three units, and main. write(seed) gives
(files, arguments): texts by file name, and the program's command line. Same seed, same program."""
from hpc import agreement, calls, control, memory, messages, payload, records
from hpc.control import indent
from hpc.maker import GLOBAL_LIFE, LOCAL, UNIFORM, Array, Communicator, Function, Maker, N, Place, Record, Scope

PLAIN = ((25, control.assignment), (18, control.embedded), (12, control.declaration), (20, control.nested), (4, control.leave))
POINTERS = ((8, control.pointer),)


def weighted(total, productions):
    """The productions, their weights scaled to a total of about `total`."""
    whole = sum(weight for weight, _ in productions)
    return tuple((max(1, round(100 * total * weight / whole)), f) for weight, f in productions)


IN_PURE = weighted(40, PLAIN) + weighted(6, memory.PRODUCTIONS) + weighted(4, calls.PRODUCTIONS) + weighted(3, POINTERS)
IN_KERNEL = weighted(60, payload.PRODUCTIONS) + weighted(20, PLAIN) + weighted(2, memory.PRODUCTIONS)
EVERYWHERE = weighted(30, PLAIN) + weighted(5, POINTERS) + weighted(14, memory.PRODUCTIONS) + weighted(9, calls.PRODUCTIONS) + \
    weighted(6, records.PRODUCTIONS) + weighted(25, payload.PRODUCTIONS) + weighted(22, messages.PRODUCTIONS) + weighted(12, agreement.PRODUCTIONS)


class Unit:
    def __init__(self, name):
        self.name, self.helpers, self.globals, self.functions = name, {}, [], []

    def text(self):
        includes = sorted(text for key, text in self.helpers.items() if key.startswith("#"))
        others = [text for key, text in self.helpers.items() if not key.startswith("#")]
        parts = ['#include "common.h"'] + ["\n".join(includes)] * bool(includes) + self.globals + others + self.functions
        return "\n\n".join(parts) + "\n"


class Table:
    def __init__(self, name, length, cost):
        self.name, self.length, self.cost = name, length, cost


def function_text(head, body):
    return head + " {\n" + "\n".join(indent(body)) + "\n}"


def begin_function(m, scope, productions, limit, in_pure):
    m.scope, m.level, m.weight, m.depth, m.loop = scope, UNIFORM, 1, 0, None
    m.life, m.cost, m.limit, m.messages = 1, 1, limit, 0
    m.productions, m.in_pure, m.returns = productions, in_pure, False


def pure_function(m, unit, header):
    """int f(int, int): no effects; its result has the level of its arguments."""
    name, a, b = m.name("pure"), m.name("a"), m.name("b")
    begin_function(m, Scope(), IN_PURE, 600, True)
    m.returns = True
    m.scope.places += [Place(a, "int", UNIFORM, 1), Place(b, "int", UNIFORM, 1)]
    body = []
    if m.chance(20):  # recursive, with an argument that shrinks
        body += [f"if ({a} > 3)", f"    return ({m.expression(UNIFORM, 1)} + {name}({a} / 4, {b})) & 1023;"]
        m.cost *= 2
    body += m.some(5)
    if m.chance(30):
        body += [f"if ({m.condition(UNIFORM)})", f"    return ({m.expression(UNIFORM)}) & 1023;"] + m.some(2)
    body.append(f"return ({m.expression(UNIFORM)}) & 1023;")
    publish(m, unit, header, f"int {name}(int {a}, int {b})", body)
    m.pure.append(Function(name, m.cost * (6 if name in "\n".join(body) else 1)))


def publish(m, unit, header, head, body):
    unit.functions.append(function_text(head, body))
    header.append(head + ";")


def kernel_function(m, unit, header):
    name = m.name("kernel")
    x, y, n, a = m.name("x"), m.name("y"), m.name("n"), m.name("a")
    begin_function(m, Scope(), IN_KERNEL, 4000, True)
    m.scope.payload += [x, y]
    m.scope.reals.append(a)
    m.scope.places.append(Place(n, "int", LOCAL, 1))
    m.level = LOCAL
    body = m.some(4)
    publish(m, unit, header, f"void {name}(double *{x}, double *{y}, int {n}, double {a})", body)
    m.kernels.append(Function(name, m.cost))


def exchange_function(m, unit, header, scope):
    name, c, rank, size = m.name("exchange"), m.name("comm"), m.name("rank"), m.name("size")
    x, n, r = m.name("x"), m.name("n"), m.name("r")
    begin_function(m, scope, EVERYWHERE, 8000, False)
    world = m.chance(50)
    m.returns = True
    m.scope.communicators = [Communicator(c, rank, size, world)]
    m.scope.constants += [(rank, LOCAL), (size, UNIFORM if world else LOCAL)]
    m.scope.payload.append(x)
    m.scope.places.append(Place(n, "int", UNIFORM, 1))
    records.enter(m, f"{r}->", m.passed_kind, UNIFORM, 1)
    body = m.some(6)
    if m.chance(25):
        body += [f"if ({m.condition(UNIFORM)})", f"    return ({m.expression(UNIFORM)}) & 1023;"] + m.some(3)
    body.append(f"return ({m.expression(UNIFORM)}) & 1023;")
    publish(m, unit, header, f"int {name}(MPI_Comm {c}, int {rank}, int {size}, double *{x}, int {n}, struct {m.passed_kind.name} *{r})", body)
    function = Function(name, m.cost)
    function.messages, function.world = m.messages, world
    m.exchanges.append(function)


def tables(m, unit, header):
    """Functions called through arrays of pointers; some arrays are filled when the program begins."""
    lines = []
    if len(m.pure) >= 2:
        members = [m.pick(m.pure) for _ in range(4)]
        name = m.name("table")
        header.append(f"extern int (*{name}[4])(int, int);")
        names = [f.name for f in members]
        if m.chance(50):
            unit.globals.append(f"int (*{name}[4])(int, int) = {{{', '.join(names)}}};")
        else:
            unit.globals.append(f"int (*{name}[4])(int, int);")
            lines += [f"{name}[{i}] = {f};" for i, f in enumerate(names)]
        m.tables.append(Table(name, 4, max(f.cost for f in members)))
    groups = [[f for f in m.exchanges if f.world == world] for world in (True, False)]
    group = max(groups, key=len)
    if len(group) >= 2:
        name = m.name("ways")
        head = f"int (*{name}[2])(MPI_Comm, int, int, double *, int, struct {m.passed_kind.name} *)"
        header.append(f"extern {head};")
        unit.globals.append(f"{head} = {{{group[0].name}, {group[1].name}}};")
        both = Function(f"{name}[({m.name('choice')}) & 1]", max(f.cost for f in group[:2]))
        both.name = f"{name}[steps & 1]"
        both.messages, both.world = max(f.messages for f in group[:2]), group[0].world
        m.exchanges.append(both)
    return lines


def globals_of(m, units, header):
    """Globals of all sorts, in some unit each; returns the statements of set_up."""
    places = [("int", "steps"), ("int", "rank"), ("int", "size")]
    for _ in range(m.rng.randrange(3, 7)):
        places.append((m.pick(records.CTYPES), m.name("g")))
    for ctype, name in places:
        header.append(f"extern {ctype} {name};")
        m.pick(units).globals.append(f"{ctype} {name};" if m.chance(60) or name in ("rank", "size") else f"{ctype} {name} = {m.rng.randrange(100)};")
        if name not in ("rank", "size"):
            m.scope.places.append(Place(name, ctype, UNIFORM if name == "steps" or m.chance(60) else LOCAL, GLOBAL_LIFE))
    m.scope.places += [Place("extra", "int", UNIFORM, GLOBAL_LIFE), Place("own", "int", LOCAL, GLOBAL_LIFE)]
    header += ["extern int extra, own;"]
    m.pick(units).globals.append("int extra = 3, own;")
    m.scope.constants += [("rank", LOCAL), ("size", UNIFORM)]
    m.scope.communicators.append(Communicator("MPI_COMM_WORLD", "rank", "size", True))
    for _ in range(m.rng.randrange(0, 3)):
        name, ctype, length = m.name("ga"), m.pick(records.CTYPES), m.pick((4, 8, 16))
        header.append(f"extern {ctype} {name}[{length}];")
        m.pick(units).globals.append(f"{ctype} {name}[{length}] = {{1, 2, 3}};")
        m.scope.arrays.append(Array(name, ctype, length, UNIFORM if m.chance(60) else LOCAL, GLOBAL_LIFE))
    return global_payload(m, units, header) + global_records(m, units, header)


def global_payload(m, units, header):
    lines = []
    m.lasting_payload = []
    for _ in range(m.rng.randrange(3, 6)):
        name = m.name("field")
        if m.chance(40):
            header.append(f"extern double {name}[{N}];")
            m.pick(units).globals.append(f"double {name}[{N}];")
        else:
            header.append(f"extern double *{name};")
            m.pick(units).globals.append(f"double *{name};")
            lines.append(f"{name} = {m.pick(('malloc(%d * sizeof(double))' % N, 'calloc(%d, sizeof(double))' % N, 'fresh(%d)' % N))};")
            m.swappable.append(name)
        m.lasting_payload.append(name)
        lines += [f"for (int i = 0; i < {N}; i++)", f"    {name}[i] = (i * {m.rng.randrange(1, 9)} + rank) * 0.25;"]
    m.scope.payload += m.lasting_payload
    return lines


def global_records(m, units, header):
    lines, instances = [], []
    for kind in m.kinds:
        for _ in range(m.rng.randrange(1, 3) + (kind is m.passed_kind)):
            name, level = m.name("s"), UNIFORM if m.chance(60) or not instances else LOCAL
            header.append(f"extern struct {kind.name} {name};")
            m.pick(units).globals.append(f"struct {kind.name} {name};")
            instances.append(Record(name, kind, level, GLOBAL_LIFE))
    instances.append(Record("chief", m.passed_kind, UNIFORM, GLOBAL_LIFE))
    header.append(f"extern struct {m.passed_kind.name} chief;")
    units[0].globals.append(f"struct {m.passed_kind.name} chief;")
    m.scope.records += instances
    for record in instances:
        lines += records.set_pointers(m, f"{record.text}.", record.kind, record.level, record.text)
    for record in instances:
        records.enter(m, f"{record.text}.", record.kind, record.level, GLOBAL_LIFE)
    return lines


MAIN = """int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    steps = argc > 1 ? atoi(argv[1]) & 1023 : 3;
    own = (rank * 37 + 11) & 1023;
    set_up();
%s
    MPI_Finalize();
    return 0;
}"""
FRESH = """static double *fresh(int n) {
    double *x = malloc(n * sizeof *x);
    if (x == NULL) {
        fprintf(stderr, "no memory\\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return x;
}"""


def write(seed):
    m = Maker(seed)
    m.never_look = m.chance(60)
    units = [Unit("main.c")] + [Unit(f"unit{i}.c") for i in range(1, m.pick((1, 1, 2, 3)))]
    header, m.kinds = [], []
    for _ in range(m.rng.randrange(1, 4)):
        m.kinds.append(records.make_kind(m, m.kinds))
    m.passed_kind = m.pick(m.kinds)
    m.unit = units[0]
    setting = globals_of(m, units, header)
    base = m.scope
    functions(m, units, header, base)
    m.unit = units[0]
    setting += tables(m, units[0], header)
    main_function(m, units[0], base, setting)
    return {**{unit.name: unit.text() for unit in units}, "common.h": header_text(m, header)}, [str(m.rng.randrange(1, 40))]


def functions(m, units, header, base):
    for make in [pure_function] * m.rng.randrange(2, 5) + [kernel_function] * m.rng.randrange(1, 4):
        m.unit = m.pick(units)
        make(m, m.unit, header)
    for _ in range(m.rng.randrange(1, 5)):
        m.unit = m.pick(units)
        exchange_function(m, m.unit, header, Scope(base))


def main_function(m, unit, base, setting):
    begin_function(m, Scope(base), EVERYWHERE, 20000, False)
    m.need("#stdio", "#include <stdio.h>")
    m.need("#stdlib", "#include <stdlib.h>")
    body = m.some(3) + m.some(12) + m.some(12) + messages.PRODUCTIONS[0][1](m)
    if m.chance(50):
        body += [f'printf("%d %g\\n", {m.expression(LOCAL)}, {m.real()});']
    if m.chance(40):
        body += [f"free({name});" for name in m.swappable]
    if any("fresh(" in line for line in setting):
        unit.functions.append(FRESH)
    unit.functions.append(function_text("static void set_up(void)", setting))
    unit.functions.append(MAIN % "\n".join(indent(body)))


def header_text(m, header):
    guard = "#ifndef COMMON_H\n#define COMMON_H\n#include <mpi.h>\n\n"
    return guard + "\n".join(records.text_of(kind) for kind in m.kinds) + "\n" + "\n".join(header) + "\n\n#endif\n"

# SPDX-License-Identifier: Apache-2.0
"""What all parts of the generator share: the random numbers, what is in scope, expressions.

Rules that keep each program deterministic, free of undefined behaviour and of deadlocks:
- Each integer has a level: UNIFORM has the same value on all ranks, LOCAL may differ. So has each piece
  of control flow. Under LOCAL control nothing UNIFORM is written and nothing collective is called.
- Places hold 0..1023 (unsigned char: 0..127), so sums and products of a few of them never overflow;
  indices are masked with a length that is a power of 2.
- Payload is arrays of N doubles, LOCAL by nature; what is computed of it may be anything.
- Pointers are set when they are declared and afterwards only to what lives as long as they do.
- `weight` is how often at most the code that is written now is executed; it bounds the run time."""
import random
from contextlib import contextmanager

UNIFORM, LOCAL = 0, 1
N = 64  # elements of a payload array
MASKS = {"int": 1023, "long": 1023, "short": 1023, "unsigned": 1023, "unsigned char": 127, "double": 1023}
GLOBAL_LIFE = 0


class Place:
    """Something that holds an integer (as a double where ctype says so)."""

    def __init__(self, text, ctype, level, life, plain=True):
        self.text, self.ctype, self.level, self.life, self.plain = text, ctype, level, life, plain

    def read(self):
        return f"(int){self.text}" if self.ctype == "double" else self.text


class Array:
    def __init__(self, text, ctype, length, level, life):
        self.text, self.ctype, self.length, self.level, self.life = text, ctype, length, level, life


class Record:
    """An instance of a struct; all its integers are of one level."""

    def __init__(self, text, kind, level, life):
        self.text, self.kind, self.level, self.life = text, kind, level, life


class Communicator:
    def __init__(self, text, rank, size, world):
        self.text, self.rank, self.size, self.world = text, rank, size, world


class Function:
    def __init__(self, name, cost, parameters=""):
        self.name, self.cost, self.parameters = name, cost, parameters


class Scope:
    KINDS = ("places", "arrays", "records", "pointers", "payload", "reals", "communicators", "constants")

    def __init__(self, parent=None):
        for kind in self.KINDS:
            setattr(self, kind, list(getattr(parent, kind)) if parent else [])


class Maker:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.scope = Scope()
        self.level, self.weight, self.depth = UNIFORM, 1, 0
        self.loop = None  # level of the innermost loop's control, where break and continue may be used
        self.life = 0  # 0: globals, then functions and the blocks in them
        self.function = None
        self.unit = None
        self.pure, self.kernels, self.exchanges = [], [], []  # functions that may be called
        self.tables = []  # arrays of function pointers
        self.next_name = 0
        self.cost, self.limit = 1, 20000  # of the current function: what it executes at most, roughly
        self.messages = 0  # calls of MPI in the current function at most
        self.in_pure = False  # only locals may be used, no messages
        self.returns = False  # the function gives an integer back and may do so early
        self.quiet = False  # no messages for the moment
        self.never_look = False  # payload never steers in this program
        self.swappable = []  # pointers to payload that may be exchanged
        self.passed_kind = None  # the struct that functions with messages take
        self.productions = ()

    # ---- chance ----
    def chance(self, percent):
        return self.rng.randrange(100) < percent

    def pick(self, items):
        return items[self.rng.randrange(len(items))]

    def name(self, prefix):
        self.next_name += 1
        return f"{prefix}{self.next_name}"

    # ---- text ----
    @contextmanager
    def block(self, level=None, weight=1, loop="same"):
        saved = (self.scope, self.level, self.weight, self.depth, self.loop, self.life)
        self.scope = Scope(self.scope)
        self.level = max(self.level, level or UNIFORM)
        self.weight *= weight
        self.depth += 1
        self.life += 1
        if loop != "same":
            self.loop = loop
        try:
            yield
        finally:
            self.scope, self.level, self.weight, self.depth, self.loop, self.life = saved

    def charge(self, cost=1):
        self.cost += cost * self.weight

    def affordable(self, functions):
        return [f for f in functions if self.cost + f.cost * self.weight < self.limit]

    def need(self, name, text):
        """A helper at the head of the current unit; its name."""
        self.unit.helpers.setdefault(name, text)
        return name

    def some(self, most):
        """A few statements, by the productions in force."""
        from hpc.control import block
        return block(self, self.productions, self.rng.randrange(1, most + 1))

    # ---- what is there ----
    def readable(self, items, level):
        return [item for item in items if item.level <= level]

    def writable(self, items):
        """Under UNIFORM control everything may be written, but UNIFORM things only with UNIFORM values."""
        return [item for item in items if item.level >= self.level]

    def target(self, level, plain=False, ctype=None):
        """A place that may be written here with a value of that level, or None."""
        level = max(level, self.level)
        wanted = [p for p in self.scope.places if p.level >= level and (p.plain or not plain)
                  and (ctype is None or p.ctype == ctype)]
        arrays = [a for a in self.scope.arrays if a.level >= level and ctype in (None, a.ctype)]
        if arrays and (not wanted or self.chance(30)):
            return self.element(self.pick(arrays))
        return self.pick(wanted) if wanted else None

    def element(self, array):
        index = self.expression(array.level, 1)
        return Place(f"{array.text}[({index}) & {array.length - 1}]", array.ctype, array.level, array.life)

    def level_for_target(self):
        return LOCAL if self.level == LOCAL or self.chance(35) else UNIFORM

    # ---- expressions ----
    def leaf(self, level):
        places = self.readable(self.scope.places, level)
        arrays = self.readable(self.scope.arrays, level)
        choice = self.rng.randrange(10)
        if choice < 6 and places:
            return self.pick(places[-12:] if self.chance(50) else places).read()
        if choice < 8 and arrays:
            array = self.pick(arrays)
            index = self.simple(level)
            cast = "(int)" if array.ctype == "double" else ""
            return f"{cast}{array.text}[({index}) & {array.length - 1}]"
        if choice == 8 and self.scope.constants:
            constant = self.pick(self.scope.constants)
            if constant[1] <= level:
                return constant[0]
        return str(self.rng.randrange(64))

    def simple(self, level):
        places = self.readable(self.scope.places, level)
        return self.pick(places).read() if places and self.chance(70) else str(self.rng.randrange(32))

    def expression(self, level, depth=2):
        if depth <= 0 or self.chance(30):
            return self.leaf(level)
        a, b = self.expression(level, depth - 1), self.expression(level, depth - 1)
        choice = self.rng.randrange(16)
        if choice < 8:
            return (f"({a} + {b})", f"(({a} * {b}) & 1023)", f"({a} ^ {b})", f"({a} | {b})", f"({a} - {b})",
                    f"({a} % (1 + ({b} & 15)))", f"(({a} & 1023) >> ({b} & 3))", f"({a} & {b})")[choice]
        if choice < 10:
            return f"({self.condition(level, 1)} ? {a} : {b})"
        if choice < 12:
            return f"({a} / (1 + ({b} & 7)))"
        if choice < 15 and self.affordable(self.pure):
            return self.pure_call(a, b)
        return f"({a} {self.pick(('<', '==', '>=', '!='))} {b})"

    def pure_call(self, a, b):
        tables = self.affordable(self.tables)
        if tables and self.chance(30):
            table = self.pick(tables)
            self.charge(table.cost)
            return f"{table.name}[({a}) & {table.length - 1}](({a}) & 1023, ({b}) & 1023)"
        function = self.pick(self.affordable(self.pure))
        self.charge(function.cost)
        return f"{function.name}(({a}) & 1023, ({b}) & 1023)"

    def condition(self, level, depth=2):
        a, b = self.expression(level, depth), self.expression(level, depth - 1)
        choice = self.rng.randrange(6)
        if choice == 0:
            return f"({a}) % {self.rng.randrange(2, 5)} == {self.rng.randrange(2)}"
        if choice == 1:
            return f"(({a}) & {self.pick((1, 2, 4, 3))})"
        if choice == 2 and depth > 0:
            joint = self.pick(("&&", "||"))
            return f"({self.condition(level, depth - 1)} {joint} {self.condition(level, depth - 1)})"
        if choice == 3:
            return f"!(({a}) & 1)"
        return f"({a}) {self.pick(('<', '>', '<=', '!='))} ({b})"

    def value(self, place, level=None):
        """An expression that may be stored in the place."""
        level = place.level if level is None else level
        return f"({self.expression(level)}) & {MASKS[place.ctype]}"

    def store(self, place, text):
        return f"{place.text} = ({text}) & {MASKS[place.ctype]};"

    # ---- payload ----
    def real(self, index=None):
        choice = self.rng.randrange(8)
        if choice < 4 and self.scope.payload:
            at = index if index and self.chance(70) else f"({self.simple(LOCAL)}) & {N - 1}"
            if index and self.chance(25):
                at = f"({index} + {self.rng.randrange(1, 9)}) & {N - 1}"
            return f"{self.pick(self.scope.payload)}[{at}]"
        if choice == 4 and self.scope.reals:
            return self.pick(self.scope.reals)
        if choice == 5:
            return f"(double)({self.expression(LOCAL, 1)})"
        return f"{self.rng.randrange(1, 99) / 64}"

    def payload(self):
        return self.pick(self.scope.payload)

    def communicator(self):
        return self.pick(self.scope.communicators)

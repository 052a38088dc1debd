# SPDX-License-Identifier: Apache-2.0
"""Structs with members of all sorts, and instances of them."""
from hpc.maker import GLOBAL_LIFE, Array, Place, Record

CTYPES = ("int", "int", "long", "short", "unsigned", "unsigned char", "double")


class Kind:
    """A struct: its members by what they hold. Texts are relative to an instance."""

    def __init__(self, name):
        self.name = name
        self.declarations = []
        self.integers, self.arrays, self.reals, self.bits = [], [], [], []
        self.links, self.data, self.peer = [], [], None

    @property
    def has_pointers(self):
        return bool(self.links or self.data or self.peer)


def make_kind(m, older):
    kind = Kind(m.name("Kind"))
    for _ in range(m.rng.randrange(3, 8)):
        member(m, kind, older)
    member_integer(m, kind)
    return kind


def member_integer(m, kind):
    name, ctype = m.name("m"), m.pick(CTYPES)
    kind.declarations.append(f"{ctype} {name};")
    kind.integers.append((name, ctype))


def member(m, kind, older):
    choice = m.rng.randrange(10)
    name = m.name("m")
    if choice < 3:
        member_integer(m, kind)
    elif choice == 3:
        ctype, length = m.pick(CTYPES), m.pick((4, 8))
        kind.declarations.append(f"{ctype} {name}[{length}];")
        kind.arrays.append((name, ctype, length))
    elif choice == 4:
        kind.declarations.append(f"double {name};")
        kind.reals.append(name)
    elif choice == 5:
        kind.declarations.append(f"int *{name};")
        kind.links.append(name)
    elif choice == 6:
        kind.declarations.append(f"double *{name};")
        kind.data.append(name)
    elif choice == 7 and kind.peer is None:
        kind.declarations.append(f"struct {kind.name} *{name};")
        kind.peer = name
    elif choice == 8:
        kind.declarations.append(f"unsigned {name} : 10;")
        kind.bits.append(name)
    elif older:
        inner = m.pick(older)
        if not inner.has_pointers:
            kind.declarations.append(f"struct {inner.name} {name};")
            kind.integers += [(f"{name}.{text}", ctype) for text, ctype in inner.integers]
            kind.arrays += [(f"{name}.{text}", ctype, length) for text, ctype, length in inner.arrays]
            kind.bits += [f"{name}.{text}" for text in inner.bits]


def text_of(kind):
    return f"struct {kind.name} {{\n" + "".join(f"    {line}\n" for line in kind.declarations) + "};\n"


def enter(m, access, kind, level, life, follow=True):
    """The members reached by `access` ("r." or "r->") come into scope."""
    scope = m.scope
    scope.places += [Place(access + text, ctype, level, life) for text, ctype in kind.integers]
    scope.places += [Place(access + text, "unsigned", level, life, plain=False) for text in kind.bits]
    scope.places += [Place("*" + access + text, "int", level, life, plain=False) for text in kind.links]
    scope.arrays += [Array(access + text, ctype, length, level, life) for text, ctype, length in kind.arrays]
    scope.reals += [access + text for text in kind.reals]
    scope.payload += [access + text for text in kind.data]
    if kind.peer and follow:
        enter(m, access + kind.peer + "->", kind, level, life, follow=False)


def set_pointers(m, access, kind, level, self_text):
    """Statements that let an instance's pointers aim at things that live for ever."""
    places = [p for p in m.scope.places if p.life == GLOBAL_LIFE and p.level == level and p.ctype == "int" and p.plain
              and "->" not in p.text]
    peers = [r for r in m.scope.records if r.kind is kind and r.level == level and r.life == GLOBAL_LIFE]
    lines = [f"{access}{text} = &{m.pick(places).text};" for text in kind.links]
    lines += [f"{access}{text} = {m.pick(m.lasting_payload)};" for text in kind.data]
    if kind.peer:
        lines.append(f"{access}{kind.peer} = &{m.pick(peers).text if peers else self_text};")
    return lines


def local_record(m):
    if not m.kinds or m.in_pure:
        return None
    kind, level, name = m.pick(m.kinds), max(m.level, m.level_for_target()), m.name("r")
    lines = [f"struct {kind.name} {name} = {{0}};"] + set_pointers(m, f"{name}.", kind, level, name)
    enter(m, f"{name}.", kind, level, m.life)
    m.scope.records.append(Record(name, kind, level, m.life))
    return lines


def aim(m):
    """A pointer to a struct, or one inside a struct, is set to another instance."""
    choices = [(a, b) for a in m.scope.records for b in m.scope.records
               if a.kind is b.kind and a.level == b.level and a.level >= m.level and b.life <= a.life
               and b.life == GLOBAL_LIFE and a.kind.peer]
    if choices and m.chance(60):
        a, b = m.pick(choices)
        return [f"{a.text}.{a.kind.peer} = &{b.text};"]
    records = [r for r in m.scope.records if r.level >= m.level]
    if not records or m.life == 0:
        return None
    record, name = m.pick(records), m.name("s")
    enter(m, f"{name}->", record.kind, record.level, m.life)
    return [f"struct {record.kind.name} *{name} = &{record.text};"]


PRODUCTIONS = ((5, local_record), (5, aim))

# SPDX-License-Identifier: Apache-2.0
"""Mutants of C files: small changes that the tests have to notice.

In: a C file and its command in compile_commands.json. Out: the places that can be changed, and the file's text in
which all chosen changes lie side by side, each switched on by its number (mutant.h), so that one build serves a whole
campaign. (Such texts are called mutant schemata: Untch, Offutt, Harrold, ISSTA 1993.)

Operators:
  boundary   a < b becomes a <= b, and so on, of integers
  equality   a == b becomes a != b, and back
  logic      a && b becomes a || b, and back
  rule       the condition of an if or ?: becomes false, or true
  result     return true becomes return false, and back
  number     a number in a function grows by one, or doubles where it is no integer
  constant   the number of a #define doubles
  call       a call for its effect is left out

The syntax tree is clang's own dump. What lies in the arguments of a macro, in a case label or in the initializer of a
static variable cannot be switched in a running program, and is left alone."""
import json
import os
import re
import shlex
import subprocess

SWAPPED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&"}
DEFINED = re.compile(rb"^#define ([A-Z][A-Z0-9_]*) +(-?[0-9.]+(?:e-?[0-9]+)?(?:ull|u|f|l)?)(?=\s|$)", re.M | re.I)


class Site:
    """One mutant: what is written instead of which bytes; `{}` stands for its number."""

    def __init__(self, path, operator, at, change, edits):
        self.path, self.operator, self.at, self.change, self.edits = path, operator, at, change, edits

    def line(self, text):
        return text.count(b"\n", 0, self.at) + 1

    def key(self, text):
        return f"{self.path}:{self.line(text)}: {self.operator}: {self.change}"


def position(place, text, is_end):
    """The byte where a token begins or ends, None inside of a macro with arguments."""
    if "expansionLoc" in place:
        place = place["expansionLoc"]
        end = place["offset"] + place["tokLen"]
        if text[end:].lstrip()[:1] == b"(":
            return None
    if "offset" not in place:
        return None
    return place["offset"] + (place["tokLen"] if is_end else 0)


def extent(node, text):
    first, last = (position(node["range"][side], text, side == "end") for side in ("begin", "end"))
    return None if first is None or last is None else (first, last)


def is_made_by_macro(node):
    begin, end = (node["range"][side].get("expansionLoc", {}).get("offset") for side in ("begin", "end"))
    return begin is not None and begin == end


def kids(node):
    """Without those that have no place, such as the types that a _Generic names."""
    return [kid for kid in node.get("inner", []) if "range" in kid]


def type_of(node):
    return node.get("type", {}).get("desugaredQualType") or node.get("type", {}).get("qualType", "")


def is_number(node):
    return re.fullmatch(r"(const )?(unsigned |signed )?(int|long|long long|short|char|size_t|enum .*)",
                        type_of(node)) is not None


def of_comparison(path, node, text):
    left, right = (extent(kid, text) for kid in kids(node))
    op, whole = node["opcode"], extent(node, text)
    if whole is None or left is None or right is None:
        return
    change = f"'{shown(text, whole)}' with {SWAPPED[op]}"
    if op in ("==", "!="):
        yield Site(path, "equality", whole[0], change, [(whole[0], whole[0], "(MUTANT({}) != ("),
                                                         (whole[1], whole[1], "))")])
    elif op in ("&&", "||"):
        # of a && b is made !(!a && !b), without writing a or b twice
        yield Site(path, "logic", whole[0], change,
                   [(whole[0], whole[0], "(MUTANT({}) ^ ((MUTANT({}) ^ !!("), (left[1], left[1], "))"),
                    (right[0], right[0], "(MUTANT({}) ^ !!("), (whole[1], whole[1], "))))")])
    elif is_number(kids(node)[0]) and is_number(kids(node)[1]):
        grows = left if op in ("<=", ">") else right
        yield Site(path, "boundary", whole[0], change,
                   [(grows[0], grows[0], "(("), (grows[1], grows[1], ") + MUTANT({}))")])


def of_condition(path, condition, text, to):
    place = extent(condition, text)
    if place is not None:
        join = "|| MUTANT({})" if to else "&& !MUTANT({})"
        yield Site(path, "rule", place[0], f"'{shown(text, place)}' is {str(to).lower()}",
                   [(place[0], place[0], "(("), (place[1], place[1], f") {join})")])


def of_return(path, node, text):
    begin = position(node["range"]["begin"], text, False)
    match = re.compile(rb"return (true|false)\b").match(text, begin) if begin is not None else None
    if match is not None:
        other = "false" if match.group(1) == b"true" else "true"
        yield Site(path, "result", begin, f"return {other}",
                   [(match.start(1), match.end(1), f"(MUTANT({{}}) ? {other} : {match.group(1).decode()})")])


def of_literal(path, node, text):
    begin, end = node["range"]["begin"], node["range"]["end"]
    if "offset" not in begin or "offset" not in end:
        return
    first, last = begin["offset"], end["offset"] + end["tokLen"]
    written = text[first:last].decode()
    if not re.fullmatch(r"[0-9][0-9a-fA-FxX.uUlLeE+-]*", written):
        return
    is_whole = node["kind"] == "IntegerLiteral"
    change = f"({written} + MUTANT({{}}))" if is_whole else f"({written} * (1 + MUTANT({{}})))"
    yield Site(path, "number", first, f"{written} {'+ 1' if is_whole else 'doubled'}", [(first, last, change)])


def of_statement(path, node, text):
    place = extent(node, text)
    if place is not None and text[place[1]:].lstrip()[:1] == b";":
        yield Site(path, "call", place[0], f"without {shown(text, place)}",
                   [(place[0], place[0], "if (!MUTANT({})) ")])


def shown(text, place):
    return re.sub(r"\s+", " ", text[place[0]:place[1]].decode())[:90]


def of_node(path, node, text):
    kind = node["kind"]
    if kind == "BinaryOperator" and node["opcode"] in SWAPPED:
        yield from of_comparison(path, node, text)
    elif kind == "IfStmt" or kind == "ConditionalOperator":
        for to in (False, True):
            yield from of_condition(path, kids(node)[0], text, to)
    elif kind == "ReturnStmt":
        yield from of_return(path, node, text)
    elif kind in ("IntegerLiteral", "FloatingLiteral"):
        yield from of_literal(path, node, text)
    elif kind == "CompoundStmt":
        for kid in kids(node):
            if kid["kind"] == "CallExpr" and type_of(kid) == "void":
                yield from of_statement(path, kid, text)


def is_fixed(node):
    """At compile time, or built of what is."""
    return (node["kind"] == "CaseStmt" or
            node["kind"] == "VarDecl" and (node.get("storageClass") == "static" or node.get("constexpr", False)))


def of_tree(path, node, text):
    if not is_made_by_macro(node):
        yield from of_node(path, node, text)
    below = kids(node)
    if node["kind"] == "CaseStmt":
        below = below[1:]
    elif is_fixed(node):
        below = []
    for kid in below:
        yield from of_tree(path, kid, text)


def dumped(command, directory):
    arguments = [word for word in command if word not in ("-c", "-Werror")]
    if "-o" in arguments:
        at = arguments.index("-o")
        del arguments[at:at + 2]
    arguments = [word for word in arguments if not word.startswith(("-fsanitize", "-fno-sanitize", "-W"))]
    done = subprocess.run(["clang-19", *arguments[1:], "-w", "-fsyntax-only", "-Xclang", "-ast-dump=json"],
                          cwd=directory, capture_output=True, check=True)
    return json.loads(done.stdout)


def is_of_the_file(node):
    place = node.get("loc", {})
    place = place.get("expansionLoc", place)
    return "includedFrom" not in place


def functions(tree):
    for node in kids(tree):
        if node["kind"] == "FunctionDecl" and is_of_the_file(node):
            yield from (kid for kid in kids(node) if kid["kind"] == "CompoundStmt")


def constants(path, text):
    for match in DEFINED.finditer(text):
        name, number = match.group(1).decode(), match.group(2).decode()
        yield Site(path, "constant", match.start(2), f"{name} {number} doubled",
                   [(match.start(2), match.end(2), f"({number} * (1 + MUTANT({{}})))")])


def find(path, text, command, directory):
    """All sites of the file `path`; `command` compiles it in `directory`."""
    found = list(constants(path, text))
    for body in functions(dumped(command, directory)):
        found += of_tree(path, body, text)
    return found


def written(text, sites, header):
    """The text with all `sites`, pairs of a number and a Site."""
    edits = [(begin, end, what.replace("{}", str(number)), index, site)
             for index, (number, site) in enumerate(sites) for begin, end, what in site.edits]
    return (f'#include "{header}"\n#line 1\n').encode() + applied(text, edits)


def applied(text, edits):
    """Where several begin at one byte the longest is outside; where several end there, the shortest is written first."""
    def spans(edit):
        return max(e[1] for e in edit[4].edits) - min(e[0] for e in edit[4].edits)

    def closes(edit):
        return edit[2].startswith(")")

    def rank(edit):
        return (edit[0], 0, spans(edit), -edit[3]) if closes(edit) else (edit[0], 1, -spans(edit), edit[3])

    out, at = [], 0
    for begin, end, what, _, _ in sorted(edits, key=rank):
        if begin < at:
            raise ValueError("two mutants of the same bytes")
        out += [text[at:begin], what.encode()]
        at = end
    return b"".join(out) + text[at:]


def command_of(entry):
    return entry.get("arguments") or shlex.split(entry["command"])


def commands(build, tree):
    """Path in the tree -> (command, directory)."""
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        entries = json.load(file)
    return {os.path.relpath(entry["file"], tree): (command_of(entry), entry["directory"]) for entry in entries}

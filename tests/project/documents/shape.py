# SPDX-License-Identifier: Apache-2.0
"""Expected and actual output compared in shape, line by line.

Numbers are equal to all numbers, and so are durations and sizes in whatever unit they are printed
(ns ... h; B, KiB, GB ...), hexadecimal hashes, and rules of dashes of any length. Runs of blanks
are one blank. The expected line `...` stands for any number of lines, `...` within a line, such as
the ` ...` at its end, for anything there. The alignment is an edit distance in which `...` takes
lines for nothing: its cost is 0 exactly where the shapes agree, and its path is the difference
otherwise.

Times that were measured decide more than numbers. Warnings that come or not are left out of both
(`without_findings`). So are the rows of a table that is sorted and cut by such times
(`without_measured_rows`): its header is compared, and of the page's rows only whether the program
has the places that they name (session.py). Rows of values, which are counted, stay."""
import re

HASH = re.compile(r"\b(?=[a-f]*\d)(?=\d*[a-f])(?!\d+e\d+\b)[0-9a-f]{7,64}\b")
NUMBER = re.compile(r"(?:(?<![\w.)\]])[-+])?(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?"
                    r"(?:[eE][-+]?\d+)?")
TIME = re.compile(r"#( ?)(?:ns|us|µs|ms|s|min|h)\b")
SIZE = re.compile(r"#( ?)(?:[kKMGT]i?)?B(?=ps\b|/s|\b)")
RULE = re.compile(r"([-=_*#])\1{2,}")
ANY = "..."
FINDING = re.compile(r"warning: .*(is predicted with an error of|was profiled in \d+ configurations? only|"
                     r"writes text on one rank|ranks compute .* between two MPI calls|"
                     r"others had .* of (its|the run's) processors?)"
                     r"|\S+ \S+ \(.*\) was .* in all profiling runs and is .*: what it costs is a guess")
MEASURED_TABLE = re.compile(r"\s*(region +place +share|(executions|calls) +s per rank|gain, s +gain"
                            r"|predicted, s +measured, s)|warning: beyond what the models were fitted on")
VALUE_ROW = re.compile(r"\s*\d+  \S+ +value ")
INTERVAL = re.compile(r"(95 % interval [\d.e+-]+ to [\d.e+-]+ s|no 95 % interval: ).*")

# What an aligned pair of lines is.
SAME, SWALLOWED, CHANGED, REMOVED, ADDED, ELLIPSIS = range(6)


def shape(line):
    """What of a line is compared. Whether there is an interval, and how far it is extrapolated,
    depends on its widest part, and so on the times that were measured."""
    line = INTERVAL.sub("95 % interval", line)
    line = RULE.sub(r"\1\1\1", line)
    line = NUMBER.sub("#", HASH.sub("#", line))
    line = SIZE.sub(r"#\1B", TIME.sub(r"#\1s", line))
    return " ".join(line.split())


def is_any_lines(line):
    return line.strip() == ANY


def pattern(expected):
    """What matches the shapes that an expected line agrees with."""
    parts = [re.escape(shape(part)) for part in expected.split(ANY)]
    return re.compile(r"\s*.*?\s*".join(parts))


def agrees(expected, actual):
    return bool(pattern(expected).fullmatch(shape(actual)))


def without_findings(lines):
    """Nor is the blank line in front of a finding there; of several blank lines one is left."""
    kept = []
    for line in lines:
        if FINDING.match(line) is None and (line.strip() or not kept or kept[-1].strip()):
            kept.append(line)
    return kept


def without_measured_rows(lines):
    """(lines, rows that are left out): the rows are the indented lines behind a table's header."""
    kept, rows, in_table = [], [], False
    for line in lines:
        in_table = MEASURED_TABLE.match(line) is not None or (
            in_table and (line[:1] == " " or is_any_lines(line)))
        is_row = in_table and line[:1] == " " and not (MEASURED_TABLE.match(line) or
                                                       VALUE_ROW.match(line))
        (rows if is_row else kept).append(line)
    return kept, rows


def align(expected, actual):
    """[(kind, expected line or None, actual line or None)]: the cheapest way from one to the
    other, in order. ELLIPSIS is a line `...` itself, SWALLOWED an actual line it stands for."""
    shapes = [shape(line) for line in actual]
    same = [[not is_any_lines(line) and bool(wanted.fullmatch(other)) for other in shapes]
            for line, wanted in ((line, pattern(line)) for line in expected)]
    costs = cost_table(expected, same, len(actual))
    return walk_back(expected, actual, same, costs)


def cost_table(expected, same, columns):
    costs = [list(range(columns + 1))]
    for line, row_same in zip(expected, same):
        above = costs[-1]
        step = 0 if is_any_lines(line) else 1
        row = [above[0] + step]
        for j in range(columns):
            row.append(min(above[j + 1] + step, row[j] + step,
                           above[j] + (0 if row_same[j] else 1)))
        costs.append(row)
    return costs


def walk_back(expected, actual, same, costs):
    pairs = []
    i, j = len(expected), len(actual)
    while i or j:
        kind = kind_at(expected, same, costs, i, j)
        uses_expected = kind in (SAME, CHANGED, REMOVED, ELLIPSIS)
        uses_actual = kind in (SAME, CHANGED, ADDED, SWALLOWED)
        i, j = i - uses_expected, j - uses_actual
        pairs.append((kind, expected[i] if uses_expected else None,
                      actual[j] if uses_actual else None))
    return pairs[::-1]


def kind_at(expected, same, costs, i, j):
    """The last step of a cheapest path to (i, j)."""
    if not i:
        return ADDED
    here, any_lines = costs[i][j], is_any_lines(expected[i - 1])
    if any_lines:
        return ELLIPSIS if costs[i - 1][j] == here else SWALLOWED
    if j and same[i - 1][j - 1] and costs[i - 1][j - 1] == here:
        return SAME
    if j and costs[i - 1][j - 1] + 1 == here:
        return CHANGED
    return REMOVED if costs[i - 1][j] + 1 == here else ADDED


def differs(pairs):
    return any(kind in (CHANGED, REMOVED, ADDED) for kind, _, _ in pairs)


def difference(pairs, context=3):
    """Readable lines: `-` expected, `+` actual, and around them what agrees."""
    marked = []
    for kind, wanted, found in pairs:
        if kind in (CHANGED, REMOVED):
            marked.append(("-", wanted))
        if kind in (CHANGED, ADDED):
            marked.append(("+", found))
        if kind in (SAME, SWALLOWED):
            marked.append((" ", found))
    near = set()
    for at, (mark, _) in enumerate(marked):
        if mark != " ":
            near.update(range(at - context, at + context + 1))
    return list(shortened(marked, near))


def shortened(marked, near):
    left_out = 0
    for at, (mark, line) in enumerate(marked):
        if at not in near:
            left_out += 1
            continue
        if left_out:
            yield f"      ({left_out} lines that agree)"
            left_out = 0
        yield f"    {mark} {line}".rstrip()
    if left_out:
        yield f"      ({left_out} lines that agree)"


def blessed(pairs):
    """The expected lines made anew of the actual ones, `...` kept where it still stands for some
    lines, and lines with `...` in them where they still agree."""
    lines = []
    swallowed = False
    for at, (kind, wanted, found) in enumerate(pairs):
        if kind == ELLIPSIS:
            swallowed = at + 1 < len(pairs) and pairs[at + 1][0] == SWALLOWED
            if swallowed or not differs(pairs):
                lines.append(wanted)
        elif kind == SAME and ANY in wanted and ANY not in found:
            lines.append(wanted)
        elif kind in (SAME, CHANGED, ADDED):
            lines.append(found)
    return lines

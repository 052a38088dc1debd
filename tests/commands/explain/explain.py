# SPDX-License-Identifier: Apache-2.0
"""What `mpiskel explain` tells about small programs whose reasons are known.

Lines are found by what stands on them."""
import json
import re

from support import Failure, expect_that as expect

PROGRAM = r"""
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}

static int count_large(const int *values, int n) {
    int large = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            large += values[i] > k; /* heavy */
    return large;
}

int main(int argc, char **argv) {
    int rank, n = argc > 1 ? atoi(argv[1]) : 100, sorted[10];
    double sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *values = malloc(n * sizeof *values);
    double *x = malloc(n * n * sizeof *x);
    for (int i = 0; i < n; i++)
        values[i] = i * 7 % 50; /* light */
    for (int i = 0; i < n * n; i++)
        sum += x[i] = i * 0.5; /* gone */
    int large = count_large(values, n) % (n * n);
    MPI_Bcast(x, large, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int i = 0; i < 10; i++)
        sorted[i] = values[i % n];
    qsort(sorted, 10, sizeof *sorted, compare);
    MPI_Bcast(x, sorted[0] % n, MPI_DOUBLE, 0, MPI_COMM_WORLD); /* least */
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    free(values);
    free(x);
    MPI_Finalize();
    return 0;
}
"""

HELD = r"""
#include <mpi.h>

static int table[4];

static int third(const int *values) {
    return values[2];
}

int main(int argc, char **argv) {
    double x[100] = {0};
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 4; i++)
        table[i] = 3 * i;
    MPI_Bcast(x, third(table), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
"""

EXITS = r"""
#include <mpi.h>
#include <stdlib.h>

static void fail(int code) {
    if (code > 3)
        MPI_Abort(MPI_COMM_WORLD, code);
}

int main(int argc, char **argv) {
    int n = 50, both = 0;
    double checked = 0, x[50];
    MPI_Init(&argc, &argv);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            checked += i * k * 1e-9; /* check */
    if (checked > 1)
        fail(7);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++)
            for (int j = 0; j < i; j++)
                both += i + k; /* both */
    if (both < 0)
        fail(8);
    MPI_Bcast(x, both % 50, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
"""

CLASSES = r"""
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    double x[4] = {0};
    MPI_Init(&argc, &argv);
    void *memory = malloc(800);
    int *counts = memory;
    double *values = memory;
    counts[0] = 3;
    for (int i = 0; i < 100; i++)
        values[i] = 0.5 * i; /* double */
    MPI_Bcast(x, counts[0], MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
"""

FILES = r"""
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
    double x[64] = {0};
    int n = 4;
    MPI_Init(&argc, &argv);
    FILE *out = fopen("numbers", "w");
    fprintf(out, "%d\n", n); /* written */
    FILE *in = fopen(argc > 1 ? argv[1] : "other", "r");
    if (in == NULL || fscanf(in, "%d", &n) != 1)
        n = 2;
    printf("%d\n", argc);
    MPI_Bcast(x, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
"""

COLLECTIVES = r"""
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, n, other;
    double x[100] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    n = other = 0;
    if (rank == 0) {
        n = 7;
        for (int i = 0; i < 100; i++)
            other += i * i;
    }
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD); /* needed */
    MPI_Bcast(&other, 1, MPI_INT, 0, MPI_COMM_WORLD); /* aligned */
    MPI_Bcast(x, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
"""

UNKNOWN = r"""
#include <mpi.h>

void mystery(double *x, int n);

int main(int argc, char **argv) {
    double x[100];
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 100; i++)
        x[i] = i;
    mystery(x, 100); /* unknown */
    MPI_Finalize();
    return 0;
}
"""


CALLBACK = r"""
#include <mpi.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) {
    if (*(const int *)a < 0)
        exit(3);
    return *(const int *)a - *(const int *)b;
}

int main(int argc, char **argv) {
    int v[100], sum = 0;
    double x[100];
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 100; i++)
        for (int k = 0; k < 100; k++)
            v[i] = i * k % 7; /* sorted */
    qsort(v, 100, sizeof *v, compare);
    for (int i = 0; i < 100; i++)
        sum += v[i];
    MPI_Bcast(x, sum % 100, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
"""


def line_of(source, text):
    if source.count(text) != 1:
        raise Failure(f"'{text}' is not once in the source")
    return 1 + source[:source.index(text)].count("\n")


def generate(session, source, *options):
    session.program(("app.c", source))
    session.fine("generate", "--no-compile", "-o", "app.skel", *options)


def explain(session, *place):
    session.fine("explain", "app.skel", *place, "--format=json")
    return json.loads(session.out)


def entry_at(report, source, text):
    """The innermost computation that covers the line with this text."""
    line = line_of(source, text)
    found = [e for e in report["kept"] if e["line"] <= line <= e["end_line"]
             and e["kind"] != "function"]
    if not found:
        raise Failure(f"nothing that stays covers line {line} ({text})")
    return min(found, key=lambda e: e["end_line"] - e["line"])


def case_computations_are_ranked_with_their_mpi_argument(session):
    generate(session, PROGRAM)
    report = explain(session)
    first, bcast = report["kept"][0], line_of(PROGRAM, "MPI_Bcast(x, large")
    expect(f"the heaviest is {first['what']}", "count_large(values, n)" in first["what"])
    expect(first["needed_for"], first["needed_for"] == f"MPI_Bcast at app.c:{bcast}, argument count")
    expect(f"it has {first['loops']} loops", first["loops"] == 2)
    expect(report["weight"], report["weight"] == "estimate" and report["runs"] == 0)
    shares = [e["share"] for e in report["kept"]]
    expect(f"shares {shares}", shares == sorted(shares, reverse=True) and 0.5 < sum(shares) <= 1)
    light = entry_at(report, PROGRAM, "/* light */")
    expect("the light loop weighs as much", light["share"] < first["share"] / 5)
    gone = line_of(PROGRAM, "/* gone */")
    expect("a removed loop is listed",
           not any(e["line"] <= gone <= e["end_line"] and e["kind"] != "function"
                   for e in report["kept"]))


COPIED = r"""
#include <mpi.h>

static double all(double mine) {
    double sum = 0;
    for (int i = 0; i < 100; i++)
        sum += mine * i;
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /* here */
    return sum;
}

int main(int argc, char **argv) {
    double limit = 9, other = argc;
    MPI_Init(&argc, &argv);
    while (limit > 1) { /* loop */
        limit = all(limit) / 9;
        other = all(other * 0.5);
    }
    MPI_Finalize();
    return other < 0;
}
"""


def case_lines_of_copied_functions_are_those_of_the_original(session):
    generate(session, COPIED)
    pairs = json.loads(session.read("app.skel/regions.json"))["lines"]["app.c"]
    found = {"MPI_Allreduce(": [], "/* loop */": []}
    for number, line in enumerate(session.read("app.skel/src/app.c").splitlines(), 1):
        for text, lines in found.items():
            if text in line:
                rewritten, original = [pair for pair in pairs if pair[0] <= number][-1]
                lines.append(original + number - rewritten)
    wanted = line_of(COPIED, "/* here */")
    expect(f"{found} for line {wanted}", found["MPI_Allreduce("] == [wanted, wanted])
    expect(f"{found} for the loop", found["/* loop */"] == [line_of(COPIED, "/* loop */")])


def case_the_text_tells_it_within_twenty_lines(session):
    generate(session, PROGRAM)
    session.fine("explain", "app.skel")
    top = "\n".join(session.out.splitlines()[:20])
    for text in ("estimate", "count_large(values, n)", "/* heavy */",
                 f"app.c:{line_of(PROGRAM, '/* heavy */')}",
                 f"MPI_Bcast at app.c:{line_of(PROGRAM, 'MPI_Bcast(x, large')}, argument count"):
        expect(session.told(f"the first 20 lines do not tell '{text}'"),
               text.replace("/* heavy */", "large += values[i] > k") in top)


def case_chains_lead_from_the_heaviest_statement_to_the_criterion(session):
    generate(session, PROGRAM)
    chain = explain(session)["kept"][0]["chain"]
    heavy, bcast = line_of(PROGRAM, "/* heavy */"), line_of(PROGRAM, "MPI_Bcast(x, large")
    expect(f"the chain begins with {chain[0]}",
           chain[0]["line"] == heavy and chain[0]["what"] == "large += values[i] > k")
    expect(f"the chain ends with {chain[-1]}",
           chain[-1]["line"] == bcast and chain[-1]["why"] == "is an MPI call")
    arguments = [d["name"] for d in chain if d["kind"] == "argument"]
    expect(f"arguments {arguments}", arguments[-1] == "count")
    session.fine("explain", "app.skel", f"app.c:{heavy}")
    for text in ("kept:", "is an argument of a call (count)", "is an MPI call (a criterion)"):
        session.prints(text)


def case_library_kernels_are_computations(session):
    generate(session, PROGRAM)
    entry = entry_at(explain(session), PROGRAM, "qsort(sorted")
    expect(f"kernels '{entry['kernels']}'", entry["kernels"] == "qsort")
    expect(entry["needed_for"], f"app.c:{line_of(PROGRAM, '/* least */')}, argument count"
           in entry["needed_for"])


def case_criteria_are_told_with_what_they_keep(session):
    generate(session, PROGRAM)
    criteria = explain(session)["criteria"]
    bcast = line_of(PROGRAM, "MPI_Bcast(x, large")
    (row,) = [c for c in criteria if c["line"] == bcast]
    expect(f"{row}", row["loops"] == 2 and row["statements"] > row["loops"]
           and row["computations"] == 1)
    expect("not sorted", [c["statements"] for c in criteria]
           == sorted((c["statements"] for c in criteria), reverse=True))
    session.fine("explain", "app.skel")
    session.prints(f"{row['statements']} statements in 2 loops: MPI_Bcast at app.c:{bcast}")


def case_what_goes_without_exits_is_known(session):
    """generate --assume no-abnormal-exit is what explain promised."""
    generate(session, EXITS)
    before = explain(session)
    check = entry_at(before, EXITS, "/* check */")
    expect(f"check: {check['left_without_exits']} left", check["left_without_exits"] == 0)
    both = entry_at(before, EXITS, "/* both */")
    expect(f"both: {both['left_without_exits']} of {both['statements']} left",
           both["left_without_exits"] == both["statements"])
    session.fine("explain", "app.skel")
    session.prints("gone with --assume no-abnormal-exit")
    generate(session, EXITS, "--assume=no-abnormal-exit")
    after = explain(session)
    line = line_of(EXITS, "/* check */")
    expect("the check did not go", not any(e["line"] <= line <= e["end_line"]
                                           and e["kind"] != "function" for e in after["kept"]))
    entry_at(after, EXITS, "/* both */")
    expect("it is told twice", entry_at(after, EXITS, "/* both */")["left_without_exits"] is None)


def case_exits_are_no_reason_where_there_is_another(session):
    generate(session, EXITS)
    report = explain(session)
    both = entry_at(report, EXITS, "/* both */")
    bcast = line_of(EXITS, "MPI_Bcast(")
    expect(both["needed_for"], both["needed_for"] == f"MPI_Bcast at app.c:{bcast}, argument count")
    check = entry_at(report, EXITS, "/* check */")
    expect(check["needed_for"], "the end of the program by MPI_Abort" in check["needed_for"])


def case_exits_in_callbacks_are_no_reason_either(session):
    generate(session, CALLBACK)
    entry = entry_at(explain(session), CALLBACK, "/* sorted */")
    expect(entry["needed_for"], entry["needed_for"]
           == f"MPI_Bcast at app.c:{line_of(CALLBACK, 'MPI_Bcast(x')}, argument count")


def case_assumptions_are_told_where_they_made_a_difference(session):
    rows = [(CLASSES, "type-classes", "/* double */", "values[i] = 0.5 * i"),
            (COLLECTIVES, "aligned-collectives", "/* aligned */", "MPI_Bcast(&other, 1"),
            (FILES, "files-apart", "/* written */", "fprintf(out, ")]
    for source, name, mark, text in rows:
        generate(session, source)
        (use,) = explain(session)["assumed"]
        expect(f"{use}", use["name"] == name and use["line"] == line_of(source, mark)
               and use["text"].startswith(text))
        session.fine("explain", "app.skel")
        session.prints(f"{name}: app.c:{line_of(source, mark)}: {text}")
        generate(session, source, f"--assume=no:{name}")
        expect("told although it is off", explain(session)["assumed"] == [])
    generate(session, EXITS, "--assume=no-abnormal-exit")
    lines = {u["line"] for u in explain(session)["assumed"] if u["name"] == "no-abnormal-exit"}
    expect(f"exits at {lines}", line_of(EXITS, "fail(7)") in lines or
           line_of(EXITS, "MPI_Abort(") in lines)


def case_functions_of_unknown_effect_are_told(session):
    generate(session, UNKNOWN)
    report = explain(session)
    expect(f"{report['unknown']}", report["unknown"] ==
           [{"name": "mystery", "calls": [["app.c", line_of(UNKNOWN, "/* unknown */")]]}])
    session.fine("explain", "app.skel")
    session.prints(f"mystery, called at app.c:{line_of(UNKNOWN, '/* unknown */')}")
    generate(session, PROGRAM)
    expect("told where there is none", explain(session)["unknown"] == [])


def case_profiling_runs_give_measured_shares(session):
    session.program(("app.c", PROGRAM))
    session.fine("generate", "-o", "app.skel")
    for n in ("300", "400"):
        session.profile("app.skel", n)
    for step in ("samples", "store"):
        report = explain(session)
        expect(f"{step}: {report['weight']}, {report['runs']} runs",
               report["weight"] == "measured" and report["runs"] == 2)
        heavy = next(e for e in report["kept"] if "count_large" in e["what"])
        expect(f"{step}: {heavy['seconds']} s", heavy["seconds"] > 0 and heavy["share"] > 0)
        measured = [e["seconds"] for e in report["kept"] if e["seconds"] is not None]
        expect(f"{step}: {measured}", measured == sorted(measured, reverse=True))
        session.fine("explain", "app.skel")
        session.prints("Measured in 2 profiling runs")
        session.fine("fit", "app.skel")


def case_numbers_of_given_values_are_no_seconds(session):
    session.program(("app.c", """#include <mpi.h>
#include <stdlib.h>
static int counted(int n) {
    int count = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 100; k++)
            count += (i * 7919 + k * 31) % 200 < 150;
    return count;
}
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 1000, steps = 0;
    MPI_Init(&argc, &argv);
    char *buffer = calloc(100 * n, 1);
    for (int i = 0; i < n; i++)
        steps += buffer[i] == 0;
    MPI_Bcast(buffer, counted(n), MPI_CHAR, 0, MPI_COMM_WORLD);
    for (int i = 0; i < steps % 3; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
"""))
    session.fine("generate", "-o", "app.skel", "--assume=cuts", "--scout",
                 "mpirun --oversubscribe -np 2 {}")
    session.prints(" given by models (`mpiskel explain` lists them)")
    session.profile("app.skel", "300")
    session.fine("explain", "app.skel")
    seconds = re.search(r"of ([0-9.e+-]+) s", session.out)
    expect(session.out, seconds is not None and float(seconds.group(1)) < 100)


def case_foreign_samples_are_left_out_and_told(session):
    session.program(("app.c", PROGRAM))
    session.fine("generate", "--no-compile", "-o", "app.skel")
    session.write("app.skel/samples/other.samples", "{}")
    expect("samples of nothing are used", explain(session)["runs"] == 0)
    session.expect(0, ["not used: ", "other.samples"])


def check_fates(session, program):
    generate(session, program)
    session.fine("explain", "app.skel", "app.c")
    lines = session.out.splitlines()
    rows = [("/* heavy */", "kept"), ("/* light */", "kept"), ("double sum = 0;", "gone"),
            ("for (int i = 0; i < n * n; i++)", "stub"), ("/* gone */", "gone"),
            ("#include <stdlib.h>", ""), ("MPI_Init(&argc", "kept")]
    report = {row["line"]: row for row in explain(session, "app.c")["lines"]}
    for text, fate in rows:
        line = line_of(program, text)
        expect(f"{lines[line - 1]} instead of {fate}", lines[line - 1].split("|")[0].split()[1:2]
               == ([fate] if fate else []))
        expect(f"{report[line]}", report[line]["fate"] == (fate or "present"))
    heavy = lines[line_of(program, "/* heavy */") - 1].split("|")[0].split()[2]
    expect("the criterion is not in the list",
           any(line.startswith(f"{heavy}: MPI_Bcast at app.c:") for line in lines))
    expect("another number of lines", len(report) == program.count("\n"))


def case_each_line_of_a_file_has_its_fate(session):
    check_fates(session, PROGRAM)


def case_each_line_of_a_file_that_names_its_lines_has_its_fate(session):
    check_fates(session, PROGRAM.replace("MPI_Init(&argc", "assert(argc > 0); MPI_Init(&argc", 1)
                .replace("#include <stdlib.h>", "#include <assert.h>\n#include <stdlib.h>", 1))
    if "#line" not in session.read("app.skel/src/app.c"):
        raise Failure("its lines are others")


def case_lines_tell_what_stands_for_them(session):
    generate(session, PROGRAM)
    removed = explain(session, f"app.c:{line_of(PROGRAM, '/* gone */')}")
    expect(f"{removed}", removed["fate"] == "removed" and removed["features"])
    nothing = explain(session, f"app.c:{line_of(PROGRAM, '#include <stdlib.h>')}")
    expect(f"{nothing}", nothing["fate"] == "nothing")
    kept = explain(session, f"app.c:{line_of(PROGRAM, '/* light */')}")
    expect(f"{kept}", kept["fate"] == "kept" and kept["chain"][-1]["why"] == "is an MPI call")
    session.refused("explain", "app.skel", "nowhere.c", says="no file 'nowhere.c'")
    session.refused("explain", "app.skel", "app.c:none", says="is not FILE:LINE")


def case_what_macros_keep_has_a_criterion(session):
    """Statements that stay because of a macro call around them lead to a criterion as well."""
    generate(session, PROGRAM.replace("int large = count", "#define TWICE(a, b) do { a; b; } while (0)\n"
                                      "    int unused; TWICE(values[0] = 3, unused = 4);\n"
                                      "    int large = count"))
    demands = json.loads(session.read("app.skel/reasons.json"))["demands"]
    rows = [d for d in demands if "macro" in d[4]]
    expect("nothing was kept for a macro", rows)
    expect(f"{rows}", all(d[5] >= 0 for d in rows))


def case_declarations_stay_for_what_is_needed_of_them(session):
    """And not for the reason of whatever was demanded before."""
    generate(session, HELD)
    demands = json.loads(session.read("app.skel/reasons.json"))["demands"]
    rows = [d for d in demands if d[7] == "declaration" and d[5] >= 0
            and demands[d[5]][7] == "contents"]
    expect("no declaration is needed for what it holds", rows)
    expect(f"{rows}", all(d[4] == "holds what is needed" for d in rows))


def case_values_of_hints_are_told(session):
    program = """#include <mpi.h>
int main(int argc, char **argv) {
    static double x[1000], out[1000];
    int n, m = 0;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 1000; i++)
        for (int k = 0; k < 1000; k++)
            x[i] += i * k;
    n = x[3] > 7;
    m = x[4] > 7;
    MPI_Bcast(out, n + m, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
"""
    session.write("h", "value app.c:9 n = uniform(1, argc + 3) by argc\nvalue app.c:10 m = 2 * argc\n")
    generate(session, program, "--assume=cuts", "--hints", "h")
    session.fine("explain", "app.skel")
    for text in ("n = x[3] > 7", "by a hint: uniform(1, argc + 3) by argc", "by a hint: 2 * argc"):
        expect(f"'{text}' is not told", text in session.out)


def case_small_helpers_are_told_apart_where_not_all_can_be(session):
    """What swaps the bytes of data and of a number that decides has two instances, though instances of
    other functions would take more statements than may be added."""
    helper = """static void helper%d(double *x, int n) {
    for (int i = 0; i < n; i++) {
%s    }
}
"""
    lines = "".join(f"        x[i] += {k} * x[i];\n" for k in range(60))
    program = """#include <mpi.h>
#include <stdlib.h>
static void swap_bytes(int *words, int count) {
    for (int i = 0; i < count; i++)
        words[i] = words[i] << 24 | (words[i] >> 24 & 0xff);
}
static void bump(double *x) {
    *x += 1;
}
""" + "".join(helper % (i, lines) for i in range(40)) + """int main(int argc, char **argv) {
    int sweeps = 5 << 24, n = argc > 1 ? atoi(argv[1]) : 1000, *data;
    double *x, sum = 0;
    MPI_Init(&argc, &argv);
    data = malloc(n * sizeof *data);
    x = calloc(n, sizeof *x);
    for (int i = 0; i < n; i++)
        data[i] = i * 7 % 50; /* data */
    swap_bytes(data, n);
    swap_bytes(&sweeps, 1);
""" + "    bump(x);\n" * 60 + """    for (int i = 0; i < n; i++)
        x[i] = data[i];
""" + "".join(f"    helper{i}(x, n);\n" * 3 for i in range(40)) + """    for (int i = 0; i < n; i++)
        sum += x[i];
    for (int s = 0; s < sweeps; s++)
        MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
"""
    generate(session, program)
    skeleton = session.read("app.skel/src/app.c")
    expect("what decides is gone", "swap_bytes(&sweeps, 1)" in skeleton)
    expect("data are computed as well", "/* data */" not in skeleton)

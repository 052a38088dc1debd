# SPDX-License-Identifier: Apache-2.0
"""Hints: what is refused with its place, and that what generate proposes is accepted and works."""
import json
import re
import subprocess

from support import Failure, expect

APPLICATION = """#include <mpi.h>
double far_sum(const double *x, int n);
void far_fill(double *x, int n, double (*f)(int));
int far_count();
static double half(int i) {
    return i * 0.5;
}
static void unused(void) {
    MPI_Barrier(MPI_COMM_WORLD);
}
int main(int argc, char **argv) {
    double x[8], y[8] = {0};
    int k = 0;
    MPI_Init(&argc, &argv);
    far_fill(x, 8, half);
    for (int i = 0; i < 8; i++)
        k += i;
    far_fill(y, 8, half);
    for (int i = 0; i < (int)far_sum(x, 8) / far_count(x); i++)
        MPI_Bcast(y, 8, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
"""
LIBRARY = """
double far_sum(const double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i];
    return sum;
}
void far_fill(double *x, int n, double (*f)(int)) {
    for (int i = 0; i < n; i++)
        x[i] = f(i);
}
int far_count(double *x) {
    return x[7] > 0 ? 2 : 1;
}
"""


def build(session):
    """A program of which three functions come from an archive that nobody captured."""
    session.write("library/far.c", LIBRARY)
    subprocess.run("cc -fPIC -c far.c && ar rc libfar.a far.o", shell=True, check=True,
                   cwd=session.path("library"))
    session.program(("a.c", APPLICATION))
    session.write("link_commands.json", json.dumps(
        [{"directory": session.directory, "output": "app",
          "arguments": ["mpicc", "a.o", "library/libfar.a", "-o", "app"]}]))


def proposals(session):
    return re.findall(r"note: nothing is known about '\w+'.*: (extern .*)", session.err)


def case_proposed_rows_can_be_pasted_into_the_hints(session):
    build(session)
    session.fine("generate", "-o", "a.skel")
    rows = proposals(session)
    if rows != ["extern far_fill(rw v v) void callback 3", "extern far_sum(r v) value",
                "extern far_count(rw) value"]:
        raise Failure(session.told(f"the proposed rows are {rows}"))
    expect("far_fill(y, 8, half);" in session.read("a.skel/src/a.c"), "a call of which nothing is known is not kept")
    session.write("app.hints", "# what libfar does\n" + "\n".join(rows) + "\n")
    session.fine("generate", "-o", "b.skel")
    skeleton = session.read("b.skel/src/a.c")
    if "note: " in session.err or "far_fill(y, 8, half);" in skeleton or "far_fill(x, 8, half);" not in skeleton:
        raise Failure(session.told("the rows are not used:\n" + skeleton))
    for bundle in ("a.skel", "b.skel"):
        session.fine("verify", bundle, "-np", "2")
        session.prints("identical")


def case_hint_keeps_a_statement(session):
    build(session)
    session.fine("generate", "-o", "a.skel", "--no-compile")
    expect("k += i" not in session.read("a.skel/src/a.c"), "the statement is kept anyway")
    session.write("mine", "keep a.c:16 # the loop\r\n")
    session.fine("generate", "-o", "a.skel", "--hints", "mine")
    if "k += i" not in session.read("a.skel/src/a.c") or "--hints mine" not in session.read("a.skel/README"):
        raise Failure("the statement is not kept, or the README does not tell")
    session.fine("verify", "a.skel", "-np", "2")
    session.fine("explain", "a.skel", "a.c:17")
    session.prints("is kept by a hint, line 1")


def case_library_may_give_any_communicator(session):
    session.program(("a.c", """#include <mpi.h>
void far_comm(MPI_Comm *out);
int main(int argc, char **argv) {
    MPI_Comm one, other = MPI_COMM_WORLD;
    int rank, m, n = 5;
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &one);
    MPI_Comm_rank(one, &rank);
    far_comm(&other);
    if (rank == 0) {
        m = argc + 4;
        MPI_Send(&m, 1, MPI_INT, 1, 7, one);
    } else
        MPI_Recv(&n, 1, MPI_INT, 0, 7, other, MPI_STATUS_IGNORE);
    for (int i = 0; i < n; i++)
        MPI_Barrier(one);
    MPI_Finalize();
    return 0;
}
"""))
    session.write("h", "extern far_comm(w) void")
    session.fine("generate", "-o", "a.skel", "--no-compile", "--hints", "h")
    if "m = argc + 4" not in session.read("a.skel/src/a.c"):
        raise Failure("what is sent in a communicator that the library may have given is gone")


GIVEN = r"""#include <mpi.h>
#include <stdio.h>
static double x[5000];
static void report(int code) {
    for (int i = 0; i < 3; i++)
        code += i;
    printf("%d\n", code);
}
int main(int argc, char **argv) {
    int n = 0, m = 0;
    MPI_Init(&argc, &argv);
    if (argc > 4)
        goto failed;
    if (argc > 5)
        goto failed;
    for (int k = 0; k < 100; k++)
        for (int i = 0; i < 5000; i++)
            x[i] = x[i] * 0.5 + i;
    m = x[4000] > 1;
    n = m + 1;
    MPI_Bcast(x, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
failed:
    report(argc);
    MPI_Abort(MPI_COMM_WORLD, 1);
    return 1;
}
"""


def idle_keeps(session, hints, *options):
    """Warnings of a bundle with these hints, which is made; else they are all that is told."""
    session.program(("app.c", GIVEN))
    session.write("mine", hints)
    session.fine("generate", "--no-compile", "-o", "app.skel", "--hints", "mine", *options)
    return re.findall(r"^mine:(\d+:\d+: warning: .*)", session.err, re.M)


def given_with(session, hints):
    return idle_keeps(session, hints, "--assume=no-abnormal-exit,cuts", "--scout",
                      "mpirun --oversubscribe -np 2 {}")


def case_keep_hints_without_effect_are_told(session):
    told = given_with(session, "# sent\n  keep app.c:21 # anyway\n")
    expect([text[:4] for text in told] == ["2:8:"] and "line 21 of app.c stays" in told[0] and "remove it" in told[0],
           session.told(f"warnings: {told}"))
    told = given_with(session, "keep app.c:6\n")
    expect(len(told) == 1 and "line 6 of app.c goes all the same" in told[0], session.told(f"warnings: {told}"))
    told = given_with(session, "keep app.c:20\nvalue app.c:20 n = 7\n")
    expect(len(told) == 1 and "line 20 of app.c is given all the same" in told[0], session.told(f"warnings: {told}"))
    told = idle_keeps(session, "keep app.c:19\n")
    expect(len(told) == 1 and "add --assume cuts, or remove the hint" in told[0], session.told(f"warnings: {told}"))


def case_of_keep_hints_with_an_effect_nothing_is_told(session):
    """They make something stay, or have it computed that would be given; of two only one is needed."""
    if given_with(session, "keep app.c:20\n") or "x[i] * 0.5" not in session.read("app.skel/src/app.c"):
        raise Failure(session.told("what has an effect is warned of, or has none"))
    for hints in ("keep app.c:16\n", "keep app.c:10\n"):
        expect(not given_with(session, hints), session.told("what has an effect is warned of"))
    expect(not idle_keeps(session, "keep app.c:10\n"), session.told("what has an effect is warned of"))
    told = given_with(session, "keep app.c:19\nkeep app.c:20\n")
    if [text[:2] for text in told] != ["1:"] or "x[i] * 0.5" not in session.read("app.skel/src/app.c"):
        raise Failure(session.told(f"warnings: {told}"))


REFUSED = [
    ("hold a.c:16", "app.hints:1:1: error: no such hint; there are `extern ROW`, `keep FILE:LINE`, `cut"),
    ("cut", "app.hints:1:4: error: expected FILE:LINE"),
    ("cut a.c:16 17", "app.hints:1:12: error: nothing may follow"),
    ("cut b.c:16", "app.hints:1:5: error: no file of the program is 'b.c'"),
    ("cut a.c:3", "app.hints:1:5: error: nothing on line 3 can be cut: no statement begins there"),
    ("cut a.c:15", "app.hints:1:5: error: nothing on line 15 can be cut: it is a call whose result is not assigned"),
    ("cut a.c:12", "app.hints:1:5: error: nothing on line 12 can be cut: it is no number"),
    ("value", "app.hints:1:6: error: expected FILE:LINE"),
    ("value a.c:13", "app.hints:1:13: error: expected what is assigned there, and '='"),
    ("value a.c:13 k", "app.hints:1:15: error: expected what is assigned there, and '='"),
    ("value a.c:13 k = uniform(1)", "app.hints:1:27: error: expected ',' and the largest number"),
    ("value a.c:13 k = uniform(1, 2) k", "app.hints:1:32: error: expected ') by' and the numbers"),
    ("value a.c:13 k = uniform(1, 2) by", "app.hints:1:32: error: expected ') by' and the numbers"),
    ("value a.c:13 k = uniform(1, 2) by #", "app.hints:1:7: error: expected a number or a name before ''"),
    ("value a.c:13 j = 1", "app.hints:1:7: error: 'j' on line 13 cannot be given: it is not assigned there"),
    ("value a.c:14 k = 1", "app.hints:1:7: error: 'k' on line 14 cannot be given: it is not assigned there"),
    ("value a.c:13 k =", "app.hints:1:7: error: expected a number or a name before ''"),
    ("value a.c:13 k = 1 +", "app.hints:1:7: error: expected a number or a name before ''"),
    ("value a.c:13 k = (1", "app.hints:1:7: error: expected ')' before ''"),
    ("value a.c:13 k = 1 1", "app.hints:1:7: error: did not expect '1'"),
    ("value a.c:13 k = 0x1", "app.hints:1:7: error: '0x1' is no decimal number"),
    ("value a.c:13 k = f(1)", "app.hints:1:7: error: no variable 'f' is visible there"),
    ("value a.c:13 k = i", "app.hints:1:7: error: no variable 'i' is visible there"),
    ("value a.c:13 k = x", "app.hints:1:7: error: 'x' is no integer"),
    ("value a.c:13 k = argv->x", "app.hints:1:7: error: there is no member 'x'"),
    ("value a.c:13 k = argc.x", "app.hints:1:7: error: there is no member 'x'"),
    ("value a.c:13 k = " + "(" * 100000, "is nested too deeply"),
    ("value a.c:13 k = 1\nvalue a.c:13 k = 1", "app.hints:2:7: error: another hint gives a value of this"),
    ("cut a.c:16\ncut a.c:16", "app.hints:2:5: error: line 1 says so already"),
    ("keep", "app.hints:1:5: error: expected FILE:LINE"),
    ("# two\n keep a.c:", "app.hints:2:7: error: expected FILE:LINE"),
    ("keep a.c:16 a.c:17", "app.hints:1:13: error: nothing may follow"),
    ("keep a.c:999999999999", "app.hints:1:6: error: expected FILE:LINE"),
    ("keep b.c:16", "app.hints:1:6: error: no file of the program is 'b.c'"),
    ("keep .c:16", "app.hints:1:6: error: no file of the program is '.c'"),
    ("keep a.c:3", "app.hints:1:6: error: no statement begins on line 3"),
    ("keep a.c:21000", "app.hints:1:6: error: no statement begins on line 21000; one begins on line 22"),
    ("keep a.c:9", "app.hints:1:6: error: 'unused' is never called"),
    ("keep a.c:16\n\n keep a.c:16", "app.hints:3:7: error: line 1 says so already"),
    ("extern far_sum(r q) value", "app.hints:1:18: error: expected an effect"),
    ("extern far_sum(r v)", "app.hints:1:20: error: expected a result"),
    ("extern", "app.hints:1:7: error: expected a function's name"),
    ("extern f(v) void\nextern g(v) void\nextern g f(v) void", "has another row in this file"),
    ("extern main(v v) value", "app.hints:1:8: error: the source of 'main' is in the program"),
    ("extern MPI_Send(v...) value", "app.hints:1:8: error: 'MPI_Send' is MPI's"),
    ("keep a.c:16\0", "app.hints: holds a zero byte"),
    ("\ufeff\x01\x02" * 1000, "app.hints:1:1: error: no such hint"),
    ("keep " + "a" * 100000, "app.hints:1:6: error: expected FILE:LINE"),
    ("extern f(" + "v " * 100000, "too many arguments"),
]


def case_bad_hints_are_refused_with_their_place(session):
    build(session)
    for text, message in REFUSED:
        session.write("app.hints", text)
        session.refused("generate", "-o", "x.skel", says=message)
    session.refused("generate", "--hints", "nowhere", "-o", "x.skel", says="nowhere")
    session.refused("generate", "--hints", "library", "-o", "x.skel", says="it is a directory")


def case_ambiguous_file_of_a_hint_is_told(session):
    session.program(("one/a.c", APPLICATION), ("two/a.c", "int f(void) {\n    return 1;\n}\n"))
    session.write("h", "keep a.c:16")
    session.refused("generate", "--hints", "h", "-o", "x.skel", says=["one/a.c and ", "say more"])
    session.write("h", "keep one/a.c:16")
    session.fine("generate", "--hints", "h", "-o", "x.skel", "--no-compile")


def case_long_hints_are_read_quickly(session):
    build(session)
    lines = [f"extern f{i}(v) void" for i in range(100000)]
    session.write("app.hints", "\n".join(lines + ["keep a.c:16"]))
    session.fine("generate", "-o", "x.skel", "--no-compile")

# SPDX-License-Identifier: Apache-2.0
"""`mpiskel generate --scout`: counts of executions, from programs whose counts are known.

Lines are found by what stands on them."""
import json
import os
import re
import subprocess

from support import ENVIRONMENT, Failure, expect_that as expect

HELPER = r"""
#include <mpi.h>

double relax(double *x, int n);
void share(double *x, int n);

double relax(double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * 0.5; /* hot */
    return sum;
}

void share(double *x, int n) {
    MPI_Bcast(x, n, MPI_DOUBLE, 0, MPI_COMM_WORLD); /* sends */
}
"""

MAIN = r"""
#include <mpi.h>
#include <stdlib.h>

double relax(double *x, int n);
void share(double *x, int n);

int main(int argc, char **argv) {
    double x[1000] = {0}, sum = 0;
    int steps = argc > 1 ? atoi(argv[1]) : 1;
    MPI_Init(&argc, &argv);
    for (int step = 0; step < steps; step++) {
        sum += relax(x, 1000);
        if (sum < 0)
            x[0] = 1; /* never */
        share(x, 10 + step);
    }
    MPI_Finalize();
    return steps > 90 ? 3 : 0;
}
"""

RUN = "mpirun --oversubscribe -np 2 {} 3"


def line_of(source, text):
    return 1 + source[:source.index(text)].count("\n")


def program(session, helper=HELPER):
    session.program(("main.c", MAIN), ("helper.c", helper))


def count_at(session, name, source, text):
    """Of the line with this text, in counts.json; lines there count from the function's first."""
    for function in json.loads(session.read("app.skel/counts.json"))["functions"]:
        if function["function"] != name:
            continue
        first = 1 + next(i for i, line in enumerate(source.splitlines())
                         if f" {name}(" in line and line.endswith("{"))
        return dict(function["lines"]).get(line_of(source, text) - first)
    raise Failure(f"no counts of {name}")


def generate(session, *options):
    session.fine("generate", "--no-compile", "-o", "app.skel", "--format=json", *options)
    return json.loads(session.out)


def case_counts_are_those_of_all_ranks_together(session):
    program(session)
    generate(session, "--scout", RUN)
    expect_counts(session)


def case_what_is_kept_is_weighed_by_executions(session):
    program(session)
    summary = generate(session, "--scout", RUN)
    expect(f"{summary['executions']} executions", 12000 < summary["executions"] < 30000)
    expect(f"{summary['executions_kept']} of them kept", 0 < summary["executions_kept"] < 200)
    session.fine("generate", "--no-compile", "-o", "app.skel")
    expect("the text does not tell", "executed statements of the scout run" in session.out)


def case_counts_survive_edits_elsewhere(session):
    program(session)
    generate(session, "--scout", RUN)
    edited = HELPER.replace("double sum = 0;", "double sum = 0.25;")
    program(session, "\n\n" + edited)
    summary = generate(session)
    expect("the counts of main are gone", summary["executions"] > 10)
    expect("counts of a changed function are taken for the new ones", summary["executions"] < 1000)
    expect("counts of the moved function are gone",
           count_at(session, "share", edited, "/* sends */") == 6)


def case_counts_are_the_same_whenever_they_are_read(session):
    """Functions that one call of a macro makes, as for several types, share its line."""
    relax = HELPER[HELPER.index("double relax(double *x, int n) {"):HELPER.index("void share(double *x, int n) {")]
    macro = "#define RELAX(NAME) " + relax.replace("double relax(", "double NAME(").replace("/* hot */", "").strip().replace("\n", " \\\n")
    helper = HELPER.replace(relax, macro.replace("\\\n}", "}") + "\n#define BOTH RELAX(relax) static RELAX(other)\nBOTH\n")
    program(session, helper.replace("MPI_Bcast", "x[0] += other(x, n); MPI_Bcast"))
    first = generate(session, "--scout", RUN)["executions"]
    again = [generate(session)["executions"] for _ in range(3)]
    expect(f"{first} executions, and then {again}", first > 1000 and again == 3 * [first])


def case_parallel_regions_of_openmp_are_counted(session):
    """As they run with one thread."""
    helper = HELPER.replace("    for (int i", "#pragma omp parallel for reduction(+ : sum)\n    for (int i")
    helper = helper.replace("    double sum = 0;", "    double sum = omp_get_max_threads() > 99;")
    helper = helper.replace("<mpi.h>", "<mpi.h>\n#ifdef _OPENMP\n#include <omp.h>\n#endif")
    program(session, helper)
    compiled_with(session, "mpicc", "-O2", "-fopenmp")
    session.write("link_commands.json", json.dumps(
        [{"directory": session.directory, "output": "app",
          "arguments": ["mpicc", "-fopenmp", "main.o", "helper.o", "-o", "app"]}]))
    generate(session, "--scout", RUN)
    count = count_at(session, "relax", helper, "/* hot */")
    expect(f"{count} are counted", count == 6000)


LACKING = r"""
#include <mpi.h>

#define SHARE(x, n) do { MPI_Barrier(MPI_COMM_WORLD); if (n > 50) MPI_Close_port( \
                                                            "port"); } while (0)

double relax(double *x, int n);
void share(double *x, int n);
void unused(int *x);

double relax(double *x, int n) {
    return x[n - 1] * 0.5;
}

void unused(int *x) {
    x[0] = 0;
    MPI_Close_port("port");
}

void share(double *x, int n) {
    MPI_Comm other;
    int count = n, rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (n > 40)
        MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 1 - rank, 0, &other); /* lacking */
    if (n == 30)
        MPI_Add_error_class(&count); /* local */
    SHARE(x, n);
    MPI_Bcast(x, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return;
    MPI_Comm_disconnect(&other);
    MPI_Open_port(MPI_INFO_NULL, NULL);
}
"""


def refuses_to_run(session, size, mark, name):
    session.refused("verify", "app.skel", "-np", "2", "--", size, says=[
        f"helper.c:{line_of(LACKING, mark)}: error: SimGrid 3.32 does not support", f"'{name}'"])


def case_calls_that_simgrid_lacks_may_be_there_if_they_are_never_made(session):
    program(session, LACKING)
    session.refused("generate", "-o", "app.skel", says=[
        f"helper.c:{line_of(LACKING, '/* lacking */')}:9: error: ", "'MPI_Intercomm_create'", "--scout",
        f"helper.c:{line_of(LACKING, '/* local */')}:9: error: ", "'MPI_Add_error_class'"])
    expect("a function that nothing calls is told", "helper.c:17" not in session.err)
    session.refused("generate", "--scout", RUN.replace(" 3", " 44"), "-o", "app.skel",
                    says="does not support 'MPI_Intercomm_create'")
    session.fine("generate", "--scout", RUN, "-o", "app.skel")
    session.expect(0, ["'MPI_Intercomm_create', which was never called",
                       "whether this macro calls it",
                       "'MPI_Open_port', which was never called",
                       "'MPI_Add_error_class', which was never called"])
    expect("a function that nothing calls is told", "helper.c:17" not in session.err)
    session.fine("verify", "app.skel", "-np", "2", "--", "4")
    session.prints("identical")
    refuses_to_run(session, "33", "/* local */", "MPI_Add_error_class")
    program(session, LACKING.replace("n == 30", "n == 99"))
    session.fine("generate", "--scout", RUN, "-o", "app.skel")
    refuses_to_run(session, "44", "/* lacking */", "MPI_Intercomm_create")


STOPPING = r"""
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <ucontext.h>
#include <unistd.h>

double relax(double *x, int n);
void share(double *x, int n);

static void *work(void *x) {
    return x;
}

double relax(double *x, int n) {
    pthread_t thread;
    if (n == 1041)
        pthread_create(&thread, 0, work, x); /* thread */
    return x[n - 1] * 0.5;
}

void share(double *x, int n) {
    ucontext_t context;
    int child = 0;
    if (n == 42)
        child = fork(); /* process */
    if (n == 42 && child == 0)
        _exit(0);
    if (n == 43)
        fopencookie(x, "w", (cookie_io_functions_t){0}); /* stream */
    if (n == 44)
        getcontext(&context); /* context */
    MPI_Bcast(x, n + (child > 0), MPI_DOUBLE, 0, MPI_COMM_WORLD);
}
"""

STOPS = {"thread": ("pthread_create", "41"), "process": ("fork", "42"), "stream": ("fopencookie", "43"),
         "context": ("getcontext", "44")}


def stopping(session):
    program(session, STOPPING)
    session.write("main.c", MAIN.replace("relax(x, 1000)", "relax(x, steps > 40 ? 1000 + steps : 1000)")
                  .replace("x[1000]", "x[2000]").replace("share(x, 10 + step)", "share(x, steps)"))


def case_what_no_simulation_can_do_may_be_there_if_it_is_never_done(session):
    stopping(session)
    lines = {name: f"helper.c:{line_of(STOPPING, f'/* {mark} */')}:" for mark, (name, _) in STOPS.items()}
    session.refused("generate", "-o", "app.skel", says=[*lines.values(), "or show with --scout that it is never called"])
    session.refused("generate", "--scout", RUN.replace(" 3", " 42"), "-o", "app.skel",
                    says=[lines["fork"], "error: 'fork' starts a thread or process"])
    session.fine("generate", "--scout", RUN, "-o", "app.skel")
    session.expect(0, [f"warning: the simulation lacks '{name}', which was never called" for name in lines])
    session.fine("verify", "app.skel", "-np", "2", "--", "4")
    session.prints("identical")


def case_a_simulation_stops_where_it_cannot_do_what_is_called(session):
    """Skeleton and original alike, whatever of the process, thread or stream is used later."""
    stopping(session)
    session.fine("generate", "--scout", RUN, "-o", "app.skel")
    for name, argument in STOPS.values():
        for side in ([], ["--original"]):
            session.refused("run", "app.skel", *side, "-np", "2", "--even-if-unknown", "--", argument,
                            says=f"error: '{name}' is called, which no simulation can do")


def case_nothing_is_left_beside_the_bundle(session):
    program(session)
    before = set(os.listdir(session.directory))
    generate(session, "--scout", RUN)
    left = set(os.listdir(session.directory)) - before - {"app.skel"}
    expect(f"{left} is left", not left)


def case_without_counts_nothing_is_told(session):
    program(session)
    summary = generate(session)
    expect("executions out of nowhere", summary["executions"] == 0)
    expect("there are counts", not os.path.exists(session.path("app.skel/counts.json")))


def case_the_program_may_be_named_inside_of_a_word(session):
    program(session)
    generate(session, "--scout", "sh -c 'mpirun --oversubscribe -np 2 {} 3 && test {} != {}.x'")
    expect_counts(session)


def case_a_command_without_braces_is_an_error(session):
    program(session)
    session.refused("generate", "-o", "app.skel", "--scout", "mpirun -np 2 ./app", code=1,
                  says="has to name the program as {}")


def case_the_command_is_looked_at_first(session):
    """A large program takes minutes until it is parsed."""
    program(session, helper="this is no C")
    session.refused("generate", "-o", "app.skel", "--scout", "mpirun -np 2 ./app", code=1,
                  says="has to name the program as {}")


def case_a_failing_run_is_an_error_with_its_output(session):
    program(session)
    session.refused("generate", "-o", "app.skel", "--scout", "mpirun --oversubscribe -np 1 {} 91",
                  code=1, says="ended with exit code 3")
    expect("a bundle was made", not os.path.exists(session.path("app.skel")))


def case_a_missing_launcher_is_an_error(session):
    program(session)
    session.refused("generate", "-o", "app.skel", "--scout", "no_such_launcher {}", code=1,
                  says="no_such_launcher")


def compiled_with(session, *words):
    """The compile database as it would be with these words in place of mpicc."""
    entries = json.loads(session.read("compile_commands.json"))
    for entry in entries:
        entry["arguments"][:1] = words
    session.write("compile_commands.json", json.dumps(entries))


UNKNOWN_TO_GCC = ("-ferror-limit=3", "-Weverything", "-mllvm", "-inline-threshold=100", "-Xclang",
                  "-fcolor-diagnostics")


def clang_program(session, compiler, *words):
    """Compiled by this compiler behind mpicc, with options that gcc does not know."""
    program(session, HELPER.replace("x[i] * 0.5;", "x[i] * HALF;"))
    compiled_with(session, "mpicc", "-DHALF=0.5", "-O2", *UNKNOWN_TO_GCC, *words)
    session.run("generate", "--no-compile", "-o", "app.skel", "--scout", RUN,
                environment=dict(ENVIRONMENT, OMPI_CC=compiler))


def expect_counts(session):
    expect(session.told("generate failed"), session.code == 0)
    for name, source, text, wanted in (("relax", HELPER, "/* hot */", 2 * 3 * 1000),
                                       ("share", HELPER, "/* sends */", 2 * 3),
                                       ("main", MAIN, "/* never */", 0)):
        count = count_at(session, name, source, text)
        expect(f"{text} was executed {count} times, not {wanted}", count == wanted)


def clang_that_cannot_count(session):
    """As it is without its profiling runtime."""
    session.write("clang-bare", '#!/bin/sh\ncase " $* " in *" --coverage "*) exit 1;; esac\n'
                  'exec clang-19 "$@"\n')
    os.chmod(session.path("clang-bare"), 0o755)
    return session.path("clang-bare")


def case_what_clang_compiles_is_counted_by_clang(session):
    clang_program(session, "clang-19")
    expect_counts(session)
    session.directory = session.path("elsewhere")
    os.mkdir(session.directory)
    session.run("generate", "--no-compile", "-p", "..", "-o", "app.skel", "--scout", RUN,
                environment=dict(ENVIRONMENT, OMPI_CC="clang-19"))
    expect_counts(session)


def case_where_clang_cannot_count_gcc_takes_its_place(session):
    """Options that gcc does not know are left out, and what it knows stays."""
    clang_program(session, clang_that_cannot_count(session))
    expect_counts(session)


def case_gcc_takes_the_place_of_a_clang_without_wrapper(session):
    flags = [subprocess.run(["mpicc.openmpi", "--showme:" + what], check=True, text=True,
                            capture_output=True).stdout.split() for what in ("compile", "link")]
    clang = clang_that_cannot_count(session)
    program(session)
    compiled_with(session, clang, *flags[0])
    session.write("link_commands.json", json.dumps(
        [{"directory": session.directory, "output": "app",
          "arguments": [clang, "main.o", "helper.o", "-rtlib=compiler-rt", *flags[1], "-o",
                        "app"]}]))
    generate(session, "--scout", RUN)
    expect_counts(session)


def case_inline_functions_without_an_external_definition_are_counted(session):
    """As in C99 they need not have one; without optimization such a program does not link."""
    inline = HELPER.replace("double relax(double *x, int n) {", "inline double relax(double *x, int n) {")
    main = MAIN.replace("double relax(double *x, int n);", inline[:inline.index("void share(double *x, int n) {")])
    for compiler in ("gcc", "clang-19"):
        session.program(("main.c", main), ("helper.c", HELPER.replace("relax", "unused")))
        compiled_with(session, "mpicc", "-O2")
        session.run("generate", "--no-compile", "-o", "app.skel", "--scout", RUN,
                    environment=dict(ENVIRONMENT, OMPI_CC=compiler))
        expect(session.told("generate failed"), session.code == 0)
        count = count_at(session, "relax", main, "/* hot */")
        expect(f"{compiler} counts {count}", count == 6000)


CLANG_ONLY = "#ifndef __clang__\n#error clang only\n#endif\n" + HELPER


def case_what_only_clang_understands_is_counted_by_clang(session):
    program(session, CLANG_ONLY)
    session.run("generate", "--no-compile", "-o", "app.skel", "--scout", RUN,
                environment=dict(ENVIRONMENT, OMPI_CC="clang-19"))
    expect(session.told("generate failed"), session.code == 0)
    expect("counts", count_at(session, "relax", CLANG_ONLY, "/* hot */") == 2 * 3 * 1000)


def case_what_gcc_does_not_understand_in_clangs_place_is_an_error(session):
    clang = clang_that_cannot_count(session)
    program(session, CLANG_ONLY)
    session.refused("generate", "-o", "app.skel", "--scout", RUN, code=1,
                    environment=dict(ENVIRONMENT, OMPI_CC=clang),
                    says=["clang only", "counts with gcc", "stands in for", "helper.c"])


STEERED = r"""
#include <mpi.h>

static double x[5000];

int main(int argc, char **argv) {
    int n = 0;
    MPI_Init(&argc, &argv);
    for (int k = 0; k < 100; k++)
        for (int i = 0; i < 5000; i++)
            x[i] = x[i] * 0.5 + i;
    n = x[4000] > 1;
    MPI_Bcast(x, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
"""


def case_values_without_a_model_stop_a_run_by_name(session):
    session.program(("app.c", STEERED))
    session.fine("generate", "-o", "app.skel", "--assume=cuts", "--scout", RUN)
    expect("the hot loop is still there", "0.5" not in session.read("app.skel/src/app.c"))
    session.fine("verify", "app.skel", "-np", "2", "--replay")
    session.prints("identical")
    session.refused("verify", "app.skel", "-np", "2", says=["app.c:", "model.bsim", "mpiskel fit"])


ITERATES = r"""
#include <mpi.h>

static double x[4000];

static double largest(void) {
    double value = 0;
    for (int i = 0; i < 4000; i++)
        value = x[i] > value ? x[i] : value;
    return value;
}

int main(int argc, char **argv) {
    int sweeps = 0, count;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 4000; i++)
        x[i] = i;
    while (largest() > 1) {
        for (int i = 0; i < 4000; i++)
            x[i] *= 0.7;
        MPI_Allreduce(MPI_IN_PLACE, &sweeps, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    count = x[3999] * 100;
    MPI_Bcast(x, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
"""


def case_values_are_learned_from_profiling_runs(session):
    """The loop ends after as many iterations as in the profile, and the message is as long."""
    session.program(("app.c", ITERATES))
    session.fine("generate", "-o", "app.skel", "--assume=cuts", "--scout", RUN)
    skeleton = session.read("app.skel/src/app.c")
    expect("the hot loop is still there", "x[i] *= 0.7" not in skeleton)
    expect("nothing is cut", "BSIM_TRIPS" in skeleton and "BSIM_VALUE_I" in skeleton)
    session.profile("app.skel")
    session.fine("fit", "app.skel")
    session.prints("value")
    session.fine("verify", "app.skel", "-np", "4")
    session.prints("identical")
    session.fine("run", "app.skel", "-np", "4", "--format=json")
    report = json.loads(session.out)
    expect("no time was predicted", report["predicted_s"] > 0)
    places = {site["name"]: site["line"] for site in report["sites"]}
    wanted = {name: line_of(ITERATES, name + "(") for name in ("MPI_Allreduce", "MPI_Bcast")}
    expect(f"calls are told at {places} instead of {wanted}", wanted.items() <= places.items())


def case_without_counts_an_estimate_is_told_as_one(session):
    session.program(("app.c", STEERED))
    session.fine("generate", "-o", "app.skel", "--assume=cuts")
    expect(session.err, "nothing was counted" in session.err)
    expect("the hot loop is still there", "0.5" not in session.read("app.skel/src/app.c"))
    cuts = json.loads(session.read("app.skel/regions.json"))["cuts"]
    expect(f"regions.json tells {cuts}", cuts["estimated"] and len(cuts["values"]) == 1)
    session.fine("explain", "app.skel")
    session.prints("this is an estimate")
    session.prints("n = x[4000] > 1  (estimated: 1 times)")
    session.fine("verify", "app.skel", "-np", "2", "--replay")
    session.prints("identical")


MEETING = STEERED.replace("int main(", r"""static double meet(double y) {
    MPI_Barrier(MPI_COMM_WORLD);
    return y * 0.5;
}

int main(""").replace("    n = x[", """    double sum = 0;
    for (int i = 0; i < 300; i++)
        sum += meet(i); /* of which the call stays */
    n = sum < 0 || x[""")


def case_what_stays_is_one_number_wherever_it_is_told(session):
    """Statements of which only a call stays count in it, which the choice of values leaves out."""
    session.program(("app.c", MEETING))
    session.fine("generate", "--no-compile", "-o", "app.skel", "--assume=cuts", "--scout", RUN)
    told = re.search(r"(\S+ of \S+ executed statements) of the scout run \((\S+ %)\) kept", session.out)
    expect(session.out, told is not None and float(told.group(1).split()[0]) > 4 * 300)
    session.fine("explain", "app.skel")
    session.prints(f"which is given now, {told.group(1)}\nare left ({told.group(2)}).")
    session.prints(f"stay in the skeleton, {told.group(2)} of the executed statements of the scout run")


def case_what_values_would_leave_is_told_as_an_estimate(session):
    session.program(("app.c", MEETING))
    summary = generate(session, "--assume=none", "--scout", RUN)
    session.fine("explain", "app.skel")
    session.prints(f" of {summary['executions']:.3g} executed statements\nwould be left (")
    session.prints(" %, as estimated before the skeleton is planned)")


def case_max_kept_that_was_expected_to_be_reached_is_told(session):
    session.program(("app.c", MEETING))
    summary = generate(session, "--assume=cuts", "--scout", RUN)
    percent = 100 * summary["executions_kept"] / summary["executions"]
    generate(session, "--assume=cuts", f"--max-kept={0.9 * percent}")
    expect(session.err, "more than --max-kept asks for: less was expected" in session.err)


def case_counts_win_over_an_estimate(session):
    """The loop that looks hot is never executed."""
    session.program(("app.c", STEERED.replace("k < 100", "k < argc - 2")))
    session.fine("generate", "--no-compile", "-o", "app.skel", "--assume=cuts", "--scout", RUN)
    cuts = json.loads(session.read("app.skel/regions.json"))["cuts"]
    expect(f"regions.json tells {cuts}", not cuts["estimated"] and cuts["values"] == [])
    expect("the loop is gone", "0.5" in session.read("app.skel/src/app.c"))
    session.fine("explain", "app.skel")
    expect("an estimate is told", "this is an estimate" not in session.out)


def case_max_kept_that_cannot_be_reached_is_told(session):
    session.program(("app.c", STEERED.replace("double x[5000]", "double x[5000]; static int n")
                     .replace("int n = 0;", "").replace("i < 5000; i++)", "i < 5000; i++)\n n++,")))
    session.fine("generate", "--no-compile", "-o", "app.skel", "--assume=cuts", "--scout", RUN,
                 "--max-kept=0.0001")
    expect(session.err, "more than --max-kept asks for" in session.err)


def case_max_kept_is_a_percentage_and_wants_cuts(session):
    session.program(("app.c", STEERED))
    for value in ("101", "-1", "nan", "5x", ""):
        session.refused("generate", "--assume=cuts", f"--max-kept={value}", code=64,
                        says="--max-kept wants a number from 0 to 100")
    session.refused("generate", "--max-kept=5", code=64, says="--assume cuts")


def case_damaged_counts_are_an_error(session):
    program(session)
    generate(session, "--scout", RUN)
    session.write("app.skel/counts.json", '{"functions": [')
    session.refused("generate", "--no-compile", "-o", "app.skel", code=1, says="counts.json")

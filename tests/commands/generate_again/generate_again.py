# SPDX-License-Identifier: Apache-2.0
"""Generating again after an edit: only what changed is made anew, the bundle is that of a fresh run,
byte for byte, and regions whose text did not change keep their ids.

The program has three units and two headers."""
import json
import os
import random
import re
import shutil
import subprocess
import tempfile
import time

from support import ENVIRONMENT, Failure, expect_that as expect

MAIN = r"""#include "work.h"
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 500;
    double sum = 0;
    MPI_Init(&argc, &argv);
    double *x = malloc(n * sizeof *x);
    first(x, n);
    sum = second(x, n);
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    free(x);
    MPI_Finalize();
    return 0;
}
"""
FIRST = r"""#include "work.h"
#include <mpi.h>

void first(double *x, int n) {
    for (int i = 0; i < n; i++)
        x[i] = i * SCALE;
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < n; i++)
        x[i] += 1;
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < n; i++)
        x[i] += 1;
}
"""
SECOND = r"""#include "work.h"
#include <limits.h>
#include <mpi.h>
#include <math.h>

static double helper(double x) {
    double y = 0;
    for (int i = 0; i < 10; i++)
        y += sqrt(x + i);
    return y;
}

double second(const double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += helper(x[i]);
    MPI_Barrier(MPI_COMM_WORLD);
    return sum;
}
"""
WORK = "#define SCALE 0.5\nvoid first(double *x, int n);\ndouble second(const double *x, int n);\n"
UNITS = ["main.c", "src/first.c", "src/second.c"]


def program(session, *options):
    """Sources in the session's directory, and a compile database with -I a -I b."""
    for name, text in (("main.c", MAIN), ("src/first.c", FIRST), ("src/second.c", SECOND),
                       ("b/work.h", WORK)):
        session.write(name, text)
    os.makedirs(session.path("a"), exist_ok=True)
    session.write("compile_commands.json", json.dumps(
        [{"directory": session.directory, "file": name, "output": name[:-2] + ".o",
          "arguments": ["mpicc", "-g", "-O1", "-Ia", "-Ib", *options, "-c", name]}
         for name in UNITS]))


def generate(session, *options, environment=None, name="app.skel"):
    time.sleep(0.05)  # what changes while generate runs is not kept for the next time
    session.run("generate", "-o", name, "--skeleton", "--original", "--format=json", *options, environment=environment)
    if session.code != 0:
        raise Failure(session.told("generate failed"))
    return json.loads(session.out)


def expect_made(report, units, objects):
    expect(f"parsed {report['units_parsed']} of {report['units']} units, wanted {units}",
           report["units_parsed"] == units and report["units"] == 3)
    expect(f"compiled {report['objects_compiled']} of {report['objects']} objects, wanted {objects}",
           report["objects_compiled"] == objects and report["objects"] == 9)


def expect_fresh(session, *options, environment=None):
    """What is there is what a fresh run makes."""
    incremental = session.contents("app.skel")
    expect_made(generate(session, "--fresh", *options, environment=environment), 3, 9)
    session.expect_contents("app.skel", incremental)


def regions(session):
    return json.loads(session.read("app.skel/regions.json"))["regions"]


def case_nothing_is_made_again_where_nothing_changed(session):
    program(session)
    expect_made(generate(session), 3, 9)
    before = session.contents("app.skel")
    again = generate(session)
    expect_made(again, 0, 0)
    expect("the analysis is made again", again["taken_over"])
    session.expect_contents("app.skel", before)
    expect_fresh(session)
    session.fine("generate", "-o", "app.skel")
    session.prints("parsed 0 of 3 units, compiled 0 of 3 objects")
    session.fine("verify", "app.skel", "-np", "2")


def case_an_object_stays_where_only_runs_of_mpi_are_told_something_else(session):
    """Open MPI's compilers read OMPI_CFLAGS, but none of what mpirun and its processes do."""
    program(session)
    mine = {name: value for name, value in os.environ.items() if not name.startswith("OMPI_")}
    expect_made(generate(session, environment=mine), 3, 9)
    expect_made(generate(session, environment=dict(
        mine, OMPI_MCA_pml="ob1", OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_COMM_WORLD_RANK="3")), 0, 0)
    expect_made(generate(session, environment=dict(mine, OMPI_CFLAGS="-DNOTHING=1")), 0, 9)


def expect_analysed(session, what, *options, environment=None):
    """Again, since something else has changed; and the next time nothing has."""
    expect(f"an old analysis is taken over after {what}", not generate(session, *options, environment=environment)["taken_over"])
    expect(f"nothing is taken over once after {what}", generate(session, *options, environment=environment)["taken_over"])


def case_an_analysis_is_taken_over_only_where_nothing_changed(session):
    """That of the same sources, hints and options, whose files are as they were written; it prints the same."""
    program(session)
    session.write("main.c", MAIN.replace("MPI_Init(", "unknown(&n); MPI_Init(").replace("\nint main", "void unknown(int *);\nint main"))
    session.write("unknown.c", "void unknown(int *n) { *n += 1; }\n")
    session.write("link_commands.json", json.dumps(
        [{"directory": session.directory, "output": "app", "arguments": ["mpicc", "main.o", "src/first.o", "src/second.o",
                                                                        "unknown.a", "-lm", "-o", "app"]}]))
    subprocess.run("cc -fPIC -c unknown.c && ar rc unknown.a unknown.o", shell=True, check=True, cwd=session.directory)
    expect("taken over from nowhere", not generate(session)["taken_over"])
    said = session.err
    expect(f"the analysis says nothing:\n{said}", "nothing is known about 'unknown'" in said)
    expect("the analysis is made again", generate(session)["taken_over"])
    expect(f"it says:\n{session.err}\nwhere it said:\n{said}", session.err == said)
    shown = subprocess.run(["script", "-qec", f"{session.mpiskel} generate -o app.skel --skeleton --original", "/dev/null"],
                           cwd=session.directory, env=ENVIRONMENT, capture_output=True, text=True, check=True).stdout
    expect(f"it stands behind the status line: {shown!r}", re.search(r"\x1b\[K[^\r]*nothing is known", shown)
           and "unitsmain" not in shown)
    session.write("app.hints", "extern unknown(rw) void\n")
    expect_analysed(session, "hints that are new")
    expect("what it says is of the hints before", "nothing is known" not in session.err)
    session.write("app.hints", "extern unknown(r) void\n")
    expect_analysed(session, "hints that are other ones")
    expect_analysed(session, "another assumption", "--assume", "no-abnormal-exit")
    expect_analysed(session, "another share that may stay", "--assume", "cuts", "--max-kept", "99")
    expect_analysed(session, "other messages", "--quiet", "--assume", "cuts")
    expect_analysed(session, "all messages", "--assume", "cuts")
    expect("a note is missing that was not to be printed before", "nothing was counted" in session.err)
    expect_analysed(session, "other words of the environment", environment=dict(os.environ, OMPI_CFLAGS="-DNOTHING=1"))
    expect_analysed(session, "these words are gone")
    for name in ("src/main.c", "regions.json", "commands/original"):
        with open(session.path("app.skel/" + name), "a") as file:
            file.write(" ")
        expect_analysed(session, f"an edit of {name} in the bundle")
    os.remove(session.path("app.skel/reasons.json"))
    expect_analysed(session, "a file of the bundle is gone")
    time.sleep(0.05)
    session.write("b/work.h", WORK.replace("0.5", "0.25"))
    expect_analysed(session, "an edited header")


def built(session, name):
    """As it is built when something needs it."""
    path = session.path("app.skel/" + name)
    expect(f"the {name} is built too early", not os.path.exists(path))
    if name == "original":
        session.fine("run", "app.skel", "-np", "2", "--original", "--format=json", "--", "50")
    else:
        session.fine("verify", "app.skel", "-np", "2", "--", "50")
    with open(path, "rb") as file:
        return file.read()


def leftovers(session):
    return [name for name in os.listdir(session.path("app.skel"))
            if name.startswith(("original.", "skeleton.", "profile."))]


def cached(session):
    """Units and objects; the analysis is of one set of options."""
    return {name: text for name, text in session.contents("app.skel/cache").items() if name != "analysis"}


def case_programs_are_built_when_something_needs_them(session):
    """They are those that were generated, whatever became of the sources; their objects are kept for the
    next bundle, and three that want one at once build one."""
    program(session)
    report = generate(session)
    files = cached(session)
    before = {name: program_of(session, name) for name in ("skeleton", "original")}
    expect(f"{report}", report["objects"] == 9)
    session.fine("generate", "-o", "app.skel")
    session.write("src/first.c", "this is no C")
    for name in ("original", "skeleton"):
        expect(f"another {name}", built(session, name) == before[name] and leftovers(session) == [])
    expect("objects were compiled again", cached(session) == files)
    session.write("src/first.c", FIRST)
    session.fine("generate", "--fresh", "-o", "app.skel")
    runs = [session.start(session.mpiskel, "verify", "app.skel", "-np", "2", "--", "50") for _ in range(3)]
    expect("one of several failed", all(ended(session, run) == 0 for run in runs))
    for name in ("original", "skeleton"):
        expect(f"another {name}", program_of(session, name) == before[name] and leftovers(session) == [])
    expect("its objects are not kept", cached(session) == files)


def case_a_skeleton_that_cannot_be_compiled_is_told_when_it_is_needed(session):
    """By the compiler's own message, with what to do; nothing is left, and a mended one is built."""
    program(session)
    session.fine("generate", "-o", "app.skel")
    profile(session)
    good = session.read("app.skel/src/src/first.c")
    session.write("app.skel/src/src/first.c", good + "int wrong(void) { return UNKNOWN; }\n")
    session.refused("verify", "app.skel", "-np", "2", "--", "50",
                    says=["UNKNOWN", "the command was: ", "error: the skeleton of", "cannot be built"])
    expect(f"{leftovers(session)}", leftovers(session) == [])
    session.run("fit", "app.skel")
    session.expect(0, "UNKNOWN")
    session.prints("calls are not checked: the skeleton of")
    session.write("app.skel/src/src/first.c", good)
    session.fine("fit", "app.skel")
    session.fine("run", "app.skel", "-np", "2", "--", "500")


def case_a_bundle_is_built_by_the_runtime_that_it_is_of(session):
    """Without the tree of the application's build; by another runtime not at all, and that is told."""
    program(session)
    session.fine("generate", "-o", "app.skel")
    commands = session.path("app.skel/commands/skeleton")
    with open(commands, "rb") as file:
        good = file.read()
    runtime = re.search(rb"\0([^\0]*/libbsim_skeleton.a)\0([0-9a-f]{16})\0", good)
    for words, says in ((good.replace(runtime.group(2), b"0123456789abcdef"), "is another one now: run mpiskel generate"),
                        (good.replace(runtime.group(1), b"/nowhere.a", 1), "/nowhere.a is not there: run mpiskel generate")):
        with open(commands, "wb") as file:
            file.write(words)
        session.refused("verify", "app.skel", "-np", "2", "--", "50",
                        says=["the bundle was generated by another mpiskel", says])
    with open(commands, "wb") as file:
        file.write(good.replace(b"\0" + session.directory.encode() + b"\0", b"\0/no/tree\0"))
    session.fine("verify", "app.skel", "-np", "2", "--", "50")


def ended(session, run):
    session.finish(run)
    return session.code


def program_of(session, name):
    with open(session.path("app.skel/" + name), "rb") as file:
        return file.read()


def case_commands_that_are_damaged_are_told(session):
    program(session)
    session.fine("generate", "-o", "app.skel")
    good = session.contents("app.skel/commands")["original"]
    chance = random.Random(7)
    for _ in range(20):
        at = chance.randrange(len(good))
        bad = chance.choice([good[:at], good[:at] + b"\0" + good[at:], b""])
        with open(session.path("app.skel/commands/original"), "wb") as file:
            file.write(bad)
        session.run("run", "app.skel", "-np", "2", "--original", "--", "50")
        if session.code == 0:
            os.remove(session.path("app.skel/original"))
        else:
            expect(session.told("no word of what to do"), session.code == 1 and "error: " in session.err)
        expect("something is left", leftovers(session) == [])
    with open(session.path("app.skel/commands/original"), "wb") as file:
        file.write(good[:len(good) // 2])
    session.refused("run", "app.skel", "-np", "2", "--original", "--", "50",
                    says=["error: ", "cannot be built"])
    with open(session.path("app.skel/commands/original"), "wb") as file:
        file.write(b"")
    session.refused("run", "app.skel", "-np", "2", "--original", "--", "50",
                    says="commands/original is damaged: run mpiskel generate again")


def case_models_stay_where_nothing_changed(session):
    program(session)
    generate(session)
    profile(session)
    session.fine("fit", "app.skel")
    kept = ("model.bsim", "verdict.json", "varied.json")
    before = {name: session.read("app.skel/" + name) for name in kept}
    generate(session)
    expect("models are gone", all(session.read("app.skel/" + name) == before[name] for name in kept))
    session.fine("run", "app.skel", "-np", "2", "--", "500")
    session.write("src/second.c", SECOND.replace("i < 10", "i < 11"))
    generate(session)
    there = [name for name in kept if os.path.exists(session.path("app.skel/" + name))]
    expect(f"of another skeleton: {there}", not there)


def case_only_an_edited_unit_is_made_again(session):
    program(session)
    generate(session)
    ids = {r["id"] for r in regions(session) if r["function"] != "second"}
    session.write("src/second.c", SECOND.replace("sum += helper(x[i]);", "sum += 2 * helper(x[i]);"))
    expect_made(generate(session), 1, 2)  # the skeleton's unit has the same stub
    after = regions(session)
    expect(f"{ids} are not in {after}", ids and ids <= {r["id"] for r in after})
    expect_fresh(session)
    session.fine("verify", "app.skel", "-np", "2")


def case_a_changed_number_of_regions_changes_no_other_unit(session):
    """The bundle's id changes, and so do the numbers of regions behind the new one, but not objects
    of the original."""
    program(session)
    generate(session)
    identity = json.loads(session.read("app.skel/regions.json"))["bundle"]
    session.write("src/second.c", SECOND.replace(
        "    return sum;\n}\n", "    for (int i = 0; i < n; i++)\n        sum += x[i];\n"
        "    return sum;\n}\n"))
    expect_made(generate(session), 1, 3)
    expect("the bundle's id is the same",
           json.loads(session.read("app.skel/regions.json"))["bundle"] != identity)
    expect_fresh(session)


def case_trees_are_taken_where_units_come_in_another_order(session):
    """Files have other numbers then."""
    program(session)
    generate(session)
    session.write("compile_commands.json", json.dumps(json.loads(session.read("compile_commands.json"))[::-1]))
    expect("trees are made again", generate(session)["units_parsed"] == 0)
    taken = session.contents("app.skel")
    generate(session, "--fresh")
    fresh = session.contents("app.skel")
    differing = [name for name in fresh if fresh[name] != taken.get(name) and not name.startswith("cache/")]
    expect(f"another bundle than a fresh one: {differing}", not differing)


def case_an_edited_header_changes_all_units(session):
    program(session)
    generate(session)
    session.write("b/work.h", WORK.replace("0.5", "0.25"))
    expect_made(generate(session), 3, 9)
    expect_fresh(session)


def case_a_header_that_appears_in_front_is_noticed(session):
    program(session)
    generate(session)
    session.write("a/work.h", WORK.replace("0.5", "0.125"))
    expect_made(generate(session), 3, 9)
    expect_fresh(session)
    session.write("src/work.h", WORK.replace("0.5", "2.5"))
    expect_made(generate(session), 2, 6)
    expect_fresh(session)


def case_a_header_that_is_asked_for_is_noticed(session):
    program(session)
    asks = WORK + '#if __has_include("more.h")\n#undef SCALE\n#define SCALE 3\n#endif\n'
    session.write("b/work.h", asks)
    expect_made(generate(session), 3, 9)
    expect_made(generate(session), 0, 0)
    session.write("a/more.h", "")
    expect_made(generate(session), 3, 9)
    expect_fresh(session)


def case_included_names_that_are_macros_are_not_kept(session):
    program(session)
    session.write("src/first.c", FIRST.replace('#include "work.h"',
                                               '#define WORK "work.h"\n#include WORK'))
    generate(session)
    expect_made(generate(session), 1, 3)


def case_the_time_of_compilation_is_that_of_the_source(session):
    """All programs have the same, and nothing is compiled again for it; the time of the file itself is not kept."""
    program(session)
    session.write("src/first.c", FIRST + "const char *built = __DATE__ \" \" __TIME__;\n")
    os.utime(session.path("src/first.c"), (86400 * 365, 86400 * 365))
    generate(session)
    expect_made(generate(session), 0, 0)
    for name in ("profile", "original"):
        expect(f"{name} has another time", b"Jan  1 1971 00:00:00" in program_of(session, name))
    os.utime(session.path("src/first.c"), (0, 0))
    generate(session, "--fresh")
    expect("a file of the first second has none", b"Jan  1 1970 00:00:00" in program_of(session, "profile"))
    session.write("src/first.c", FIRST + "const char *built = __TIMESTAMP__;\n")
    generate(session)
    expect("an object with the time in it is kept", generate(session)["objects_compiled"] == 2)


def case_the_time_of_compilation_is_that_of_a_header_elsewhere(session):
    with tempfile.TemporaryDirectory() as elsewhere:
        header = os.path.join(elsewhere, "stamp.h")
        with open(header, "w") as file:
            file.write("#define BUILT __DATE__ \" \" __TIME__\n")
        os.utime(header, (86400 * 365, 86400 * 365))
        program(session, "-I" + elsewhere)
        session.write("src/first.c", "#include <stamp.h>\n" + FIRST + "const char *built = BUILT;\n")
        generate(session)
        for name in ("profile", "original"):
            expect(f"{name} has another time", b"Jan  1 1971 00:00:00" in program_of(session, name))


def case_options_and_environment_are_noticed(session):
    program(session)
    generate(session)
    program(session, "-D", "MORE=1")
    expect_made(generate(session), 3, 9)
    expect_made(generate(session), 0, 0)
    program(session, "-DMORE=1", "-O2")
    expect("the optimizer's options are not noticed", generate(session)["objects_compiled"] == 9)
    environment = dict(os.environ, LC_ALL="C.UTF-8", CPATH=session.path("a"))
    expect_made(generate(session, environment=environment), 3, 9)
    # the parser does not tell which directories it got from there: it is asked again
    expect_made(generate(session, environment=environment), 3, 0)
    expect_fresh(session, environment=environment)


def case_headers_of_cxx_that_the_environment_finds_are_noticed(session):
    session.write("app.cpp", "#include <mpi.h>\n#include <size.h>\nint main(int argc, char **argv) {\n    double x[N] = {0};\n"
                  "    MPI_Init(&argc, &argv);\n    MPI_Bcast(x, N, MPI_DOUBLE, 0, MPI_COMM_WORLD);\n    MPI_Finalize();\n}\n")
    session.write("compile_commands.json", json.dumps([{"directory": session.directory, "file": "app.cpp", "output": "app.o",
                                                        "arguments": ["mpicxx", "-c", "app.cpp"]}]))
    for folder, size in (("one", 3), ("two", 7)):
        session.write(f"{folder}/size.h", f"#define N {size}\n")
    for folder in ("one", "two"):
        report = generate(session, environment=dict(os.environ, CPLUS_INCLUDE_PATH=session.path(folder)))
        expect(f"{report}", report["units_parsed"] == 1 and report["objects_compiled"] == report["objects"])


def case_a_damaged_cache_is_told_and_made_again(session):
    program(session)
    generate(session)
    good, chance = session.contents("app.skel"), random.Random(3)
    names = sorted(name for name in good if name.startswith("cache/") and name != "cache/analysis")
    expect(f"{names}", len(names) == 12)
    damages = [lambda b: b"", lambda b: b[:len(b) // 2], lambda b: b[:-1], lambda b: b + b"x",
               lambda b: b"\x00\xff" * 400, lambda b: b.replace(b"cache 1", b"cache 2", 1),
               lambda b: b[:60] + bytes([b[60] ^ 1]) + b[61:], lambda b: good[names[0]]]
    for damage in damages:
        name = chance.choice(names[1:])
        with open(session.path("app.skel/" + name), "wb") as file:
            file.write(damage(good[name]))
        report = generate(session)
        made = report["objects_compiled"] + report["units_parsed"]
        expect(session.told(f"{name} is taken"), made == 1 and "is damaged" in session.err)
        session.expect_contents("app.skel", good)


def case_entries_with_a_right_checksum_do_not_crash(session):
    """The contents of entries are mutilated and the checksum is made to fit."""
    program(session)
    generate(session)
    good, chance = session.contents("app.skel"), random.Random(5)
    names = sorted(name for name in good if name.startswith("cache/"))
    for _ in range(4):
        for name in names:
            if not name.endswith(".o"):
                continue  # a tree is taken as it is: who writes it could as well write the source
            head, body = good[name].split(b"\n", 1)
            at = chance.randrange(min(len(body), 3000))
            body = chance.choice([body[:at], body[:at] + b"\xff" * 9 + body[at:],
                                  body[:at] + b"99999999999999999999" + body[at + 1:],
                                  body[:at] + body[at + 5:], body[:at] + b"\n" + body[at:]])
            with open(session.path("app.skel/" + name), "wb") as file:
                file.write(head.rsplit(b" ", 2)[0] + b" %d %016x\n" % (len(body), fnv(body)) + body)
        generate(session)
        session.expect_contents("app.skel", good)
    session.expect_contents("app.skel", good)


def fnv(data):
    value = 14695981039346656037
    for byte in data:
        value = ((value ^ byte) * 1099511628211) & 0xffffffffffffffff
    return value


def case_fresh_takes_nothing_over(session):
    program(session)
    generate(session)
    expect_made(generate(session, "--fresh"), 3, 9)
    expect_made(generate(session), 0, 0)


def case_a_failed_run_leaves_bundle_and_cache(session):
    program(session)
    generate(session)
    before = session.contents("app.skel")
    session.write("src/first.c", FIRST.replace("i * SCALE", "i * UNKNOWN"))
    session.refused("generate", "-o", "app.skel", says="src/first.c:6:20: error: ")
    session.expect_contents("app.skel", before)
    session.write("src/first.c", FIRST)
    expect_made(generate(session), 0, 0)


def case_regions_keep_their_ids_when_lines_move(session):
    program(session)
    generate(session)
    before = regions(session)
    session.write("src/first.c", "/* a comment */\n\n" + FIRST.replace(
        "    MPI_Barrier", "    /* more */\n\n    MPI_Barrier", 1).replace("x[i] += 1", "x[i]  +=  1"))
    generate(session)
    after = regions(session)
    expect("no line moved", [r["line"] for r in before] != [r["line"] for r in after])
    expect(f"{before}\n{after}", [r["id"] for r in before] == [r["id"] for r in after])


def case_the_same_text_twice_has_ids_of_its_own(session):
    program(session)
    generate(session)
    first = [r["id"] for r in regions(session) if r["function"] == "first"]
    expect(f"{first}", len(first) == 3 and len(set(first)) == 3 and first[2] == first[1] + ".2")
    session.write("src/first.c", FIRST.replace("x[i] = i * SCALE;", "x[i] = i * SCALE + 1;"))
    generate(session)
    after = [r["id"] for r in regions(session) if r["function"] == "first"]
    expect(f"{first} {after}", after[1:] == first[1:] and after[0] != first[0])


def profile(session):
    """Two runs, of different sizes; their files in the order in which they were made."""
    names = []
    for size in ("400", "600"):
        session.profile("app.skel", size)
        names += sorted(set(os.listdir(session.path("app.skel/samples"))) - set(names))
    expect(f"{names}", len(names) == 2 and all(name.endswith(".samples") for name in names))
    return names


def samples(session, name):
    """Of one file: sorted lines of samples, with ids instead of numbers of regions."""
    ids = [r["id"] for r in regions(session)]
    lines = [json.loads(line) for line in session.read("app.skel/samples/" + name).splitlines()]
    identity = json.loads(session.read("app.skel/regions.json"))["bundle"]
    expect(f"{lines[0]}", lines[0]["bundle"] == identity)
    expect(f"{lines[-1]}", lines[-1] == {"end": True, "lines": len(lines) - 2})
    lines = [line for line in lines if "calls" not in line]
    return sorted(json.dumps(dict(line, region=ids[line["region"]],
                                  contexts=without_region_before(line["contexts"])), sort_keys=True)
                  for line in lines[1:-1])


def without_region_before(contexts):
    """It has another number afterwards, or is not known any more."""
    return [number for i, number in enumerate(contexts) if i % 5 != 2]


def case_samples_of_unchanged_regions_stay_usable(session):
    """Regions in front of others move their numbers; those of the edited function have to be measured
    again. When the edit is taken back, all samples are there again."""
    program(session)
    generate(session)
    names = profile(session)
    before = {name: samples(session, name) for name in names}
    files = session.contents("app.skel/samples")
    session.write("src/first.c", FIRST.replace("x[i] = i * SCALE;", "x[i] = i * SCALE + 1;"))
    session.run("generate", "-o", "app.skel")
    session.expect(0, ["their samples from 2 profiling runs are taken over", "run the profiling build"])
    changed = [r["id"] for r in regions(session) if r["function"] == "first"][0]
    for name in names:
        after = samples(session, name)
        expect(f"{before[name]}\n{after}", after and set(after) < set(before[name]))
        expect("samples of the changed region", not any(changed in line for line in after))
        lost = set(before[name]) - set(after)
        expect(f"{lost}", all('"first-' in line for line in lost) and len(lost) <= 2)
    session.fine("fit", "app.skel")
    session.prints("no samples")
    session.write("src/first.c", FIRST)
    session.fine("generate", "-o", "app.skel")
    after = session.contents("app.skel/samples")
    expect("the samples did not come back", {name: after[name] for name in files} == files)
    session.fine("fit", "app.skel")


def case_sources_that_changed_since_are_told(session):
    program(session)
    generate(session)
    profile(session)
    commands = [("fit", "app.skel"), ("run", "app.skel", "-np", "2", "--", "5"),
                ("verify", "app.skel", "-np", "2", "--", "5")]
    for command in commands:
        session.fine(*command)
        expect(session.err, "changed since" not in session.err)
    session.write("src/first.c", FIRST + "/* another one */\n")
    for command in commands:
        session.fine(*command)
        session.expect(0, "warning: src/first.c changed since app.skel was generated")
    session.write("b/work.h", WORK + "\n")
    session.fine(*commands[1])
    session.expect(0, "and 1 other source changed since app.skel was generated")
    session.write("src/first.c", FIRST)
    os.remove(session.path("b/work.h"))
    session.fine(*commands[1])
    expect(session.err, "changed since" not in session.err)


def case_samples_of_a_bundle_of_another_version_are_taken_over(session):
    program(session)
    generate(session)
    profile(session)
    described = json.loads(session.read("app.skel/regions.json"))
    session.write("app.skel/regions.json", json.dumps(dict(described, version=1)))
    session.refused("fit", "app.skel", says="bundle of an older mpiskel (format 1, ")
    session.write("src/first.c", FIRST.replace("x[i] = i * SCALE;", "x[i] = i * SCALE + 1;"))
    session.run("generate", "-o", "app.skel")
    session.expect(0, "their samples from 2 profiling runs are taken over")
    session.fine("fit", "app.skel")


def case_samples_of_code_that_is_called_or_defined_elsewhere_go(session):
    edits = [("src/second.c", SECOND.replace("y += sqrt(x + i);", "y += 2 * sqrt(x + i);"), "second-"),
             ("b/work.h", WORK.replace("0.5", "0.25"), ""),
             ("src/second.c", SECOND.replace("static double", "typedef int other;\nstatic double"),
              "second-")]
    for name, text, lost in edits:
        program(session)
        session.fine("generate", "-o", "app.skel")
        (run, _) = profile(session)
        before, ids = samples(session, run), [r["id"] for r in regions(session)]
        session.write(name, text)
        session.fine("generate", "-o", "app.skel", "--no-compile")
        path = session.path("app.skel/samples/" + run)
        after = samples(session, run) if os.path.exists(path) else []
        expect(f"{name}: ids changed", [r["id"] for r in regions(session)] == ids)
        expect(f"{name}: {after}", after == [line for line in before if f'"{lost}' not in line])
        session.run("fit", "app.skel")
        shutil.rmtree(session.path("app.skel"))

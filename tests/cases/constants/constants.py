# SPDX-License-Identifier: Apache-2.0
"""One source, built several times with another size in a macro: what a build learns from runs of the
others, and which it refuses."""
import csv
import json
import os

from support import Failure, expect

HERE = os.path.dirname(os.path.abspath(__file__))

SWEEPS = 10
SECOND_PER_VALUE = 1e-8


def build(session, size, *options):
    """The bundle SIZE.skel; its region is the sweep."""
    with open(os.path.join(HERE, "sized.c"), encoding="utf-8") as file:
        session.write("sized.c", file.read())
    session.write("compile_commands.json", json.dumps(
        [{"directory": session.directory, "file": "sized.c", "output": "sized.o",
          "arguments": ["mpicc", f"-DSIZE={size}", *options, "-c", "sized.c"]}]))
    session.fine("generate", "-o", f"{size}.skel")
    regions = json.loads(session.read(f"{size}.skel/regions.json"))["regions"]
    expect([region["summary"] for region in regions] == ["sweep"], f"other regions than expected: {regions}")


def profile(session, size):
    return session.write_run(f"{size}.skel", size, 2, [],
                             lambda _: ([size], SWEEPS, SWEEPS * size * SECOND_PER_VALUE))


def make(session, *options, sizes=(1000, 2000, 4000)):
    """Smaller builds with runs, and one of 8000 without."""
    for size in sizes:
        build(session, size, *options)
        profile(session, size)
    build(session, 8000, *options)
    return [word for size in sizes for word in ("--with", f"{size}.skel")]


def runs_of(session, bundle):
    session.fine("machines", "list", bundle, "--format=json")
    return json.loads(session.out)["machines"][0]["run_count"]


def case_runs_of_smaller_builds_predict_a_larger_one(session):
    smaller = make(session)
    session.fine("fit", "8000.skel", *smaller)
    if "1000.skel: 1 profiling run taken; 1 of its 1 regions are the same" not in session.err:
        raise Failure(session.told("what was taken is not told"))
    session.prints("n1 1000..4000")
    session.fine("run", "8000.skel", "-np", "4", "--no-jitter", "--format=json")
    found = json.loads(session.out)["per_rank"]["compute_s"]["mean"]
    wanted = SWEEPS * 8000 * SECOND_PER_VALUE
    expect(abs(found - wanted) < 1e-6 * wanted, f"wanted {wanted}, found {found}")


def case_a_run_counts_once_however_often_it_is_taken(session):
    smaller = make(session)
    session.fine("fit", "8000.skel", *smaller, *smaller)
    session.fine("fit", "8000.skel", *smaller)
    session.fine("fit", "8000.skel")
    expect(runs_of(session, "8000.skel") == 3, session.told("there should be three runs"))


def case_a_bundle_may_be_told_to_use_its_own_runs(session):
    make(session, sizes=(1000,))
    before = session.contents("1000.skel/samples")
    session.fine("fit", "1000.skel", "--with", "1000.skel")
    session.expect_contents("1000.skel/samples", before)


def case_the_other_bundle_is_left_as_it_is(session):
    smaller = make(session)
    before = session.contents("1000.skel")
    session.fine("fit", "8000.skel", *smaller)
    session.expect_contents("1000.skel", before)


def refuse(session, smaller):
    session.refused("fit", "8000.skel", *smaller,
                    says=["no region of 1000.skel is the same in 8000.skel but for constants"])
    expect(not os.path.exists(session.path("8000.skel/model.bsim")), "there is a model")


def case_code_that_a_directive_chooses_is_other_code(session):
    refuse(session, make(session, "-DORDER"))


def case_a_branch_that_a_constant_decides_is_other_code(session):
    refuse(session, make(session, "-DPICKS"))


def case_what_cannot_be_decided_is_other_code(session):
    refuse(session, make(session, "-DSCALES"))


def case_other_options_make_other_code(session):
    build(session, 1000, "-O1")
    profile(session, 1000)
    build(session, 8000, "-O3")
    refuse(session, ["--with", "1000.skel"])


def case_a_bundle_without_runs_says_what_to_do(session):
    build(session, 1000)
    build(session, 8000)
    session.refused("fit", "8000.skel", "--with", "1000.skel",
                    says=["1000.skel has no samples to take; run `mpirun"])


def case_a_bundle_of_another_version_is_to_be_generated_again(session):
    smaller = make(session, sizes=(1000,))
    described = json.loads(session.read("1000.skel/regions.json"))
    described["version"] -= 1
    session.write("1000.skel/regions.json", json.dumps(described))
    session.refused("fit", "8000.skel", *smaller,
                    says=["1000.skel/regions.json:1:1: error: bundle of an older mpiskel (format ",
                          "): generate again"])


def case_damaged_samples_are_told_with_their_place(session):
    smaller = make(session, sizes=(1000,))
    name = profile(session, 1000)
    session.write(name, session.read(name)[:-20])
    session.refused("fit", "8000.skel", *smaller, says=[f"{name}:4", ": error: "])


def case_what_is_no_bundle_is_refused(session):
    build(session, 8000)
    session.refused("fit", "8000.skel", "--with", "sized.c", says=["sized.c"])


TWICE = r"""
#include <mpi.h>
#include <stdlib.h>

static double one[5000], two[5000];

static void work(double *x, int times, double top) {
    for (int k = 0; k < times; k++)
        for (int i = 0; i < 5000; i++)
            x[i] = i < 4000 ? x[i] * 0.5 + i + k : top;
}

int main(int argc, char **argv) {
    int n = 0, times = atoi(argv[1]);
    MPI_Init(&argc, &argv);
    work(one, times, 20);
    {
        const double *x = one;
        n = (int)x[4000]; /* first */
        MPI_Bcast(one, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    work(two, times, 2000);
    {
        const double *x = two;
        n = (int)x[4000];
        MPI_Bcast(two, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
"""
FIRST = 1 + TWICE[:TWICE.index("/* first */")].count("\n")
SECOND = FIRST + 6


def make_twice(session):
    """old.skel, with a run, is given the second of two values that are spelled alike, new.skel both."""
    session.program(("app.c", TWICE))
    session.write("hints", f"keep app.c:{FIRST}\n")
    scout = ("--assume=cuts", "--scout", "mpirun --oversubscribe -np 2 {} 100")
    session.fine("generate", "-o", "old.skel", *scout, "--hints", "hints")
    session.fine("generate", "-o", "new.skel", *scout)
    session.profile("old.skel", "100")
    for bundle, lines in (("old.skel", [SECOND]), ("new.skel", [FIRST, SECOND])):
        regions = json.loads(session.read(f"{bundle}/regions.json"))["regions"]
        found = [region["line"] for region in regions if region["kind"] == "value"]
        expect(found == lines, f"values of {bundle}: {found}")


def case_values_that_are_spelled_alike_are_told_apart(session):
    make_twice(session)
    session.fine("fit", "new.skel", "--with", "old.skel", "--format=csv")
    rows = {row[3]: row for row in csv.reader(session.out.splitlines())}
    if rows[str(FIRST)][4] != "0" or rows[str(SECOND)][7] != "2000, once for all ranks":
        raise Failure(session.told("samples of one value are taken for the other's"))
    session.expect(0, [f"old.skel: nothing is taken for the value at app.c:{FIRST}: there is no such value there",
                       "profile this build as well, `mpirun -np 2 new.skel/profile ARGUMENTS`"])


def case_values_with_other_features_are_not_taken_and_told(session):
    make_twice(session)
    described = json.loads(session.read("old.skel/regions.json"))
    value = next(region for region in described["regions"] if region["kind"] == "value")
    there = [feature["expression"] for feature in value["features"]]
    value["features"][-1]["expression"] = "few"
    session.write("old.skel/regions.json", json.dumps(described))
    session.fine("fit", "new.skel", "--with", "old.skel")
    session.prints(f"app.c:{SECOND}  no samples")
    session.expect(0, [f"nothing is taken for the value at app.c:{SECOND}: its features differ: "
                       f"there {', '.join(there[:-1])}, few; here {', '.join(there)}"])

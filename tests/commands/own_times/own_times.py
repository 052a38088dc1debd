# SPDX-License-Identifier: Apache-2.0
"""What a program measures itself, and what lies between two places that the user names: with models that are
written by hand, so that each time is known."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "loops"))
from loops import Failure, Session, expect, line_of, near  # noqa: E402
import json  # noqa: E402

SOURCE = r"""
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
static double now(void) {
    struct timeval t;
    gettimeofday(&t, NULL);
    return t.tv_sec + 1e-6 * t.tv_usec;
}
static double work(int n) {
    volatile double sum = 0;
    for (int i = 0; i < n; i++)
        sum += i;
    return sum;
}
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 100, steps = argc > 2 ? atoi(argv[2]) : 10, rank;
    double x = 0, lap = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    x += work(7 * n);
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime(); /* all */
    for (int i = 0; i < steps; i++) {
        MPI_Barrier(MPI_COMM_WORLD); /* first */
        lap -= MPI_Wtime(); /* lap begins */
        MPI_Barrier(MPI_COMM_WORLD);
        x += work(rank == 0 ? 2 * n : n);
        MPI_Barrier(MPI_COMM_WORLD);
        lap += MPI_Wtime(); /* lap ends */
        MPI_Barrier(MPI_COMM_WORLD); /* second */
    }
    double end = MPI_Wtime(); /* all end */
    MPI_Barrier(MPI_COMM_WORLD);
    double own = now(); /* own begins */
    MPI_Barrier(MPI_COMM_WORLD);
    x += work(3 * n);
    MPI_Barrier(MPI_COMM_WORLD);
    own = now() - own; /* own ends */
    MPI_Barrier(MPI_COMM_WORLD);
    n = n - rank; /* no clock */
    if (rank == 0)
        printf("%g: %g s, %g s, %g s\n", x, end - start, lap, own);
    MPI_Finalize();
    return x > 1e300;
}
"""
TICK_S = 1e-6    # of each region, and a hundredth of it for each iteration of its loop


def place(part):
    return f"p.c:{line_of(SOURCE, part)}"


def work_s(n):
    return TICK_S + n * 1e-8


def between(begin, end):
    return f"--region={place(begin)}..{place(end)}"


def clocks():
    with open("p.skel/regions.json") as file:
        return json.load(file)["clocks"]


def case_differences_of_clocks_are_known(session):
    session.make(SOURCE)
    expect([False] * 3, [pair["kept"] for pair in clocks()])
    found = {(pair["text"], f"p.c:{pair['begin']}", f"p.c:{pair['end']}") for pair in clocks()}
    expect({("lap += MPI_Wtime()", place("lap begins"), place("lap ends")),
            ("now() - own", place("own begins"), place("own ends")),
            ("end - start", place("/* all */"), place("all end"))}, found)


def case_what_is_between_two_places_is_told(session):
    session.make(SOURCE)
    found = session.run("p", "--network", "ideal", between("own begins", "own ends"), between("lap begins", "lap ends"),
                        arguments=("100", "10"))["between"]
    expect(["p.c:" + place("lap begins")[4:], "p.c:" + place("own begins")[4:]], [one["begin"] for one in found])
    expect([40, 4], [one["executions"] for one in found])
    near(10 * work_s(200), found[0]["max_s"], 1e-6)    # all wait for rank 0
    near(10 * work_s(200), found[0]["min_s"], 1e-6)
    near(work_s(300), found[1]["mean_s"], 1e-6)


def case_calls_are_places_too(session):
    session.make(SOURCE)
    found = session.run("p", "--network", "ideal", between("/* first */", "/* second */"), arguments=("100", "10"))
    near(10 * (work_s(200) + 2 * TICK_S), found["between"][0]["max_s"], 1e-6)    # with both readings of the clock


def case_what_the_program_measures_is_beside_the_predicted_time(session):
    session.make(SOURCE)
    plain = session.run("p", "--network", "ideal", arguments=("100", "10"))
    expect([], plain["between"])
    session.fine("run", "p.skel", "-np", "4", "--network", "ideal", "--", "100", "10")
    for part in (f"3e-05 s  from {place('lap begins')} to {place('lap ends')}, measured as `lap += MPI_Wtime()`",
                 f"4e-06 s  from {place('own begins')} to {place('own ends')}, measured as `now() - own`",
                 f"predicted time {plain['predicted_s']:.9g} s"):
        if part not in session.out:
            raise Failure(session.told(f"no '{part}'"))
    if session.out.rindex("measured as") > session.out.rindex("predicted: "):
        raise Failure(session.told("the answer is not the last line"))


def case_on_many_ranks_it_is_told_how_to_ask(session):
    session.make(SOURCE)
    session.fine("run", "p.skel", "-np", "257", "--network", "ideal", "--", "10", "1")
    if "measured as" in session.out or "--region p.c:" not in session.out:
        raise Failure(session.told("the times are told, or how to ask for them is not"))


def case_clocks_that_stay_are_told_as_what_they_are(session):
    session.make(SOURCE.replace("%g: %g s", "%d: %g s").replace("x, end", "n, end"))
    expect([True] * 3, [pair["kept"] for pair in clocks()])
    session.fine("run", "p.skel", "-np", "2", "--network", "ideal", "--", "100", "10")
    if "what the program printed of `lap += MPI_Wtime()` is simulated time" not in session.out or "measured as" in session.out:
        raise Failure(session.told("what the skeleton prints is not explained"))
    session.refused("a clock that stays in the skeleton: what the program itself prints of it is this time", "run", "p.skel",
                    "-np", "2", "--app-output=none", between("own begins", "own ends"))


def case_places_where_nothing_is_are_refused(session):
    session.make(SOURCE)
    run = ("run", "p.skel", "-np", "2", "--app-output=none")
    session.refused(f"the nearest one is at {place('/* all */')}", *run, f"--region=p.c:{line_of(SOURCE, 'int i = 0; i < steps')}.."
                    + place("lap ends"))
    session.refused("no file q.c", *run, f"--region=q.c:3..{place('lap ends')}")
    session.refused("no rank comes from the first place to the second", *run, between("own ends", "own begins"))
    for wrong in ("p.c:3", "p.c:3..", "p.c:x..p.c:4", "..p.c:4", "p.c:0..p.c:4"):
        session.refused("FILE:LINE..FILE:LINE", *run, f"--region={wrong}", code=64)
    session.refused("--trace-ranks", *run, "--trace=t", "--trace-ranks=0", between("own begins", "own ends"), code=64)

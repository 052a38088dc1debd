# SPDX-License-Identifier: Apache-2.0
"""What `run`, `fit` and `plan` warn of: lines with a remedy, and the same in JSON."""
import json

from phases import Failure, expect

PROGRAM = """
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static double field[1000];
static void write_table(int n) {
    for (int i = 0; i < n; i++)
        fprintf(stderr, "%d %g\\n", i, field[i % 1000]);
}
int main(int argc, char **argv) {
    int rank, n = argc > 1 ? atoi(argv[1]) : 10;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 100 * n; i++)
        field[i % 1000] += 1e-3 * i;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        write_table(n);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
"""


def regions(session):
    return json.loads(session.read("app.skel/regions.json"))["regions"]


def write_runs(session, sizes, first=0, spoil=1):
    """Work takes a millisecond for each n, the table half of that; every other run is longer."""
    for number, n in enumerate(sizes):
        factor = spoil if number % 2 else 1
        session.write_run("app.skel", first + number, 1, [str(n)], lambda region: (
            [100 * n if "fprintf" not in region["summary"] and not region.get("prints") else n]
            * len(region["features"]), 1, factor * n * (0.5e-3 if region.get("prints") else 1e-3)
            if region["features"] else 1e-9))


def findings(session, *words):
    session.fine(words[0], "--format=json", *words[1:])
    return [(found["kind"], round(found["share"], 1)) for found in json.loads(session.out)["findings"]]


def case_doubts_are_told_with_their_remedies(session):
    session.program(("app.c", PROGRAM))
    session.fine("generate", "-o", "app.skel")
    expect([False, True], sorted({region.get("prints", False) for region in regions(session)}))
    run = ("run", "app.skel", "-np", "2", "--app-output=none")
    write_runs(session, (100, 200, 300, 400, 500, 600))
    session.fine("fit", "app.skel")
    if "warning" in session.out + session.err:
        raise Failure(session.told("fit warns of nothing"))
    expect([("output", 0.3)], findings(session, *run, "--", "500"))
    session.fine(*run, "--", "500")
    session.prints("% of the predicted time, writes text on one rank; profile with the output")
    session.fine(*run, "--format=csv", "--", "500")
    session.prints("\nfinding,output,")
    expect([], findings(session, "plan", "app.skel", "--target", "-np 2 500"))
    write_runs(session, (100, 200, 300, 400, 500, 600, 100, 200, 300, 400, 500, 600, 700, 800), first=20, spoil=4)
    session.fine("fit", "app.skel", "--machine", "spoilt")
    session.prints("of the profiled time, is predicted with an error of ")
    session.prints("; profile more sizes near the target (mpiskel plan), each twice, then mpiskel fit\n")

# SPDX-License-Identifier: Apache-2.0
"""mpiskel scale as its users see it. Points from files and from simulations,
reports in three forms, the plot, weak scaling, and what is refused."""
import csv
import io
import json
import os
import xml.etree.ElementTree as ElementTree

from support import Failure

# n / size elements of work for each rank, and a message around the ring.
APPLICATION = r"""
#include <mpi.h>
#include <stdlib.h>

static double work(double *x, long n) {
    double sum = 0;
    for (long i = 0; i < n; i++)
        sum += x[i % 64] = x[i % 64] * 0.5 + (double)i;
    return sum;
}

int main(int argc, char **argv) {
    long n = argc > 1 ? atol(argv[1]) : 1000000;
    int rank, size;
    double x[64] = {0}, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 2 && size > atoi(argv[2]))
        MPI_Abort(MPI_COMM_WORLD, 3);
    for (int step = 0; step < 10; step++) {
        sum += work(x, n / size);
        MPI_Sendrecv_replace(x, 64, MPI_DOUBLE, (rank + 1) % size, 0, (rank + size - 1) % size, 0,
                             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (argc > 3) {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Finalize();
        return 3;
    }
    MPI_Finalize();
    return 0;
}
"""


def check(condition, session, what):
    if not condition:
        raise Failure(session.told(what))


def near(value, wanted, relative):
    return abs(value - wanted) <= relative * abs(wanted)


def fitted(session):
    session.fine("generate", "--skeleton", "-o", "app.skel")
    for n in ("200000", "2000000"):
        session.profile("app.skel", n)
    session.fine("fit", "app.skel")


def bundle(session):
    session.made_once("scaled", fitted, ("app.c", APPLICATION))


def report(session, *arguments):
    session.fine("scale", arguments[0], "--format=json", *arguments[1:])
    return json.loads(session.out)


def case_measured_points_are_carried_on(session):
    rows = "".join(f"{q},{0.5 + 100 / q:.9g}\n" for q in (1, 2, 4, 8, 16, 32, 64))
    session.write("points.csv", "ranks,time_s\n" + rows + "1,200\n")
    found = report(session, "points.csv", "--predict", "128,512")
    check(len(found["points"]) == 7 and found["points"][0]["time_s"] == 100.5, session,
          "the fastest of two runs does not count")
    for one in found["predictions"]:
        check(near(one["time_s"], 0.5 + 100 / one["ranks"], 1e-6), session, "a wrong prediction")
        check(one["low_s"] <= one["time_s"] <= one["high_s"], session, "the band is beside it")
        check(one["simulated_s"] is None, session, "simulated without a skeleton")
    check(found["turn_ranks"] is None, session, "a turn where there is none")
    check(near(found["half_efficiency_ranks"], 202, 0.02), session, "half the efficiency")
    cubes = report(session, "points.csv", "--predict", "65..1000:cube,64,200..300:square,64")
    check([one["ranks"] for one in cubes["predictions"]] == [64, 125, 216, 225, 256, 289, 343, 512,
                                                              729, 1000], session, "lists of ranks")
    session.fine("scale", "points.csv")
    for words in ("strong scaling, from 7 points on 1 to 64 ranks", "0.5 + 100 / q",
                  "the fastest counts: 1 did not", "falls below 50 % at 20"):
        check(words in session.out, session, f"no '{words}'")


def case_reports_are_points_again(session):
    session.write("points.csv", "ranks,time_s,computation_s\n1,80,80\n2,41,40\n4,21,20\n8,11.5,10\n"
                  "16,7,5\n")
    session.fine("scale", "points.csv", "--predict", "64", "--format=csv")
    rows = list(csv.DictReader(io.StringIO(session.out)))
    check([row["kind"] for row in rows] == ["point"] * 5 + ["prediction"], session, "kinds of rows")
    session.write("again.csv", session.out)
    again = report(session, "again.csv", "--predict", "64")
    check(near(again["predictions"][0]["time_s"], float(rows[-1]["time_s"]), 1e-9), session,
          "another prediction from the report")
    session.write("again.json", session.out)
    third = report(session, "again.json", "--predict", "64")
    check(third["predictions"] == again["predictions"], session, "another one from the JSON")


def case_points_of_different_programs_and_arguments_stay_apart(session):
    def sweep(name, *sizes, program="lu"):
        session.write(name, json.dumps({"format": "mpiskel-sweep", "program": program, "points": [
            {"ranks": q, "predicted_s": size / q + 1, "arguments": [str(size), "6 4"], "size": size, "options": []}
            for size in sizes for q in (1, 2, 4, 8)]}))
    sweep("one.json", 100)
    sweep("two.json", 100, 800)
    sweep("fft.json", 100, program="fft")
    session.fine("scale", "one.json")
    check("lu 100 '6 4': strong scaling, from 4 points" in session.out, session, "the program and its arguments")
    session.refused("scale", "two.json", says="different arguments, '100 '6 4'' and '800 '6 4''")
    session.fine("scale", "two.json", "--where", "size=800")
    session.fine("scale", "two.json", "--where", "arguments=800 '6 4'")
    check("lu 800 '6 4'" in session.out, session, "arguments that were chosen")
    session.refused("scale", "one.json", "fft.json", says="different programs, 'lu' and 'fft'")


def case_reports_of_runs_with_different_arguments_stay_apart(session):
    bundle(session)
    for ranks, work in ((1, 1000000), (2, 1000000), (4, 1000000), (8, 8000000)):
        session.fine("run", "app.skel", "-np", str(ranks), "--format=json", "--", str(work))
        session.write(f"{ranks}.json", session.out)
    check(json.loads(session.out)["arguments"] == ["8000000"], session, "the arguments of the run")
    session.fine("scale", "1.json", "2.json", "4.json")
    session.refused("scale", "1.json", "2.json", "4.json", "8.json",
                    says="different arguments, '1000000' and '8000000'")
    session.fine("scale", "--weak", "1.json", "2.json", "4.json", "8.json")


def case_byte_order_marks_are_no_text(session):
    session.write("points.csv", "\ufeffranks,time_s\r\n1,4\r\n2,2\r\n")
    check(len(report(session, "points.csv")["points"]) == 2, session, "points")


# Times that no curve fits, carried on to where numbers end: told and drawn, in finite numbers.
def case_wild_points_do_no_harm(session):
    for rows in ("7,14.3\n8,7355\n", "3,2e-6\n7,14\n8,12\n819,1257\n1000,0.4\n1762,0.06\n",
                 "1,1e-300\n1000000000,1e300\n", "1,5e-324\n2,5e-324\n3,5e-324\n"):
        session.write("wild.csv", "ranks,time_s\n" + rows)
        session.fine("scale", "wild.csv", "--predict", "1..100000000:x10", "--plot", "wild.svg")
        check("nan" not in session.read("wild.svg"), session, "the plot has no numbers")
        ElementTree.parse(session.path("wild.svg"))


def case_points_are_simulated_and_compared(session):
    bundle(session)
    found = report(session, "app.skel", "-np", "1..32:x2", "--predict", "64,128", "--plot", "a.svg",
                   "--latency", "5us", "--", "20000000")
    check([one["ranks"] for one in found["points"]] == [1, 2, 4, 8, 16, 32], session, "the points")
    for one in found["predictions"]:
        session.fine("run", "app.skel", "-np", str(one["ranks"]), "--format=json", "--latency", "5us",
                     "--", "20000000")
        check(json.loads(session.out)["predicted_s"] == one["simulated_s"], session,
              "another simulation than that of run")
    check(found["median_error"] < 0.2, session, "the curve is far off")
    tags = [one.tag.rsplit("}")[-1] for one in ElementTree.parse(session.path("a.svg")).iter()]
    check(tags.count("circle") == 7, session, "marks of points and one in the legend")
    check(tags.count("polyline") == 2 and tags.count("polygon") == 1, session, "curves and band")
    session.fine("scale", "app.skel", "-np", "1..8:x2", "--no-simulate-targets", "--", "20000000")
    check("simulated, s" not in session.out, session, "targets were simulated")
    session.fine("scale", "app.skel", "-np", "1..8:x2", "--predict", "16", "--target-limit", "0",
                 "--", "20000000")
    check("not simulated: it would take about" in session.out, session, "the limit is ignored")


def case_work_that_grows_is_weak_scaling(session):
    bundle(session)
    found = report(session, "app.skel", "-np", "1..16:x2", "--predict", "32", "--",
                   "{2000000*ranks}")
    check(found["weak"], session, "a placeholder is weak scaling")
    for one in found["points"] + found["predictions"]:
        check(0.5 < one["efficiency"] <= 1.05, session, "the efficiency")
    session.fine("run", "app.skel", "-np", "32", "--format=json", "--", "64000000")
    check(json.loads(session.out)["predicted_s"] == found["predictions"][0]["simulated_s"], session,
          "another argument than 64000000")


def case_points_that_fail_are_told(session):
    bundle(session)
    session.refused("scale", "app.skel", "-np", "1..8:x2", "--", "200000", "4",
                    says=["on 8 ranks:", "called MPI_Abort"])
    session.fine("scale", "app.skel", "-np", "1..8:x2", "--predict", "16", "--", "200000", "8")
    check("called MPI_Abort" in session.out, session, "the target's failure is not told")
    session.refused("scale", "app.skel", "-np", "1,2", "--no-such-option", says="no-such-option")


def case_warnings_of_simulations_are_told(session):
    bundle(session)
    session.fine("scale", "app.skel", "-np", "1,2,4", "--predict", "8", "--", "200000", "9", "wrong")
    for ranks in (1, 2, 4, 8):
        told = f"mpiskel: on {ranks} ranks: warning: the application returned 3\n"
        check(session.err.count(told) == 1, session, "a point that the application gave up counts as any other")


def case_bad_command_lines_are_refused(session):
    session.write("points.csv", "ranks,time_s\n1,8\n2,4\n")
    session.write("two.csv", "ranks,time_s,arguments\n1,8,a\n2,4,b\n")
    os.mkdir(session.path("empty"))
    usage = [([], "points of what?"), (["points.csv", "-np", "4"], "-np and arguments"),
             (["points.csv", "--bandwidth", "1GBps"], "--bandwidth is no option here"),
             (["points.csv", "--predict", "many"], "--predict takes a whole number, not 'many'"),
             (["points.csv", "--predict", "8..4"], "'8..4': a range goes upwards"),
             (["points.csv", "--predict", "1..8:x1"], "a factor above 1"),
             (["points.csv", "--predict", "1..8:%2"], "not '1..8:%2'"),
             (["points.csv", "--predict", "1,,2"], "a value is missing"),
             (["points.csv", "--predict", "0..4"], "is zero"),
             (["points.csv", "--predict", "1..5000:+1"], "more than 1000"),
             (["points.csv", "--predict", "5..8:square"], "no square number"),
             (["points.csv", "--predict", "9..26:cube"], "no cube number"),
             (["points.csv", "--where", "x"], "COLUMN=VALUE"),
             (["points.csv", "--format=xml"], "text, json or csv"),
             (["points.csv", "--target-limit=soon"], "number of seconds"),
             (["empty", "points.csv"], "one bundle, or files")]
    for arguments, message in usage:
        session.refused("scale", *arguments, code=64, says=message)
    session.refused("scale", "nowhere.csv", says="nowhere.csv")
    session.refused("scale", "empty", says="regions.json")
    session.refused("scale", "two.csv", says=["different arguments", "--where"])
    session.refused("scale", "two.csv", "--where", "arguments=a", says="two numbers of ranks")
    session.refused("scale", "points.csv", "--plot", "nowhere/a.svg", says="nowhere/a.svg")
    session.fine("scale", "two.csv", "--weak")

# SPDX-License-Identifier: Apache-2.0
"""validate, and how sure run says it is: errors per region, too few runs, regions that were never
trained, programs that are missing or fail."""
import json
import os
import re

from support import APPLICATION, ENVIRONMENT, expect

REAL = ["--real", "mpirun --oversubscribe", "--repeat", "1"]

# Reaches a further region when asked to.
TWO_WAYS = APPLICATION.replace("int main(", """static double other(double *x, int n) {
    double sum = 0;
    for (int i = 1; i < n; i++)
        sum += x[i] = x[i - 1] * 0.25 + i;
    return sum;
}

int main(""").replace("    free(x);", """    if (strcmp(mode, "extra") == 0) {
        sum += other(x, n);
        MPI_Bcast(&sum, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    free(x);""")


def generated(session):
    session.fine("generate", "--skeleton", "-o", "app.skel")


def train(session, sizes, application=APPLICATION):
    session.made_once("generated" if application is APPLICATION else "trained", generated, ("app.c", application))
    for size in sizes:
        session.profile("app.skel", "fine", str(size))
    session.fine("fit", "app.skel")


def report(session, *arguments):
    session.fine("validate", "app.skel", "--format=json", *arguments)
    return json.loads(session.out)


def is_true(claim, session, what):
    expect(claim, session.told(what))


def slow_down(session, function):
    """Makes the model of the region in this function ten times too slow."""
    lines, inside = [], False
    for line in session.read("app.skel/model.bsim").splitlines():
        words = line.split()
        if words[0] == "region":
            inside = words[2].startswith(function + "-")
        if words[0] == "term" and inside:
            line = " ".join([words[0], repr(10 * float(words[1]))] + words[2:])
        lines.append(line)
    session.write("app.skel/model.bsim", "\n".join(lines) + "\n")


def case_validation_tells_the_error_of_each_region(session):
    train(session, (100000, 200000, 400000, 100000))
    before = sorted(os.listdir(session.path("app.skel/samples")))
    found = report(session, "-np", "1,2", "--args", "fine 300000", *REAL)["configurations"]
    is_true([one["ranks"] for one in found] == [1, 2], session, "the configurations are wrong")
    for one in found:
        is_true(0 < one["low_s"] < one["predicted_s"] < one["high_s"], session, "no interval")
        is_true(one["original"]["median_s"] > 0 and one["real"]["median_s"] > 0, session,
                "a time is missing")
        is_true(any(row["measured_s_per_rank"] > 0 and row["predicted_s_per_rank"] > 0
                    for row in one["regions"]), session, "no region was measured")
    is_true(sorted(os.listdir(session.path("app.skel/samples"))) == before, session,
            "validating has added samples")
    crowd = str(len(os.sched_getaffinity(0)) + 1)
    session.fine("validate", "app.skel", "-np", crowd, "--real-ranks", crowd, *REAL, "--", "fine",
                 "300000")
    session.prints("not compared: ranks shared processors, and waited for these (mpirun --oversubscribe; ")
    session.prints("interval region, those with most seconds amiss first")
    slow_down(session, "main")
    session.run("validate", "app.skel", "-np", "1", "--max-error", "200", *REAL, "--", "fine",
                "300000")
    session.expect(2, ["the largest error is", "more than --max-error 200"])
    is_true(re.search(r"amiss first\n +\S+ +\S+ +\+\d{3,}\.\d%  OUTSIDE .* main: work\n",
                      session.out), session, "the wrong region is not the first one")


def case_originals_are_simulated_until_their_time_is_sure(session):
    train(session, (100000, 200000))
    bundle = ("app.skel", "-np", "2", "--no-regions")
    found = report(session, *bundle[1:], "--standard-error", "100", "--args", "fine 100000")["configurations"][0]
    is_true(found["corrected"] and not found["unsettled"], session, "it was not sure after one pair")
    is_true([found[key]["repeats"] for key in ("original", "original_as_it_comes")] == [2, 6], session,
            "numbers of simulations")
    is_true(found["original"]["min_s"] <= found["original"]["median_s"] <= found["original"]["max_s"] and
            0 <= found["original"]["standard_error"] <= 1, session, "no spread")
    session.fine("validate", *bundle, "--standard-error", "1e-9", "--most", "10", "--", "fine", "100000")
    session.expect(0, ["warning: on 2 ranks the standard error of the original's time is ",
                       "% after 10 simulations, 1e-09% were asked for"])
    session.prints("under SMPI, without interruptions; 4 runs, ")
    session.prints("under SMPI, as it comes; 6 runs, ")
    session.fine("validate", *bundle, "--most", "6", "--", "fine", "100000")
    session.expect(0, "time is not known after 6 simulations")
    session.fine("validate", *bundle, "--repeat", "9", "--", "fine", "100000")
    session.prints("without interruptions; 3 runs, ")
    session.fine("validate", *bundle, "--repeat", "2", "--format=csv", "--", "fine", "100000")
    session.prints(",as it comes,")


def case_validation_tells_warm_caches_from_cold_and_trains_for_either(session):
    train(session, (1000, 2000))
    session.fine("run", "app.skel", "-np", "1", "--original", "--", "fine", "10")
    before = session.contents("app.skel")
    rows = [([], [("warm", "warm"), ("cold", "warm")]), (["--caches", "cold"], [("warm", "warm"), ("cold", "cold")]),
            (["--caches=warm"], [("warm", "warm"), ("cold", "warm")])]
    for options, caches in rows:
        found = report(session, "-np", "1,2", "--no-regions", "--repeat", "1", *options, "--args", "fine 1000")
        is_true([(one["original_caches"], one["model_caches"]) for one in found["configurations"]] == caches,
                session, f"caches with {options}")
    session.expect_contents("app.skel", before)
    for name in os.listdir(session.path("app.skel/samples")):
        os.remove(session.path("app.skel/samples/" + name))
    session.fine("validate", "app.skel", "-np", "2", "--no-regions", "--repeat", "1", "--", "fine", "1000")
    session.prints("original: cold, one core's for all ranks; models: not known")
    session.refused("validate", "app.skel", "-np", "2", "--caches=cold", "--", "fine", "1000",
                    says="samples again, and there are none: make some first")


def case_validation_needs_what_it_runs(session):
    train(session, (1000, 2000))
    session.refused("validate", "app.skel", "-np", "1", "--real", "no-such-launcher",
                    says="there is no no-such-launcher, which runs the profiling build: install it")
    os.mkdir(session.path("empty"))
    session.refused("validate", "app.skel", "-np", "1",
                    environment=dict(ENVIRONMENT, PATH=session.path("empty")),
                    says=["there is no mpirun", "--no-regions"])
    session.refused("validate", "app.skel", "-np", "1", "--real", "false", "--repeat", "1",
                    says="the real run failed with exit code 1: false -np 1 ")
    session.refused("validate", "app.skel", "-np", "1", "--real", "true", "--repeat", "1",
                    says="the real run left no samples")
    session.refused("validate", "app.skel", "-np", "2", "--", "abort",
                    says=["error: the skeleton failed on 2 ranks: rank 1 called MPI_Abort"])
    session.write("app.skel/original", "no program")
    session.refused("validate", "app.skel", "-np", "1", says="the original failed on 1 ranks: ")
    os.remove(session.path("app.skel/original"))
    os.remove(session.path("app.skel/commands/original"))
    session.refused("validate", "app.skel", "-np", "1", says="original is missing in ")


def case_regions_are_measured_on_as_many_ranks_as_allowed(session):
    train(session, (1000, 2000))
    session.fine("validate", "app.skel", "-np", "3", "--real-ranks", "2", "--repeat", "1")
    session.prints("regions: not measured: 3 ranks are more than --real-ranks 2")
    session.fine("validate", "app.skel", "-np", "1", "--no-regions", "--repeat=1", "--format=csv")
    session.prints("\n1,\"\",original,\"\",")
    expect(",region," not in session.out, session.told("regions were measured"))


def case_region_that_was_never_trained_is_told(session):
    train(session, (1000, 2000), TWO_WAYS)
    session.fine("run", "app.skel", "-np", "2", "--", "fine", "1000")
    for command in (("run",), ("validate", "--repeat", "1")):
        session.refused(command[0], "app.skel", "-np", "2", *command[1:], "--", "extra", "1000",
                        says=["has no model: make a profiling run that reaches it, then run",
                              "mpiskel fit"])


def case_too_few_runs_give_no_interval(session):
    train(session, (1000,))
    session.fine("run", "app.skel", "-np", "1", "--", "fine", "1000")
    session.prints("no 95 % interval: nothing is known of the error of ")
    session.fine("validate", "app.skel", "-np", "1", "--repeat", "1", "--", "fine", "1000")
    session.prints("no interval: the models' errors are not known")
    session.refused("run", "app.skel", "-np", "1", "--distribution", "--", "fine", "1000",
                    says="tells nothing of the errors of its models; profile at least two")
    session.profile("app.skel", "fine", "2000")
    session.profile("app.skel", "fine", "4000")
    session.fine("fit", "app.skel")
    session.fine("run", "app.skel", "-np", "1", "--", "fine", "8000")
    session.prints("95 % interval ")
    session.prints("; extrapolated by 2x")


def case_bad_options_of_validate_are_refused(session):
    session.bundle()
    rows = [([], "how many ranks? Give -np N"), (["-np", "2,x"], "'x'"), (["-np", "0,2"], "is zero"),
            (["-np", "2", "--real", ""], "--real: which launcher?"),
            (["-np", "2", "--args", "'"], "'"),
            (["-np", "2", "--standard-error", "0"], "--standard-error takes a percentage above 0, not '0'"),
            (["-np", "2", "--most", "0"], "--most"), (["-np", "2", "--caches", "hot"], "--caches takes warm or cold"),
            (["-np", "2", "--max-error", "-1"], "--max-error takes a number of percent"),
            (["-np", "2", "--format", "xml"], "--format takes text, json or csv"),
            (["-np", "2", "--platform", "p.xml"], "--platform needs --host-speed")]
    for arguments, message in rows:
        session.refused("validate", "app.skel", *arguments, code=64, says=message)

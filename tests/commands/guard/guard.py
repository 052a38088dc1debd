# SPDX-License-Identifier: Apache-2.0
"""The guard of `mpiskel fit`, on a program whose number of steps is told by its size, or by nothing."""
import glob
import json
import os
import re
import signal
import sqlite3
import subprocess

from support import ENVIRONMENT, Failure, expect_that as expect

# Steps until a sum is large enough: n of them, or as many as a number that is as good as drawn.
PROGRAM = r"""
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double x[4000];
static int cells = 4000;

static double step(double by) {
    double sum = 0;
    for (int i = 0; i < cells; i++)
        sum += x[i] += by;
    return sum / cells;
}

int main(int argc, char **argv) {
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 20, steps = n;
    double all = 0, z = 0.3;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (n % 2 != 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (argc > 2 && strcmp(argv[2], "file") == 0) {
        FILE *file = fopen("size", "r");
        if (file == NULL || fscanf(file, "%d", &steps) != 1)
            MPI_Abort(MPI_COMM_WORLD, 1);
        fclose(file);
    }
    if (argc > 3)
        cells = atoi(argv[3]);
    if (argc > 2 && strcmp(argv[2], "clock") == 0) {
        steps += (int)(time(NULL) / 100000000); /* of the present; a simulation begins at 0 */
        MPI_Bcast(&steps, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    if (argc > 2 && strcmp(argv[2], "uneven") == 0)
        steps += n / 20 % 2 * n / 7;
    if (argc > 2 && strcmp(argv[2], "drawn") == 0) {
        for (int i = 0; i < 20000 + n; i++)
            z = 3.99 * z * (1 - z);
        steps = 20 + (int)(1000 * z * z);
    }
    double by = 1.0 / steps;
    all = step(0);
    while (all < 1 - 0.5 * by) {
        double mine = step(by);
        MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
    struct {
        double number;
        int rank;
    } mine = {rank, rank}, largest;
    MPI_Reduce(&mine, &largest, 1, MPI_DOUBLE_INT, MPI_MAXLOC, 0, MPI_COMM_WORLD);
    for (int i = 0; i < 2; i++) {
        if (rank == 0 && size > 1)
            MPI_Send(x, n, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
        if (rank == 1)
            MPI_Recv(x, n, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
"""
SIZES = ("20", "30", "40", "60", "80")


def profile(session, ranks, *arguments, directory=""):
    command = ["mpirun", "--oversubscribe", "-np", str(ranks), session.path("app.skel/profile")]
    done = subprocess.run(command + list(arguments), cwd=session.path(directory), env=ENVIRONMENT,
                          capture_output=True, text=True, timeout=600)
    if done.returncode != 0:
        raise Failure(f"the profiling run failed: {done.stdout}{done.stderr}")


def generate(session, *scout):
    session.program(("app.c", PROGRAM))
    session.links(app=["app.c"])
    session.fine("generate", "-o", "app.skel", "--assume=cuts", "--scout",
                 " ".join(("mpirun --oversubscribe -np 2 {}",) + scout))
    values = json.loads(session.read("app.skel/regions.json"))["cuts"]["values"]
    if not values:
        raise Failure("no value is given: this program tests nothing")


def verdict(session):
    return json.loads(session.read("app.skel/verdict.json"))


def results(session, kind):
    return [check["result"] for check in verdict(session)["checks"] if check["check"] == kind]


def alter_model(session, old, new):
    text = session.read("app.skel/model.bsim")
    changed = re.sub(old, new, text)
    expect(f"the model has no '{old}':\n{text}", changed != text)
    session.write("app.skel/model.bsim", changed)


def check_counts(session):
    """Two ranks: 20 steps, a pair with the gap behind it, and two messages of 20 numbers from rank 0 to rank 1."""
    name = sorted(glob.glob(session.path("app.skel/samples/*.samples")))[0]
    lines = [json.loads(line) for line in open(name, encoding="utf-8")]
    found = {(line["rank"], call["name"]): (call["count"], call["bytes"], call["line"] > 0)
             for line in lines if "calls" in line for call in line["calls"]}
    expect(f"{found}", found == {(0, "MPI_Allreduce"): (20, 160, True), (0, "MPI_Send"): (2, 320, True),
                                 (1, "MPI_Allreduce"): (20, 160, True), (1, "MPI_Recv"): (2, 320, True),
                                 (0, "MPI_Reduce"): (1, 16, True), (1, "MPI_Reduce"): (1, 16, True),
                                 (0, "MPI_Finalize"): (0, 0, True), (1, "MPI_Finalize"): (0, 0, True)})


def check_unknown_arguments(session):
    """No profiled run had a kind or a number of cells: by which the steps may go, for all that runs have shown."""
    unknown = ("--", "100", "plain", "2000")
    says = ["arg2 is plain here and was in no profiled run", "arg3 is 2000 here", "app.c:",
            "`mpirun -np 2 app.skel/profile 20 plain 2000`", "--even-if-unknown"]
    for command in (("run", "app.skel", "-np", "4"), ("scale", "app.skel", "-np", "2,4")):
        session.refused(*command, *unknown, says=says)
    for command in (("whatif", "app.skel", "-np", "2", "--try", "far: --latency 1us"),
                    ("sweep", "app.skel", "-np", "2,4")):
        session.run(*command, *unknown)
        expect(session.told(f"{command[0]} is not refused"),
               session.code != 0 and says[0] in session.out + session.err)
    session.fine("run", "app.skel", "-np", "4", "--even-if-unknown", "--format=json", *unknown)
    session.expect(0, "warning: arg2 is plain here")
    found = json.loads(session.out)
    expect(f"{found['verdict']}", found["verdict"]["state"] == "not known" and
           found["verdict"]["text"].startswith("not known for arg2, arg3, the number of ranks; for arguments that were "
                                               "profiled: calls as"))
    expect("there is an interval", not found["interval"]["known"])
    session.fine("run", "app.skel", "-np", "4", "--even-if-unknown", *unknown)
    session.prints("no profiled run shows what values do for arg2, arg3")
    session.prints("4000 in all profiling runs and 2000 here: whether")
    session.fine("verify", "app.skel", "-np", "2", "--", "40", "plain")
    session.expect(0, "warning: arg2 is plain here")
    session.fine("validate", "app.skel", "-np", "2", "--no-regions", "--", "40", "plain")
    session.expect(0, "warning: arg2 is plain here")
    session.fine("plan", "app.skel", "--target", "-np 4 100 plain", "--simulations", "4", "--runs", "2")
    session.expect(0, "app.skel/profile 20 plain")


def check_values_that_the_user_knows(session):
    """The number of steps is said: it goes by no argument then."""
    unknown = ("--", "100", "plain", "2000")
    loops = [cut for cut in json.loads(session.read("app.skel/regions.json"))["regions"]
             if cut.get("value") == "trips"]
    place = f"{loops[0]['file']}:{loops[0]['line']}"
    session.fine("run", "app.skel", "-np", "4", "--set", place + "=50", "--format=json", *unknown)
    expect("the verdict is not known", json.loads(session.out)["verdict"]["state"] == "right")
    found = {row["name"]: row["count"] for row in json.loads(session.out)["calls"]}
    expect(f"{found}", found["MPI_Allreduce"] == 4 * 50)
    session.refused("run", "app.skel", "-np", "4", "--set", place + "=1.5", *unknown, says=["give a whole number"])
    session.refused("run", "app.skel", "-np", "4", "--set", place + "=5", "--set", place + "=6", *unknown,
                    says=["it is set twice"])
    session.fine("loops", "app.skel")
    session.prints(f"{place:24} given trips")
    session.prints("models say ")
    session.fine("loops", "app.skel", "--format=json")
    expect("the model's formula is missing", json.loads(session.out)["values"][0]["model"] != "")


def check_iterations_that_a_value_counts(session):
    """How many there are the value's model says, so that nobody has to; twenty of them tell the rest."""
    session.fine("loops", "app.skel", "--format=json")
    loops = [loop for loop in json.loads(session.out)["loops"] if loop["given"]]
    expect(f"{loops}", len(loops) == 1 and loops[0]["stays"])
    session.fine("run", "app.skel", "-np", "4", "--format=json", "--", "100")
    whole = json.loads(session.out)
    session.fine("run", "app.skel", "-np", "4", "--iterations", "auto", "--format=json", "--", "100")
    part = json.loads(session.out)
    made, total = part["iterations"]["simulated"], part["iterations"]["total"]
    calls = {row["name"]: row["count"] for row in whole["calls"]}
    expect(f"{part['iterations']}, {calls}", made < total == calls["MPI_Allreduce"] / 4)
    expect(f"{part['predicted_s']}, {whole['predicted_s']}",
           abs(part["predicted_s"] / whole["predicted_s"] - 1) < 0.1)
    expect(f"{part['interval']}, {whole['interval']}",
           (part["interval"]["parts"]["loops"] > 0) == (whole["interval"]["parts"]["loops"] > 0))
    session.fine("scale", "app.skel", "-np", "2,4", "--no-simulate-targets", "--", "100")
    expect("what is short is extrapolated", "extrapolated" not in session.err)
    session.fine("scale", "app.skel", "-np", "2,4", "--no-simulate-targets", "--iterations", "if-long:1e-6", "--", "100")
    session.expect(0, "on 4 ranks: warning: all iterations would take long to simulate, so ")
    session.fine("sweep", "app.skel", "-np", "2,4", "--iterations", "if-long:1e-6", "--", "100")
    session.expect(0, "of 2 points the first iterations were simulated")


def check_reports(session):
    line = "calls as in 5 of 5 profiled runs; sizes left out: within "
    for command in (("models", "show", "app.skel"), ("explain", "app.skel"),
                    ("run", "app.skel", "-np", "4", "--report", "page.html", "--", "100")):
        session.fine(*command)
        session.prints(line)
    expect("the page does not tell", line in session.read("page.html"))
    check_unknown_arguments(session)
    check_values_that_the_user_knows(session)
    check_iterations_that_a_value_counts(session)
    session.fine("run", "app.skel", "-np", "4", "--format=json", "--", "100")
    expect("it is told where nothing differs", "which is given" not in session.out)
    found, interval = (json.loads(session.out)[name] for name in ("verdict", "interval"))
    expect(f"{found}", found["state"] == "not known" and not interval["known"] and
           found["text"].startswith("not known for the number of ranks; for arguments that were profiled: " + line) and
           len(found["checks"]) == 9)
    session.fine("run", "app.skel", "-np", "2", "--format=json", "--", "100")
    found = json.loads(session.out)["verdict"]
    expect(f"{found}", found["state"] == "right" and found["text"].startswith(line))


def check_wrong_is_not_simulated(session):
    says = ["does not communicate as the program does", "--even-if-wrong"]
    for command in (("run", "app.skel", "-np", "2"), ("scale", "app.skel", "-np", "2,4"),
                    ("sweep", "app.skel", "-np", "2,4")):
        session.refused(*command, "--", "40", says=says)
    session.run("whatif", "app.skel", "-np", "2", "--try", "far: --latency 1us", "--", "40")
    expect(session.told("whatif is not refused"), session.code == 1 and says[0] in session.out + session.err)
    session.fine("run", "app.skel", "-np", "2", "--even-if-wrong", "--", "40")
    session.expect(0, "warning: calls as in ")


def check_damaged_verdicts(session):
    text = session.read("app.skel/verdict.json")
    for damaged in (text.replace('"rank": 0', '"rank": 2'), text.replace('"why_no_ranks"', '"whynot"'),
                    "", "{", "[]", text[:len(text) // 2], text.replace('"own run"', '"own"'),
                    text.replace('"percent": ', '"percent": -1'), text.replace('"checks"', '"check"')):
        session.write("app.skel/verdict.json", damaged)
        session.refused("run", "app.skel", "-np", "2", "--", "40", says="verdict.json:")
    session.fine("fit", "app.skel")


def case_models_are_checked_by_the_runs_that_they_are_learned_from(session):
    """One bundle for all: what is counted, right models, models that were altered by hand, verdicts
    that are damaged, and stores and machines that keep counts."""
    generate(session)
    for size in SIZES[:3]:
        profile(session, 2, size)
    check_counts(session)
    session.fine("fit", "app.skel")
    session.prints("calls as in 3 of 3 profiled runs; sizes left out: cannot be checked: profile two more sizes "
                   "(mpiskel plan); more ranks: cannot be checked: profile on 4 and 8 ranks as well (mpiskel plan)")
    session.fine("plan", "app.skel", "--target", "-np 4 100", "--simulations", "4", "--runs", "2")
    session.expect(0, "two more sizes")
    sizes = [int(size) for size in re.findall(r"-np 2 app.skel/profile (\d+)", session.err)]
    expect(f"they are between the others, and none that the program refuses: {sizes}",
           len(set(sizes)) == 2 and all(20 < size < 40 and size % 2 == 0 for size in sizes))
    for size in SIZES[3:]:
        profile(session, 2, size)
    session.fine("fit", "app.skel")
    session.prints("calls as in 5 of 5 profiled runs; sizes left out: within ")
    expect("nothing was left out", results(session, "size left out") == ["right"] * 4)
    check_reports(session)
    right = session.read("app.skel/model.bsim")

    alter_model(session, r"(?m)^(seen .* pattern \d+ )(\d+) ", lambda m: f"{m[1]}{2 * int(m[2])} ")
    session.fine("run", "app.skel", "-np", "2", "--", "40")
    session.prints("calls are not checked: model.bsim was changed since")
    session.refused("fit", "app.skel", "--only-check", code=2, says=["value is to blame"])
    expect(f"{verdict(session)}", results(session, "own run") == ["wrong"] * 5)
    check_wrong_is_not_simulated(session)

    session.write("app.skel/model.bsim", right)
    alter_model(session, r"(?m)^(seen .* pattern \d+ )\d+ ", r"\g<1>1000000000000 ")
    session.refused("fit", "app.skel", "--only-check", code=2, says=["does not end"])

    session.fine("fit", "app.skel")
    check_damaged_verdicts(session)
    session.fine("machines", "export", "app.skel", "default", "-o", "here.machine")
    os.remove(session.path("app.skel/store.db"))
    for name in glob.glob(session.path("app.skel/samples/*.samples")):
        os.remove(name)
    session.fine("machines", "import", "app.skel", "here.machine")
    session.fine("fit", "app.skel")
    session.prints("calls as in 5 of 5 profiled runs; sizes left out: within ")
    database = sqlite3.connect(session.path("app.skel/store.db"))
    database.executescript("UPDATE runs SET calls=''")
    database.close()
    session.fine("fit", "app.skel")
    session.prints("calls are not checked: no profiled run of this build has counted its calls")


def case_values_that_no_size_tells_are_computed_by_fit_itself(session):
    generate(session, "20", "drawn")
    for size in SIZES[:3]:
        profile(session, 2, size, "drawn")
    session.refused("fit", "app.skel", "--no-repair", code=2,
                    says=["how often this loop iterates was", "run --set app.c:"])
    session.fine("plan", "app.skel", "--target", "-np 4 100 drawn", "--simulations", "4", "--runs", "1",
                 "--budget", "0.001", "--run", "--max-ranks", "4")
    session.expect(0, "more than --max-ranks: --run does not make it")
    session.expect(0, "2 runs that checks need were not made, on more ranks than --max-ranks 4")
    session.refused("fit", "app.skel", "--no-repair", code=2, says=["value is to blame"])
    session.prints("calls as in 7 of 7 profiled runs; sizes left out: off by ")
    blamed = verdict(session)["blame"]
    session.fine("fit", "app.skel")
    session.expect(0, "generated again with")
    session.prints("calls as in 7 of 7 profiled runs")
    session.fine("run", "app.skel", "-np", "2", "--", "50", "drawn")
    computed = json.loads(session.read("app.skel/untold.json"))["values"]
    expect(f"{computed}", {value["line"] for value in blamed} <= {value["line"] for value in computed})


def case_iterations_that_follow_no_law_are_known_of_profiled_sizes(session):
    """A size that is left out is off by some percent: none of them is computed, and it is told by name."""
    generate(session, "20", "uneven")
    for size in SIZES[:-1]:
        profile(session, 2, size, "uneven")
    session.run("fit", "app.skel")
    session.prints("sizes left out: cannot be checked: profile one more size (mpiskel plan); uncertain until then: app.c:")
    profile(session, 2, SIZES[-1], "uneven")
    session.refused("fit", "app.skel", code=2,
                    says=["warning: app.c:", "is known of sizes that were profiled", "--keep-untold"])
    session.prints("calls as in 5 of 5 profiled runs; sizes left out: off by ")
    session.prints(": sizes that were not profiled are uncertain (app.c:")
    found = results(session, "size left out")
    expect(f"{found}", "uncertain" in found and "wrong" not in found and results(session, "own run") == ["right"] * 5)
    expect("it was generated again", "untold.json" not in os.listdir(session.path("app.skel")))
    session.fine("run", "app.skel", "-np", "4", "--format=json", "--", "60", "uneven")
    known = json.loads(session.out)
    expect(f"{known['calls']}, {known['interval']}", known["interval"]["parts"]["loops"] == 0 and
           [row["count"] for row in known["calls"] if row["name"] == "MPI_Allreduce"] == [4 * (60 + 60 // 7)])
    session.fine("run", "app.skel", "-np", "4", "--", "100", "uneven")
    session.prints(": sizes that were not profiled are uncertain (app.c:")
    session.prints("iterates as often as a formula says, not a profiling run")
    session.fine("run", "app.skel", "-np", "4", "--format=json", "--", "100", "uneven")
    expect("how uncertain it is is not in the interval", json.loads(session.out)["interval"]["parts"]["loops"] > 0)


# More than 100 takes for ever, and what is computed tells how much is sent, so that the skeleton has it.
ENDLESS = r"""
#include <mpi.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    int n = atoi(argv[1]), rank, size;
    static double x[1000];
    unsigned k = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (long i = 0; i < (n > 100 ? 1000000000000000 : 1000 * n); i++)
        k = k * 69069 + 1;
    for (int i = 0; i < 1000 * n; i++)
        x[i % 1000] += i;
    MPI_Bcast(x, k % 1000, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return x[3] < 0;
}
"""


def case_plan_ends_though_a_configuration_that_it_tries_does_not(session):
    session.program(("app.c", ENDLESS))
    session.links(app=["app.c"])
    session.fine("generate", "-o", "app.skel")
    profile(session, 2, "100")
    session.fine("fit", "app.skel")
    session.fine("plan", "app.skel", "--target", "-np 4 100", "--budget", "1", "--runs", "1", "--simulations", "8", "--run")
    session.prints("did not get through")
    session.expect(0, "done; now")


def case_plan_makes_runs_on_more_ranks_that_checks_need(session):
    generate(session)
    for ranks in (2, 4):
        for size in SIZES[:2]:
            profile(session, ranks, size)
    session.fine("fit", "app.skel")
    session.prints("more ranks: cannot be checked: profile on 8 ranks as well")
    session.fine("plan", "app.skel", "--target", "-np 4 100", "--simulations", "4", "--runs", "1",
                 "--budget", "0.001", "--run")
    session.fine("fit", "app.skel")
    expect("most ranks were left out", results(session, "ranks left out") != [])


def case_runs_of_another_version_of_the_program_are_noticed(session):
    """Regions are the same, so that the samples belong to both, but not the length of messages."""
    generate(session)
    for size in SIZES[:2]:
        profile(session, 2, size)
    bundle = json.loads(session.read("app.skel/regions.json"))["bundle"]
    session.write("app.c", PROGRAM.replace("MPI_Send(x, n,", "MPI_Send(x, n / 2,"))
    session.fine("generate", "-o", "app.skel", "--assume=cuts", "--scout", "mpirun --oversubscribe -np 2 {}")
    expect("the bundle is another one", bundle == json.loads(session.read("app.skel/regions.json"))["bundle"])
    session.refused("fit", "app.skel", code=2, says=["does not communicate as the program does: "])
    session.prints("the program itself makes other calls now: the runs were of another version of it")
    expect("it was generated again", "untold.json" not in os.listdir(session.path("app.skel")))


def case_runs_with_other_input_files_are_other_sizes(session):
    """The arguments are the same, and nothing tells how often the loop iterates: one mean is right for none."""
    for size in ("20", "40", "60"):
        os.mkdir(session.path(size))
        session.write(f"{size}/size", size)
    session.write("size", "40")
    generate(session, "20", "file")
    for size in ("20", "40", "60"):
        profile(session, 2, "20", "file", directory=size)
    session.refused("fit", "app.skel", "--no-repair", code=2, says=["value is to blame"])
    session.prints("calls as in 1 of 3 profiled runs")
    session.fine("plan", "app.skel", "--target", "-np 4 20 file", "--simulations", "1", "--budget", "0.001")
    session.expect(0, "profile two more sizes, on each number of ranks")


def case_programs_that_go_by_the_clock_are_compared_with_themselves(session):
    """Nothing is given, and a simulation has another start than the profiled run."""
    session.program(("app.c", PROGRAM))
    session.links(app=["app.c"])
    session.fine("generate", "-o", "app.skel")
    profile(session, 2, "20")
    profile(session, 2, "20", "clock")
    session.fine("fit", "app.skel")
    session.prints("calls as in 1 of 1 profiled runs; 1 more are not checked: the program itself makes other calls "
                   "in simulation, and the skeleton makes these")
    session.fine("run", "app.skel", "-np", "2", "--", "30", "clock")


# Kept: the number of steps hangs on what each of them gives back. The functions are in a library
# without source.
UNEXPLAINED = r"""
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int cudaDeviceSynchronize(void);
int crunch(int n);

static int pause_and_read(const char *how, int n) {
    if (how[0] == 's')
        usleep(40000);
    if (how[0] == 'd')
        cudaDeviceSynchronize();
    if (how[0] == 'l')
        n = crunch(n);
    if (how[0] == 'r') {
        FILE *file = fopen("pipe", "r");
        if (file == NULL || fscanf(file, "%d", &n) != 1)
            n = 1;
        fclose(file);
    }
    return n;
}

int main(int argc, char **argv) {
    int n = atoi(argv[2]);
    double sum = 0, all = 0;
    MPI_Init(&argc, &argv);
    for (int step = 0; step < n; step++) {
        for (int i = 0; i < 1000; i++)
            sum += 1.0 / (i + step + 1);
        n = pause_and_read(argv[1], n);
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return all > 1e9;
}
"""
LIBRARY = r"""
#include <time.h>
static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + 1e-9 * time.tv_nsec;
}
int crunch(int n) {
    double begin = now();
    while (now() - begin < 0.04)
        ;
    return n;
}
int cudaDeviceSynchronize(void) {
    struct timespec wait = {0, 40000000};
    return nanosleep(&wait, NULL);
}
"""


def generate_with_library(session):
    session.write("outside/library.c", LIBRARY)
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", session.path("liboutside.so"),
                    session.path("outside/library.c")], check=True)
    session.program(("app.c", UNEXPLAINED))
    session.links(app=["app.c"])
    links = json.loads(session.read("link_commands.json"))
    links[0]["arguments"] += [session.path("liboutside.so"), "-Wl,-rpath," + session.directory]
    session.write("link_commands.json", json.dumps(links))
    session.fine("generate", "-o", "app.skel")


def fit_after_runs(session, how):
    for name in glob.glob(session.path("app.skel/samples/*")) + glob.glob(session.path("app.skel/store.db*")):
        os.remove(name)
    for _ in range(2):
        profile(session, 1, how, "8")
    session.fine("fit", "app.skel", "--no-check")


def check_unexplained(session, named):
    """In text it comes first; JSON and page have it, and the interval has room for what is missing."""
    warning = "warning: regions and MPI calls explain only "
    for command in (("models", "show", "app.skel"), ("fit", "app.skel", "--no-check")):
        session.fine(*command)
        expect(session.told(f"{command} does not begin with it"), session.out.startswith(warning))
        session.prints("most before app.c:")
        session.prints(named)
    run = ("run", "app.skel", "-np", "1", "--even-if-wrong")
    session.fine(*run, "--", "s", "8")
    expect(session.told("run does not begin with it"), session.out.startswith(warning))
    session.fine(*run, "--format=json", "--report", "page.html", "--", "s", "8")
    found = json.loads(session.out)
    first = found["findings"][0]
    expect(f"{first}", first["kind"] == "unexplained" and first["share"] > 0.5 and named in first["text"])
    expect("the page does not tell", named in session.read("page.html"))
    high, predicted = found["interval"]["high_s"], found["predicted_s"]
    expect(f"{high} {predicted}", high is None or high > 2 * predicted)


def check_unexplained_by_others(session, named):
    """They begin with it, in one line."""
    for command in (("plan", "app.skel", "--target", "-np 1 s 8"),
                    ("scale", "app.skel", "-np", "1,2", "--even-if-wrong", "--", "s", "8"),
                    ("sweep", "app.skel", "-np", "1", "--even-if-wrong", "--", "s", "8"),
                    ("whatif", "app.skel", "-np", "1", "--even-if-wrong", "--try", "slow: --latency 2x", "--", "s", "8"),
                    ("validate", "app.skel", "-np", "1", "--no-regions", "--no-original", "--", "s", "8")):
        session.run(*command)
        lines = [line for line in session.err.splitlines() if "explain only" in line]
        expect(session.told(f"{command} does not tell it"), len(lines) == 1 and named in lines[0] and
               lines[0].startswith("mpiskel: warning: regions and MPI calls explain only "))


def case_time_that_nothing_explains_is_told_first(session):
    """Waiting for a device, a library and a pipe; but a sleep is simulated."""
    generate_with_library(session)
    session.expect(0, "app.c:13:9: warning: 'cudaDeviceSynchronize' is a function of CUDA")
    os.mkfifo(session.path("pipe"))
    writer = session.start("sh", "-c", "while sleep 0.04; do echo 8 > pipe; done")
    try:
        for how, named in (("d", "app.c:13 cudaDeviceSynchronize"), ("l", "app.c:15 crunch"), ("r", "app.c:18 fscanf")):
            fit_after_runs(session, how)
            check_unexplained(session, named)
        check_unexplained_by_others(session, named)
    finally:
        os.killpg(writer.pid, signal.SIGKILL)
        writer.communicate()
    fit_after_runs(session, "s")
    expect(session.told("a sleep is told"), "explain only" not in session.out)
    session.run("scale", "app.skel", "-np", "1", "--even-if-wrong", "--", "s", "8")
    expect(session.told("a sleep is told"), "explain only" not in session.err)


def case_code_for_devices_is_named(session):
    """A directive, and an option to compile for devices; what becomes of the latter is among the cases of `targets`."""
    loop = "#pragma omp target map(tofrom: sum)\n        for (int i = 0; i < 1000"
    session.program(("app.c", UNEXPLAINED.replace("for (int i = 0; i < 1000", loop)))
    session.fine("generate", "-o", "app.skel", "--no-compile")
    session.expect(0, "app.c:30:9: warning: this directive is for devices: it computes on the host where profiling runs are made")
    session.write("compile_commands.json", session.read("compile_commands.json").replace(
        '"-c"', '"-fopenmp", "-fopenmp-targets=nvptx64-nvidia-cuda", "-c"'))
    session.fine("generate", "-o", "app.skel", "--no-compile")
    session.expect(0, "warning: -fopenmp-targets=nvptx64-nvidia-cuda is left out of all programs of the bundle")

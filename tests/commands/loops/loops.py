# SPDX-License-Identifier: Apache-2.0
"""Loops that `mpiskel run` changes, leaves early, and lists.

Each case runs in a directory of its own, with a model that is written by hand: each region takes 1 us,
and each feature adds to that. So a changed loop has to give the very time that the skeleton of the
edited source gives, to the last digit.
"""
import json
import os
import subprocess

from support import Failure, expect_same as expect

PROGRAM = """
#include <mpi.h>
#include <stdlib.h>

static double rectangle(const double *a, int n, int m) {
    double sum = 0;
    for (int i = 0; i < RECTANGLE_OUTER; i++)
        for (int j = 0; j < RECTANGLE_INNER; j++)
            sum += a[i % 8] * a[j % 8];
    return sum;
}

static double triangle(const double *a, int n) {
    double sum = 0;
    for (int i = 0; i < TRIANGLE_OUTER; i++)
        for (int j = 0; j < TRIANGLE_INNER; j++)
            sum += a[i % 8] - a[j % 8];
    return sum;
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 30, steps = argc > 2 ? atoi(argv[2]) : 40, rank, left = steps;
    double a[8] = {1, 2, 3, 4, 5, 6, 7, 8}, sum = 0, all;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int step = 0; step < STEPS; step++) {
        sum += rectangle(a, n, 3 * n);
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        if (step % 5 == 4)
            continue;
        sum += triangle(a, n);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    while (WHILE) {
        sum += triangle(a, n);
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        left -= 1;
    }
    MPI_Finalize();
    return all > 1e300;
}
"""
PLAIN = {"RECTANGLE_OUTER": "n", "RECTANGLE_INNER": "m", "TRIANGLE_OUTER": "n",
         "TRIANGLE_INNER": "n - i", "STEPS": "steps", "WHILE": "left > 0"}

# What the others are made of.
FRAME = """
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static double work(int n) {
    volatile double sum = 0;
    for (int i = 0; i < n; i++)
        sum += i;
    return sum;
}
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 100, rank, size;
    double x = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    BODY
    MPI_Finalize();
    return x > 1e300;
}
"""


class Session:
    def __init__(self, mpiskel, directory):
        os.chdir(directory)
        self.mpiskel = mpiskel
        self.code, self.out, self.err = 0, "", ""

    def do(self, *command):
        done = subprocess.run(command, capture_output=True, text=True)
        self.code, self.out, self.err = done.returncode, done.stdout, done.stderr
        self.command = " ".join(command)

    def told(self, what):
        return f"{what}\n$ {self.command}\ncode {self.code}\n{self.out}\n{self.err}"

    def fine(self, *arguments):
        self.do(self.mpiskel, *arguments)
        if self.code != 0:
            raise Failure(self.told("failed"))

    def refused(self, says, *arguments, code=1):
        self.do(self.mpiskel, *arguments)
        for part in [says] if isinstance(says, str) else says:
            if part not in self.err:
                raise Failure(self.told(f"does not say '{part}'"))
        if self.code != code:
            raise Failure(self.told(f"the exit code is not {code}"))

    def make(self, source, name="p"):
        """A bundle NAME.skel of the program, with a model."""
        os.makedirs(name, exist_ok=True)
        with open(f"{name}/{name}.c", "w") as out:
            out.write(source)
        here = os.getcwd()
        os.chdir(name)
        self.fine("capture", "--", "mpicc", "-O1", "-o", name, f"{name}.c")
        self.fine("generate", "-o", f"../{name}.skel")
        os.chdir(here)
        self.model(name)

    def model(self, name, last=""):
        """`last` is the last line of each region."""
        with open(f"{name}.skel/regions.json") as file:
            regions = json.load(file)
        lines = ["mpiskel-model 1", f"bundle {regions['bundle']}", "machine hand"]
        for region in regions["regions"]:
            count = len(region["features"])
            if region["kind"] == "value":
                lines.append(f"value {region['index']} {region['id']} {region['value']} features {count} context 0 "
                             "answers 1 key 0")
                lines += ["formula -1 1", "case 0 terms 1", "term 24" + " 0" * count]
                continue
            lines.append(f"region {region['index']} {region['id']} features {count} terms {count + 1} range"
                         + " 1 1e9" * count)
            lines.append("term 1e-6" + " 0" * count)
            for i in range(count):
                lines.append(f"term {(i + 1) * 1e-8:g} " + " ".join("1" if k == i else "0" for k in range(count)))
            lines += [last] if last else []
        lines.append(f"end {len(regions['regions'])}")
        with open(f"{name}.skel/model.bsim", "w") as out:
            out.write("\n".join(lines) + "\n")

    def run(self, name, *options, ranks=4, arguments=()):
        self.fine("run", f"{name}.skel", "-np", str(ranks), "--format=json", *options, "--", *arguments)
        return json.loads(self.out)


def edited(**changes):
    text = PROGRAM
    for name, expression in {**PLAIN, **changes}.items():
        text = text.replace(name, expression)
    return text


def line_of(text, part, nth=0):
    lines = [i + 1 for i, line in enumerate(text.split("\n")) if part in line]
    return lines[nth]


def near(wanted, found, relative):
    if not abs(found - wanted) <= relative * abs(wanted):
        raise Failure(f"{found!r} is not {wanted!r}")


def same_as_edited(session, part, expression, arguments=(), nth=0, **changes):
    """--set at the line with `part` gives what the edited source gives, and that differs from the plain run."""
    text = edited()
    session.make(text)
    session.make(edited(**changes), "q")
    place = f"p.c:{line_of(text, part, nth)}={expression}"
    plain = session.run("p", arguments=arguments)["predicted_s"]
    wanted = session.run("q", arguments=arguments)["predicted_s"]
    found = session.run("p", "--set", place, arguments=arguments)
    expect(wanted, found["predicted_s"])
    if wanted == plain:
        raise Failure("the change changes nothing")
    expect([("--set", place)], [(c["option"], c["value"]) for c in found["scenario"]])
    return found["scenario"][0]["effect"]


# ---- --set: loops in regions ----


def case_inner_loop_of_a_region(session):
    effect = same_as_edited(session, "j < m", "trips/2", RECTANGLE_INNER="m / 2")
    expect("90 iterations became 45", effect)


def case_outer_loop_of_a_region(session):
    same_as_edited(session, "i < n;", "trips*3-1", RECTANGLE_OUTER="3 * n - 1")


def case_inner_loop_of_a_triangle(session):
    effect = same_as_edited(session, "j < n - i", "trips/2", arguments=("31",), TRIANGLE_INNER="(n - i) / 2")
    expect("1 to 31 iterations became 0 to 15", effect)


def case_outer_loop_of_a_triangle(session):
    same_as_edited(session, "i < n;", "trips/2", nth=1, TRIANGLE_OUTER="n / 2")


def case_number_of_ranks(session):
    same_as_edited(session, "j < m", "max(ranks, trips) - ranks * 2", RECTANGLE_INNER="m - 8")


def case_feature_of_a_region(session):
    text = edited()
    session.make(text)
    session.make(edited(RECTANGLE_INNER="m / 2"), "q")
    line = line_of(text, "sum += rectangle")
    found = session.run("p", "--set", f"p.c:{line}:n2=value/2")
    expect(session.run("q")["predicted_s"], found["predicted_s"])
    expect("2700 became 1350", found["scenario"][0]["effect"])
    found = session.run("p", "--set", f"p.c:{line}:n2=1350")
    expect("2700 became 1350", found["scenario"][0]["effect"])


# ---- --set: loops that stay ----


def case_loop_that_stays_is_shorter(session):
    expect("40 iterations became 20", same_as_edited(session, "step < steps", "trips/2", STEPS="steps / 2"))


def case_loop_that_stays_is_longer(session):
    same_as_edited(session, "step < steps", "2 * trips + 1", STEPS="2 * steps + 1")


def case_loop_that_stays_is_skipped(session):
    same_as_edited(session, "step < steps", "trips - 1000", STEPS="0")


def case_while_loop(session):
    same_as_edited(session, "left > 0", "trips/4", WHILE="left > steps - steps / 4")


def case_several_are_set_at_once(session):
    text = edited()
    session.make(text)
    session.make(edited(STEPS="steps / 2", TRIANGLE_INNER="(n - i) / 3"), "q")
    found = session.run("p", "--set", f"p.c:{line_of(text, 'step < steps')}=trips/2", "--set",
                        f"p.c:{line_of(text, 'j < n - i')}=trips/3")
    expect(session.run("q")["predicted_s"], found["predicted_s"])
    expect(2, len(found["scenario"]))


JUMPS = """
    for (int i = 0; i < n; i++) {
        x += work(n);
        MPI_Barrier(MPI_COMM_WORLD);
        if (i % 3 == 1)
            continue;
        if (i == 17)
            break;
        for (int j = 0; j < 4; j++) {
            MPI_Barrier(MPI_COMM_WORLD);
            if (i % 4 == 2 && j == 1)
                goto next;
        }
    next:;
    }
    if (n > 50) for (int i = 0; i < 3; i++) MPI_Barrier(MPI_COMM_WORLD); else x += work(2 * n);
    do {
        x += work(n);
        MPI_Barrier(MPI_COMM_WORLD);
    } while (--n > 90);
"""


def case_jumps_and_branches_stay_as_they_are(session):
    text = FRAME.replace("BODY", JUMPS)
    session.make(text)
    session.fine("verify", "p.skel", "-np", "4", "--", "100")
    session.fine("verify", "p.skel", "-np", "4", "--", "20")
    plain = session.run("p")
    place = f"p.c:{line_of(text, 'i < n; i++', 1)}"
    expect(plain["predicted_s"], session.run("p", "--set", place + "=trips")["predicted_s"])
    found = session.run("p", "--set", place + "=trips/2")
    expect(plain["predicted_s"], found["predicted_s"])  # it leaves at 17
    if "ends by itself after at most 17" not in found["scenario"][0]["effect"]:
        raise Failure(found["scenario"])
    shorter = text.replace("for (int i = 0; i < n; i++) {\n        x += work(n);\n        MPI_B",
                           "for (int i = 0; i < n / 10; i++) {\n        x += work(n);\n        MPI_B")
    session.make(shorter, "q")
    expect(session.run("q")["predicted_s"], session.run("p", "--set", place + "=trips/10")["predicted_s"])
    do = f"p.c:{line_of(text, 'do {')}"
    session.refused("how often this loop iterates is not known", "run", "p.skel", "-np", "4", "--set",
                    do + "=trips/2")
    session.make(text.replace("n > 90", "n > 97"), "q")
    expect(session.run("q")["predicted_s"], session.run("p", "--set", do + "=3")["predicted_s"])


# ---- --set: what is refused ----

REFUSALS = """
    int count[64] = {0}, partner = 0, total = 0;
    for (int i = 0; i < size; i++) count[i] = i;
    for (int i = 0; i < size; i++) { partner += count[i]; }
    for (int i = 0; i < 8; i++) MPI_Bcast(&x, count[i] * 0 + 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int i = 0; i < 6; i++) { MPI_Barrier(MPI_COMM_WORLD); if (i == 2) i++; }
    for (int i = 0; i < 5; i++) for (int j = 0; j < 2; j++) MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < partner; i++) MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < n; i++) x += i;
    for (int i = 0; i < n; i++) x *= i;
    MPI_Barrier(MPI_COMM_WORLD);
    switch (n) {
    case 1:
        for (int i = 95; i > 90; i--) {
            MPI_Barrier(MPI_COMM_WORLD);
    default:
            MPI_Barrier(MPI_COMM_WORLD);
        }
    }
    if (n == 2) goto inside;
    for (int k = 95; k > 90; k--) {
        MPI_Barrier(MPI_COMM_WORLD);
    inside:
        if (k < 0) k = 92;
        MPI_Barrier(MPI_COMM_WORLD);
    }
    for (int i = 0; i < n; i++) {
        double y = x;
        while (y > 1) y /= 3;
        x += y;
    }
    MPI_Barrier(MPI_COMM_WORLD);
"""


def case_what_cannot_be_set_is_refused(session):
    text = FRAME.replace("BODY", REFUSALS)
    session.make(text)
    session.fine("verify", "p.skel", "-np", "4")

    def refused(part, expression, says, more=()):
        place = part if ":" in part else f"p.c:{line_of(text, part)}"
        session.refused(says, "run", "p.skel", "-np", "4", "--set", f"{place}={expression}", *more)

    refused("count[i] = i", "2", ["cannot be set", "decides about communication"])
    refused("count[i] * 0", "2*trips", ["8 iterations would become 16", "count[i]", "p.c:"])
    refused("i == 2", "trips/2", "trip count changes while it runs")
    refused("j < 2", "1", ["several loops are meant", "for i", "for j"])
    refused("x *= i", "trips/2", ["was not measured apart", f"--set p.c:{line_of(text, 'x += i;')}=trips/2"])
    refused("y > 1", "3", ["cannot be set", "not among the features"])
    refused("i > 90", "1", ["cannot be set", "a jump from outside leads into it"])
    refused("k > 90", "1", ["cannot be set", "a jump from outside leads into it"])
    refused("p.c:1", "3", ["no such loop", "the nearest are p.c:"])
    refused("p.d:1", "3", "no file 'p.d'")
    refused("p.c:", "3", "give FILE:LINE")
    refused("partner;", "trip", ["'trip'", "there are trips, ranks"])
    refused("partner;", "trips/0", "no finite value")
    both = f"p.c:{line_of(text, 'partner;')}=3"
    session.refused("it is set twice", "run", "p.skel", "-np", "4", "--set", both, "--set", both)
    session.refused("--set takes FILE:LINE=EXPR", "run", "p.skel", "-np", "4", "--set", "p.c:1", code=64)
    session.refused("not with --original", "run", "p.skel", "-np", "4", "--set", both, "--original", code=64)
    # What is allowed: shorter, one of two loops in a line, and loops that are one feature together.
    session.run("p", "--set", f"p.c:{line_of(text, 'count[i] * 0')}=trips/2")
    session.run("p", "--set", f"p.c:{line_of(text, 'j < 2')}:j=3")
    pair = [f"p.c:{line_of(text, part)}=trips/2" for part in ("x += i;", "x *= i;")]
    found = session.run("p", "--set", pair[0], "--set", pair[1])["predicted_s"]
    if not found < session.run("p")["predicted_s"]:
        raise Failure("two loops that are set together change nothing")


def case_a_deadlock_names_the_change(session):
    text = FRAME.replace("BODY", """
    for (int i = 0; i < rank + 1; i++)
        x += work(n);
    for (int i = 0; i < 3 + 0 * rank; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        for (int i = 1; i < size; i++) MPI_Send(&x, 1, MPI_DOUBLE, i, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(&x, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
""")
    session.make(text)
    place = f"p.c:{line_of(text, 'i = 1; i < size')}=trips-1"
    session.refused(["deadlock", f"the run was changed by --set {place}"], "run", "p.skel", "-np", "4", "--set",
                    place)


def case_a_loop_that_is_not_reached_is_told(session):
    text = FRAME.replace("BODY", """
    if (n < 0)
        for (int i = 0; i < n; i++) MPI_Barrier(MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
""")
    session.make(text)
    found = session.run("p", "--set", f"p.c:{line_of(text, 'i < n; i++', 1)}=trips/2")
    expect("never reached", found["scenario"][0]["effect"])
    if "nothing changed" not in session.err:
        raise Failure(session.told("no warning"))


def case_modelled_loops_are_left_and_entered_again(session):
    """A loop whose trips are a value that is given: each entry has its own, whenever the last one was left."""
    text = """
#include <mpi.h>
#include <math.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    double x[64], change, all;
    MPI_Init(&argc, &argv);
    for (int k = 0; k < 2; k++) {
        int i = 0;
        for (int j = 0; j < 64; j++)
            x[j] = j;
        change = 1;
        while (i < 40 && change > 1e-2) {
            double next = 0;
            for (int n = 0; n < 20000; n++)
                for (int j = 0; j < 64; j++)
                    x[j] = x[j] * 0.999990 + 1e-9;
            next = x[63] / 63;
            MPI_Allreduce(&next, &change, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
            i++;
        }
    }
    MPI_Finalize();
    return 0;
}
"""
    os.makedirs("p")
    with open("p/p.c", "w") as out:
        out.write(text)
    os.chdir("p")
    session.fine("capture", "--", "mpicc", "-O1", "-o", "p", "p.c", "-lm")
    session.fine("generate", "--assume", "cuts", "--max-kept", "100", "-o", "../p.skel")
    os.chdir("..")
    with open("p.skel/src/p.c") as file:
        if "BSIM_TRIPS(" not in file.read():
            raise Failure("no loop's trips are given")
    session.model("p")
    place = f"p.c:{line_of(text, 'while (')}"

    def reductions(*options):
        return sum(c["count"] for c in session.run("p", *options)["calls"] if c["name"] == "MPI_Allreduce")

    expect(4 * 2 * 24, reductions())
    expect(4 * 2 * 20, reductions("--set", place + "=trips/2"))
    expect(4 * 2 * 24, reductions("--set", place + "=trips-1"))


# ---- --iterations ----

LONG = """
    x += work(500);
    for (int step = 0; step < n; step++) {
        if (step == 0)
            x += work(40000);
        x += work(100 + 10 * rank);
        MPI_Sendrecv(&x, 1, MPI_DOUBLE, (rank + 1) % size, 0, &x, 1, MPI_DOUBLE, (rank + size - 1) % size, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (step % 4 == 3)
            MPI_Barrier(MPI_COMM_WORLD);
    }
    for (int i = 0; i < 3; i++) {
        x += work(5000);
        MPI_Barrier(MPI_COMM_WORLD);
    }
"""


def case_a_steady_loop_is_extrapolated(session):
    text = FRAME.replace("BODY", LONG)
    session.make(text)
    full = session.run("p", arguments=("2001",))
    place = f"p.c:{line_of(text, 'step < n')}"
    for option in ("20", place + "=20", place + "=30"):
        found = session.run("p", "--iterations", option, arguments=("2001",))
        near(full["predicted_s"], found["predicted_s"], 1e-3)
        expect(place, found["iterations"]["loop"])
        expect(2001, found["iterations"]["total"])
        expect(30 if option.endswith("30") else 20, found["iterations"]["simulated"])
        expect(4, found["iterations"]["period"])
        off = found["iterations"]["extrapolated_off_s"]
        if not abs(full["predicted_s"] - found["predicted_s"]) <= off + 1e-9:
            raise Failure(f"the interval {off} does not hold")
        # The tables are extended as the second half of the iterations was, whole periods or not.
        for key in "compute_s", "mpi_s", "calls":
            near(full["per_rank"][key]["mean"], found["per_rank"][key]["mean"], 0.06)
        near(sum(c["count"] for c in full["calls"]), sum(c["count"] for c in found["calls"]), 0.06)
        near(sum(r["executions"] for r in full["regions"]), sum(r["executions"] for r in found["regions"]), 0.06)


def case_messages_are_told_as_those_that_were_simulated(session):
    session.make(FRAME.replace("BODY", LONG))
    for options, told in ((["--iterations", "20"], True), ([], False)):
        session.fine("run", "p.skel", "-np", "4", *options, "--", "500")
        if ("in the iterations that were simulated" in session.out) != told:
            raise Failure(session.told("what the messages are of"))


def case_first_executions_that_are_slower_are_no_trend(session):
    """The model knows that they are, and how it goes on behind the iterations that are simulated."""
    session.make(FRAME.replace("BODY", LONG))
    session.model("p", "ratio table 5 1 3 2 1.5 5 1.2 17 1.1 65 1")
    full = session.run("p", arguments=("2001",))
    found = session.run("p", "--iterations", "20", arguments=("2001",))
    expect(20, found["iterations"]["simulated"])
    near(full["predicted_s"], found["predicted_s"], 2e-3)
    near(sum(r["seconds_per_rank"] for r in full["regions"]), sum(r["seconds_per_rank"] for r in found["regions"]), 0.1)


def case_changed_loops_are_extrapolated(session):
    text = FRAME.replace("BODY", LONG)
    session.make(text)
    place = f"p.c:{line_of(text, 'step < n')}"
    full = session.run("p", "--set", place + "=trips/2", arguments=("2000",))
    found = session.run("p", "--set", place + "=trips/2", "--iterations", "20", arguments=("2000",))
    near(full["predicted_s"], found["predicted_s"], 1e-3)
    expect(1000, found["iterations"]["total"])


def case_a_loop_that_shrinks_is_simulated_in_full(session):
    text = FRAME.replace("BODY", """
    for (int step = 0; step < n; step++) {
        x += work(1000 * (n - step));
        MPI_Barrier(MPI_COMM_WORLD);
    }
""")
    session.make(text)
    full = session.run("p", arguments=("200",))
    found = session.run("p", "--iterations", "20", arguments=("200",))
    expect(full["predicted_s"], found["predicted_s"])
    if "nothing extrapolated" not in session.err:
        raise Failure(session.told("not told"))


def case_a_late_steady_state_is_waited_for(session):
    text = FRAME.replace("BODY", """
    for (int step = 0; step < n; step++) {
        x += work(step < 30 ? 40000 - 1000 * step : 10000);
        MPI_Barrier(MPI_COMM_WORLD);
    }
""")
    session.make(text)
    full = session.run("p", arguments=("3000",))
    found = session.run("p", "--iterations", "20", arguments=("3000",))
    near(full["predicted_s"], found["predicted_s"], 1e-3)
    if not 40 <= found["iterations"]["simulated"] <= 160:
        raise Failure(found["iterations"])


def case_a_loop_that_is_entered_again_and_again(session):
    text = FRAME.replace("BODY", """
    for (int outer = 0; outer < 3; outer++) {
        x += work(7000);
        for (int inner = 0; inner < (outer + 1) * n; inner++) {
            x += work(100 * (outer + 1));
            MPI_Barrier(MPI_COMM_WORLD);
        }
    }
""")
    session.make(text)
    full = session.run("p", arguments=("300",))
    found = session.run("p", "--iterations", f"p.c:{line_of(text, 'inner++')}=10", arguments=("300",))
    near(full["predicted_s"], found["predicted_s"], 1e-6)
    if "300 to 900 iterations" not in found["scenario"][0]["effect"]:
        raise Failure(found["scenario"])


def case_a_loop_without_a_count_needs_one(session):
    text = FRAME.replace("BODY", """
    double error = 1;
    int step = 0;
    while (step < 100000 && error > 1e-3) {
        double local = error * 0.99;
        x += work(1000);
        MPI_Allreduce(&local, &error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        step++;
    }
""")
    session.make(text)
    place = f"p.c:{line_of(text, 'while (')}"
    for option in ("20", place + "=20"):
        session.refused(["--iterations", f"{place}=20/N"], "run", "p.skel", "-np", "4", "--iterations", option)
    full = session.run("p")
    near(full["predicted_s"], session.run("p", "--iterations", place + "=20/688")["predicted_s"], 1e-3)
    found = session.run("p", "--set", place + "=trips/10")
    expect(full["predicted_s"], found["predicted_s"])  # 10,000 are more than it makes
    if "ends by itself after at most 688" not in found["scenario"][0]["effect"]:
        raise Failure(found["scenario"])


def case_calls_that_were_not_seen_are_told(session):
    text = FRAME.replace("BODY", """
    for (int step = 0; step < n; step++) {
        x += work(1000);
        MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        if (step % 50 == 30)
            MPI_Barrier(MPI_COMM_WORLD);
    }
""")
    session.make(text)
    session.run("p", "--iterations", "20", arguments=("1000",))
    told = f"never made: p.c:{line_of(text, 'MPI_Barrier')};"
    if told not in session.err:
        raise Failure(session.told(f"does not say '{told}'"))
    session.run("p", "--iterations", "40", arguments=("1000",))
    if "never made" in session.err:
        raise Failure(session.told("a warning without reason"))


def case_wrong_iterations_are_told(session):
    session.make(FRAME.replace("BODY", LONG))
    for wrong in ("3", "x", "p.c:20=", "20/0", "20/", "-5", "1e99", "20.5", "p.c:20=20/100.5", "if-long:0x1",
                  "if-long:inf", "if-long:-1", "if-long:"):
        session.refused("--iterations takes how many iterations", "run", "p.skel", "-np", "4", "--iterations",
                        wrong)
    session.refused("of which loop?", "run", "p.skel", "-np", "4", "--iterations", "20/100")
    session.refused("no such loop", "run", "p.skel", "-np", "4", "--iterations", "p.c:1=20")
    session.refused("makes no MPI call", "run", "p.skel", "-np", "4", "--iterations",
                    f"p.c:{line_of(FRAME, 'i < n; i++')}=20")


# ---- Lists ----


def case_loops_are_listed(session):
    text = FRAME.replace("BODY", REFUSALS)
    session.make(text)
    session.fine("loops", "p.skel")
    if "loops, " not in session.out or "decides about communication" not in session.out:
        raise Failure(session.told("the list"))
    session.fine("loops", "p.skel", "p.c", "--format=json")
    found = json.loads(session.out)
    expect("mpiskel-loops-list", found["format"])
    by_line = {loop["line"]: loop for loop in found["loops"]}
    expect(True, by_line[line_of(text, "i == 2")]["stays"])
    expect(True, by_line[line_of(text, "i == 2")]["outermost"])
    expect(False, by_line[line_of(text, "y > 1")]["can_be_set"])
    expect("i", by_line[line_of(text, "x *= i")]["variable"])
    expect(1, len(by_line[line_of(text, "x *= i")]["together"]))
    session.fine("loops", "p.skel", "other.c")
    expect("0 loops, 0 of them can be set\n", session.out)


def case_damaged_lists_are_told(session):
    session.make(FRAME.replace("BODY", LONG))
    path = "p.skel/loops.json"
    with open(path) as file:
        whole = file.read()
    root = json.loads(whole)
    damages = ["", whole[:200], "[]", whole.replace("mpiskel-loops", "loops"),
               whole.replace(root["bundle"], "0" * 16), whole.replace('"line": ', '"line": -'),
               json.dumps({**root, "loops": [{"number": 10 ** 30}]}), json.dumps({**root, "loops": [3]}),
               json.dumps({**root, "version": 2})]
    for damage in damages:
        with open(path, "w") as out:
            out.write(damage)
        session.refused("loops.json", "loops", "p.skel")
        session.refused("loops.json", "run", "p.skel", "-np", "2", "--iterations", "20")
    os.unlink(path)
    session.refused("run mpiskel generate again", "loops", "p.skel")
    session.run("p")

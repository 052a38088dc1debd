#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How far predictions are off, without any noise: all programs count what they execute.

    accuracy.py MPISKEL [NAME...]      compares the errors with bounds.txt; exit code 1 if one is larger
    accuracy.py MPISKEL --bless        writes bounds.txt anew, of what is measured
    accuracy.py MPISKEL --table        prints the table of docs/results/accuracy.md

Each program is profiled at small sizes on 1 to 4 ranks, fitted, and predicted; the truth is its original under SMPI,
whose clock is the same. Programs are in programs/, or examples/ of the tree."""
import concurrent.futures
import glob
import json
import math
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from programs import CASES  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
EXAMPLES = os.path.join(HERE, "..", "..", "examples")
BOUNDS = os.path.join(HERE, "bounds.txt")
# A small processor, whose caches small runs exceed.
PROCESSORS = {"blocks": "block_ns 1\n",
              "caches": "block_ns 0.7\naccess_ns 0.25\ncache 8KiB 4 0 0\ncache 64KiB 8 3 1\ncache 256KiB 16 12 2\n"
                        "memory 80 5\nstreams 16\n"}
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_hwloc_base_binding_policy="none",
                   OMPI_MCA_mpi_yield_when_idle="1")
# A bound over what was measured, a factor and percent. Where small blocks of memory lie goes by what the runtimes
# allocate before, so that caches differ by some tenths of a percent when these change, and short runs by two lines.
HEADROOM = {"blocks": (1.02, 0.02), "caches": (1.25, 1)}
TWO_LINES_S = 160e-9
MESSAGES_PERCENT = 0.2  # instead, of programs that wait for messages more than they compute


class Failed(Exception):
    pass


class Program:
    """A case in a directory of its own."""

    def __init__(self, mpiskel, case, directory):
        self.mpiskel, self.case, self.directory = mpiskel, case, directory

    def run(self, *words, **variables):
        done = subprocess.run(words, cwd=self.directory, env=dict(ENVIRONMENT, **variables), capture_output=True,
                              text=True, timeout=1800)
        if done.returncode != 0:
            raise Failed(f"{self.case.name}: {' '.join(words)}: exit code {done.returncode}\n{done.stderr[-2000:]}")
        return done.stdout

    def generate(self):
        if self.case.example:
            shutil.copytree(os.path.join(EXAMPLES, self.case.name), self.directory, dirs_exist_ok=True)
            build = ["make", "-B"]
        else:
            source = f"{self.case.name}.c"
            shutil.copy(os.path.join(HERE, "programs", source), self.directory)
            build = ["mpicc", "-O2", "-o", self.case.name, source, "-lm"]
        self.run(self.mpiskel, "capture", "--", *build)
        self.run(self.mpiskel, "generate", "--counted", "-j1", "-o", "app.skel", *self.case.options)
        for clock, text in PROCESSORS.items():
            with open(os.path.join(self.directory, clock), "w", encoding="utf-8") as file:
                file.write(text)

    def learn(self, clock):
        for path in glob.glob(os.path.join(self.directory, "app.skel", "samples", "*")):
            os.remove(path)
        for ranks, arguments in self.case.small:
            self.run("mpirun", "-np", str(ranks), "app.skel/profile", *arguments,
                     BSIM_CLOCK=f"counted:{self.directory}/{clock}")
        self.run(self.mpiskel, "fit", "app.skel", "--machine", clock, *self.case.fit)

    def simulate(self, ranks, arguments, *options):
        return json.loads(self.run(self.mpiskel, "run", "app.skel", "-np", str(ranks), "--format=json", "--no-progress",
                                   "--app-output=none", *options, "--", *arguments))

    def rows(self):
        self.generate()
        for clock in self.case.clocks:
            self.learn(clock)
            for place, (ranks, arguments) in self.case.large:
                truth = self.simulate(ranks, arguments, "--original", f"--clock=counted:{clock}")["predicted_s"]
                predicted = self.simulate(ranks, arguments)
                yield Row(self.case.name, clock, place, ranks, arguments, truth, predicted)


class Row:
    def __init__(self, name, clock, place, ranks, arguments, truth, prediction):
        interval = prediction["interval"]
        self.key = f"{name} {clock} {ranks}: {' '.join(arguments)}"
        self.name, self.clock, self.place, self.ranks, self.arguments = name, clock, place, ranks, arguments
        self.truth, self.predicted = truth, prediction["predicted_s"]
        self.error = 100 * (self.predicted - truth) / truth
        self.is_known = interval["known"]
        self.low, self.high = (interval["low_s"], interval["high_s"]) if self.is_known else (math.nan, math.nan)
        # What the runtimes themselves touch moves a few lines of the program's.
        room = TWO_LINES_S if clock == "caches" else 0
        self.is_inside = self.is_known and self.low - room <= truth <= self.high + room

    def text(self):
        arguments = " ".join(self.arguments)
        interval = f"{self.low:.4g} to {self.high:.4g}" if self.is_known else "none"
        return (f"| {self.name} | {self.clock} | {self.place} | {self.ranks} | `{arguments}` | {self.truth:.6g} | "
                f"{self.predicted:.6g} | {self.error:+.2f} % | {interval} | {'yes' if self.is_inside else 'NO'} |")


def measure(mpiskel, case):
    with tempfile.TemporaryDirectory(prefix=f"mpiskel-accuracy-{case.name}-") as directory:
        return list(Program(mpiskel, case, os.path.realpath(directory)).rows())


def measure_all(mpiskel, cases):
    """Two at a time; those that fail as well."""
    rows, wrong = [], []
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for done in [pool.submit(measure, mpiskel, case) for case in cases]:
            try:
                rows += done.result()
            except (Failed, subprocess.TimeoutExpired) as error:
                wrong.append(str(error))
    return rows, wrong


def groups(rows):
    """Of each clock and place: errors, how many are in their interval, the interval's width."""
    for clock in PROCESSORS:
        for place in "profiled", "inside", "beyond":
            chosen = [row for row in rows if row.clock == clock and row.place == place]
            if chosen:
                errors = [abs(row.error) for row in chosen]
                widths = [100 * (row.high - row.low) / row.predicted for row in chosen if row.is_known]
                yield clock, place, errors, sum(row.is_inside for row in chosen), widths


def print_table(rows):
    print("| Clock | Place | Predictions | Mean error | Median | Largest | In their interval | Median width |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for clock, place, errors, inside, widths in groups(rows):
        width = f"{statistics.median(widths):.1f} %" if widths else "none"
        print(f"| {clock} | {place} | {len(errors)} | {statistics.mean(errors):.2f} % | {statistics.median(errors):.2f} % |"
              f" {max(errors):.2f} % | {inside} | {width} |")
    print("\n| Program | Clock | Place | Ranks | Arguments | Truth, s | Predicted, s | Error | 95 % interval | Inside |")
    print("| --- | --- | --- | ---: | --- | ---: | ---: | ---: | --- | --- |")
    for row in rows:
        print(row.text())


def read_bounds():
    """By key: the largest error, and whether the interval has to hold the truth."""
    bounds = {}
    with open(BOUNDS, encoding="utf-8") as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                key, percent, inside = [part.strip() for part in line.split("|")]
                bounds[key] = float(percent), inside == "inside"
    return bounds


def write_bounds(rows):
    """Of these rows; others keep theirs."""
    bounds = read_bounds() if os.path.exists(BOUNDS) else {}
    waiting = {case.name for case in CASES if case.waits_for_messages}
    for row in rows:
        factor, percent = HEADROOM[row.clock]
        if row.clock == "caches":
            percent = MESSAGES_PERCENT if row.name in waiting else percent + 100 * TWO_LINES_S / row.truth
        bounds[row.key] = factor * abs(row.error) + percent, row.is_inside
    keys = [f"{case.name} {clock} {ranks}: {' '.join(arguments)}" for case in CASES for clock in case.clocks
            for _, (ranks, arguments) in case.large]
    with open(BOUNDS, "w", encoding="utf-8") as file:
        file.write("# SPDX-License-Identifier: Apache-2.0\n"
                   "# Program, clock, ranks and arguments | largest error in percent | whether the interval has the truth.\n"
                   "# Written by accuracy.py --bless: a bound that grows is a prediction that got worse.\n")
        for key in keys:
            if key in bounds:
                bound, is_inside = bounds[key]
                file.write(f"{key} | {bound:.2f} | {'inside' if is_inside else 'outside'}\n")


def compare(rows):
    """What is worse than its bound."""
    bounds = read_bounds()
    for row in rows:
        bound, inside = bounds.get(row.key, (None, None))
        if bound is None:
            yield f"{row.key}: there is no bound; bless it"
        elif abs(row.error) > bound:
            yield f"{row.key}: error {row.error:+.2f} %, at most {bound:.2f} %"
        elif inside and not row.is_inside:
            yield f"{row.key}: the truth {row.truth:.6g} s is not in the interval {row.low:.4g} to {row.high:.4g}"


def main():
    mpiskel, words = os.path.abspath(sys.argv[1]), sys.argv[2:]
    names = [word for word in words if not word.startswith("--")]
    rows, wrong = measure_all(mpiskel, [case for case in CASES if not names or case.name in names])
    print_table(rows)
    if "--bless" in words and not wrong:
        write_bounds(rows)
    elif "--table" not in words:
        wrong += compare(rows)
    for text in wrong:
        print(f"error: {text}", file=sys.stderr)
    sys.exit(1 if wrong else 0)


main()

# SPDX-License-Identifier: Apache-2.0
"""Predictions of a table of codes against real runs and against simulated originals, one protocol for all.

In: a table of codes (README.md of this folder has the format), which stay where they are: each is copied,
captured and generated as a new user would, and its skeleton is compared with it call by call. The network
is calibrated once.
Rounds, so that what changes on the machine meanwhile meets all alike: the first two make each profiling
run (with --cold also with caches as cold as the ranks of a simulation leave them), each makes each test.
A test with no more ranks than this machine has processors is a real run, of the profiling build with
untimed regions, from MPI_Init to MPI_Finalize; one with more is the original in simulation.
Then the models are fitted, and each test is predicted: real runs on the calibrated network, originals on
the default one (with --cold from the profiling runs with cold caches).
Out: one row a test.

With a directory that is kept everything measured is remembered there, and a later call goes on: long
tables are measured in pieces. Nothing is left out because of what it showed.
"""
import argparse
import configparser
import glob
import json
import os
import shlex
import shutil
import statistics
import tempfile
import time

import bench
import quiet

TRAINING_ROUNDS = 2     # each profiling run, as `fit` asks for
KEYS = {"about", "directory", "prepare", "build", "edit", "link", "generate", "verify", "train", "test"}


class Unfinished(Exception):
    """The time for this piece is over."""


class Code:
    """A section of the table; `needed`: keys that may not be left out."""

    def __init__(self, name, section, base, needed):
        missing = needed - set(section)
        unknown = set(section) - KEYS
        if missing or unknown:
            raise bench.Failure("[%s]: %s" % (name, "; ".join(
                ["'%s' is missing" % key for key in sorted(missing)]
                + ["there is no '%s'" % key for key in sorted(unknown)])))
        self.name, self.about = name, section.get("about", "")
        self.directory = os.path.join(base, section["directory"])
        self.edit, self.link = section.get("edit"), section.get("link")
        try:
            self.prepare, self.build, self.generate, self.verify = (
                shlex.split(section.get(key, "")) for key in ("prepare", "build", "generate", "verify"))
        except ValueError as error:
            raise bench.Failure("[%s]: %s" % (name, error)) from error
        if self.link is not None:
            self.generate += ["--link", self.link]
        try:
            self.train, self.test = (bench.parse_runs(section[key]) if key in section else []
                                     for key in ("train", "test"))
        except argparse.ArgumentTypeError as error:
            raise bench.Failure("[%s]: %s" % (name, error)) from error

    def place(self, directory):
        """Where its copy is, its bundle, and those that are trained."""
        self.copy = os.path.join(directory, self.name, "source")
        self.bundle = os.path.join(self.copy, "bench.skel")
        self.trained = {kind: os.path.join(directory, self.name, kind + ".skel")
                        for kind in ("warm", "cold")}

    def capture(self, mpiskel):
        """Makes the copy, without what is Git's or a bundle, and commands.json in it."""
        shutil.rmtree(self.copy, ignore_errors=True)
        shutil.copytree(self.directory, self.copy, symlinks=True,
                        ignore=shutil.ignore_patterns(".git", "*.skel"))
        if self.prepare:
            bench.run(self.prepare, self.copy)
        bench.run([mpiskel, "capture", "-o", "commands.json", "--"] + self.build, self.copy)


def read_codes(path, names, needed):
    parser = configparser.ConfigParser(interpolation=None)
    try:
        with open(path, encoding="utf-8") as file:
            parser.read_file(file)
    except (configparser.Error, UnicodeDecodeError) as error:
        raise bench.Failure("%s is no table of codes (README.md of bench): %s" % (path, error)) from error
    if not parser.sections():
        raise bench.Failure("%s has no codes: a section for each, such as [heat]" % path)
    unknown = set(names) - set(parser.sections())
    if unknown:
        raise bench.Failure("%s has no [%s]" % (path, sorted(unknown)[0]))
    base = os.path.dirname(os.path.abspath(path))
    return [Code(name, parser[name], base, needed)
            for name in parser.sections() if not names or name in names]


class Measurements:
    """What was measured so far, by its name; written after each."""

    def __init__(self, path, seconds):
        self.path, self.end, self.found = path, time.monotonic() + seconds, None
        self.values = {}
        if os.path.exists(path):
            try:
                with open(path, encoding="utf-8") as file:
                    self.values = json.load(file)
            except ValueError as error:
                raise bench.Failure("%s: %s; remove it to measure anew" % (path, error)) from error

    def quiet(self, options):
        """How long undisturbed loops take is known from piece to piece, or each had its own standard."""
        known = self.values.setdefault("undisturbed", {})
        found = quiet.Quiet(bench.log, 60 * options.patience, known.get("loop_s"))
        found.shortest_reference_s = known.get("reference_s", found.shortest_reference_s)
        self.found = found
        return found

    def keep(self):
        if self.found is not None:
            self.values["undisturbed"] = {"loop_s": self.found.loop_s}
            if self.found.shortest_reference_s < float("inf"):
                self.values["undisturbed"]["reference_s"] = self.found.shortest_reference_s
        with open(self.path + ".new", "w", encoding="utf-8") as file:
            json.dump(self.values, file, indent=1)
        os.replace(self.path + ".new", self.path)

    def rounds(self, name):
        """What all rounds gave, those of an earlier call with more of them too."""
        return [value for key, value in self.values.items() if key.startswith(name + ", round ")]

    def once(self, name, measure):
        if name in self.values:
            return self.values[name]
        if time.monotonic() > self.end:
            raise Unfinished()
        bench.log("  " + name)
        self.values[name] = measure()
        self.keep()
        return self.values[name]


def spelled_out(code, run):
    """The words of a run, where it is made, and the file of its standard input."""
    words, place = bench.placed(run[1], code.copy)
    words, source = bench.redirected(words)
    return words, code.copy if place is None else place, source


def make_bundle(options, code):
    """A copy of the code, captured, generated and verified; returns what `verify` says."""
    code.capture(options.mpiskel)
    bench.run([options.mpiskel, "generate", "--no-progress", "-p", "commands.json", "-o", "bench.skel"]
              + code.generate, code.copy)
    widest = max(code.train, key=lambda run: run[0])
    words, place, source = spelled_out(code, widest)
    verdict = bench.run([options.mpiskel, "verify", code.bundle, "-np", str(widest[0])] + code.verify
                        + ["--"] + words, place, source=source)
    for bundle in code.trained.values():
        shutil.rmtree(bundle, ignore_errors=True)
        shutil.copytree(code.bundle, bundle, symlinks=True)
    return verdict.strip().splitlines()[-1]


def calibrate(options, path):
    report = json.loads(bench.run([options.mpiskel, "calibrate", "--network", "--format=json",
                                   "--no-progress", "-o", path]))
    return {"median_error": report["median_error"], "largest_error": report["largest_error"]}


def run_really(options, code, bundle, run, environment, keep):
    """One run of the profiling build, made again while others disturb; returns the head of its samples."""
    words, place, source = spelled_out(code, run)
    head = {}

    def once():
        with tempfile.TemporaryDirectory() as samples:
            bench.run(["mpirun", "--oversubscribe", "-np", str(run[0]), os.path.join(bundle, "profile")]
                      + words, place, dict(environment, BSIM_SAMPLES=samples,
                                           **options.quiet.environment), source)
            paths = glob.glob(os.path.join(samples, "*.samples"))
            if len(paths) != 1:
                raise bench.Failure("the run left no samples")
            with open(paths[0], encoding="utf-8") as file:
                head.update(json.loads(file.readline()))
            if keep:
                os.makedirs(os.path.join(bundle, "samples"), exist_ok=True)
                head["path"] = shutil.move(paths[0], os.path.join(bundle, "samples"))
        return options.quiet.level_of_reference(head["reference_s"])

    options.quiet.make(once, lambda: os.remove(head["path"]) if keep else None)
    return head


def simulate_original(options, code, run, environment):
    return bench.simulate(options.mpiskel, code.bundle, run[0], run[1], True, environment, code.copy)


def simulate_undisturbed(options, code, run, bursts):
    """Seconds, with what is known of bursts from the simulations before; again while others disturb."""
    environment = dict(options.quiet.environment, BSIM_BURSTS=bursts)
    reports = []

    def once():
        reports.append(simulate_original(options, code, run, environment))
        return 1 + bench.disturbed_share(reports[-1])

    options.quiet.make(once, lambda: None)
    return reports[-1]["predicted_s"]


def is_real(run):
    return run[0] <= len(os.sched_getaffinity(0))


def prepare(options, measured, code):
    """What is not timed: the skeleton, and what all ranks of the largest simulation have in memory."""
    measured.once("%s: skeleton" % code.name, lambda: make_bundle(options, code))
    largest = max(code.test, key=lambda run: run[0])
    measured.once("%s: memory" % code.name, lambda: {
        "kib": simulate_original(options, code, largest, {})["simulation"]["peak_memory_kib"],
        "ranks": largest[0]})


def train(options, measured, code, number):
    memory = measured.values["%s: memory" % code.name]
    environments = {"warm": {}}
    if options.cold:
        environments["cold"] = bench.cache_environment(memory["kib"] << 10, memory["ranks"])
    for kind, environment in environments.items():
        for run in code.train:
            measured.once(
                "%s: %s %s, round %d" % (code.name, kind, bench.spelled(*run), number),
                lambda: run_really(options, code, code.trained[kind], run, environment, True)["elapsed_s"])


def test(options, measured, code, number, directory):
    for position, run in enumerate(code.test):
        name = "%s: %%s %s, round %d" % (code.name, bench.spelled(*run), number)
        if is_real(run):
            measured.once(name % "real", lambda: run_really(
                options, code, code.bundle, run, {"BSIM_CLOCK": "none"}, False)["elapsed_s"])
        else:
            bursts = os.path.join(directory, code.name, "%d.bursts" % position)
            measured.once(name % "original", lambda: simulate_undisturbed(options, code, run, bursts))


def without_failures(codes, make):
    """Those codes of which `make` does not fail."""
    usable = []
    for code in codes:
        try:
            make(code)
            usable.append(code)
        except (bench.Failure, OSError) as failure:
            bench.log("accuracy: error: %s: %s" % (code.name, failure))
    return usable


def make_rounds(options, measured, codes, directory):
    """Returns the codes that could be measured."""
    def make(number, code):
        if number <= TRAINING_ROUNDS:
            train(options, measured, code, number)
        if number <= options.repeats:
            test(options, measured, code, number, directory)

    for number in range(1, max(options.repeats, TRAINING_ROUNDS) + 1):
        codes = without_failures(codes, lambda code: make(number, code))
    return codes


def predict(options, code, run, network):
    kind = "cold" if options.cold and not is_real(run) else "warm"
    more = ["--network", network] if is_real(run) else []
    report = bench.simulate(options.mpiskel, code.trained[kind], run[0], run[1], False, {}, code.copy, more)
    return report["predicted_s"], report["interval"], report["per_rank"]


def compare(options, measured, code, run, network):
    kind = "real" if is_real(run) else "original"
    times = measured.rounds("%s: %s %s" % (code.name, kind, bench.spelled(*run)))
    predicted_s, interval, per_rank = predict(options, code, run, network)
    truth_s = statistics.median(times)
    inside = bool(interval["known"]) and interval["low_s"] <= truth_s <= interval["high_s"]
    return {"program": code.name, "kind": kind, "ranks": run[0], "arguments": " ".join(run[1]),
            "truth_s": truth_s, "least_s": min(times), "most_s": max(times), "runs": len(times),
            "predicted_s": predicted_s, "low_s": interval["low_s"], "high_s": interval["high_s"],
            "inside": inside, "compute_s": per_rank["compute_s"]["mean"],
            "extrapolation": interval["extrapolation"], "error": predicted_s / truth_s - 1}


def measure(options, directory):
    """The rows of all tests, what else was found, and whether a code failed."""
    codes = read_codes(options.codes, options.names, {"directory", "build", "train", "test"})
    measured = Measurements(os.path.join(directory, "measured.json"), options.seconds)
    network = os.path.join(directory, "here.network")
    for code in codes:
        code.place(directory)
    usable = without_failures(codes, lambda code: prepare(options, measured, code))
    if not usable:
        raise bench.Failure("none of the codes could be built and compared with its skeleton")
    options.quiet = measured.quiet(options)
    calibration = measured.once("calibration", lambda: calibrate(options, network))
    usable = make_rounds(options, measured, usable, directory)
    rows = []
    for code in usable:
        for kind, bundle in code.trained.items():
            if kind == "warm" or options.cold:
                bench.fit(options.mpiskel, bundle)
        for run in code.test:
            rows.append(compare(options, measured, code, run, network))
            bench.log("  %s %s: predicted %.4g s, %s %.4g s: %+.1f %%" % (
                code.name, bench.spelled(*run), rows[-1]["predicted_s"], rows[-1]["kind"],
                rows[-1]["truth_s"], 100 * rows[-1]["error"]))
    return rows, {"calibration": calibration,
                  "skeletons": {code.name: measured.values["%s: skeleton" % code.name] for code in usable},
                  "about": {code.name: code.about for code in usable}}, len(usable) < len(codes)


def width(row):
    """Half of the interval, as a share of what is predicted; None: not known."""
    return None if row["low_s"] is None else (row["high_s"] - row["low_s"]) / 2 / row["predicted_s"]


def summary(rows):
    errors = [abs(row["error"]) for row in rows]
    widths = [width(row) for row in rows if width(row) is not None]
    return "mean of the absolute errors %.1f %%, largest %.1f %%; %d of %d in their interval; " \
        "median width of the intervals ± %.0f %%" % (
            100 * statistics.mean(errors), 100 * max(errors), sum(row["inside"] for row in rows),
            len(rows), 100 * statistics.median(widths))


def table(rows, kind, title):
    rows = [row for row in rows if row["kind"] == kind]
    if not rows:
        return []
    lines = ["| program | ranks | arguments | %s, s | runs, spread | predicted, s | 95 %% interval | width | "
             "of it computation | error |" % title,
             "| --- | ---: | --- | ---: | --- | ---: | --- | ---: | ---: | ---: |"]
    for row in rows:
        interval = "not known" if row["low_s"] is None else "%.4g to %.4g%s" % (
            row["low_s"], row["high_s"], "" if row["inside"] else ", missed")
        half = "-" if width(row) is None else "± %.0f %%" % (100 * width(row))
        lines.append("| %s | %d | `%s` | %.4g | %d, %.4g to %.4g | %.4g | %s | %s | %.0f %% | %+.1f %% |" % (
            row["program"], row["ranks"], row["arguments"], row["truth_s"], row["runs"], row["least_s"],
            row["most_s"], row["predicted_s"], interval, half,
            100 * row["compute_s"] / row["predicted_s"], 100 * row["error"]))
    return lines + ["", summary(rows)[0].upper() + summary(rows)[1:] + ".", ""]


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        names = [line.partition(":")[2].strip() for line in file if line.startswith("model name")]
    return "%d x %s" % (len(names), names[0]) if names else "unknown processor"


def commit():
    try:
        return bench.run(["git", "rev-parse", "--short", "HEAD"], bench.REPOSITORY).strip()
    except (bench.Failure, OSError):
        return "unknown"


def report(rows, more):
    """Lines of Markdown."""
    head = ["%s, %s, commit %s. The calibrated network predicts its own round trips with a median error of "
            "%.1f %%." % (time.strftime("%-d %B %Y"), processor(), commit(),
                          100 * more["calibration"]["median_error"]), ""]
    sources = ["| program | source | skeleton |", "| --- | --- | --- |"] + [
        "| %s | %s | %s |" % (name, more["about"][name], more["skeletons"][name])
        for name in more["about"]] + [""]
    return (head + ["### Against real runs", ""] + table(rows, "real", "real")
            + ["### Against simulated originals", ""] + table(rows, "original", "original")
            + ["### Where the codes are from", ""] + sources)


BEGIN, END = "<!-- bench/accuracy --codes: begin -->", "<!-- bench/accuracy --codes: end -->"


def write(lines, path):
    """Puts the report into a page, between the two lines that mark its place."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise bench.Failure("%s has no lines '%s' and '%s'" % (path, BEGIN, END))
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write(before + begin + "\n" + "\n".join(lines).rstrip() + "\n" + end + after)
    os.replace(path + ".new", path)

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which small changes of the source do the tests not notice?

    mutation.py prepare STATE [--seed N] [GROUP=COUNT ...]   chooses mutants, builds them all into one tree
    mutation.py run STATE [-j JOBS] [--seconds S] [--again]  tries those without a verdict; may be stopped at any time
    mutation.py report STATE                                 the table and the survivors, as Markdown

STATE is a new folder; it gets a copy of the tree. A group is some folders and the tests that are about them (GROUPS). A
mutant is killed by the first test that fails, or that takes ten times as much processor time. A skeleton case is first
only analysed, once for all mutants that are left (cases.py); a claim about sources that fails kills. Where the files are
the same as without the mutant, the whole case would give the same, and is not run.

Tests that do not execute the place of a mutant are not run: `prepare` notes which places each test reaches. Of those that
do, tests that killed most are tried first. Skeleton cases are those of this tree as it is, others those of STATE."""
import argparse
import collections
import concurrent.futures
import contextlib
import json
import math
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.dont_write_bytecode = True
sys.path.insert(0, HERE)
import cases  # noqa: E402
import mutants  # noqa: E402

CASES = os.path.join(ROOT, "tests", "cases", "skeleton")
ANALYSIS_TESTS = r"skeletonizer_|dump/|explain/"
GROUPS = {  # folders (or files), tests, whether skeleton cases are about them, mutants
    "match": (["skeletonizer/slice/match.c", "skeletonizer/slice/match_in_place.c"], ANALYSIS_TESTS, True, 40),
    "slice": (["skeletonizer/slice"], ANALYSIS_TESTS, True, 100),
    "pointsto": (["skeletonizer/pointsto"], ANALYSIS_TESTS, True, 50),
    "cut": (["skeletonizer/cut"], ANALYSIS_TESTS, True, 50),
    "model": (["model"], r"model_|simulator_|convolution/|signature/|store/|counted/|accuracy/", False, 100),
    "engine": (["engine"], r"engine|fuzz/engine|.*_in_engine|platforms/(who_has_heard|a_sender_over)", False, 50),
    "analysis": (["analysis"], r"analysis_|trace/|report/|record/", False, 50),
}
AFTER_SCOUT = ("cut",)  # groups of what generate does after a scout run
ENVIRONMENT = {"MPISKEL_CHECK": "1", "MPISKEL_REAL_RANKS": "0", "OMPI_ALLOW_RUN_AS_ROOT": "1",
               "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
BASELINE_FACTOR = 10
SLACK_S = 5
NOTE_LIMIT_S = 900
ASLEEP_FACTOR = 20  # of the limit of processor time, by the clock: what sleeps uses none, and the machine may be busy
ASLEEP_SLACK_S = 300
CHECKS_MOST = 8  # of cases whose analysis differs: their claims may allow for the difference
CASE_LIMIT_S = 600


class State:
    def __init__(self, folder):
        self.folder = os.path.abspath(folder)
        self.tree = os.path.join(self.folder, "tree")
        self.build = os.path.join(self.tree, "build", "mutation")
        self.mpiskel = os.path.join(self.build, "bin", "mpiskel")
        self.lock = threading.Lock()

    def path(self, name):
        return os.path.join(self.folder, name)

    def load(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return json.load(file)

    def save(self, name, value):
        with open(self.path(name) + ".new", "w", encoding="utf-8") as file:
            json.dump(value, file, indent=1)
        os.replace(self.path(name) + ".new", self.path(name))

    def verdicts(self):
        """Number -> (verdict, by), the last line of each; a line that was cut off by a kill is none."""
        found = {}
        if os.path.exists(self.path("verdicts")):
            with open(self.path("verdicts"), encoding="utf-8") as file:
                for line in file:
                    parts = line.rstrip("\n").split("\t")
                    if line.endswith("\n") and len(parts) == 3:
                        found[int(parts[0])] = (parts[1], parts[2])
        return found

    def add_verdict(self, number, verdict, by):
        with self.lock, open(self.path("verdicts"), "a", encoding="utf-8") as file:
            file.write(f"{number}\t{verdict}\t{by}\n")


# ---- prepare ----

def copy_tree(state):
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.split(b"\0")
    for name in filter(None, map(os.fsdecode, names)):
        os.makedirs(os.path.dirname(os.path.join(state.tree, name)), exist_ok=True)
        if os.path.exists(os.path.join(ROOT, name)):
            shutil.copy2(os.path.join(ROOT, name), os.path.join(state.tree, name), follow_symlinks=False)


def configure(state):
    subprocess.run(["cmake", "-S", state.tree, "-B", state.build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=RelWithDebInfo",
                    "-DCMAKE_C_FLAGS_RELWITHDEBINFO=-O1 -g0 -w", "-DMPISKEL_TESTS=ON"],
                   check=True, stdout=subprocess.DEVNULL)


def build(state, groups):
    """All; of groups that are tested by skeleton cases only these need what they execute."""
    targets = []
    if all(GROUPS[group][2] for group in groups):
        names = os.listdir(os.path.join(state.tree, "tests", "unit", "skeletonizer"))
        targets = ["--target", "mpiskel", *(f"test_skeletonizer_{name[5:-2]}" for name in names if name.startswith("test_"))]
    subprocess.run(["cmake", "--build", state.build, *targets], check=True, stdout=subprocess.DEVNULL)


def sites_of_file(folder, path, command):
    with open(os.path.join(State(folder).tree, path), "rb") as file:
        return mutants.find(path, file.read(), *command)


def sites_of(state, group, commands, jobs):
    own = GROUPS[group][0]
    others = [place for name, row in GROUPS.items() if name != group for place in row[0] if place.endswith(".c")]
    paths = [path for path in sorted(commands) if path.endswith(".c") and "/build/" not in path and
             any(path == place or path.startswith(place + "/") for place in own) and path not in set(others) - set(own)]
    with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
        return [site for found in pool.map(sites_of_file, [state.folder] * len(paths), paths,
                                           [commands[path] for path in paths]) for site in found]


def compiles(state, sites, commands):
    """Whether the file of `sites` compiles with all of them; numbers do not matter."""
    path = sites[0].path
    with open(os.path.join(state.tree, path), "rb") as file:
        text = file.read()
    command, directory = commands[path]
    with tempfile.NamedTemporaryFile(suffix=".c", dir=os.path.dirname(os.path.join(state.tree, path))) as out:
        out.write(mutants.written(text, [(1, site) for site in sites], os.path.join(HERE, "mutant.h")))
        out.flush()
        words = [out.name if os.path.basename(word) == os.path.basename(path) else word for word in command]
        at = words.index("-o")
        del words[at:at + 2]
        return subprocess.run([*words, "-fsyntax-only"], cwd=directory, capture_output=True).returncode == 0


def choose(state, group, count, chance, commands, jobs):
    """`count` mutants that compile, a third of them constants where there are as many."""
    sites = sites_of(state, group, commands, jobs)
    chance.shuffle(sites)
    first = [site for site in sites if site.operator == "constant"][:count // 3]
    left = first + [site for site in sites if site not in first and site.operator != "constant"]
    chosen = []
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        while left and len(chosen) < count:
            some, left = left[:count - len(chosen)], left[count - len(chosen):]
            compiled = pool.map(lambda site: compiles(state, [site], commands), some)
            for site, does in zip(some, compiled):
                overlaps = any(site.path == other.path and site.at == other.at and
                               site.operator in ("constant", "number") for other in chosen)
                if does and not overlaps:
                    chosen.append(site)
    return chosen, len(sites)


def write_mutants(state, numbered, commands):
    texts = {}
    for path in {site.path for _, site, _ in numbered}:
        with open(os.path.join(state.tree, path), "rb") as file:
            texts[path] = file.read()
    table = {number: {"group": group, "path": site.path, "line": site.line(texts[site.path]),
                      "operator": site.operator, "change": site.change} for number, site, group in numbered}
    for path, text in texts.items():
        own = [(number, site) for number, site, _ in numbered if site.path == path]
        with open(os.path.join(state.tree, path), "wb") as file:
            file.write(mutants.written(text, own, os.path.join(HERE, "mutant.h")))
    state.save("mutants.json", table)


def prepare(options):
    state = State(options.state)
    if os.path.exists(state.path("mutants.json")):
        sys.exit(f"error: {state.folder} has a campaign; name a new folder")
    counts = {group: row[3] for group, row in GROUPS.items()} if not options.counts else {}
    for text in options.counts:
        group, _, count = text.partition("=")
        if group not in GROUPS or not count.isdigit():
            sys.exit(f"error: '{text}' is no GROUP=COUNT; groups are {', '.join(GROUPS)}")
        counts[group] = int(count)
    copy_tree(state)
    configure(state)
    build(state, counts)  # headers that are made while building, and what mutants leave as it is
    commands = mutants.commands(state.build, state.tree)
    chance, numbered, places = random.Random(options.seed), [], {}
    for group, count in counts.items():
        chosen, places[group] = choose(state, group, count, chance, commands, options.jobs)
        numbered += [(len(numbered) + 1 + i, site, group) for i, site in enumerate(chosen)]
        print(f"{group}: {len(chosen)} mutants of {places[group]}", flush=True)
    write_mutants(state, numbered, commands)
    build(state, counts)
    state.save("places.json", places)
    note_tests(state, counts, options.jobs)


# ---- tests ----

def environment_of(test):
    """What ctest sets for a test, as the head of a command."""
    set_to = [text for row in test.get("properties", []) if row["name"] == "ENVIRONMENT" for text in row["value"]]
    return ["env", *set_to] if set_to else []


def all_tests(state):
    listed = subprocess.run(["ctest", "--show-only=json-v1"], cwd=state.build, capture_output=True, check=True).stdout
    return {test["name"]: [*environment_of(test), *test["command"]] for test in json.loads(listed)["tests"]
            if "command" in test}


def limited(command, directory, environment, limit_s):
    """Exit code, output, and the processor seconds of the command and all that it waited for. A process of it that takes
    more than `limit_s` processor seconds is killed, by the clock only what sleeps. None of its processes is left."""
    limits = f"ulimit -v {cases.MEMORY_KB} -t {math.ceil(limit_s)}; exec \"$@\""
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(["bash", "-c", limits, "-", *command], cwd=directory, stdout=out,
                                   stderr=subprocess.STDOUT, start_new_session=True,
                                   env=dict(os.environ, **ENVIRONMENT, **environment))
        alarm = threading.Timer(ASLEEP_FACTOR * limit_s + ASLEEP_SLACK_S, os.killpg, (process.pid, signal.SIGKILL))
        alarm.start()
        _, status, used = os.wait4(process.pid, 0)
        alarm.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        out.seek(0)
        return process.returncode, out.read(), used.ru_utime + used.ru_stime


def reached(state, command, directory):
    """The numbers of mutants whose places a command executes, and the processor seconds that it takes."""
    with tempfile.NamedTemporaryFile(dir=state.folder) as seen:
        seen.write(bytes(65536))
        seen.flush()
        code, out, seconds = limited(command, directory, {"MUTANT_SEEN": seen.name}, NOTE_LIMIT_S)
        with open(seen.name, "rb") as file:
            numbers = [number for number, byte in enumerate(file.read()) if byte]
    return code, out, numbers, seconds


def note_test(state, name, command):
    with tempfile.TemporaryDirectory(dir=state.folder) as directory:
        code, out, numbers, seconds = reached(state, command, directory)
    if code != 0:
        print(f"{name} fails without a mutant, and is left out:\n{out.decode(errors='replace')[-600:]}", flush=True)
        return None
    return {"name": name, "command": command, "seconds": seconds, "reaches": numbers}


def note_tests(state, counts, jobs):
    """tests.json: the tests that are about the groups, what they reach and cost; shortest first."""
    known = all_tests(state)
    pattern = re.compile("^(" + "|".join({GROUPS[group][1] for group in counts}) + ")")
    wanted = {name: command for name, command in known.items() if pattern.search(name)}
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        rows = list(pool.map(lambda item: note_test(state, *item), wanted.items()))
    rows = sorted(filter(None, rows), key=lambda row: row["seconds"])
    state.save("tests.json", rows)
    print(f"{len(rows)} tests", flush=True)


# ---- run ----

class Campaign:
    """Numbers without a verdict that are to be tried, and what is known of them so far."""

    def __init__(self, state, table, left, cases_most):
        self.state, self.table, self.alive, self.cases_most = state, table, set(left), cases_most
        self.lock = threading.Lock()
        self.kills = collections.Counter()
        self.reached = collections.Counter()  # number -> skeleton cases
        self.differs = collections.defaultdict(list)
        self.passes = {}  # case -> whether it does without a mutant
        self.check_case = cases.load_check_case(CASES)
        self.seen = set()
        if os.path.exists(state.path("analysed")):
            with open(state.path("analysed"), encoding="utf-8") as file:
                for line in filter(lambda line: line.endswith("\n"), file):
                    self.take(json.loads(line))

    def take(self, row):
        self.seen.add(row["case"])
        self.reached.update(row["reached"])
        for number in row["differs"]:
            self.differs[number].append(row["case"])

    def verdict(self, number, by, said=""):
        with self.lock:
            if number not in self.alive:
                return
            self.alive.remove(number)
            self.kills[by] += 1
            mutant = self.table[number]
            self.state.add_verdict(number, "killed" if by else "survived", by or said)
            print(f"{mutant['path']}:{mutant['line']}: {mutant['operator']}: {mutant['change']}: {by or 'SURVIVED, ' + said}",
                  flush=True)


def analyse_case(campaign, name):
    with campaign.lock:
        wanted = {number for number in campaign.alive
                  if GROUPS[campaign.table[number]["group"]][2] and campaign.reached[number] < campaign.cases_most}
    if not wanted:
        return
    after_scout = {number for number in wanted if campaign.table[number]["group"] in AFTER_SCOUT}
    try:
        found = cases.analyse(campaign.check_case, campaign.state.mpiskel, os.path.join(CASES, name), wanted, after_scout,
                              campaign.state.folder, ENVIRONMENT)
    except (campaign.check_case.Failure, OSError) as failure:
        print(f"{name} fails without a mutant, and is left out: {failure}", flush=True)
        found = cases.Analysis()
    for number in found.killed:
        campaign.verdict(number, f"skeleton/{os.path.splitext(name)[0]}")
    for number in found.only_split:
        print(f"{name}: a claim fails with mutant {number} in the split, but not alone", flush=True)
    row = {"case": name, "reached": sorted(found.reached), "differs": sorted(found.differs)}
    with campaign.lock, open(campaign.state.path("analysed"), "a", encoding="utf-8") as file:
        campaign.take(row)
        file.write(json.dumps(row) + "\n")


def fails(state, command, limit_s, number):
    with tempfile.TemporaryDirectory(dir=state.folder) as directory:
        code, _, _ = limited(command, directory, {"MUTANT": str(number), "TMPDIR": directory}, limit_s)
    return code != 0


def case_fails(campaign, name, number):
    """Only if it passes without the mutant: its own limits go by the clock, and the machine may be busy."""
    command = [sys.executable, "-S", "-B", os.path.join(CASES, "check_case.py"), campaign.state.mpiskel,
               os.path.join(CASES, name)]
    if not fails(campaign.state, command, CASE_LIMIT_S, number):
        return False
    if name not in campaign.passes:
        campaign.passes[name] = not fails(campaign.state, command, CASE_LIMIT_S, 0)
    return campaign.passes[name]


def killer(campaign, number, tests):
    """What kills it; None if nothing does."""
    group = campaign.table[number]["group"]
    own = [test for test in tests if number in test["reaches"] and re.match(GROUPS[group][1], test["name"])]
    for test in sorted(own, key=lambda test: (-campaign.kills[test["name"]], test["seconds"])):
        if fails(campaign.state, test["command"], BASELINE_FACTOR * test["seconds"] + SLACK_S, number):
            return test["name"], len(own)
    differing = sorted(campaign.differs[number], key=lambda name: -campaign.kills["skeleton/" + os.path.splitext(name)[0]])
    for name in differing[:CHECKS_MOST]:
        if case_fails(campaign, name, number):
            return f"skeleton/{os.path.splitext(name)[0]}", len(own)
    return None, len(own)


def run(options):
    state = State(options.state)
    table = {int(number): mutant for number, mutant in state.load("mutants.json").items()}
    tests, known = state.load("tests.json"), state.verdicts()
    if options.again and os.path.exists(state.path("analysed")):
        os.remove(state.path("analysed"))
    left = [number for number in table
            if number not in known or options.again and known[number][0] != "killed"]
    until = time.monotonic() + options.seconds
    campaign = Campaign(state, table, left, options.cases_most)
    names = [name for name in sorted(os.listdir(CASES)) if name.endswith((".c", ".cpp")) and ".expected." not in name]
    random.Random(1).shuffle(names)  # neighbours are alike, and kill the same

    def in_time(function):
        return lambda what: function(what) if time.monotonic() < until else None

    def try_one(number):
        by, count = killer(campaign, number, tests)
        said = f"of {count + campaign.reached[number]} tests, {len(campaign.differs[number])} analyses differ"
        campaign.verdict(number, by, said if count + campaign.reached[number] else "no test reaches it")

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(in_time(lambda name: analyse_case(campaign, name)),
                      [name for name in names if name not in campaign.seen]))
        list(pool.map(in_time(try_one), sorted(campaign.alive)))


# ---- report ----

def report(options):
    state = State(options.state)
    table = {int(number): mutant for number, mutant in state.load("mutants.json").items()}
    verdicts, places = state.verdicts(), state.load("places.json")
    print("| group | places | mutants | killed | survived | not yet known | score |\n| --- " + "| --- " * 6 + "|")
    for group in places:
        own = [number for number in table if table[number]["group"] == group]
        said = [verdicts[number][0] for number in own if number in verdicts]
        killed, left = said.count("killed"), len(own) - len(said)
        score = f"{100 * killed / len(own):.0f} %" if not left else f"at least {100 * killed / len(own):.0f} %"
        print(f"| {group} | {places[group]} | {len(own)} | {killed} | {len(said) - killed} | {left} | {score} |")
    print("\n| survivor | change | tests |\n| --- | --- | --- |")
    for number, mutant in table.items():
        if verdicts.get(number, ("killed",))[0] == "survived":
            change = mutant["change"].replace("|", "\\|")
            print(f"| {mutant['path']}:{mutant['line']} | {mutant['operator']}: {change} | {verdicts[number][1]} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(required=True)
    for name, function in (("prepare", prepare), ("run", run), ("report", report)):
        command = commands.add_parser(name)
        command.set_defaults(function=function)
        command.add_argument("state")
        command.add_argument("-j", dest="jobs", type=int, default=os.cpu_count())
        if name == "prepare":
            command.add_argument("--seed", type=int, default=1)
            command.add_argument("counts", nargs="*", metavar="GROUP=COUNT")
        if name == "run":
            command.add_argument("--seconds", type=float, default=1e9)
            command.add_argument("--cases-most", type=int, default=sys.maxsize, metavar="N",
                                 help="skeleton cases that are analysed with a mutant whose place they reach")
            command.add_argument("--again", action="store_true", help="survivors as well, after tests were added")
    options = parser.parse_args()
    options.function(options)


if __name__ == "__main__":
    main()

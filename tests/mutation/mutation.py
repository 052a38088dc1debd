#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which small changes of the source do the tests not notice?

    mutation.py prepare STATE [--seed N] [GROUP=COUNT ...]   chooses mutants, builds them all into one tree
    mutation.py run STATE [-j JOBS] [--seconds S] [--again]  tries those without a verdict; may be stopped at any time
    mutation.py report STATE                                 the table and the survivors, as Markdown

STATE is a new folder; it gets a copy of the tree. A group is some folders and the tests that are about them (GROUPS). A
mutant is killed by the first test that fails, or that takes ten times as long. A skeleton case is first only analysed;
where that gives the same files as without the mutant, the whole case would give the same, and is not run.

Tests that do not execute the place of a mutant are not run: `prepare` notes which places each test reaches."""
import argparse
import concurrent.futures
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.dont_write_bytecode = True
sys.path.insert(0, HERE)
import mutants  # noqa: E402

ANALYSIS_TESTS = r"skeletonizer_|run_numbers/|constants/|loops/|guard/"
GROUPS = {  # folders (or files), tests, whether skeleton cases are about them, mutants
    "match": (["skeletonizer/slice/match.c", "skeletonizer/slice/match_in_place.c"], ANALYSIS_TESTS, True, 40),
    "slice": (["skeletonizer/slice"], ANALYSIS_TESTS, True, 100),
    "pointsto": (["skeletonizer/pointsto"], ANALYSIS_TESTS, True, 50),
    "cut": (["skeletonizer/cut"], ANALYSIS_TESTS, True, 50),
    "model": (["model"], r"model_|simulator_|convolution/|signature/", False, 100),
    "engine": (["engine"], r"engine|collectives|messages/|platforms/", False, 50),
    "analysis": (["analysis"], r"analysis_|trace/|report/|record/", False, 50),
}
FOLDERS = {group: row[0] for group, row in GROUPS.items()}
ENVIRONMENT = {"MPISKEL_CHECK": "1", "MPISKEL_REAL_RANKS": "0", "OMPI_ALLOW_RUN_AS_ROOT": "1",
               "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
BASELINE_FACTOR = 10
SLACK_S = 5
CHECKS_MOST = 8  # of cases whose analysis differs: their claims may allow for the difference
MEMORY_KB = 6 << 20


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


def build(state):
    subprocess.run(["cmake", "--build", state.build], check=True, stdout=subprocess.DEVNULL)


def sites_of(state, group, commands):
    own = GROUPS[group][0]
    others = [place for name, row in GROUPS.items() if name != group for place in row[0] if place.endswith(".c")]
    found = []
    for path in sorted(commands):
        is_own = any(path == place or path.startswith(place + "/") for place in own) and path not in set(others) - set(own)
        if is_own and path.endswith(".c") and "/build/" not in path:
            with open(os.path.join(state.tree, path), "rb") as file:
                found += mutants.find(path, file.read(), *commands[path])
    return found


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


def choose(state, group, count, chance, commands):
    """`count` mutants that compile, a third of them constants where there are as many."""
    sites = sites_of(state, group, commands)
    chance.shuffle(sites)
    first = [site for site in sites if site.operator == "constant"][:count // 3]
    chosen = []
    for site in first + [site for site in sites if site not in first and site.operator != "constant"]:
        if len(chosen) == count:
            break
        overlaps = any(site.path == other.path and site.at == other.at and site.operator in ("constant", "number")
                       for other in chosen)
        if not overlaps and compiles(state, [site], commands):
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
    if os.path.exists(state.folder):
        sys.exit(f"error: {state.folder} is there; prepare makes a new folder")
    os.makedirs(state.folder)
    counts = {group: row[3] for group, row in GROUPS.items()} if not options.counts else {}
    for text in options.counts:
        group, _, count = text.partition("=")
        if group not in GROUPS or not count.isdigit():
            sys.exit(f"error: '{text}' is no GROUP=COUNT; groups are {', '.join(GROUPS)}")
        counts[group] = int(count)
    copy_tree(state)
    configure(state)
    build(state)  # headers that are made while building, and what mutants leave as it is
    commands = mutants.commands(state.build, state.tree)
    chance, numbered, places = random.Random(options.seed), [], {}
    for group, count in counts.items():
        chosen, places[group] = choose(state, group, count, chance, commands)
        numbered += [(len(numbered) + 1 + i, site, group) for i, site in enumerate(chosen)]
        print(f"{group}: {len(chosen)} mutants of {places[group]}", flush=True)
    write_mutants(state, numbered, commands)
    build(state)
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
    """Exit code and output; None for what took too long. All processes of it are gone then."""
    process = subprocess.Popen(["bash", "-c", f"ulimit -v {MEMORY_KB}; exec \"$@\"", "-", *command], cwd=directory,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
                               env=dict(os.environ, **ENVIRONMENT, **environment))
    try:
        out = process.communicate(timeout=limit_s)[0]
        return process.returncode, out
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        process.communicate()
        return None, b""


def reached(state, command, directory):
    """The numbers of mutants whose places a command executes, and the seconds that it takes."""
    with tempfile.NamedTemporaryFile(dir=state.folder) as seen:
        seen.write(bytes(65536))
        seen.flush()
        begin = time.monotonic()
        code, out = limited(command, directory, {"MUTANT_SEEN": seen.name}, 900)
        seconds = time.monotonic() - begin
        with open(seen.name, "rb") as file:
            numbers = [number for number, byte in enumerate(file.read()) if byte]
    return code, out, numbers, seconds


def analysis_of(state, case):
    return [sys.executable, "-B", os.path.join(HERE, "analyse_case.py"), state.mpiskel,
            os.path.join(state.tree, "tests", "cases", "skeleton", case), os.path.join(state.folder, "cases", case)]


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
    if any(GROUPS[group][2] for group in counts):
        cases = [name for name in sorted(os.listdir(os.path.join(state.tree, "tests", "cases", "skeleton")))
                 if name.endswith(".c") and not name.endswith(".expected.c") and f"skeleton/{name[:-2]}" in known]
        wanted |= {f"analysis of {name}": analysis_of(state, name) for name in cases}
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        rows = list(pool.map(lambda item: note_test(state, *item), wanted.items()))
    rows = sorted(filter(None, rows), key=lambda row: row["seconds"])
    state.save("tests.json", {"tests": rows, "whole": {name: command for name, command in known.items()
                                                       if name.startswith("skeleton/")}})
    print(f"{len(rows)} tests", flush=True)


# ---- run ----

def is_of_group(name, group):
    return GROUPS[group][2] if name.startswith("analysis of ") else re.match(GROUPS[group][1], name) is not None


def fails(state, command, seconds, number):
    with tempfile.TemporaryDirectory(dir=state.folder) as directory:
        limit_s = BASELINE_FACTOR * seconds + SLACK_S
        code, _ = limited(command, directory, {"MUTANT": str(number), "TMPDIR": directory}, limit_s)
    return code != 0


def kill(state, number, mutant, tests, whole, favourites):
    """What kills it; None if nothing does, and whether an analysis differed."""
    own = [test for test in tests if number in test["reached"] and is_of_group(test["name"], mutant["group"])]
    own.sort(key=lambda test: (test["name"] not in favourites, test["seconds"]))
    differing = 0
    for test in own:
        if not fails(state, test["command"], test["seconds"], number):
            continue
        if not test["name"].startswith("analysis of "):
            return test["name"], differing, len(own)
        differing += 1
        case = "skeleton/" + test["name"][len("analysis of "):-2]
        if fails(state, whole[case], 8, number):
            favourites.add(test["name"])
            return case, differing, len(own)
        if differing == CHECKS_MOST:
            break
    return None, differing, len(own)


def run(options):
    state = State(options.state)
    table = {int(number): mutant for number, mutant in state.load("mutants.json").items()}
    data = state.load("tests.json")
    tests = [dict(test, reached=set(test["reaches"])) for test in data["tests"]]
    known = state.verdicts()
    left = [number for number in table
            if number not in known or options.again and known[number][0] != "killed"]
    until = time.monotonic() + options.seconds
    favourites = set()

    def try_one(number):
        if time.monotonic() > until:
            return
        by, differing, count = kill(state, number, table[number], tests, data["whole"], favourites)
        said = f"of {count} tests, {differing} analyses differ" if count else "no test reaches it"
        state.add_verdict(number, "killed" if by else "survived", by or said)
        mutant = table[number]
        print(f"{mutant['path']}:{mutant['line']}: {mutant['operator']}: {mutant['change']}: {by or 'SURVIVED, ' + said}",
              flush=True)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(try_one, left))


# ---- report ----

def report(options):
    state = State(options.state)
    table = {int(number): mutant for number, mutant in state.load("mutants.json").items()}
    verdicts, places = state.verdicts(), state.load("places.json")
    print("| group | places | mutants | killed | survived | score |\n| --- | --- | --- | --- | --- | --- |")
    for group in places:
        own = [number for number in table if table[number]["group"] == group and number in verdicts]
        killed = sum(verdicts[number][0] == "killed" for number in own)
        if own:
            print(f"| {group} | {places[group]} | {len(own)} | {killed} | {len(own) - killed} | {100 * killed / len(own):.0f} % |")
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
            command.add_argument("--again", action="store_true", help="survivors as well, after tests were added")
    options = parser.parse_args()
    options.function(options)


if __name__ == "__main__":
    main()

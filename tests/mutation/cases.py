# SPDX-License-Identifier: Apache-2.0
"""Skeleton cases under mutants: what generate makes of one program with each of many mutants.

In: a build with mutants, a case of tests/cases/skeleton, the numbers that are wanted. Out: for each number whether its
place is executed, whether sources and regions are others, and whether a claim of the case fails because of it.

generate runs once for all numbers: at the first execution of a mutant's place it splits (mutant.h), so the program is
parsed once, and each mutant costs what is left of the analysis. Nothing is compiled; claims that need more than the
analysis are left to the whole case. A case with a scout run is analysed twice: without it, where no claim holds, and
with it for the mutants of what comes after the run, which `after_scout` names."""
import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

REACHED, WANTED, ENDED, FAILED = 1, 2, 3, 5  # as in mutant.h
MUTANTS_MAX = 65536
MEMORY_KB = 6 << 20  # thirty times what generate takes of a case
ALONE_LIMIT_S = 120  # hundreds of times as long
SPLIT_LIMIT_S = 3600  # of all mutants in turn


def load_check_case(folder):
    spec = importlib.util.spec_from_file_location("check_case", os.path.join(folder, "check_case.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Analysis:
    """killed: number -> the claim that fails; differs: numbers whose claims all hold, or cannot be told;
    only_split: those of them for which a claim failed in the split, but not in a run of its own."""
    def __init__(self):
        self.reached, self.killed, self.differs, self.only_split = set(), {}, set(), set()

    def add(self, other):
        self.reached |= other.reached
        self.killed |= other.killed
        self.differs |= other.differs
        self.only_split |= other.only_split


def write_seen(path, wanted):
    cells = bytearray(MUTANTS_MAX)
    for number in wanted:
        cells[number] = WANTED
    with open(path, "wb") as file:
        file.write(cells)


def run_generate(mpiskel, options, directory, environment, number):
    """Its exit code, -1 where it takes too long; what it prints is as that of a mutant of `number`."""
    printed = os.path.join(directory, f"case.skel.{number}")
    command = [mpiskel, "generate", "--skeleton", "--no-compile", "-o", "case.skel", "--format=json", *options]
    limit_s = SPLIT_LIMIT_S if "MUTANT_SEEN" in environment else ALONE_LIMIT_S
    with open(printed + ".out", "wb") as out, open(printed + ".err", "wb") as err, \
            subprocess.Popen(["bash", "-c", f"ulimit -v {MEMORY_KB}; exec \"$@\"", "-", *command], cwd=directory,
                             stdout=out, stderr=err, env=dict(os.environ, TMPDIR=directory, **environment),
                             start_new_session=True) as process:
        try:
            return process.wait(limit_s)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return -1


def files(check_case, bundle):
    parts = [check_case.files_of(os.path.join(bundle, part)) for part in ("src", "src.profile")]
    return parts + [check_case.read(os.path.join(bundle, "regions.json"))]


def check_claims(check_case, case, claims, sources, directory, number):
    """Raises Failure for the first claim that does not hold of the bundle that mutant `number` made."""
    printed = os.path.join(directory, f"case.skel.{number}")
    unexpected = [line for line in check_case.read(printed + ".err").splitlines()
                  if not any(note in line for note in claims["note"])]
    if unexpected:
        raise check_case.Failure("generate printed on stderr: " + unexpected[0])
    with tempfile.TemporaryDirectory(dir=directory) as view:
        for name in sources + claims["with"]:
            if not os.path.exists(os.path.join(view, name)):
                os.symlink(os.path.join(directory, name), os.path.join(view, name))
        os.symlink(printed, os.path.join(view, "case.skel"))
        check_case.check_counts(claims, json.loads(check_case.read(printed + ".out")), view)
        check_case.check_cuts(claims, view)
        check_case.check_texts(claims, sources, view)
        check_case.check_expected(case, view)


def failed_claim(check_case, case, claims, sources, directory, number, is_made):
    """What fails of what mutant `number` made, as text; None if nothing does."""
    try:
        if not is_made:
            raise check_case.Failure("generate ends with an error")
        check_claims(check_case, case, claims, sources, directory, number)
    except (check_case.Failure, OSError, ValueError, KeyError) as failure:
        return str(failure).splitlines()[0][:200]
    return None


def failed_alone(check_case, run, directory, number, check):
    """failed_claim of a run of its own, which has the mutant from its beginning and no limit on processor time."""
    for made in ("case.skel", f"case.skel.{number}"):
        shutil.rmtree(os.path.join(directory, made), ignore_errors=True)
    is_made = run({"MUTANT": str(number)}, number) == 0
    if is_made:
        os.rename(os.path.join(directory, "case.skel"), os.path.join(directory, f"case.skel.{number}"))
    return check(number, is_made)


def judge(check_case, run, directory, wanted, check):
    """`check` is None where no claim holds. A claim that fails in a split kills if it fails in a run alone as well."""
    first = files(check_case, os.path.join(directory, "case.skel.0"))
    with open(os.path.join(directory, "seen"), "rb") as file:
        cells = file.read()
    found = Analysis()
    found.reached = {number for number in wanted if cells[number] % 2 == 1}
    for number in found.reached:
        made, is_made = os.path.join(directory, f"case.skel.{number}"), cells[number] == ENDED
        if is_made and os.path.exists(os.path.join(made, "regions.json")) and files(check_case, made) == first:
            continue
        found.differs.add(number)
        if check is not None and check(number, is_made):
            failure = failed_alone(check_case, run, directory, number, check)
            if failure:
                found.differs.remove(number)
                found.killed[number] = failure
            else:
                found.only_split.add(number)
    return found


def analyse_once(check_case, mpiskel, case, wanted, folder, environment, with_scout):
    claims = check_case.read_claims(check_case.read(case))
    with tempfile.TemporaryDirectory(dir=folder) as directory:
        sources = check_case.copy_program(case, claims, directory)
        check_case.write_database(sources, claims, directory)
        write_seen(os.path.join(directory, "seen"), wanted)
        options = " ".join(claims["generate"]).split()
        for arguments in claims["scout"] if with_scout else []:
            options += ["--scout", "mpirun --oversubscribe -np 2 {} " + arguments.strip("-")]

        def run(more, number):
            return run_generate(mpiskel, options, directory, dict(environment, **more), number)

        def check(number, is_made):
            return failed_claim(check_case, case, claims, sources, directory, number, is_made)

        time.sleep(0.05)  # what changes while generate runs is told of on stderr
        code = run({"MUTANT_SEEN": os.path.join(directory, "seen"), "MUTANT_OUT": "case.skel"}, 0)
        has_claims = with_scout or not claims["scout"]
        if code != 0:
            raise check_case.Failure(f"generate ends with {code}:\n"
                                     + check_case.read(os.path.join(directory, "case.skel.0.err")))
        shutil.move(os.path.join(directory, "case.skel"), os.path.join(directory, "case.skel.0"))
        if has_claims:
            check_claims(check_case, case, claims, sources, directory, 0)
        return judge(check_case, run, directory, wanted, check if has_claims else None)


def analyse(check_case, mpiskel, case, wanted, after_scout, folder, environment):
    """The Analysis of `case` with the mutants `wanted`; raises Failure where a claim fails without any of them."""
    with_scout = wanted & after_scout if check_case.read_claims(check_case.read(case))["scout"] else set()
    found = Analysis()
    for numbers, has_scout in ((with_scout, True), (wanted - with_scout, False)):
        if numbers:
            found.add(analyse_once(check_case, mpiskel, case, numbers, folder, environment, has_scout))
    return found

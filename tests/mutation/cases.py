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
import subprocess
import sys
import tempfile
import time

REACHED, WANTED, ENDED, FAILED = 1, 2, 3, 5  # as in mutant.h
MUTANTS_MAX = 65536
MEMORY_KB = 6 << 20


def load_check_case(folder):
    spec = importlib.util.spec_from_file_location("check_case", os.path.join(folder, "check_case.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Analysis:
    """killed: number -> the claim that fails; differs: numbers whose claims all hold, or cannot be told."""
    def __init__(self):
        self.reached, self.killed, self.differs = set(), {}, set()

    def add(self, other):
        self.reached |= other.reached
        self.killed |= other.killed
        self.differs |= other.differs


def write_seen(path, wanted):
    cells = bytearray(MUTANTS_MAX)
    for number in wanted:
        cells[number] = WANTED
    with open(path, "wb") as file:
        file.write(cells)


def split_run(mpiskel, options, directory, environment):
    """Exit code of the process without a mutant; what it printed is as that of a mutant of number 0."""
    seen = {"MUTANT_SEEN": os.path.join(directory, "seen"), "MUTANT_OUT": "case.skel", "TMPDIR": directory}
    with open(os.path.join(directory, "case.skel.0.out"), "wb") as out, \
            open(os.path.join(directory, "case.skel.0.err"), "wb") as err:
        command = [mpiskel, "generate", "--skeleton", "--no-compile", "-o", "case.skel", "--format=json", *options]
        return subprocess.run(["bash", "-c", f"ulimit -v {MEMORY_KB}; exec \"$@\"", "-", *command], cwd=directory,
                              stdout=out, stderr=err, env=dict(os.environ, **environment, **seen)).returncode


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


def judge(check_case, case, claims, sources, directory, wanted, has_claims):
    first = files(check_case, os.path.join(directory, "case.skel.0"))
    with open(os.path.join(directory, "seen"), "rb") as file:
        cells = file.read()
    found = Analysis()
    found.reached = {number for number in wanted if cells[number] % 2 == 1}
    for number in found.reached:
        try:
            if cells[number] != ENDED:
                raise check_case.Failure("generate ends with an error")
            if files(check_case, os.path.join(directory, f"case.skel.{number}")) != first:
                found.differs.add(number)
                if has_claims:
                    check_claims(check_case, case, claims, sources, directory, number)
        except (check_case.Failure, OSError, ValueError, KeyError) as failure:
            found.differs.discard(number)
            if has_claims:
                found.killed[number] = str(failure).splitlines()[0][:200]
            else:
                found.differs.add(number)
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
        time.sleep(0.05)  # what changes while generate runs is told of on stderr
        code = split_run(mpiskel, options, directory, environment)
        has_claims = with_scout or not claims["scout"]
        if code != 0:
            raise check_case.Failure(f"generate ends with {code}:\n"
                                     + check_case.read(os.path.join(directory, "case.skel.0.err")))
        shutil.move(os.path.join(directory, "case.skel"), os.path.join(directory, "case.skel.0"))
        if has_claims:
            check_claims(check_case, case, claims, sources, directory, 0)
        return judge(check_case, case, claims, sources, directory, wanted, has_claims)


def analyse(check_case, mpiskel, case, wanted, after_scout, folder, environment):
    """The Analysis of `case` with the mutants `wanted`; raises Failure where a claim fails without any of them."""
    with_scout = wanted & after_scout if check_case.read_claims(check_case.read(case))["scout"] else set()
    found = Analysis()
    for numbers, has_scout in ((with_scout, True), (wanted - with_scout, False)):
        if numbers:
            found.add(analyse_once(check_case, mpiskel, case, numbers, folder, environment, has_scout))
    return found

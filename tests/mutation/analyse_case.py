#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Analyses a skeleton case without compiling it: is the bundle the same as the first time?

    analyse_case.py MPISKEL CASE.c FOLDER

The first time FOLDER gets the program and its bundle, with the units' trees in the bundle's cache. Afterwards another
bundle is made out of that cache, and compared: exit code 0 if sources and regions are equal, 1 if not."""
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True


def load_check_case(case):
    spec = importlib.util.spec_from_file_location("check_case", os.path.join(os.path.dirname(case), "check_case.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def generate(mpiskel, claims, directory, bundle):
    options = " ".join(claims["generate"]).split()
    for arguments in claims["scout"]:
        options += ["--scout", "mpirun --oversubscribe -np 2 {} " + arguments.strip("-")]
    if not claims["scout"]:
        options.append("--no-compile")
    return subprocess.run([mpiskel, "generate", "-o", bundle, "--format=json", *options], cwd=directory,
                          stdout=subprocess.DEVNULL).returncode


def files(check_case, bundle):
    parts = [check_case.files_of(os.path.join(bundle, part)) for part in ("src", "src.profile")]
    return parts + [check_case.read(os.path.join(bundle, "regions.json"))]


def main():
    mpiskel, case, folder = map(os.path.abspath, sys.argv[1:4])
    check_case = load_check_case(case)
    claims = check_case.read_claims(check_case.read(case))
    if not os.path.exists(folder):
        os.makedirs(folder)
        check_case.write_database(check_case.copy_program(case, claims, folder), claims, folder)
        time.sleep(0.05)  # what changes while generate runs is not kept for the next time
        sys.exit(generate(mpiskel, claims, folder, "case.skel"))
    with tempfile.TemporaryDirectory(dir=os.path.dirname(folder)) as directory:
        again = os.path.join(directory, "again.skel")
        shutil.copytree(os.path.join(folder, "case.skel"), again)
        code = generate(mpiskel, claims, folder, again)
        sys.exit(int(code != 0 or files(check_case, again) != files(check_case, os.path.join(folder, "case.skel"))))


main()

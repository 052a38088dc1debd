# SPDX-License-Identifier: Apache-2.0
"""What tests share that give commands one after the other in the current directory. What is not as it should be
ends the test."""
import os
import subprocess
import sys

ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def run(*command, code=0, env=None):
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **ROOT, **(env or {})})
    if done.returncode != code:
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done


def mpiskel(*arguments, **keywords):
    return run(sys.argv[1], *arguments, **keywords)


def expect(what, got, wanted):
    if got != wanted:
        sys.exit(f"{what}: {got} instead of {wanted}")


def expect_in(text, whole):
    if text not in whole:
        sys.exit(f"'{text}' is not in: {whole}")

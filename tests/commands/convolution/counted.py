# SPDX-License-Identifier: Apache-2.0
"""A machine that can be counted: its time is Ir + 10 D1 misses + 100 LL misses, in nanoseconds, as
callgrind counts them with caches of a given geometry."""
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "signature"))
PROBES = os.path.join(HERE, "..", "..", "..", "runtime", "probes")
LINE = 64
ACCESSES = 4  # to a line, of the curves of elements


def cost_of(path):
    events, totals = [], []
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("events:"):
                events = line.split()[1:]
            if line.startswith(("totals:", "summary:")) and not totals:
                totals = [int(number) for number in line.split()[1:]]
    found = dict(zip(events, totals + [0] * len(events)))
    return (found["Ir"] + 10 * (found["D1mr"] + found["D1mw"]) +
            100 * (found["DLmr"] + found["DLmw"]))


def callgrind(directory, geometry, *command):
    """Returns standard output; counts are in the directory's files out, out.1, out.2, ..."""
    os.makedirs(directory)
    first, last = geometry
    return subprocess.run(["valgrind", "--tool=callgrind", "--cache-sim=yes", f"--D1={first}",
                           f"--LL={last}", f"--callgrind-out-file={directory}/out", *command],
                          check=True, capture_output=True, text=True).stdout


def build_probes(program):
    subprocess.run(["gcc", "-O2", f'-DPROBE_CLOCK="{HERE}/callgrind_clock.h"',
                    os.path.join(PROBES, "probe_machine.c"), os.path.join(PROBES, "probe_kernels.c"),
                    "-o", program, "-lm"], check=True)


def profile_of(program, directory, geometry, largest):
    """The profile of the machine with these caches, as probe_machine prints it."""
    profile = json.loads(callgrind(directory, geometry, program, str(largest)))
    number = 0
    for name, levels in profile["memory_ns"].items():
        for level in levels:
            number += 1
            accesses = level[0] / LINE * (ACCESSES if name in ("random", "chase") else 1)
            level[1] = cost_of(f"{directory}/out.{number}") / accesses
    for kernel in profile["kernels"]:
        number += 1
        kernel["seconds"] = 1e-9 * cost_of(f"{directory}/out.{number}")
    return profile


def region_seconds(program, arguments, directory, geometry):
    """Of the function `region`, once all that it uses was used before."""
    callgrind(directory, geometry, "--toggle-collect=region", program, *arguments)
    return 1e-9 * cost_of(f"{directory}/out")

# SPDX-License-Identifier: Apache-2.0
"""Measuring while others do not disturb.

What others do on the other half of a core, on a virtual machine's host say, slows a program by up to
a half, for hundredths of seconds to minutes, and nothing in the machine tells. So profiling runs and
originals wait, before each piece of work that they time, until a loop of theirs takes about as long
as it does undisturbed (BSIM_QUIET, runtime/common/idle_machine.c); how long that is is found here, once, for all
of them. Profiling runs time the loop behind what they measure as well (`reference_s` in samples
files), and originals tell how much of what they computed was disturbed with nothing to put in its
place (`bursts` in reports of `run --original`): where they were disturbed meanwhile they are made
again, profiling runs and originals alike, or originals would be the slower ones. Which runs count
is decided without what they measured.
"""
import os
import tempfile
import time

import bench

LOOKS = 12         # at how fast the machine is: at least one of them finds it undisturbed
WAIT_S = 120       # for one run, all in all
QUIET = 1.08       # the loop's mean time of a run over the least of all runs
MOST_ATTEMPTS = 3


def loop_s(directory):
    """The least of some medians, each of a quarter of a second, on all cores by turns."""
    program = os.path.join(directory, "quiet_loop")
    bench.run(["cc", "-O2", "-I", bench.REPOSITORY, "-o", program]
              + [os.path.join(bench.REPOSITORY, name)
                 for name in ("bench/quiet_loop.c", "runtime/common/idle_machine.c")])
    cores = sorted(os.sched_getaffinity(0))
    return min(float(bench.run(["taskset", "-c", str(cores[look % len(cores)]), program]))
               for look in range(LOOKS))


class Quiet:
    """`patience_s`: how long runs may be repeated, all together, in seconds; 0: nothing waits. `known_s`:
    how long the undisturbed loop takes, if it was found before; then in `loop_s`."""

    def __init__(self, log, patience_s, known_s=None):
        self.log, self.patience_s = log, patience_s
        self.shortest_reference_s = float("inf")
        self.runs = self.disturbed = 0
        self.environment, self.loop_s = {}, known_s
        if patience_s > 0:
            if known_s is None:
                with tempfile.TemporaryDirectory() as directory:
                    self.loop_s = loop_s(directory)
            self.environment = {"BSIM_QUIET": str(WAIT_S), "BSIM_QUIET_LOOP_S": str(self.loop_s)}

    def level_of_reference(self, seconds):
        """Of a run whose own loop took so long; 1: not disturbed at all."""
        self.shortest_reference_s = min(self.shortest_reference_s, seconds)
        return seconds / self.shortest_reference_s

    def make(self, run, undo):
        """`run` returns how much it was disturbed, `undo` takes it back before the next attempt."""
        for attempt in range(1, MOST_ATTEMPTS + 1):
            begin = time.perf_counter()
            level = run()
            if level <= QUIET:
                break
            if attempt == MOST_ATTEMPTS or self.patience_s <= 0:
                self.disturbed += 1
                break
            self.log("    disturbed (%+.0f %%), again" % (100 * (level - 1)))
            self.patience_s -= time.perf_counter() - begin
            undo()
        self.runs += 1

    def __str__(self):
        return "%d of %d runs were disturbed while they measured" % (self.disturbed, self.runs)

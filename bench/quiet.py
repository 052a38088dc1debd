# SPDX-License-Identifier: Apache-2.0
"""Measuring while others do not disturb.

What others do on the other half of a core, on a virtual machine's host say, slows a program by up to
a half, for seconds to minutes, and nothing in the machine tells. So a loop of the interpreter is
timed on each core, against the shortest time that it ever took: runs wait until it is about that,
and are made again if it no longer is when they end. Profiling runs time a loop of their own all the
while (`reference_s` in samples files) and are judged by that as well. Which runs count is decided
before anyone knows what they measured.
"""
import os
import time

QUIET = 1.12      # the loop's mean time over its shortest
LOOK_S = 0.25     # on each core, of at most so many:
CORES_MOST = 8
PAUSE_S = 2
WAIT_S = 90       # for one run
MOST_ATTEMPTS = 3


def loop_s():
    begin = time.perf_counter()
    sum(range(100000))
    return time.perf_counter() - begin


class Quiet:
    """`patience_s`: how long all runs together may wait or be repeated, in seconds."""

    def __init__(self, log, patience_s):
        self.log, self.patience_s = log, patience_s
        self.all_cores = sorted(os.sched_getaffinity(0))
        self.cores = self.all_cores[::-(-len(self.all_cores) // CORES_MOST)]
        self.shortest_s = self.shortest_reference_s = float("inf")
        self.runs = self.disturbed = 0

    def level(self):
        """Of the core that is disturbed most, 1: not at all."""
        worst = 0
        try:
            for core in self.cores:
                os.sched_setaffinity(0, {core})
                times, end = [], time.perf_counter() + LOOK_S
                while time.perf_counter() < end:
                    times.append(loop_s())
                self.shortest_s = min(self.shortest_s, min(times))
                worst = max(worst, sum(times) / len(times))
        finally:
            os.sched_setaffinity(0, self.all_cores)
        return worst / self.shortest_s

    def level_of_reference(self, seconds):
        """Of a run whose own loop took so long."""
        self.shortest_reference_s = min(self.shortest_reference_s, seconds)
        return seconds / self.shortest_reference_s

    def wait(self):
        begin = time.perf_counter()
        while (self.level() > QUIET and self.patience_s > 0
               and time.perf_counter() - begin < WAIT_S):
            time.sleep(PAUSE_S)
            self.patience_s -= PAUSE_S + LOOK_S * len(self.cores)

    def measure(self, run, undo=lambda: None, level_of_run=lambda: 1):
        """What `run` returns; `undo` takes back a run that was disturbed, before the next one;
        `level_of_run` is how much it was, by its own account."""
        for attempt in range(1, MOST_ATTEMPTS + 1):
            self.wait()
            begin = time.perf_counter()
            result = run()
            level = max(self.level(), level_of_run())
            if level <= QUIET:
                break
            if attempt == MOST_ATTEMPTS or self.patience_s <= 0:
                self.disturbed += 1
                break
            self.log("    disturbed (%+.0f %%), again" % (100 * (level - 1)))
            self.patience_s -= time.perf_counter() - begin
            undo()
        self.runs += 1
        return result

    def __str__(self):
        return "%d of %d runs ended while the machine was disturbed" % (self.disturbed, self.runs)

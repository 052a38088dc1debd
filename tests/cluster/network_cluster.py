# SPDX-License-Identifier: Apache-2.0
"""What is measured and predicted on a cluster of network namespaces.

Times are those of links of 10 Mbit/s with 1 ms, which dwarf what else the machine does."""
import ctypes
import json
import os
import random
import signal
import subprocess
import sys
import time

import cluster
from processes import processes

HERE = os.path.dirname(os.path.abspath(__file__))

NOT_RUN = 77
PR_SET_CHILD_SUBREAPER = 36
REPOSITORY = os.path.dirname(os.path.dirname(HERE))
TOOL = os.path.join(HERE, "cluster.py")
RATE_BYTES_PER_S, DELAY_S = 1.25e6, 1e-3
FRAME_BYTES, PAYLOAD_BYTES = 1514, 1448
TRIES, LATE_US = 4, 90  # calibrations; a switch that is so late says nothing of a calibration


class Session:
    def __init__(self, mpiskel, directory):
        reason = cluster.missing()
        if reason:
            print(f"not run: a cluster {reason}")
            sys.exit(NOT_RUN)
        self.mpiskel, self.directory = mpiskel, directory
        self.name = f"test-{os.getpid()}"

    def path(self, name):
        return os.path.join(self.directory, name)

    def mpiskel_json(self, *words):
        done = subprocess.run([self.mpiskel, *words, "--format=json"], cwd=self.directory, capture_output=True,
                              text=True, check=False)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)


def namespaces():
    """The network namespaces of all that this process has started, directly or not: others may have some, too."""
    found, ours = set(), {os.getpid()}
    known = list(processes())
    while more := {pid for pid, parent, _ in known if parent in ours} - ours:
        ours |= more
    for pid in ours:
        try:
            found.add(os.readlink(f"/proc/{pid}/ns/net"))
        except OSError:
            pass
    return found


def wait_until(holds, what):
    end = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < end, what
        time.sleep(0.02)


def case_a_kill_at_any_moment_leaves_nothing(session):
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)  # orphans become ours
    before = namespaces()
    draw = random.Random(1)
    for moment_s in [draw.uniform(0, 0.8) for _ in range(8)] + [None]:
        process = subprocess.Popen([sys.executable, "-B", TOOL, "--name", session.name, "with", "3", "10mbit", "1ms",
                                    "sleep", "600"], stderr=subprocess.DEVNULL, start_new_session=True)
        if moment_s is not None:
            time.sleep(moment_s)
        else:
            wait_until(lambda: not namespaces() <= before, "no namespace is made")
        process.send_signal(signal.SIGKILL)
        process.wait()
        subprocess.run(["pkill", "-KILL", "-s", str(process.pid)], check=False)
        wait_until(lambda: not cluster.holders(session.name), "the cluster has survived who built it")
        wait_until(lambda: namespaces() <= before, "a namespace is left")
    assert not os.path.exists(cluster.STATE)


def case_two_at_once_do_not_meet(session):
    with cluster.Cluster(2, "10mbit", "1ms", session.name):
        with cluster.Cluster(3, "10mbit", "1ms", session.name + "-other"):
            for name, hosts in ((session.name, 2), (session.name + "-other", 3)):
                words = cluster.mpirun_words(name, ["-np", str(hosts), "hostname"])
                printed = subprocess.run(words, capture_output=True, text=True, check=True).stdout.split()
                assert sorted(printed) == [f"host-{i + 1}" for i in range(hosts)], printed
        assert cluster.holders(session.name) and not cluster.holders(session.name + "-other")
    assert not cluster.holders(session.name)


def case_what_cannot_be_is_told(session):
    for words, said in ((["up", "1", "10mbit", "1ms"], "2 to 60 hosts"), (["up", "3", "x", "1ms"], "no rate"),
                        (["up", "3", "1mbit", "1"], "no delay"), (["run", "2", "true"], "nothing is up"),
                        (["at", "9", "true"], "nothing is up")):
        done = subprocess.run([sys.executable, "-B", TOOL, "--name", session.name, *words], capture_output=True,
                              text=True, check=False)
        assert done.returncode == 1 and said in done.stderr, (words, done)
    assert subprocess.run([sys.executable, "-B", TOOL, "--name", session.name, "down"], check=False).returncode == 0


def case_calibrate_finds_the_network(session):
    """Two links of 1 ms, 1448 of 1514 bytes of a frame, Open MPI's eager limit of 64 KiB. What is measured while the switch
    is late with frames is not judged: it was late by 55 to 70 us in the mean where this passes, by 110 to 160 where
    latencies and rates are others."""
    wrong = []
    for _ in range(TRIES):
        late_us, why = calibration_errors(session)
        if why is None:
            return
        print(f"once more, {late_us} us late: {why}", file=sys.stderr)
        wrong += [why] if late_us < LATE_US else []
        assert len(wrong) < 2, wrong
    print(f"not run: the switch was late by {LATE_US} us or more in the mean, {TRIES - len(wrong)} of {TRIES} times")
    sys.exit(NOT_RUN)


def calibration_errors(session):
    """By how much the switch was late, and what is wrong, or None."""
    with cluster.Cluster(2, "10mbit", "1ms", session.name):
        found = session.mpiskel_json(
            "calibrate", "--network", "--time", "20", "-o", session.path("here.network"), "--launcher",
            f"{sys.executable} -B {TOOL} --name {session.name} mpirun")
        late_us = cluster.counts(session.name)["late_us"]
    try:
        check_calibration(found)
    except AssertionError as error:
        return late_us, str(error)
    return late_us, None


def check_calibration(found):
    across = found["across"]
    trips = {point["bytes"]: point["measured_s"] for point in across["pingpong"]["points"]}
    expected = RATE_BYTES_PER_S * PAYLOAD_BYTES / FRAME_BYTES
    said = json.dumps({"across": {key: across[key] for key in
                                  ("latency_s", "bandwidth_bytes_per_s", "threshold_bytes")}, "trips": trips})
    assert abs(across["latency_s"] / min(trips.values()) - 1) < 0.05, said
    assert abs(across["bandwidth_bytes_per_s"] / expected - 1) < 0.03, said
    # Of its 65536 bytes some are the library's; messages of powers of two have to be on the right side.
    assert 65400 < across["threshold_bytes"] <= 65536, said
    assert found["median_error"] < 0.03, found["median_error"]
    assert 0 < found["deviation"] < 0.1, found["deviation"]


def case_programs_are_predicted(session):
    """Halo exchanges, a pipeline of small messages, broadcasts: each found an error of its own in the network's model
    (docs/results/network.md); computation is a few percent."""
    done = subprocess.run([sys.executable, "-B", os.path.join(REPOSITORY, "bench", "cluster"), "--mpiskel",
                           session.mpiskel, "--ranks", "4", "--time", "20", "--repeats", "1", "--collectives",
                           "ompi-4.1", "--json", "ring", "heat3d", "sweep", "lu"], capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0, done.stderr
    for row in json.loads(done.stdout):
        assert abs(row["predictions"][0]["error"]) < 0.12, row

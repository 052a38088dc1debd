#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a skeleton under SMPI and in the engine, and compares what they say.

    agreement.py ENGINE_DIRECTORY MESSAGES_LIBRARY SKELETON PLATFORM HOSTFILE RANKS [ARGUMENTS...]

Calls are recorded, so no model is needed: regions take no time, and all of it is communication. Compared are the
records of all ranks (which message a receive with MPI_ANY_SOURCE got, statuses, counts of tests), messages and bytes,
simulated time, and the time in MPI of each rank. 0: they agree; 1: they do not; 2: one of them failed."""
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

MOST = 1e-3 # of simulated times, relative
# As simulator/run/launch.c has them.
SETTINGS = ["contexts/stack-size:8192", "contexts/guard-size:0", "network/model:SMPI", "smpi/wtime:1e-08",
            "smpi/test:2e-07", "smpi/iprobe:2e-07", "smpi/grow-injected-times:no", "smpi/privatization:no",
            "smpi/simulate-computation:no"]
TREE = ["allgather:rdb", "allreduce:rdb", "barrier:ompi_recursivedoubling", "bcast:binomial_tree",
        "gather:ompi_binomial", "reduce:binomial", "scatter:ompi_binomial"]


# Where a rank sends to itself by MPI_Sendrecv, SMPI 3.32 says as the source in the status not the rank but its process.
TO_ITSELF = re.compile(r"(MPI_Sendrecv.*dest=(\d+) .*source=\2 .*from=)\d+")


def smpimain():
    with open(shutil.which("smpirun"), encoding="utf-8", errors="replace") as script:
        return re.search(r'"(/[^"]*/smpimain)"', script.read()).group(1)


def smpi_library_path(libraries):
    """Where a run under SMPI looks for libraries: those that stand in for ns-3's first, as in simulator/run/launch.c."""
    return os.path.join(libraries, "without-ns3") + ":" + os.path.dirname(os.path.dirname(smpimain()))


class Run:
    def __init__(self, name, program, library_path, preload, arguments, work, **variables):
        self.name, self.directory = name, os.path.join(work, name)
        records = os.path.join(self.directory, "records")
        os.makedirs(records)
        skeleton, platform, hostfile = (os.path.abspath(one) for one in arguments[:3])
        ranks, *rest = arguments[3:]
        directory = os.path.dirname(os.path.dirname(skeleton)) # where the files that it reads lie
        settings = SETTINGS + [f"smpi/{one}" for one in TREE] + [f"smpi/np:{ranks}", f"smpi/hostfile:{hostfile}"]
        environment = dict(os.environ, LD_LIBRARY_PATH=library_path, SMPI_GLOBAL_SIZE=ranks, LD_PRELOAD=preload,
                           BSIM_TRACE=records, BSIM_STATS=self.path("stats"), BSIM_MESSAGES=self.path("messages"),
                           BSIM_ENGINE_LACKS=self.path("lacks"), OMP_NUM_THREADS="1",
                           **variables)
        command = [program, skeleton, *[f"--cfg={one}" for one in settings], "--log=root.thres:warning",
                   "--", platform, *rest]
        with open(self.path("output"), "w", encoding="utf-8") as output, open(self.path("log"), "w", encoding="utf-8") as log:
            self.code = subprocess.run(command, env=environment, stdout=output, stderr=log, timeout=600,
                                       cwd=directory).returncode
        self.lacks = self.text("lacks")

    def path(self, name):
        return os.path.join(self.directory, name)

    def text(self, name):
        if not os.path.exists(self.path(name)):
            return None
        with open(self.path(name), encoding="utf-8", errors="replace") as file:
            return file.read()

    def stats(self):
        return json.loads(self.text("stats"))

    def messages(self):
        with open(self.path("messages"), "rb") as file:
            return struct.unpack("Qd", file.read(16))

    def records(self):
        found = {}
        for name in os.listdir(self.path("records")):
            with open(os.path.join(self.path("records"), name), errors="replace") as file:
                found[name] = TO_ITSELF.sub(r"\1", file.read()).splitlines()
        return found


def differ(left, right):
    return abs(left - right) > MOST * max(abs(left), abs(right), 1e-9)


def record_differences(smpi, own):
    for name in sorted(smpi.keys() | own.keys()):
        one, other = smpi.get(name, []), own.get(name, [])
        for i in range(max(len(one), len(other))):
            a, b = (lines[i] if i < len(lines) else "(nothing)" for lines in (one, other))
            if a != b:
                yield f"{name}, line {i + 1}: SMPI {a!r}, engine {b!r}"
                break


def differences(smpi, own):
    a, b = smpi.stats(), own.stats()
    yield from record_differences(smpi.records(), own.records())
    if smpi.messages() != own.messages():
        yield f"messages and bytes: SMPI {smpi.messages()}, engine {own.messages()}"
    if differ(a["makespan_s"], b["makespan_s"]):
        yield f"time: SMPI {a['makespan_s']:.9g} s, engine {b['makespan_s']:.9g} s"
    worst = max(zip(a["per_rank"], b["per_rank"]), key=lambda pair: abs(pair[0]["mpi_s"] - pair[1]["mpi_s"]))
    if abs(worst[0]["mpi_s"] - worst[1]["mpi_s"]) > MOST * a["makespan_s"]:
        yield f"time in MPI: SMPI {worst[0]['mpi_s']:.9g} s, engine {worst[1]['mpi_s']:.9g} s"


def is_deadlocked(run):
    return "Deadlock detected" in run.text("log")


def disagreements(engine, library, arguments):
    """What they say differently; what the engine lacks, or None; and one of the runs. `arguments` as on the command
    line, from the skeleton on."""
    with tempfile.TemporaryDirectory() as work:
        own = Run("own", os.path.join(engine, "smpimain"), engine, "", arguments, work)
        if own.lacks is not None:
            return [], own.lacks, "the engine lacks " + own.lacks
        smpi = Run("smpi", smpimain(), smpi_library_path(os.path.dirname(library)), library, arguments, work)
        if is_deadlocked(smpi) and is_deadlocked(own): # SMPI's code is 0
            return [], None, "both are in a deadlock"
        if smpi.code != own.code:
            return [f"exit codes: SMPI {smpi.code}, engine {own.code}\n{smpi.text('log')[-800:]}\n---\n"
                    f"{own.text('log')[-800:]}"], None, ""
        if smpi.text("stats") is None and own.text("stats") is None:
            return [], None, f"both failed ({smpi.code}): {smpi.text('log')[-300:]}"
        count, size = own.messages()
        return list(differences(smpi, own)), None, (f"agree: {own.stats()['makespan_s']:.9g} s, {count} messages of "
                                                   f"{size:.0f} bytes")


SWITCH = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <config>
    <prop id="smpi/bw-factor" value="0:1"/>
    <prop id="smpi/lat-factor" value="0:1"/>
    <prop id="network/TCP-gamma" value="1e30"/>
    <prop id="network/crosstraffic" value="0"/>
  </config>
  <zone id="world" routing="Full">{properties}
    <cluster id="cluster" prefix="node-" suffix="" radical="0-{last}" speed="1Gf" core="1" bw="12.5GBps" lat="1us"
             loopback_bw="10GBps" loopback_lat="0.5us"/>
  </zone>
</platform>
"""


def write_switch(directory, ranks, properties=""):
    """The default network of so many hosts, as platform and hostfile."""
    platform, hosts = os.path.join(directory, "platform.xml"), os.path.join(directory, "hostfile")
    with open(platform, "w", encoding="utf-8") as file:
        file.write(SWITCH.format(last=ranks - 1, properties=properties))
    with open(hosts, "w", encoding="utf-8") as file:
        file.writelines(f"node-{i}\n" for i in range(ranks))
    return platform, hosts


def main():
    engine, library, *arguments = sys.argv[1:]
    found, lacks, agreed = disagreements(engine, library, arguments)
    for one in found[:6] or [agreed]:
        print(one)
    return 2 if lacks is not None else 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

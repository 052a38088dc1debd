# SPDX-License-Identifier: Apache-2.0
"""`mpiskel calibrate --network`.

Each case runs in a directory of its own. Nothing here depends on how long something takes: the
network that is measured is a simulated one whose parameters are known, or the measurements are those
of recorded.messages (Open MPI 4.1.4, two ranks on one node); a real run only has to get through.
"""
import json
import math
import os
import shutil
import subprocess

import support

HERE = os.path.dirname(os.path.abspath(__file__))

PLATFORM = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <config>
    <prop id="smpi/os" value="0:3e-7:1e-10;1000:9e-7:5e-11"/>
    <prop id="smpi/ois" value="0:1e-7:0;2000:4e-7:0"/>
    <prop id="smpi/or" value="0:2e-7:2e-10"/>
    <prop id="smpi/lat-factor" value="0:1;4000:2"/>
    <prop id="smpi/bw-factor" value="0:0.5;4000:0.8;100000:1"/>
    <prop id="smpi/async-small-thresh" value="30000"/>
    <prop id="smpi/send-is-detached-thresh" value="30000"/>
    <prop id="smpi/simulate-computation" value="no"/>
    <prop id="network/crosstraffic" value="0"/>
    <prop id="smpi/wtime" value="1e-6"/>
  </config>
  <zone id="world" routing="Full">
    <cluster id="cluster" prefix="node-" suffix="" radical="0-1" speed="1Gf" core="2"
             bw="10GBps" lat="2us" loopback_bw="8GBps" loopback_lat="0.3us"/>
  </zone>
</platform>
"""

APPLICATION = """
#include <mpi.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    int rank, size = argc > 1 ? atoi(argv[1]) : 1000;
    char *buffer = malloc(size);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 100; i++)
        if (rank == 0) {
            MPI_Send(buffer, size, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
            MPI_Recv(buffer, size, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else if (rank == 1) {
            MPI_Recv(buffer, size, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(buffer, size, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
        }
    MPI_Finalize();
    free(buffer);
    return 0;
}
"""


class Session(support.Session):
    def __init__(self, mpiskel, directory):
        super().__init__(mpiskel, directory)
        self.environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                                OMPI_MCA_rmaps_base_oversubscribe="1")  # there may be one processor
        shutil.copy(os.path.join(HERE, "recorded.messages"), directory)

    def command(self, *words, **environment):
        return subprocess.run(words, cwd=self.directory, env={**self.environment, **environment},
                              text=True, capture_output=True, timeout=600, check=False)

    def fine(self, *words):
        result = self.command(*words)
        assert result.returncode == 0, (words, result.returncode, result.stdout, result.stderr)
        return result

    def tool(self, *words):
        return self.fine(self.mpiskel, *words)

    def calibrate(self, *words):
        return json.loads(self.tool("calibrate", "--network", "--format=json", *words).stdout)

    def refused(self, *words, code=1, says):
        result = self.command(self.mpiskel, *words)
        assert result.returncode == code, (words, result.returncode, result.stderr)
        assert says in result.stderr, (words, result.stderr)

    def description(self, name):
        lines = [line.split(" = ", 1) for line in self.read(name).splitlines()
                 if not line.startswith("#")]
        return dict(lines)

    def make_bundle(self):
        self.write("app.c", APPLICATION)
        self.tool("capture", "--", "mpicc", "-O2", "app.c", "-o", "app")
        self.tool("generate", "-o", "app.skel")
        for _ in range(2):
            self.fine("mpirun", "-np", "2", "app.skel/profile", "1000")
        self.tool("fit", "app.skel")

    def trip_s(self, network, size):
        run = self.tool("run", "app.skel", "-np", "2", "--network", network, "--format=json", "--",
                        str(size))
        return json.loads(run.stdout)["per_rank"]["mpi_s"]["max"] / 200


def close(found, planted, part):
    return abs(found - planted) <= part * abs(planted)


def check_pieces(pieces, planted, part):
    """Pieces are (above, base, per byte); sizes are about a quarter apart."""
    found = [(piece["above_bytes"], piece["base_s"], piece["per_byte_s"]) for piece in pieces]
    assert len(found) == len(planted), (found, planted)
    for one, other in zip(found, planted):
        assert close(one[0], other[0], 0.3), (found, planted)
        assert close(one[1], other[1], part), (found, planted)
        assert abs(one[2] - other[2]) <= part * other[2] + 1e-14, (found, planted)


def case_planted_parameters_are_found(session):
    session.write("planted.xml", PLATFORM)
    session.write("hosts", "node-0\nnode-0\nnode-1\n")
    report = session.calibrate(
        "--compiler", "smpicc", "--launcher", "smpirun -platform planted.xml -hostfile hosts",
        "--ranks", "3", "--time", "4", "--launches", "1", "-o", "planted.network", "--no-progress")
    assert report["fitted_to"] == "across" and report["eager_threshold_bytes"] == 30000, report
    assert report["within"]["threshold_bytes"] == 30000
    check_pieces(report["send_overhead"], [(0, 3e-7, 1e-10), (1000, 9e-7, 5e-11)], 0.05)
    check_pieces(report["isend_overhead"], [(0, 1e-7, 0), (2000, 4e-7, 0), (29999, 4e-7, 0)], 0.02)
    check_pieces(report["receive_overhead"], [(0, 2e-7, 2e-10)], 0.05)
    check_pieces(report["transfer"], [(0, 4e-6, 2e-10), (4000, 8e-6, 1.25e-10),
                                      (30015, 8e-6, 1.25e-10), (100000, 8e-6, 1e-10)], 0.05)
    assert close(report["across"]["latency_s"], 4e-6, 0.02), report["across"]["latency_s"]
    assert close(report["across"]["bandwidth_bytes_per_s"], 1e10, 0.02)
    assert close(report["within"]["latency_s"], 3e-7, 0.05), report["within"]["latency_s"]
    assert close(report["within"]["bandwidth_bytes_per_s"], 8e9, 0.05)
    assert report["median_error"] < 0.01 and report["largest_error"] < 0.05, report
    for place in "within", "across":
        for kind in "pingpong", "send", "receive", "isend", "exchange", "stream":
            error = report[place][kind]["median_error"]
            assert error < 0.03, (place, kind, error)
    description = session.description("planted.network")
    assert description["topology"] == "switch" and description["eager-threshold"] == "30000"
    assert description["latency"].endswith("ns") and close(float(description["latency"][:-2]), 2000, 0.02)


def case_the_program_takes_its_place_in_the_launcher(session):
    session.write("planted.xml", PLATFORM)
    session.write("hosts", "node-0\nnode-0\n")
    launcher = "smpirun -np 2 -platform planted.xml -hostfile hosts {}"
    report = session.calibrate("--compiler", "smpicc", "--launcher", launcher, "--time", "4",
                               "--launches", "3", "--largest", "1000", "-o", "placed.network")
    assert report["launcher"] == launcher and "across" not in report, report
    # No send of these sizes waits.
    assert report["eager_threshold_bytes"] == 1001 and report["median_error"] < 0.01, report


def case_recorded_measurements_are_predicted(session):
    report = session.calibrate("--measurements", "recorded.messages", "-o", "here.network",
                               "--max-error", "5")
    assert report["fitted_to"] == "within" and report["eager_threshold_bytes"] == 257, report
    assert 0.002 < report["median_error"] < 0.03 and report["largest_error"] < 0.1, report
    for kind, limit in ("send", 0.03), ("receive", 0.03), ("isend", 0.05), ("exchange", 0.2):
        assert report["within"][kind]["median_error"] < limit, (kind, report["within"][kind])
    description = session.description("here.network")
    assert description["topology"] == "backbone" and description["hosts"] == "2", description
    # What run makes of the description is what was measured.
    session.make_bundle()
    points = {point["bytes"]: point for point in report["within"]["pingpong"]["points"]}
    for size in sorted(points)[::9]:
        assert close(session.trip_s("here.network", size), points[size]["predicted_s"], 0.02), size
        assert close(session.trip_s("here.network", size), points[size]["measured_s"], 0.12), size
    assert description["error"] == f"{100 * report['deviation']:.2g}%", (description, report["deviation"])
    kinds = [report["within"][kind]["median_error"] for kind in ("pingpong", "exchange", "stream")]
    assert close(report["deviation"], math.hypot(*kinds) / math.sqrt(3) / 0.6745, 0.1), (report["deviation"], kinds)
    same = session.tool("calibrate", "--network", "--measurements", "recorded.messages")
    assert "its own round trips are predicted with a median error of" in same.stdout, same.stdout
    assert session.read("default.network") == session.read("here.network")


def case_the_networks_error_is_a_part_of_intervals(session):
    session.make_bundle()
    session.calibrate("--measurements", "recorded.messages", "-o", "here.network")
    error = float(session.description("here.network")["error"][:-1]) / 100
    for network, wanted in ("here.network", error), ("ideal", 0):
        run = session.tool("run", "app.skel", "-np", "2", "--network", network, "--attribute", "--format=json", "--",
                           "1000")
        found = json.loads(run.stdout)
        communication_s = found["attribution"]["communication_s"]
        part_s = found["interval"]["parts"]["network"]
        assert close(part_s, communication_s * math.expm1(1.959964 * wanted), 0.01), (part_s, communication_s, wanted)


def case_slow_networks_leave_messages_within_a_node_fast(session):
    # Sends cost more across than whole messages take within; SMPI has one overhead for both.
    measured = json.loads(session.read("recorded.messages"))
    within = measured["within"]
    slow = {"threshold_bytes": within["threshold_bytes"]}
    for kind, more_s in ("pingpong", 6e-6), ("send", 2e-6), ("receive", 1.5e-6), ("isend", 2e-6):
        slow[kind] = [[size, *(seconds + more_s for seconds in point), count]
                      for size, *point, count in within[kind]]
    measured["across"] = slow
    session.write("both.messages", json.dumps(measured))
    report = session.calibrate("--measurements", "both.messages", "-o", "both.network")
    assert report["fitted_to"] == "across", report
    assert report["across"]["pingpong"]["median_error"] < 0.04, report["across"]["pingpong"]
    for point in report["within"]["pingpong"]["points"]:
        if point["bytes"] < within["threshold_bytes"]:
            assert 0.6 < point["predicted_s"] / point["measured_s"] < 1.5, point
    description = session.description("both.network")
    assert description["topology"] == "switch" and description["cores"] == "2", description


def case_a_bad_prediction_is_told(session):
    # Two kinds of the same sizes that no one cost could give.
    measured = json.loads(session.read("recorded.messages"))
    trips = measured["within"]["pingpong"]
    for i in range(0, len(trips), 2):
        trips[i][1] *= 3
    session.write("odd.messages", json.dumps(measured))
    words = ("calibrate", "--network", "--measurements", "odd.messages")
    result = session.tool(*words)
    assert "is above 5 %; was the machine busy" in result.stderr, result.stderr
    session.refused(*words, "--max-error", "5", code=2, says="is above 5 %")


def case_the_network_goes_with_the_machine(session):
    session.make_bundle()
    session.calibrate("--measurements", "recorded.messages", "--machine", "here", "--bundle",
                      "app.skel")
    listed = session.tool("machines", "list", "app.skel").stdout
    assert "here " in listed and "default " in listed, listed
    shown = session.tool("machines", "show", "app.skel", "here").stdout
    assert "network: measured on vm" in shown and "eager-threshold = 257" in shown, shown
    assert session.trip_s("machine:here", 1000) == session.trip_s("here.network", 1000)
    session.refused("run", "app.skel", "-np", "2", "--network", "machine:there",
                    says="knows no network of machine 'there'")
    session.tool("machines", "export", "app.skel", "here", "-o", "here.machine")
    shutil.copytree(session.path("app.skel"), session.path("other.skel"))
    os.remove(session.path("other.skel/store.db"))
    imported = session.tool("machines", "import", "other.skel", "here.machine", "--as", "there")
    assert "its network imported" in imported.stderr, imported.stderr
    details = json.loads(session.tool("machines", "show", "other.skel", "there", "--format=json").stdout)
    assert details["machine"]["network"]["description"] == session.read("here.network")
    # The same bytes come out, and a second import changes nothing.
    session.tool("machines", "rename", "other.skel", "there", "here")
    session.tool("machines", "export", "other.skel", "here", "-o", "again.machine")
    assert session.read("again.machine") == session.read("here.machine")
    again = session.tool("machines", "import", "other.skel", "here.machine")
    assert "network imported" not in again.stderr, again.stderr
    broken = session.read("here.machine").replace('"median_error":', '"median_error":-')
    session.write("broken.machine", broken)
    session.refused("machines", "import", "other.skel", "broken.machine", "--as", "x",
                    says="an error of the network is missing or below 0")


def case_a_real_run_gets_through(session):
    report = session.calibrate("--time", "0.2", "--launches", "2", "--largest", "4096", "-o",
                               "real.network", "--no-progress")
    trips = report["within"]["pingpong"]["points"]
    # On a busy machine the time is up before the largest.
    assert len(trips) > 2 and trips[-1]["bytes"] <= 4096, trips
    assert all(one["predicted_s"] > 0 for one in trips), trips
    assert all(one["low_s"] <= one["measured_s"] <= one["high_s"] for one in trips), trips
    assert report["eager_threshold_bytes"] >= 1
    measured = json.loads(session.read("real.network.messages"))
    assert measured["launcher"] == "mpirun -np 2" and measured["made"], measured
    session.make_bundle()
    assert session.trip_s("real.network", 1000) > 0


def case_what_cannot_be_measured_is_told(session):
    words = ("calibrate", "--network")
    session.refused("calibrate", "--network", "--kernels", "dgemm", code=64, says="one at a time")
    session.refused(*words, "--ranks", "1", code=64, says="from 2 to")
    session.refused(*words, "--largest", "9999999999", code=64, says="from 64 to")
    session.refused(*words, "--max-error", "none", code=64, says="--max-error takes a number of percent")
    session.refused("calibrate", "--kernels", "dgemm", "--bundle", "x", code=64,
                    says="go with --network")
    session.refused(*words, "--compiler", "no-such-cc", says="no-such-cc")
    session.refused(*words, "--compiler", "gcc", says="another compiler is named by --compiler")
    session.refused(*words, "--launcher", "no-such-mpirun", says="no-such-mpirun")
    session.refused(*words, "--launcher", "", says="--launcher is empty")
    session.refused(*words, "--launcher", "false", says="failed with exit code 1")
    session.refused(*words, "--launcher", "true", says="the benchmark measured too little")
    # A launcher that starts each rank as a program of its own.
    session.write("alone", "#!/bin/sh\nshift 2\nexec \"$@\"\n")
    os.chmod(session.path("alone"), 0o755)
    session.refused(*words, "--launcher", "./alone", says="it takes two ranks")
    if os.geteuid() == 0:
        result = subprocess.run(
            [session.mpiskel, *words], cwd=session.directory, text=True, capture_output=True,
            env={key: value for key, value in session.environment.items()
                 if not key.startswith("OMPI_ALLOW")}, timeout=600, check=False)
        assert result.returncode == 1 and "OMPI_ALLOW_RUN_AS_ROOT=1" in result.stderr, result.stderr
    session.refused(*words, "--measurements", "recorded.messages", "--bundle", "none.skel",
                    says="none.skel")
    session.refused(*words, "--measurements", "recorded.messages", "-o", "missing/x",
                    says="missing/x")


def case_files_that_are_no_measurements_are_refused(session):
    def refused(says, change):
        measured = json.loads(session.read("recorded.messages"))
        change(measured)
        session.write("bad.messages", json.dumps(measured))
        session.refused("calibrate", "--network", "--measurements", "bad.messages", says=says)

    within = lambda measured: measured["within"]
    trips = lambda measured: measured["within"]["pingpong"]
    refused("'format' is not mpiskel-messages", lambda m: m.update(format="x"))
    refused("version of the format is unknown", lambda m: m.update(version=2))
    refused("nothing was measured", lambda m: m.pop("within"))
    refused("'threshold_bytes' of a pair", lambda m: within(m).update(threshold_bytes=0))
    refused("'threshold_bytes' of a pair", lambda m: within(m).update(threshold_bytes="x"))
    refused("fewer than three sizes", lambda m: within(m).update(pingpong=trips(m)[:2]))
    refused("fewer than three sizes", lambda m: within(m).update(pingpong=5))
    refused("has not five numbers", lambda m: trips(m)[3].pop())
    refused("is no measurement", lambda m: trips(m)[3].__setitem__(1, -1))
    refused("is no measurement", lambda m: trips(m)[3].__setitem__(1, "NaN"))
    refused("is no measurement", lambda m: trips(m)[3].__setitem__(1, 1e300))
    refused("is no measurement", lambda m: trips(m)[3].__setitem__(0, 2.5))
    refused("sizes do not ascend", lambda m: trips(m)[3].__setitem__(0, 1))
    refused("a round trip takes no time", lambda m: trips(m)[3].__setitem__(1, 0))
    refused("is no measurement", lambda m: within(m).update(
        pingpong=[[size, 1e-6, 1e-6, 1e-6, 1] for size in range(1, 600)]))
    for text in "", "{", "[]", "null", '{"format":"mpiskel-messages"':
        session.write("bad.messages", text)
        session.refused("calibrate", "--network", "--measurements", "bad.messages",
                        says="bad.messages")
    # The least there can be, and kinds that are missing.
    session.write("least.messages", json.dumps(
        {"format": "mpiskel-messages", "version": 1, "within": {
            "threshold_bytes": 1, "pingpong": [[size, 1e-6, 1e-6, 1e-6, 1] for size in (1, 2, 3)]}}))
    report = session.calibrate("--measurements", "least.messages")
    assert report["median_error"] < 0.01 and report["send_overhead"] == [], report

# SPDX-License-Identifier: Apache-2.0
"""Networks, links, collectives and placements as options of `run`, and what its report says of
them. application.c sends 100 MB from rank 0 to each other one."""
import json
import os
import re
import shutil

from simulated import HERE, check, check_holds, check_near, run

PART = 0.1 / 12.5  # seconds for 100 MB on a link of the default network


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def make_bundle(mpiskel, name="application.c"):
    place = os.getcwd()
    source = os.path.join(HERE, name)
    write("compile_commands.json", json.dumps(
        [{"directory": place, "file": source, "output": "app.o",
          "arguments": ["mpicc", "-O1", "-c", source, "-o", "app.o"]}]))
    write("link_commands.json", json.dumps(
        [{"directory": place, "output": "app", "arguments": ["mpicc", "app.o", "-o", "app"]}]))
    run(0, mpiskel, "generate", "-o", "app.skel")


def report(mpiskel, ranks, *words):
    output, _ = run(0, mpiskel, "run", "app.skel", "-np", str(ranks), "--format=json", *words)
    return json.loads(output)


def seconds(mpiskel, ranks, *words):
    return report(mpiskel, ranks, *words)["predicted_s"]


def case_links_are_changed_relative_to_the_network(mpiskel):
    make_bundle(mpiskel)
    write("slow.net", "topology = star\nhosts-per-switch = 1\nuplink-bandwidth = 1GBps\n")
    run(0, mpiskel, "platform", "switch", "--nodes", "2", "--bandwidth", "2GBps", "-o", "net")
    for words, wanted in [([], 0.008), (["--bandwidth", "2x"], 0.004),
                          (["--bandwidth", "1GBps"], 0.1), (["--network", "slow.net"], 0.1),
                          (["--network", "torus"], 0.008),
                          (["--network", "slow.net", "--bandwidth", "0.5x"], 0.2),
                          (["--platform", "net/platform.xml"], 0.05),
                          (["--platform", "net/platform.xml", "--bandwidth", "2.5x"], 0.02)]:
        check_near(words, wanted, seconds(mpiskel, 2, *words), 0.01)
    slow = [seconds(mpiskel, 2, "--platform", "net/platform.xml", "--latency", factor)
            for factor in ("1x", "1001x", "2001x")]
    check_near("a thousand times the latency", slow[2] - slow[1], slow[1] - slow[0], 1e-3)
    check_near("is four links of 1 ms", 4e-3, slow[1] - slow[0], 0.05)


def case_scaled_platforms_find_their_files(mpiskel):
    make_bundle(mpiskel)
    os.mkdir("there & here")
    write("there & here/state.txt", "PERIODICITY 100\n0 1\n")
    write("there & here/p.xml", """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="z" routing="Full"><host id="a" speed="1Gf"/>
<host id="b" speed="1Gf" state_file="state.txt"/><link id="l" bandwidth="1GBps" latency="1us"/>
<route src="a" dst="b"><link_ctn id="l"/></route></zone></platform>""")
    whole = seconds(mpiskel, 2, "--platform", "there & here/p.xml")
    half = seconds(mpiskel, 2, "--platform", "there & here/p.xml", "--bandwidth", "0.5x")
    check_near("half as fast", 2 * whole, half, 0.01)


def case_report_names_network_and_changes(mpiskel):
    make_bundle(mpiskel)
    check("network", "default: switch: 2 hosts, 12.5 GB/s and 1 us per link",
          report(mpiskel, 2)["network"])
    got = report(mpiskel, 4, "--network", "summit", "--latency", "0.5x", "--collectives",
                 "allreduce=ring", "--placement", "cyclic", "--ranks-per-node", "2")
    check_holds(got["network"], "summit: fat-tree: 4608 hosts, 25 GB/s and 125 ns per link")
    check("changes", [["--network", "summit"], ["--latency", "0.5x"], ["--ranks-per-node", "2"],
                      ["--placement", "cyclic"], ["--collectives", "allreduce=ring"]],
          [[change["option"], change["value"]] for change in got["scenario"]])
    output, _ = run(0, mpiskel, "run", "app.skel", "-np", "2", "--network", "ideal")
    check_holds(output, "\nnetwork: ideal: 2 hosts, no latency, no limit of bandwidth\n"
                        "changed: --network ideal: ")


def case_overheads_of_a_description_count(mpiskel):
    make_bundle(mpiskel)
    write("over.net", "eager-threshold = 200MB\nsend-overhead = 0:1000:0;1000000:2000:1e-5\n")
    # One MPI_Send of 100 MB; in MPI_Allreduce nobody calls MPI_Send.
    check_near("the run", 2000 + 1e8 * 1e-5, seconds(mpiskel, 2, "--network", "over.net"), 1e-4)


def case_files_take_the_time_of_the_storage(mpiskel):
    """A latency for opening, writing, reading and closing; the bandwidth is shared."""
    make_bundle(mpiskel, "files.c")
    here = os.getcwd()
    write("disk.net", f"storage = 1GBps:1ms; {here}/fast = 2 GBps:2ms\n")
    os.mkdir("fast")
    disk = ["--network", "disk.net"]
    for ranks, words, wanted in [
            (1, [*disk, "--", "out"], 0.025 + 0.005 + 4e-3),
            (4, [*disk, "--", "out"], 0.1 + 0.02 + 4e-3),
            (4, [*disk, "--", "fast/out"], 0.05 + 0.01 + 8e-3),
            (4, ["--", "out"], 0.02 + 0.004 + 2e-3)]:
        check_near((ranks, words), wanted, seconds(mpiskel, ranks, *words), 1e-3)
    check("the skeleton leaves the disk alone", False, os.path.exists("out"))
    files = report(mpiskel, 4, *disk, "--attribute", "--", "out")
    check("read", [4, 2e7], [files["files"][0][key] for key in ("count", "bytes")])
    check("written", [4, 1e8], [files["files"][1][key] for key in ("count", "bytes")])
    check_near("writing", 0.101, files["files"][1]["seconds_per_rank"], 1e-3)
    check_near("an ideal network has the same disk", 0.124, files["attribution"]["ideal_s"], 1e-3)
    output, _ = run(0, mpiskel, "run", "app.skel", "-np", "4", *disk, "--", "out")
    check_holds(output, "wrote 100000000 bytes in 4 calls (0.101 s per rank) by MPI-IO")
    run(0, mpiskel, "run", "--original", "app.skel", "-np", "4", "--", "out")
    check("the original writes", 100000000, os.path.getsize("out"))


def case_ranks_of_one_host_talk_through_memory(mpiskel):
    make_bundle(mpiskel)
    memory = 100e6 / 10e9
    for words, links, memories in [
            ([], 3, 0), (["--ranks-per-node", "2"], 2, 1), (["--ranks-per-node", "4"], 0, 3),
            (["--ranks-per-node", "2", "--placement", "cyclic"], 2, 1)]:
        check_near(words, links * PART + memories * memory, seconds(mpiskel, 4, *words), 0.01)
    write("cores.net", "cores = 4\n")
    check_near("one per core", 3 * memory, seconds(mpiskel, 4, "--network", "cores.net"), 0.01)
    check_near("one per host", 3 * PART, seconds(mpiskel, 4, "--network", "cores.net",
                                                 "--ranks-per-node", "1"), 0.01)
    write("places", "node-0:3\nnode-1\n")
    check_near("a file", 2 * memory + PART, seconds(mpiskel, 4, "--network", "cores.net",
                                                    "--placement", "places"), 0.05)


def case_ideal_network_costs_nothing(mpiskel):
    make_bundle(mpiskel)
    got = report(mpiskel, 8, "--network", "ideal")
    if got["predicted_s"] > 1e-15 or got["per_rank"]["mpi_s"]["max"] > 1e-15:
        raise SystemExit(f"communication takes {got['predicted_s']} s")


def profile(mpiskel, bundle, runs):
    for ranks, arguments in runs:
        run(0, "mpirun", "--oversubscribe", "-np", str(ranks), f"{bundle}/profile",
            *arguments.split())
    run(0, mpiskel, "fit", bundle)


def case_without_messages_ideal_is_the_largest_sum_of_computation(mpiskel):
    make_bundle(mpiskel, "alone.c")
    profile(mpiskel, "app.skel", [(1, ""), (2, ""), (3, "")])
    got = report(mpiskel, 8, "--network", "ideal")
    longest = got["per_rank"]["compute_s"]
    check_near("the run", longest["max"], got["predicted_s"], 1e-9)
    if longest["max"] < 4 * longest["min"]:
        raise SystemExit(f"all ranks compute alike: {longest}")


def check_ideal_is_least(mpiskel, example, ranks, profiled, arguments):
    """No network is faster than the ideal one, and none leaves less than the computation."""
    shutil.copytree(os.path.join(HERE, "../../../examples", example), example)
    os.chdir(example)
    run(0, mpiskel, "capture", "--", "make", "-B")
    run(0, mpiskel, "generate", "-o", "app.skel")
    profile(mpiskel, "app.skel", [(count, sizes) for count in (1, 2) for sizes in profiled])
    write("star.net", "topology = star\nhosts-per-switch = 4\nuplink-bandwidth = 5GBps\n")
    times = {}
    for name in "ideal", "edison", "blue-gene-q", "gigabit-ethernet", "star.net":
        got = report(mpiskel, ranks, "--network", name, "--", *arguments.split())
        times[name] = got["predicted_s"]
        if got["predicted_s"] < got["per_rank"]["compute_s"]["max"] * (1 - 1e-9):
            raise SystemExit(f"{name} takes less than the computation: {got['predicted_s']} s")
    times["default"] = seconds(mpiskel, ranks, "--", *arguments.split())
    if times["ideal"] > min(times.values()) or times["ideal"] >= times["gigabit-ethernet"]:
        raise SystemExit(f"the ideal network is not the fastest: {times}")
    os.chdir("..")


def case_ideal_is_the_lower_bound_of_heat3d(mpiskel):
    check_ideal_is_least(mpiskel, "heat3d", 16, ["16 16 16 10", "32 32 32 10"], "32 32 32 10")


def case_ideal_is_the_lower_bound_of_sweep(mpiskel):
    check_ideal_is_least(mpiskel, "sweep", 16, ["8 8 8 4 1", "16 16 16 4 1"], "16 16 16 8 2")


def case_ideal_is_the_lower_bound_of_lu(mpiskel):
    check_ideal_is_least(mpiskel, "lu", 16, ["64 16", "128 16"], "256 16")


def case_verify_and_validate_take_networks(mpiskel):
    make_bundle(mpiskel)
    write("t.net", "topology = torus\ncores = 2\n")
    output, _ = run(0, mpiskel, "verify", "app.skel", "-np", "4", "--network", "t.net")
    check_holds(output, "identical")
    output, _ = run(0, mpiskel, "validate", "app.skel", "-np", "4", "--repeat", "1", "--network", "t.net",
                    "--format=json")
    check("network", "t.net: torus: 2 hosts, 12.5 GB/s and 1 us per link, 1 x 1 x 2",
          json.loads(output)["configurations"][0]["network"])


def case_collective_algorithms_are_those_that_were_asked_for(mpiskel):
    make_bundle(mpiskel)
    write("slow.net", "latency = 1s\nbandwidth = 1TBps\n")
    # Each of 15 messages before it takes two links of 1 s; so does each step.
    for text, steps in [("allreduce=rdb", 4), ("allreduce=ring", 30), ("allreduce=redbcast", 8),
                        ("tree", 4)]:
        took = seconds(mpiskel, 16, "--network", "slow.net", "--collectives", text)
        check_near(f"{steps} steps of {text}", 30 + steps * 2, took, 0.01)


def case_collectives_are_those_of_simgrid(mpiskel):
    """The names in our table are those of the SimGrid that is installed."""
    del mpiskel
    with open(os.path.join(HERE, "../../../simulator/network/collectives.c"), encoding="utf-8") as file:
        table = re.findall(r'\{"(\w+)",\s*((?:"[^"]*"\s*)+),', file.read())
    run(0, "smpicc", os.path.join(HERE, "messages.c"), "-o", "messages")
    write("hosts", "node-0\nnode-1\n")
    write("p.xml", '<?xml version="1.0"?><!DOCTYPE platform SYSTEM '
                   '"https://simgrid.org/simgrid.dtd"><platform version="4.1"><cluster id="c" '
                   'prefix="node-" suffix="" radical="0-1" speed="1Gf" bw="1GBps" lat="1us"/>'
                   '</platform>')
    check("the number of collectives", 11, len(table))
    for name, algorithms in table:
        ours = " ".join(re.findall('"([^"]*)"', algorithms)).split()
        _, messages = run(134, "smpirun", "-np", "2", "-platform", "p.xml", "-hostfile", "hosts",
                          f"--cfg=smpi/{name}:nonsense", "./messages", "1")
        theirs = re.search("Valid algorithms: (.*)\\.", messages).group(1).split(", ")
        check(name, sorted(theirs), sorted(ours))


def case_options_that_contradict_each_other_are_refused(mpiskel):
    make_bundle(mpiskel)
    write("p.xml", "<platform/>")
    for words, message in [
            (["--platform", "p.xml", "--network", "ideal"], "are two networks"),
            (["--platform", "p.xml", "--bandwidth", "1GBps"], "relative to them, such as 2x"),
            (["--bandwidth", "0x"], "between 1e-9 and 1e9"),
            (["--latency", "-2x"], "takes a number with a unit"),
            (["--latency", "2 x"], "is no unit"),
            (["--placement", "p.xml", "--ranks-per-node", "2"], "says it all"),
            (["--collectives", "allreduce=best"], "allreduce has no algorithm 'best'; SimGrid")]:
        _, messages = run(64, mpiskel, "run", "app.skel", "-np", "2", *words)
        check_holds(messages, message)
    write("four.net", "hosts = 4\n")
    write("few", "node-0\n")
    for words, message in [
            (["--network", "nonsense"], "no preset (ideal, summit"),
            (["--network", "star"], "star:1:1: error: a star has hosts-per-switch"),
            (["--network", "four.net"], "8 ranks do not fit: four.net has 4 hosts"),
            (["--network", "ideal", "--latency", "1us"], "has neither bandwidth nor latency"),
            (["--placement", "few"], "few places 1 ranks, and there are 8"),
            (["--placement", "nowhere"], "nowhere")]:
        _, messages = run(1, mpiskel, "run", "app.skel", "-np", "8", *words)
        check_holds(messages, message)


UNLIKE = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
 <zone id="w" routing="Full">
  <host id="a" speed="2Gf"/><host id="b" speed="0.5Gf,2Gf"/><host id="c" speed="2Gf,1e9" pstate="1"/>
  <link id="l" bandwidth="1GBps" latency="10us"/>
  <route src="a" dst="b"><link_ctn id="l"/></route><route src="a" dst="c"><link_ctn id="l"/></route>
  <route src="b" dst="c"><link_ctn id="l"/></route>
 </zone>
</platform>
"""
COMPUTE = """#include <mpi.h>
static double total;
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 100000; i++)
        total += i * 0.5;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
"""


def computed(mpiskel, ranks, *words):
    """Seconds of the rank that computes longest, and what is printed of hosts."""
    output, errors = run(0, mpiskel, "run", "app.skel", "-np", str(ranks), "--format=json", "--no-jitter", *words)
    return json.loads(output)["per_rank"]["compute_s"]["max"], errors


def case_slower_hosts_take_longer_to_compute(mpiskel):
    write("compute.c", COMPUTE)
    run(0, mpiskel, "capture", "--", "mpicc", "-O1", "compute.c", "-o", "app")
    run(0, mpiskel, "generate", "-o", "app.skel")
    profile(mpiskel, "app.skel", [(2, "")])
    write("unlike.xml", UNLIKE)
    for host in "ac":
        write(host, host + "\n")
    alike, errors = computed(mpiskel, 2)
    check("a word of hosts that are alike", False, "differ in speed" in errors)
    for words, ranks, factor in [([], 3, 4), (["--hostfile", "a"], 1, 1), (["--hostfile", "c"], 1, 2),
                                 (["--placement", "cyclic"], 3, 4)]:
        longest, errors = computed(mpiskel, ranks, "--platform", "unlike.xml", *words)
        check_near(words, factor * alike, longest, 1e-6)
        check_holds(errors, "hosts differ in speed")
    run(0, mpiskel, "platform", "star", "--nodes", "2", "--hosts-per-switch", "1", "--uplink-bandwidth", "1GBps",
        "-o", "net")
    with open("net/platform.xml", encoding="utf-8") as file:
        parts = re.split(r'speed="[^"]*"', file.read())
    check("the clusters of the star", 3, len(parts))
    write("net/platform.xml", f'{parts[0]}speed="4Gf"{parts[1]}speed="1Gf"{parts[2]}')
    words = ["--platform", "net/platform.xml"]
    times = [computed(mpiskel, 2, *words, f"--engine={engine}")[0] for engine in ("own", "smpi")]
    check("both engines", times[0], times[1])
    check_near("a slow host", 4 * alike, times[0], 1e-6)

# SPDX-License-Identifier: Apache-2.0
"""Recordings of programs without source."""
import collections
import json
import os
import sys

from commands import expect, expect_in, mpiskel, run

HERE = os.path.dirname(os.path.abspath(__file__))
RANKS = 4


def build():
    run("mpicc", "-O1", "-g0", f"{HERE}/program.c", "-o", "program", "-lmpi_mpifh")


def record(out, *arguments, ranks=RANKS, code=0, settings="n=3"):
    return mpiskel("record", "-o", out, "--set", settings, "--", "mpirun", "--oversubscribe", "-np", str(ranks),
                   "./program", *arguments, code=code)


def events(out, *options):
    lines = mpiskel("trace", "print", out, "--format=json", *options).stdout.splitlines()
    return [json.loads(line) for line in lines]


def check_requests(all_events):
    """Each request is made once, started before it is completed, and freed or completed in the end."""
    for rank in range(RANKS):
        made, active = set(), set()
        for e in (e for e in all_events if e["rank"] == rank and "request" in e):
            function, request = e["function"], e["request"]
            if function.startswith(("MPI_I", "MPI_File_i")) or function.endswith("_init"):
                expect(f"new request {request}", request, len(made) + 1)
                made.add(request)
                active |= set() if function.endswith("_init") else {request}
            elif function == "MPI_Startall":
                expect(f"request {request} is started", (request in made, request in active), (True, False))
                active.add(request)
            elif function in ("MPI_Wait", "MPI_Waitall", "MPI_Test"):
                expect(f"request {request} is completed", request in active, True)
                active.remove(request)
        expect(f"rank {rank}: requests, and those that are left", (len(made), active), (16, set()))


def check_messages(all_events):
    """Each message has two ends, with the same bytes; what was asked for from any source has its sender."""
    ends = collections.defaultdict(list)
    for e in all_events:
        if "message" in e:
            ends[e["message"]].append(e)
    expect("messages with one end", [m for m, of in ends.items() if len(of) != 2], [])
    for a, b in ends.values():
        expect("bytes of both ends", a["bytes"], b["bytes"])
    asked = [e for e in all_events if e.get("asked") == 1]
    expect("receives from any source", [(e["function"], e["peer"]) for e in asked], [("MPI_Irecv", -2)] * 3 * RANKS)


def check_details(all_events):
    of = collections.defaultdict(list)
    for e in all_events:
        of[e["rank"], e["function"]].append(e)
    for rank in range(RANKS):
        split, = of[rank, "MPI_Comm_split"]
        expect("colour and key", (split.get("colour", 0), split.get("key", 0)), (rank % 2, -rank))
        reduced, = of[rank, "MPI_Allreduce"]
        expect("communicator that was made", split["made"], reduced["communicator"])
        sub, = of[rank, "MPI_Cart_sub"]
        expect("dimensions that remain", sub["colour"], 2)
        sent, = (e for e in of[rank, "MPI_Sendrecv"] if e["kind"] == "call" and e["tag"] == 3)
        expect("elements and extent of a column", (sent["count"], sent["extent"], sent["bytes"]), (1, 104, 32))
        expect("polls", len(of[rank, "MPI_Test"]), 1)
        expect("probes", len(of[rank, "MPI_Iprobe"]), 0)
        expect("Fortran's barrier", len(of[rank, "MPI_Barrier"]), 1)
        expect("put", [(e["bytes"], e["peer"]) for e in of[rank, "MPI_Put"]], [(16, (rank + 1) % RANKS)])
        expect("written", [e["bytes"] for e in of[rank, "MPI_File_iwrite_at"]], [512])
        expect("last call", [e["function"] for e in all_events if e["rank"] == rank][-1], "MPI_Finalize")


def check_paths(all_events):
    """A path has the program's own frames; calls of one place have one path, of two places two."""
    for e in all_events:
        expect_in("program+0x", e["call_path"][-1])
    paths = {tuple(e["call_path"]) for e in all_events if e["function"] == "MPI_Irecv" and e["rank"] == 0}
    expect("paths of three places", len(paths), 3)
    scans = [tuple(e["call_path"]) for e in all_events if e["function"] == "MPI_Scan" and e["rank"] == 0]
    expect("paths that take turns", (len(set(scans)), scans), (2, scans[:2] * 4))


def check_replay(recording):
    """All messages of it, persistent and probed ones among them, are made again."""
    mpiskel("synthesize", "--as-recorded", recording, "-o", "replayed.synth")
    report = json.loads(mpiskel("run", "replayed.synth", "-np", str(RANKS), "--format=json").stdout)
    calls = {of["name"]: (of["count"], of["bytes"]) for of in report["calls"]}
    expect("sends that are started", calls["MPI_Isend"], (8 * RANKS, RANKS * (3 * (80 + 160) + 2 * 32)))
    expect("receives that are started", calls["MPI_Irecv"][0], 9 * RANKS)


def case_calls_are_recorded_with_paths_requests_and_communicators():
    build()
    out = record("a", "calls", settings="n=3,P=2").stdout
    expect_in("of 4 ranks in a", out)
    expect_in("us a call", out)
    facts = json.load(open("a/recording.json"))
    expect("settings", [(s["name"], s["value"]) for s in facts["settings"]], [("n", "3"), ("P", "2")])
    expect("exit code", facts["exit_code"], 0)
    all_events = events("a")
    check_requests(all_events)
    check_messages(all_events)
    check_details(all_events)
    check_paths(all_events)
    check_replay("a")
    expect_in("Critical path", mpiskel("report", "a", "--format=text").stdout)
    expect_in("send = 62", mpiskel("events", "-e", "output int send; send += 1 if (SEND);", "a").stdout)


def case_two_runs_are_the_same_though_they_poll():
    build()
    for name, count in (("a", "3"), ("b", "3"), ("c", "4")):
        record(name, "calls", count)
    expect_in("the same", mpiskel("trace", "compare", "a", "b").stdout)
    expect_in("rank 0 differs behind 6 events", mpiskel("trace", "compare", "a", "c", code=2).stdout)
    mpiskel("trace", "cut", "a", "-o", "cut.trace")
    expect_in("the same", mpiskel("trace", "compare", "a", "cut.trace").stdout)


def case_of_a_run_that_dies_only_the_last_blocks_are_lost():
    build()
    lost = "2 of 2 ranks are without MPI_Finalize: rank"
    for mode, count, code, end, least, most in (
            ("kill", 12000, 137, lost, 8192, 12000),
            ("rare", 30, 137, lost, 31, 60),
            ("abort", 12000, 3, "rank 1 called MPI_Abort at main+0x", 12001, 12001)):
        told = record("a", mode, str(count), ranks=2, code=1)
        expect_in(f"a: error: the run ended with exit code {code}: {end}", told.stderr)
        calls = json.loads(mpiskel("trace", "info", "a", "--ranks", "1", "--format=json").stdout)["calls"]
        if not least <= calls <= most:
            sys.exit(f"{mode}: {calls} calls were recorded, not {least} to {most}")
    expect_in("4 of 4 ranks are without MPI_Finalize", record("a", "leave", code=1).stderr)
    expect_in("though all ranks came to MPI_Finalize", record("a", "fail", ranks=2, code=1).stderr)


KERNEL = """
void dgemm_(const char *a, const char *b, const int *m, const int *n, const int *k) {
    for (volatile int i = 0; i < *m * *n * *k; i++)
        ;
}
"""
USER = """
#include <mpi.h>
void dgemm_(const char *a, const char *b, const int *m, const int *n, const int *k);
int main(int argc, char **argv) {
    int m = 100, n = 200, k = 50;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 3; i++)
        dgemm_("N", "N", &m, &n, &k);
    return MPI_Finalize();
}
"""


def case_functions_that_are_named_are_events():
    """Of an instrumented build, divided by calls but not by polls; of a library, with the work that they do."""
    run("mpicc", "-O0", "-finstrument-functions", f"{HERE}/program.c", "-o", "program", "-lmpi_mpifh")
    mpiskel("record", "-o", "a", "--functions", "send_to_self,poll", "--", "mpirun", "--oversubscribe", "-np", "2",
            "./program")
    regions = [e for e in events("a", "--ranks", "1") if e["kind"] == "region"]
    names = collections.Counter(e["function"] for e in regions)
    expect("pieces of functions", names, {"send_to_self": 4, "poll": 6})
    open("kernel.c", "w").write(KERNEL)
    open("user.c", "w").write(USER)
    run("gcc", "-shared", "-fPIC", "kernel.c", "-o", "libkernel.so")
    run("mpicc", "user.c", "-o", "user", "-L.", "-lkernel", "-Wl,-rpath," + os.getcwd())
    mpiskel("record", "-o", "b", "--functions", "dgemm_", "--", "mpirun", "-np", "1", "./user")
    regions = [e for e in events("b") if e["kind"] == "region"]
    expect("kernels and their work", [(e["function"], e["count"]) for e in regions], [("dgemm_", 1000000)] * 3)
    expect("kernels that take a tenth of a millisecond", [e["end_ns"] - e["begin_ns"] > 1e5 for e in regions], [True] * 3)
    mpiskel("synthesize", "--as-recorded", "b", "-o", "b.synth")
    report = json.loads(mpiskel("run", "b.synth", "-np", "1", "--format=json").stdout)
    in_kernels_s = sum(e["end_ns"] - e["begin_ns"] for e in regions) * 1e-9
    expect("kernels are computation", report["predicted_s"] >= in_kernels_s, True)
    told = mpiskel("record", "-o", "c", "--", "sh", "-c", "mpirun -np 1 ./user; mpirun -np 1 ./user")
    expect_in("a second run of MPI is not recorded", told.stderr)
    expect_in("recorded     1 events of 1 ranks", told.stdout)


def case_what_cannot_be_recorded_has_a_message():
    build()
    run("mkdir", "other")
    open("other/file", "w").write("mine")
    open("file", "w").close()
    for arguments, text, code in (
            (("-o", "other", "--", "true"), "-o other: the directory is there, and is no recording", 1),
            (("-o", "file", "--", "true"), "-o file: there is a file of that name", 1),
            (("--", "true"), "where does the recording go? Give -o DIR", 1),
            (("-o", "a",), "no command", 64),
            (("-o", "a", "--set", "n", "--", "true"), "--set n: a setting is NAME=VALUE", 1),
            (("-o", "a", "--set", "n=1,n=2", "--", "true"), "n is set twice", 1),
            (("-o", "a", "--", "true"), "nothing was recorded", 1),
            (("-o", "a", "--", "./no-such-program"), "no-such-program", 1),
            (("-o", "a", "--mpicc", "false", "--", "./program"), "--mpicc false: the recorder cannot be compiled", 1)):
        expect_in(text, mpiskel("record", *arguments, code=code).stderr)
    expect("what is in the way", os.listdir("other"), ["file"])
    run("gcc", "-static", "-x", "c", "-o", "static", os.devnull, "-Wl,--defsym=main=0")
    expect_in("linked statically", mpiskel("record", "-o", "a", "--", "./static", code=1).stderr)

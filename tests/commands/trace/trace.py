# SPDX-License-Identifier: Apache-2.0
"""Traces of simulated and real runs, and what other programs read of them.

$SAMPLE writes a small trace whose numbers are known (tests/unit/analysis/sample_trace.c).
"""
import collections
import csv
import gzip
import json
import os
import subprocess
import sys

from commands import expect, mpiskel, run

HERE = os.path.dirname(os.path.abspath(__file__))
RANKS, ITERATIONS = 4, 50


def events(trace, *options):
    lines = mpiskel("trace", "print", trace, "--format=json", *options).stdout.splitlines()
    return [json.loads(line) for line in lines]


def sample():
    run(os.environ["SAMPLE"], "sample.trace", str(RANKS), str(ITERATIONS))
    return events("sample.trace")


def calls(trace):
    """What does not depend on times."""
    keys = ("rank", "kind", "function", "file", "line", "direction", "peer", "tag", "bytes", "root", "message",
            "collective")
    return collections.Counter(tuple(e.get(k) for k in keys) for e in events(trace) if e["function"].startswith("MPI_"))


def bundle():
    run("cp", f"{HERE}/program.c", ".")
    mpiskel("capture", "--", "mpicc", "-O1", "program.c", "-o", "program")
    mpiskel("generate", "-o", "app.skel")
    start = ("mpirun", "--oversubscribe", "-np", str(RANKS), "app.skel/profile")
    run(*start, "2")
    run(*start, "3", env={"BSIM_TRACE_FILE": "real.trace"})
    mpiskel("fit", "app.skel")
    return json.loads(mpiskel("run", "app.skel", "-np", str(RANKS), "--attribute", "--format=json",
                              "--trace=simulated.trace", "--", "3").stdout)


def check_waits():
    """By the definitions of docs/reference/trace.md, for what is received and for some collectives."""
    all_events = events("simulated.trace")
    sent = {e["message"]: e["begin_ns"] for e in all_events if e.get("direction") == "sends" and "message" in e}
    came = collections.defaultdict(int)
    for e in all_events:
        if "collective" in e:
            came[e["collective"]] = max(came[e["collective"]], e["begin_ns"])
    late = 0
    for e in all_events:
        if e.get("direction") == "receives" and e["function"] == "MPI_Recv":
            until = sent[e["message"]]
        elif e["kind"] == "part" and e["function"] == "MPI_Waitall":
            until = sent[e["message"]]
        elif e["function"] in ("MPI_Allreduce", "MPI_Barrier", "MPI_Comm_split"):
            until = came[e["collective"]]
        else:
            continue
        wanted = max(0, min(until, e["end_ns"]) - e["begin_ns"])
        expect(f"time waited in {e}", e["waited_ns"], wanted)
        late += wanted > 0
    if late < 10:
        sys.exit(f"only {late} events waited; the case shows nothing")


def groups(trace):
    """How many collectives have how many members, and how many messages communicators have."""
    all_events = events(trace)
    members = collections.Counter(e["collective"] for e in all_events if "collective" in e)
    sends = collections.Counter(e["communicator"] for e in all_events if e.get("direction") == "sends" and "message" in e)
    return collections.Counter(members.values()), sorted(sends.values())


def check_communicators():
    """Those of OTF2 are those of the trace."""
    mpiskel("trace", "convert", "simulated.trace", "-o", "x.otf2")
    mpiskel("trace", "import", "x.otf2/traces.otf2", "-o", "back.trace", "--from=otf2")
    wanted = groups("simulated.trace")
    expect("communicators with messages", len(wanted[1]) > 1, True)
    expect("collectives and messages read back from OTF2", groups("back.trace"), wanted)
    mpiskel("trace", "convert", "simulated.trace", "-o", "x.smpi")
    broadcasts = [line[:2] for line in open("x.smpi") if " bcast " in line]
    expect("broadcasts of half of the ranks, which SMPI's actions do not know", broadcasts, ["# "] * RANKS * 3)


def case_simulated_and_real_runs_have_the_same_calls_and_waits_are_exact():
    told = bundle()
    ideal = mpiskel("events", "--view", "csv", "-e", "output int time time = ideal;", "simulated.trace").stdout
    expect("the time on an ideal network", int(ideal.splitlines()[1].split(",")[-2]),
           round(1e9 * told["attribution"]["ideal_s"]))
    difference = calls("real.trace")
    difference.subtract(calls("simulated.trace"))
    # Whose message a receive from any rank gets first may differ.
    different = [key for key, count in difference.items() if count and key[2] not in ("MPI_Probe", "MPI_Recv", "MPI_Wait")]
    expect("calls of the real run that the simulation has not, or the other way round", different, [])
    for name in ("real.trace", "simulated.trace"):
        told = json.loads(mpiskel("trace", "info", name, "--format=json").stdout)
        expect(f"messages of {name}", (told["unmatched"], told["sends"] > 40), (0, True))
        expect(f"bytes of {name}", told["sent_bytes"], told["received_bytes"])
        expect(f"{name} has regions", any(s["kind"] == "region" and s["function"] == "main" for s in told["sites"]), True)
    check_waits()
    check_communicators()


def case_other_programs_read_the_same_numbers():
    ours = sample()
    count = sum(e["kind"] != "part" for e in ours)
    sends = [e for e in ours if e.get("direction") == "sends"]
    sent_bytes = sum(e["bytes"] for e in sends)
    for name in ("x.otf2", "x.paje", "x.json.gz", "x.csv", "x.stacks", "x.smpi"):
        mpiskel("trace", "convert", "sample.trace", "-o", name)
    lines = run("otf2-print", "x.otf2/traces.otf2").stdout.splitlines()
    kinds = collections.Counter(line.split()[0] for line in lines if line)
    expect("OTF2", (kinds["ENTER"], kinds["LEAVE"], kinds["MPI_SEND"], kinds["MPI_RECV"]),
           (count, count, len(sends), len(sends)))
    expect("bytes in OTF2", sum(int(line.rsplit("Length: ", 1)[1]) for line in lines if line.startswith("MPI_SEND")),
           sent_bytes)
    kinds = collections.Counter(line.split(",")[0] for line in run("pj_dump", "x.paje").stdout.splitlines())
    expect("Paje", (kinds["State"], kinds["Link"]), (count, len(sends)))
    run("vite", "-e", "x.svg", "x.paje", env={"QT_QPA_PLATFORM": "offscreen"})
    expect("vite draws", "<svg" in open("x.svg").read(), True)
    chrome = json.load(gzip.open("x.json.gz"))["traceEvents"]
    expect("Chrome", sum(e["ph"] == "X" for e in chrome), count)
    expect("CSV", len(list(csv.DictReader(open("x.csv")))), len(ours))
    expect("stacks", sum(int(line.rsplit(" ", 1)[1]) for line in open("x.stacks")),
           sum(e["end_ns"] - e["begin_ns"] for e in ours if e["kind"] != "part"))
    told = json.loads(mpiskel("trace", "info", "sample.trace", "--format=json").stdout)
    expect("begin and end", [round(1e9 * told[name]) for name in ("begin_s", "end_s")],
           [min(e["begin_ns"] for e in ours), max(e["end_ns"] for e in ours)])
    for name, form in (("x.otf2/traces.otf2", "otf2"), ("x.paje", "paje")):
        mpiskel("trace", "import", name, "-o", "back.trace", "--from", form)
        told = json.loads(mpiskel("trace", "info", "back.trace", "--format=json").stdout)
        expect(f"read back from {form}", (told["events"], told["sends"], told["receives"], told["sent_bytes"],
                                          told["unmatched"]), (count, len(sends), len(sends), sent_bytes, 0))


def case_actions_for_replay_are_those_of_the_trace():
    run(os.environ["SAMPLE"], "sample.trace", "2", "1")
    mpiskel("trace", "convert", "sample.trace", "-o", "x.smpi")
    expect("actions", open("x.smpi").read().splitlines(),
           ["0 compute 100", "1 compute 100", "1 recv 0 7 8 6", "0 send 1 7 8 6", "0 waitall", "1 waitall",
            "0 allreduce 8 0 6", "1 allreduce 8 0 6"])


def case_actions_for_replay_come_back_as_they_were():
    of_0 = ["init", "compute 1000", "send 1 7 512 6", "isend 1 8 64 6", "barrier", "bcast 8 1 6", "reduce 16 0 1 6",
            "allreduce 24 0 6", "alltoall 32 32 6 6", "allgather 40 40 6 6", "gather 48 48 1 6 6", "scatter 56 56 0 6 6",
            "finalize"]
    of_1 = ["init", "irecv 0 7 512 6", "recv 0 8 64 6", "wait 0 1 7", *of_0[4:]]
    with open("t.smpi", "w") as out:
        out.writelines(f"{rank} {action}\n" for rank, actions in enumerate((of_0, of_1)) for action in actions)
    mpiskel("trace", "import", "t.smpi", "-o", "t.trace")
    mpiskel("trace", "convert", "t.trace", "-o", "back.smpi")
    back = [line.split(" ", 1) for line in open("back.smpi").read().splitlines()]
    for rank, actions in enumerate((of_0, of_1)):
        expect(f"actions of rank {rank}", [action for of, action in back if of == str(rank)], actions)


def case_viewers_get_no_more_than_20000_arrows():
    run(os.environ["SAMPLE"], "sample.trace", "4", "3000")  # 21,000 messages
    mpiskel("trace", "convert", "sample.trace", "-o", "x.json")
    arrows = {"s": set(), "f": set()}
    for e in json.load(open("x.json"))["traceEvents"]:
        if e["ph"] in arrows:
            arrows[e["ph"]].add(e["id"])
    expect("arrows with both ends", (len(arrows["s"]), arrows["s"] == arrows["f"]), (20000, True))


def case_chromes_own_engine_reads_all_events():
    ours = sample()
    mpiskel("trace", "convert", "sample.trace", "-o", "x.json.gz")
    folder = os.environ["NODE_FOLDER"]
    if not os.path.isdir(f"{folder}/node_modules/@paulirish"):
        os.makedirs(folder, exist_ok=True)
        run("npm", "install", "--prefix", folder, "--no-audit", "--no-fund", "@paulirish/trace_engine@0.0.65")
    run("cp", f"{HERE}/read_chrome.mjs", folder)
    read = run("node", f"{folder}/read_chrome.mjs", "x.json.gz").stdout.split()
    expect("events that trace_engine has", int(read[0]), sum(e["kind"] != "part" for e in ours))


def case_truncated_traces_are_read_up_to_there():
    sample()
    text = open("sample.trace", "rb").read()
    for place in range(1, 8):
        open("cut.trace", "wb").write(text[:len(text) * place // 8])
        done = mpiskel("trace", "check", "cut.trace")
        expect("the warning", "cut.trace: warning: the trace is truncated" in done.stderr, True)
        mpiskel("trace", "check", "cut.trace", "--strict", code=2)
    mpiskel("trace", "cut", "cut.trace", "-o", "whole.trace")
    mpiskel("trace", "check", "whole.trace", "--strict")
    open("none.trace", "w").write("no trace\n")
    expect("the error", mpiskel("trace", "info", "none.trace", code=1).stderr.startswith("none.trace: error: "), True)


def case_a_trace_that_was_stored_once_is_read_as_it_was_written():
    """The file format: writer and reader may not change together. Behind its first byte the seed is a sample trace."""
    with open(f"{HERE}/../../fuzz/traces/seeds/trace", "rb") as seed, open("stored.trace", "wb") as stored:
        stored.write(seed.read()[1:])
    run(os.environ["SAMPLE"], "new.trace", "3", "4")
    expect("events", events("stored.trace"), events("new.trace"))


def case_threads_of_a_rank_are_left_out():
    run(os.environ["THREADS"], "threads.otf2")
    mpiskel("trace", "import", "threads.otf2/traces.otf2", "-o", "threads.trace")
    told = json.loads(mpiskel("trace", "info", "threads.trace", "--format=json").stdout)
    expect("ranks, events, messages", [told[name] for name in ("ranks", "events", "sends", "receives", "unmatched")],
           [2, 2, 1, 1, 0])
    expect("who sends to whom", [(e["rank"], e["peer"]) for e in events("threads.trace")], [(0, 1), (1, 0)])
    with open("threads.otf2/traces.def", "r+b") as file:
        file.truncate(os.path.getsize(file.name) // 2)
    error = mpiskel("trace", "import", "threads.otf2/traces.otf2", "-o", "none.trace", code=1).stderr
    expect("definitions that are not whole", ("OTF2 cannot read its definitions" in error, os.path.exists("none.trace")),
           (True, False))


def case_times_that_cannot_be_are_refused():
    """With the place; Paje's events come in the order of time, OTF2's clocks may run backwards."""
    head = ("%EventDef PajeDefineContainerType 0\n% Alias string\n% Type string\n% Name string\n%EndEventDef\n"
            "%EventDef PajeCreateContainer 1\n% Time date\n% Alias string\n% Type string\n% Container string\n"
            "% Name string\n%EndEventDef\n%EventDef PajePushState 2\n% Time date\n% Type string\n"
            "% Container string\n% Value string\n%EndEventDef\n%EventDef PajePopState 3\n% Time date\n% Type string\n"
            "% Container string\n%EndEventDef\n%EventDef PajeDestroyContainer 4\n% Time date\n% Type string\n"
            "% Name string\n%EndEventDef\n0 1 0 RANK\n1 0 r0 1 0 rank-0\n")
    first, record = head.count("\n"), "S { double time; double end; }\n"
    rows = [(head + "2 3 4 r0 MPI_Send\n3 2 4 r0\n", f"n.paje:{first + 2}:1: error: this event is earlier"),
            (head + "2 -1 4 r0 MPI_Send\n", f"n.paje:{first + 1}:1: error: this event has a negative time"),
            (head + "2 nan 4 r0 MPI_Send\n", f"n.paje:{first + 1}:1: error: this event has no time"),
            (head + "2 1x 4 r0 MPI_Send\n", f"n.paje:{first + 1}:1: error: this event has no time"),
            (head + "2 1 4 r0 MPI_Send\n4 inf 1 rank-0\n", f"n.paje:{first + 2}:1: error: this event has no time"),
            (record + "S nan 3\n", "n.records: error: record 1: a time is negative or no number"),
            (record + "S 1 2\nS 2 inf\n", "n.records: error: record 2: a time is negative or no number"),
            (record + "S -5 2\n", "n.records: error: record 1: a time is negative or no number"),
            (record + "S 5 2\n", "n.records: error: record 1: records come in the order of time"),
            ("0 compute -5\n", "n.smpi:1:1: error: computation is"), ("0 compute nan\n", "n.smpi:1:1: error: ")]
    for text, place in rows:
        name = place.split(":")[0]
        open(name, "w").write(text)
        error = mpiskel("trace", "import", name, "-o", "none.trace", code=1).stderr
        expect(f"the place of {text[-30:]}", (place in error, os.path.exists("none.trace")), (True, False))
    run(os.environ["THREADS"], "back.otf2")
    name = "back.otf2/traces/0.evt"
    data = open(name, "rb").read()
    expect("the time of an event", data.count((200).to_bytes(8, "little")), 1)
    open(name, "wb").write(data.replace((200).to_bytes(8, "little"), (50).to_bytes(8, "little")))
    error = mpiskel("trace", "import", "back.otf2/traces.otf2", "-o", "none.trace", code=1).stderr
    expect("the event", ("back.otf2/traces.otf2: error: event 2 of location 0, at 50 ticks, is earlier than the one before "
                         "it" in error, os.path.exists("none.trace")), (True, False))


def case_records_and_actions_are_imported():
    with open("q.records", "w") as out:
        out.write("SEND { long time; int q; }\nRECV { long time; int q; }\n"
                  "SEND 1000 1\nSEND 2000 2\nRECV 3000 1\n")
    mpiskel("trace", "import", "q.records", "-o", "q.trace")
    expect("records", [(e["function"], e["begin_ns"], e["tag"]) for e in events("q.trace")],
           [("SEND", 1000, 1), ("SEND", 2000, 2), ("RECV", 3000, 1)])
    with open("p.records", "w") as out:
        out.write("MOVE { double Start; long duration; int node; int to; string name; int level; long size; int tag; }\n"
                  "MOVE 5e3 20 1 0 \"a b\" 3 64 7\n")
    note = mpiskel("trace", "import", "p.records", "-o", "p.trace").stderr
    event = events("p.trace")[0]
    expect("fields by their names", [event[name] for name in ("rank", "begin_ns", "end_ns", "peer", "bytes", "tag")],
           [1, 5000, 5020, 0, 64, 7])
    expect("what is left out is told", "left out" in note, True)
    with open("l.records", "w") as out:  # whole numbers of 64 bits end at 9.2e18
        out.write("S { double time; double size; }\nS 5 3e18\nS 6 1e19\nS 7 -1e19\nS 8 nan\n")
    mpiskel("trace", "import", "l.records", "-o", "l.trace")
    expect("numbers that are too large", [e["bytes"] for e in events("l.trace")], [3 * 10 ** 18, 0, 0, 0])
    with open("w.records", "w") as out:
        out.write("S { " + "".join(f"int f{i}; " for i in range(256)) + "}\nS" + 256 * " 1" + "\n")
    mpiskel("trace", "import", "w.records", "-o", "w.trace")
    expect("as many fields as there may be", len(events("w.trace")), 1)
    with open("t.smpi", "w") as out:
        out.write("0 init\n1 init\n0 compute 1000\n0 send 1 0 512 6\n1 irecv 0 0 512 6\n1 waitall\n"
                  "0 allreduce 8 0 6\n1 allreduce 8 0 6\n0 finalize\n1 finalize\n")
    mpiskel("trace", "import", "t.smpi", "-o", "t.trace")
    told = json.loads(mpiskel("trace", "info", "t.trace", "--format=json").stdout)
    expect("actions", (told["events"], told["sends"], told["receives"], told["sent_bytes"], told["unmatched"]),
           (10, 1, 1, 512, 0))
    expect("times of actions", [(e["function"], e["begin_ns"], e["end_ns"]) for e in events("t.trace") if e["rank"] == 0],
           [("MPI_Init", 0, 0), ("compute", 0, 1000), ("MPI_Send", 1000, 1000), ("MPI_Allreduce", 1000, 1000),
            ("MPI_Finalize", 1000, 1000)])
    for name, text, place in (("a.records", "SEND 1 2\n", "a.records:1:"), ("b.records", "S { long time }\n", "b.records:1:"),
                              ("g.records", "S { " + "".join(f"int f{i};\n" for i in range(257)) + "}\n", "g.records:257:"),
                              ("e.records", "S { long time; }\nS 2\nS 1\n", "e.records: error: record 2:"),
                              ("f.records", "S { int rank; }\nS -1\n", "f.records: error: record 1:"),
                              ("c.smpi", "0 send 9 0 1\n", "c.smpi:1:1:"), ("d.paje", "3 x\n", "d.paje:1:1:")):
        open(name, "w").write(text)
        error = mpiskel("trace", "import", name, "-o", "n.trace", code=1).stderr
        expect(f"the place in {name}", (error.startswith(place), os.path.exists("n.trace")), (True, False))


def case_events_tell_that_their_output_is_full():
    sample()
    with open("/dev/full", "w") as full:
        done = subprocess.run([sys.argv[1], "events", "sample.trace"], stdout=full, stderr=subprocess.PIPE, text=True)
    expect("code and message", (done.returncode, done.stderr),
           (1, "mpiskel: error: cannot write the report on the standard output\n"))

# SPDX-License-Identifier: Apache-2.0
"""What is learned from recordings, and what is refused."""
import json
import os
import sys

from commands import expect, expect_in, mpiskel, run

HERE = os.path.dirname(os.path.abspath(__file__))


def record(out, ranks, n, steps, settings=None, program="./program"):
    mpiskel("record", "-o", out, "--set", settings or f"n={n},steps={steps}", "--", "mpirun", "--oversubscribe",
            "-np", str(ranks), program, str(n), str(steps))
    return out


def check(learned, left_out):
    """Sequences, peers and sizes of a run that nothing was learned from."""
    of = json.loads(mpiskel("synthesize", *learned, "--check", left_out, "--format=json").stdout)["checks"][0]
    expect("ranks with identical sequences", (of["identical"], of["ranks"]), (5, 5))
    expect("distance, peers, sizes, tags, bytes", [of[k] for k in ("distance", "peers", "sizes", "tags", "bytes")],
           [0, 1, 1, 1, 1])
    expect("matched", (of["matched"], of["calls"]), (True, 5 * (4 + 4 * 5)))


def simulate(bundle):
    fitted = mpiskel("fit", bundle).stdout
    expect_in("calls are not checked: the bundle has no profiling build; `mpiskel synthesize --check` compares", fitted)
    expect_in(f"such as those of a profiling run: mpiskel run {bundle} -np ", fitted)
    report = json.loads(mpiskel("run", bundle, "-np", "9", "--set", "n=50", "--set", "steps=7", "--format=json").stdout)
    calls = {of["name"]: of["count"] for of in report["calls"]}
    expect("messages of 9 ranks", (calls["MPI_Isend"], calls["MPI_Irecv"], calls["MPI_Reduce"]), (63, 63, 63))
    if not report["predicted_s"] > 0:
        sys.exit("a run that takes no time")


def both_ways(bundle):
    """The skeleton of the same program makes the same calls; 30 numbers instead of 20 are more bytes."""
    os.mkdir("source")
    run("cp", f"{HERE}/program.c", "source/ring.c")
    os.chdir("source")
    mpiskel("capture", "--", "mpicc", "ring.c", "-o", "ring")
    mpiskel("generate", "-o", "ring.skel")
    run("mpirun", "--oversubscribe", "-np", "2", "ring.skel/profile", "20", "3")
    mpiskel("fit", "ring.skel")
    arguments = ["ring.skel", "--no-original", "--no-regions", "-np", "4", "--synthesis", "../" + bundle]
    mpiskel("validate", *arguments, "--", "20", "7", code=64)
    expect_in("no parameter of that name",
              mpiskel("validate", *arguments, "--set", "n=20,steps=7,m=3", "--", "20", "7", code=1).stderr)
    text = mpiskel("validate", *arguments, "--args", "20 7", "--set", "n=20,steps=7", "--set", "n=30,steps=7", "--", "20",
                   "7").stdout
    expect_in("calls and bytes sent equal in 1 of 2", text)
    report = json.loads(mpiskel("validate", *arguments, "--format=json", "--set", "n=30,steps=7", "--", "20", "7").stdout)
    of, = report["configurations"]
    functions = {one.pop("function"): list(one.values()) for one in of["synthesised"]["functions"]}
    expect("calls and bytes of both", functions["MPI_Isend"], [28, 28, 28 * 160, 28 * 240])
    expect("difference", of["synthesised"]["difference"], of["synthesised"]["predicted_s"] / of["predicted_s"] - 1)
    os.chdir("..")


def refused(learned, bundle):
    expect_in("steps=NUMBER", mpiskel("run", bundle, "-np", "4", "--set", "n=50", code=1).stderr)
    expect_in("more than 10 times beyond",
              mpiskel("run", bundle, "-np", "31", "--set", "n=50", "--set", "steps=7", code=1).stderr)
    other = record("other-names", 2, 20, 3, settings="m=20")
    expect_in("does not say what n is", mpiskel("synthesize", *learned, other, "-o", "x.synth", code=1).stderr)
    run("mpicc", "-O2", "-g0", f"{HERE}/program.c", "-o", "program")
    other = record("other-build", 2, 20, 3)
    for arguments in ((other, "-o", "x.synth"), ("--check", other)):
        expect_in("program is of another build", mpiskel("synthesize", *learned, *arguments, code=1).stderr)
    os.mkdir("mine")
    expect_in("nothing that synthesize wrote", mpiskel("synthesize", *learned, "-o", "mine", code=1).stderr)
    expect("files of a bundle that was refused", sorted(f for f in os.listdir(".") if "x.synth" in f or "mine." in f), [])


def without_source(bundle):
    """What needs an original, or what was counted in regions, says what to do instead."""
    for command in (("verify", bundle, "-np", "2"), ("run", bundle, "--original", "-np", "2", "--", "n=20", "steps=3"),
                    ("signature", "--measured", bundle),
                    ("run", bundle, "--processor", "any", "-np", "2", "--", "n=20", "steps=3")):
        text = mpiskel(*command, code=1).stderr
        expect_in("was synthesised from recordings, without source: ", text)
        if "generate again" in text or "missing" in text:
            sys.exit(f"{command}: {text}")


def as_recorded(recording):
    mpiskel("synthesize", "--as-recorded", recording, "-o", "recorded.synth")
    report = json.loads(mpiskel("run", "recorded.synth", "-np", "5", "--format=json").stdout)
    calls = {of["name"]: of["count"] for of in report["calls"]}
    expect("messages as recorded", (calls["MPI_Isend"], calls["MPI_Irecv"], calls["MPI_Reduce"]), (25, 25, 25))
    expect_in("recorded on 5 ranks, not 4", mpiskel("run", "recorded.synth", "-np", "4", code=1).stderr)
    mpiskel("synthesize", "--as-recorded", "--steady", recording, "-o", "steady.synth")
    steady = json.loads(mpiskel("run", "steady.synth", "-np", "5", "--format=json").stdout)
    expect("the same computation", [f"{r['regions'][0]['seconds_per_rank']:.8f}" for r in (steady,)],
           [f"{report['regions'][0]['seconds_per_rank']:.8f}"])


def ambiguous(learned):
    """All of one size: what goes by the size is not known, and said, by which run as well."""
    mpiskel("synthesize", *learned, "-o", "one-size.synth")
    mpiskel("fit", "one-size.synth")
    mpiskel("synthesize", learned[0], "-o", "one-input.synth")
    expect_in("next: all recordings had one input: record other sizes", mpiskel("fit", "one-input.synth").stdout)
    expect_in("this run is ambiguous, recorded runs do not tell",
              mpiskel("run", "one-size.synth", "-np", "4", "--set", "n=30", "--set", "steps=4").stderr)
    target = json.loads(mpiskel("synthesize", *learned, "--target", "ranks=4,n=30,steps=4", "--format=json").stdout)
    expect("n was always the same", [of["kind"] for of in target["ambiguous"] if of["kind"].startswith("n = ")],
           ["n = 30, which is 20 in all recorded runs"])
    text = mpiskel("synthesize", *learned, "--target", "ranks=4,n=30,steps=4").stdout
    expect_in(" -- mpirun --oversubscribe -np 1 PROGRAM, and mpiskel synthesize with it", text)
    expect_in("next: mpiskel record -o runs/1 --set n=", text)


def case_from_recordings_to_a_run():
    run("mpicc", "-O1", "-g0", f"{HERE}/program.c", "-o", "program")
    learned = [record(f"runs-{p}-{n}", p, n, n // 10 + 1) for p in (1, 2, 3) for n in (20, 30)]
    check(learned, record("left-out", 5, 40, 5))
    mpiskel("synthesize", *learned, "-o", "ring.synth")
    simulate("ring.synth")
    both_ways("ring.synth")
    refused(learned, "ring.synth")
    without_source("ring.synth")
    as_recorded("left-out")
    ambiguous(learned[::2])


def counted_error(program, learned, left_out, bound):
    """Of the predicted time of a run that nothing was learned from; times that are counted repeat."""
    def counted(ranks, n):
        out = f"{program}-{ranks}-{n}"
        mpiskel("record", "--clock=counted:blocks", "-o", out, "--set", f"n={n}", "--", "mpirun", "--oversubscribe",
                "-np", str(ranks), f"./{program}", str(n), *MORE.get(program, ()))
        return out

    mpiskel("synthesize", *[counted(*of) for of in learned], "-o", program + ".synth")
    text = mpiskel("fit", program + ".synth").stderr
    if "repeated" in text:
        sys.exit(f"times that are counted are taken for a machine's: {text}")
    mpiskel("synthesize", "--as-recorded", counted(*left_out), "-o", program + ".recorded")
    ranks = str(left_out[0])
    truth, report = [json.loads(mpiskel("run", *of, "-np", ranks, "--format=json").stdout)
                     for of in ((program + ".recorded",), (program + ".synth", "--set", f"n={left_out[1]}"))]
    truth, predicted, interval = truth["predicted_s"], report["predicted_s"], report["interval"]
    if abs(predicted / truth - 1) > bound:
        sys.exit(f"{program} on {left_out}: {predicted} instead of {truth}, {100 * (predicted / truth - 1):+.1f} %")
    return (interval["high_s"] - interval["low_s"]) / predicted


MORE = {"sort": ("2",)}


def case_counted_times_of_runs_left_out_are_within_bounds():
    with open("blocks", "w", encoding="utf-8") as file:
        file.write("block_ns 1\n")
    for name in ("line", "hill", "row", "uneven"):
        mpiskel("cc", "-O1", f"{HERE}/{name}.c", "-o", name)
    sources = os.path.join(HERE, "..", "..", "..", "examples", "sort")
    mpiskel("cc", "-O1", *[os.path.join(sources, name) for name in ("sort.c", "keys.c")], "-lm", "-o", "sort")
    sizes = [(ranks, n) for ranks in (1, 2, 3, 4, 6) for n in (20000, 40000)]
    counted_error("line", sizes[2:], (7, 60000), 0.01)
    # 0.4 if ranks differ as by chance.
    width = counted_error("hill", [(ranks, n) for ranks in (2, 4, 8) for n in (1000, 3000)], (16, 3000), 0.05)
    if not width < 0.3:
        sys.exit(f"nothing tells how far a rank is from an end: an interval {width} wide")
    counted_error("sort", sizes, (8, 40000), 0.08)
    # -33 % where what is computed between messages in a row is no region of its own
    counted_error("row", [(ranks, n) for ranks in (2, 4, 6) for n in (10000, 30000)], (8, 30000), 0.05)
    # -66 % with the median of ranks
    counted_error("uneven", [(ranks, n) for ranks in (4, 8) for n in (10000, 30000)], (16, 30000), 0.15)

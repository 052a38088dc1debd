# SPDX-License-Identifier: Apache-2.0
"""A clock that counts what a program executes, and nothing else."""
import glob
import json
import math
import os
import re
import subprocess

from support import ENVIRONMENT, Failure, expect

# Walks through `n` doubles `times` times between allreduces of `n` doubles.
WALK = r"""
#include <mpi.h>
#include <math.h>
#include <stdlib.h>

static double walk(const double *x, int n, int times) {
    double sum = 0;
    for (int t = 0; t < times; t++)
        for (int i = 0; i < n; i++)
            sum = sum * 0.5 + x[i];
    return sum;
}

int main(int argc, char **argv) {
    int n = atoi(argv[1]), times = atoi(argv[2]);
    MPI_Init(&argc, &argv);
    double *x = calloc(2 * n, sizeof *x), sum = 0;
    for (int step = 0; step < 3; step++) {
        sum += walk(x, n, times);
        MPI_Allreduce(x, x + n, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    x[0] = sum;
    free(x);
    MPI_Finalize();
    return 0;
}
"""
# Walks through a block of the heap, and one that malloc maps: how far apart they lie is chance.
APART = r"""
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    MPI_Init(&argc, &argv);
    double *mapped = calloc(4 * n, sizeof *mapped), *heap = calloc(n, sizeof *heap), sum = 0;
    for (int step = 0; step < 5; step++) {
        for (int i = 0; i < n; i++)
            sum = sum * 0.5 + mapped[i] + heap[i];
        MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    heap[0] = mapped[0] = sum;
    free(heap);
    free(mapped);
    MPI_Finalize();
    return 0;
}
"""
# Many small regions, a clock that is read, and half of the work behind the last call: it ends without MPI_Finalize.
ENDS = r"""
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static volatile int sum;

static void add(int n) {
    for (int i = 0; i < n; i++)
        sum += i;
}

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    MPI_Init(&argc, &argv);
    double start = MPI_Wtime();
    for (int step = 0; step < 100; step++) {
        add(n);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    add(100 * n);
    printf("%d\n", start > 0);
    return 0;
}
"""
BLOCKS = "block_ns 1\n"
MISSES = "cache 32KiB 8 0 0\nmemory 1000 1000\nstreams 0\n"
DIRECT = "access_ns 1\ncache 4KiB 1 0 0\ncache 128KiB 1 10 10\nmemory 100 100\n"
FIRST_CACHE = "access_ns 1\ncache 32KiB 8 0 0\nmemory 100 100\nstreams 0\n"


def generate(session, source, *options):
    session.write("app.c", source)
    session.write("compile_commands.json", json.dumps([
        {"directory": session.directory, "file": "app.c", "output": "app.o",
         "arguments": ["mpicc", "-O1", "-c", "app.c"]}]))
    session.fine("generate", *options, "-o", "app.skel")


def prepare(session, counted="--counted"):
    generate(session, WALK, counted)
    session.write("blocks", BLOCKS)


def profile(session, *arguments, ranks=1, processor=None, code=0, **variables):
    """The samples of a profiling run: its header, and the lines as they are."""
    clock = {"BSIM_CLOCK": f"counted:{session.path(processor)}"} if processor else {}
    done = subprocess.run(["mpirun", "--oversubscribe", "-np", str(ranks), "app.skel/profile", *arguments],
                          cwd=session.directory, env=dict(ENVIRONMENT, **clock, **variables), capture_output=True,
                          text=True)
    expect(done.returncode == code, f"profile: {done.stdout}{done.stderr}")
    session.err = done.stderr
    newest = max(glob.glob(session.path("app.skel/samples/*.samples")), key=os.path.getmtime)
    with open(newest, encoding="utf-8") as file:
        lines = file.read().splitlines()
    os.remove(newest)
    return json.loads(lines[0]), lines[1:]


def seconds(lines):
    """Of the region that takes most."""
    return max(json.loads(line).get("max", 0) for line in lines)


def original_s(session, *arguments, ranks=4, clock="counted", **variables):
    done = subprocess.run([session.mpiskel, "run", "app.skel", "--original", f"--clock={clock}", "-np", str(ranks),
                           "--format=json", "--", *arguments], cwd=session.directory,
                          env=dict(ENVIRONMENT, **variables), capture_output=True, text=True)
    expect(done.returncode == 0, f"run --original: {done.stderr}")
    return json.loads(done.stdout)["predicted_s"]


def case_the_same_run_takes_the_same_time(session):
    prepare(session)
    padding = {"PADDING": "x" * 3001}
    (_, one), (_, other) = [profile(session, "20000", "3", ranks=2, **more) for more in ({}, padding)]
    expect(one == other and seconds(one) > 0, f"samples: {one}\n{other}")
    one, other = [original_s(session, "20000", "3", **more) for more in ({}, padding)]
    expect(abs(one - other) <= 1e-6 * one, f"originals: {one!r} and {other!r}")


def case_no_address_decides(session):
    """In a cache of one way what two blocks evict of each other goes by how far apart they are."""
    generate(session, APART, "--counted")
    session.write("direct", DIRECT)
    samples = [profile(session, "8000", processor="direct")[1] for _ in range(4)]
    if any(one != samples[0] for one in samples):
        raise Failure(f"samples: {[seconds(one) for one in samples]}")
    times = [original_s(session, "8000", clock="counted:direct") for _ in range(2)]
    expect(times[0] == times[1], f"originals: {times}")


def case_time_is_what_the_processor_takes_for_what_was_executed(session):
    prepare(session)
    session.write("twice", "block_ns 2\n")
    session.write("accesses", "access_ns 1\n")
    by = {name: seconds(profile(session, "1000", "50", processor=name)[1]) for name in ("blocks", "twice", "accesses")}
    if abs(by["twice"] - 2 * by["blocks"]) > 1e-9 or not 1000 * 50 <= 1e9 * by["accesses"] <= 1000 * 50 + 100:
        raise Failure(str(by))
    short = original_s(session, "1000", "50", clock="counted:blocks")
    longer = original_s(session, "1000", "150", clock="counted:blocks")
    computed = 3 * 2 * by["blocks"]
    if abs(longer - short - computed) > 0.02 * computed:
        raise Failure(f"originals: {short} and {longer}, of which {computed} is computed")


def case_originals_take_what_they_execute_up_to_their_end_and_no_hook_counts(session):
    generate(session, ENDS, "--counted")
    session.write("blocks", BLOCKS)
    session.write("misses", MISSES)
    _, lines = profile(session, "10", processor="blocks")
    samples = [json.loads(line) for line in lines]
    regions = sum(sample.get("seconds", 0) for sample in samples)
    kept = sum(site["kept_s"] for sample in samples for site in sample.get("calls", []))
    original = original_s(session, "10", ranks=1, clock="counted:blocks")
    if abs(original - regions - kept) > 0.01 * original:
        raise Failure(f"original {original}, regions {regions}, between calls {kept}")
    lines = 1e6 * original_s(session, "10", ranks=1, clock="counted:misses")
    expect(1 <= lines <= 10, f"the original, whose few variables are all it has, touched {lines} lines of memory")


def case_what_is_in_a_cache_takes_no_time_of_memory(session):
    """3,000 doubles are 375 lines and fit the first cache; 8,000 are 1,000 lines and, least recently used goes
    first, miss each time."""
    prepare(session)
    session.write("first", FIRST_CACHE)
    fits, exceeds = [seconds(profile(session, n, "10", processor="first")[1]) * 1e9 for n in ("3000", "8000")]
    misses_fit, misses_exceed = (fits - 30000) / 100, (exceeds - 80000) / 100
    if not 0 <= misses_fit <= 400 or not 9900 <= misses_exceed <= 10100:
        raise Failure(f"{misses_fit} misses of 3,000 doubles, {misses_exceed} of 8,000")


def case_samples_say_what_waits_for_caches_and_memory(session):
    """Access and block by access: what is left is not waited for, nor are functions of the math library."""
    prepare(session)
    session.write("first", FIRST_CACHE)
    longest = max((json.loads(line) for line in profile(session, "8000", "10", processor="first")[1]),
                  key=lambda sample: sample.get("seconds", 0))
    executed_ns = 1e9 * (longest["seconds"] - longest["waited"])
    expect(abs(executed_ns / longest["timed"] - 80000) <= 100, f"{executed_ns} ns are executed: {longest}")
    session.write("none", "access_ns 1\n")
    if any("waited" in json.loads(line) for line in profile(session, "8000", "10", processor="none")[1]):
        raise Failure("something waits where there are no caches")


def case_a_stream_takes_what_an_announced_line_takes(session):
    prepare(session)
    session.write("streams", FIRST_CACHE.replace("100 100", "100 10").replace("streams 0", "streams 4"))
    took = seconds(profile(session, "8000", "10", processor="streams")[1]) * 1e9
    expect(80000 + 9900 * 10 <= took <= 80000 + 10100 * 10 + 20 * 100, f"took {took} ns")


def case_blocks_alone_are_counted_where_nothing_else_was_asked_for(session):
    prepare(session, "--counted=blocks")
    session.write("accesses", "access_ns 1\n")
    expect(seconds(profile(session, "1000", "50", processor="accesses")[1]) == 0, "accesses were counted")
    expect(seconds(profile(session, "1000", "50", processor="blocks")[1]) >= 50e-6, "blocks were not counted")


def case_samples_name_their_clock_and_fit_never_mixes_two(session):
    prepare(session)
    header, lines = profile(session, "1000", "5", processor="blocks")
    if header["clock"] != "counted: block_ns 1":
        raise Failure(f"clock {header['clock']}")
    other, others = profile(session, "2000", "5")
    for name, head, rest in ("a", header, lines), ("b", other, others):
        session.write(f"app.skel/samples/{name}.samples", "\n".join([json.dumps(head), *rest, ""]))
    session.run("fit", "app.skel")
    if session.code != 1 or "never fitted together" not in session.err or "'counted: block_ns 1'" not in session.err:
        raise Failure(f"fit: {session.code} {session.err}")
    os.remove(session.path("app.skel/samples/b.samples"))
    session.fine("fit", "app.skel")
    session.write("app.skel/samples/b.samples", "\n".join([json.dumps(other), *others, ""]))
    session.fine("fit", "app.skel", "--machine", "other")


def case_nobody_is_disturbed(session):
    prepare(session)
    profile(session, "20000", "200", ranks=4, processor="blocks")
    session.run("fit", "app.skel")
    expect("disturbed" not in session.err, session.err)


def case_validate_measures_once_and_finds_the_same_time(session):
    prepare(session)
    for n in "10000", "20000", "40000":
        subprocess.run(["mpirun", "--oversubscribe", "-np", "2", "app.skel/profile", n, "3"], cwd=session.directory,
                       env=ENVIRONMENT, check=True, capture_output=True)
    session.fine("fit", "app.skel")
    session.fine("validate", "app.skel", "-np", "2", "--format=json", "--", "30000", "3")
    one = json.loads(session.out)["configurations"][0]
    original = one["original"]
    alone = original_s(session, "30000", "3", ranks=2)
    if original["repeats"] != 1 or abs(original["median_s"] - alone) > 1e-3 * alone:
        raise Failure(f"original: {original}, alone {alone}")
    expect(abs(one["predicted_s"] / original["median_s"] - 1) <= 0.02 and not one.get("findings"), f"{one}")


def case_bad_descriptions_are_refused_with_their_place(session):
    prepare(session)
    rows = [("block_ns\n", ":1:1: error: a time in nanoseconds"), ("block_ns 1\nblock_ns -1\n", ":2:1: error: a time"),
            ("block_ns 1 2\n", "more words"), ("speed 3\n", "the key is none of"), ("", "the file is empty"),
            ("cache 32KiB 0 0 0\n", "as many bytes as sets"), ("cache 64KiB 8 0 0\n", "at most 4 KiB for each way"),
            ("cache 32KiB 8 0 0\ncache 16KiB 8 0 0\n", ":2:1: error: caches come in the order"),
            ("cache 99999999999999999999 8 0 0\n", "the size of a cache"), ("streams 65\n", "number of streams"),
            ("call exponential_function 1\n", "a call is"), ("x" * 5000 + "\n", "254 characters"),
            ("cache 32KiB 8 0 0\n" * 5, "four caches at most"), ("block_ns nan\n", "a time"), ("\0\1\2", "no text")]
    for text, wanted in rows:
        session.write("bad", text)
        session.run("run", "app.skel", "--original", "--clock=counted:bad", "-np", "2", "--", "10", "1")
        if session.code != 64 or wanted not in session.err or "bad:" not in session.err:
            raise Failure(f"{text!r}: {session.code} {session.err}")
    session.run("validate", "app.skel", "--clock=counted:missing", "-np", "2", "--", "10", "1")
    expect(session.code == 64 and "missing: error: No such file" in session.err, f"{session.code} {session.err}")
    session.write("bad", "speed 3\n")
    subprocess.run(["mpirun", "-np", "1", "app.skel/profile", "10", "1"], cwd=session.directory, check=True,
                   env=dict(ENVIRONMENT, BSIM_CLOCK="counted:bad"), capture_output=True)
    expect(not glob.glob(session.path("app.skel/samples/*")), "samples of an unknown processor were written")


def case_a_clock_is_refused_where_nothing_counts(session):
    generate(session, WALK)
    for command in ("run", "--original"), ("validate",):
        session.run(command[0], "app.skel", *command[1:], "--clock=counted", "-np", "2", "--", "10", "1")
        if session.code != 1 or "generate it again with --counted" not in session.err:
            raise Failure(f"{command}: {session.code} {session.err}")


def recorded_ns(session, *arguments, processor="blocks"):
    """The processor time of both ranks before calls, in their order."""
    session.fine("record", f"--clock=counted:{processor}", "-o", "rec", "--", "mpirun", "--oversubscribe", "-np", "2",
                 "./walk", *arguments)
    session.fine("trace", "print", "rec", "--format=json")
    events = [json.loads(line) for line in session.out.splitlines()]
    calls = sorted((e["rank"], e["begin_ns"], e["cpu_ns"]) for e in events if e["function"] == "MPI_Allreduce")
    return [(rank, ns) for rank, _, ns in calls]


def case_recordings_have_the_program_s_time_and_not_that_of_mpi(session):
    session.write("walk.c", WALK)
    session.write("blocks", BLOCKS)
    session.write("accesses", "access_ns 1\n")
    session.fine("cc", "-O1", "-c", "-o", "walk.o", "walk.c")
    session.fine("cc", "-o", "walk", "walk.o")
    one, other = recorded_ns(session, "2000", "10"), recorded_ns(session, "2000", "10")
    expect(one == other and len(one) == 6, f"{one}\n{other}")
    large = recorded_ns(session, "200000", "1", processor="accesses")
    expect(not any(not 200000 <= ns <= 200100 for _, ns in large), f"an allreduce of 200,000 doubles counts: {large}")
    again = session.path("walk.cc")
    session.write("walk.cc", WALK.replace("double *x = calloc(2 * n, sizeof *x)", "double *x = new double[2 * n]()")
                  .replace("free(x)", "delete[] x"))
    session.fine("cxx", "-O1", "-o", "walk", os.path.basename(again))
    one, other = recorded_ns(session, "2000", "10"), recorded_ns(session, "2000", "10")
    expect(one == other and len(one) == 6, f"a program in C++: {one}\n{other}")


# Times of functions of libraries; and a comparison that the program gives to one.
CALLS = r"""
#include <mpi.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double computed(const double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += exp(x[i]) + pow(x[i], 1.7);
    return sum;
}

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    MPI_Init(&argc, &argv);
    double *x = calloc(n, sizeof *x), sum = computed(x, n);
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    x[0] = sum;
    MPI_Finalize();
    return 0;
}
"""


def case_calls_of_the_math_library_take_what_is_described(session):
    generate(session, CALLS, "--counted")
    session.write("calls", "call exp 10\ncall pow 100\n")
    took = seconds(profile(session, "1000", processor="calls")[1]) * 1e9
    expect(round(took) == 110000, f"took {took} ns")
    expect(110e-6 <= original_s(session, "1000", clock="counted:calls") <= 200e-6, "the original does not take it")


OTHER = "block_ns 2\naccess_ns 0.5\ncache 4KiB 4 0 0\ncache 64KiB 8 5 2\nmemory 40 9\nstreams 4\n"
SMALL = "block_ns 1\naccess_ns 0.25\ncache 4KiB 4 0 0\ncache 64KiB 8 3 1\nmemory 80 5\nstreams 4\n"


def learn(session, machine):
    """Of runs that the processor of the same name counts; the largest does not fit its caches."""
    for n, times in ((100, 9), (1000, 9), (4000, 4), (20000, 2)):
        subprocess.run(["mpirun", "--oversubscribe", "-np", "2", "app.skel/profile", str(n), str(times)], check=True,
                       cwd=session.directory, env=dict(ENVIRONMENT, BSIM_CLOCK=f"counted:{session.path(machine)}"))
    session.fine("fit", "app.skel", "--machine", machine, "--no-check")
    found = walking(session)
    for path in glob.glob(session.path("app.skel/samples/*.samples")):
        os.remove(path)
    return found


def predicted(session, *options):
    session.fine("run", "app.skel", "-np", "4", "--format=json", "--no-progress", *options, "--", "8000", "3")
    return json.loads(session.out)


def case_what_was_counted_tells_of_another_processor_with_the_same_caches(session):
    prepare(session)
    for name, text in (("small", SMALL), ("other", OTHER), ("larger", SMALL.replace("64KiB", "128KiB"))):
        session.write(name, text)
        if name != "larger":
            learn(session, name)
    told = [predicted(session, "--machine", "small", "--processor", "other"), predicted(session, "--machine", "other")]
    own = predicted(session, "--machine", "small")["predicted_s"]
    if abs(told[0]["predicted_s"] / told[1]["predicted_s"] - 1) > 0.01 or own > 0.9 * told[0]["predicted_s"]:
        raise Failure(f"told again {told[0]['predicted_s']}, counted {told[1]['predicted_s']}, before {own}")
    if predicted(session)["predicted_s"] != told[1]["predicted_s"]:
        raise Failure("a model of the store is not what the last fit, that of the same machine, made of it")
    if told[0]["processor"] != told[1]["processor"] or "memory 40 9" not in told[0]["processor"]:
        raise Failure(f"processors: {told[0]['processor']}, {told[1]['processor']}")
    session.refused("run", "app.skel", "-np", "4", "--machine", "small", "--processor", "larger", "--", "8000", "3",
                    says="larger: profiling runs are needed")
    session.refused("run", "app.skel", "-np", "4", "--machine", "small", "--processor", "none", "--", "8000", "3",
                    says="none: error: No such file")


def case_time_is_told_by_level_of_memory(session):
    prepare(session)
    session.write("small", SMALL)
    learn(session, "small")
    session.fine("validate", "app.skel", "-np", "2", "--no-original", "--clock=counted:small", "--format=json", "--",
                 "4000", "9")
    configuration = json.loads(session.out)["configurations"][0]
    parts = {part["part"]: part["seconds"] for part in configuration["parts"]}
    measured = 2 * sum(region["measured_s_per_rank"] for region in configuration["regions"])
    if set(parts) != {"blocks", "accesses", "64 KiB cache", "memory"} or abs(sum(parts.values()) / measured - 1) > 1e-3:
        raise Failure(f"{parts} of {measured} s")
    session.fine("report", "app.skel", "--format=text")
    row = re.search(r"region +time, m?s +blocks, % +accesses, % +64 KiB cache, % +memory, %\n +all regions +[\d.]+ +(.*)",
                    session.out)
    if row is None or abs(sum(map(float, row[1].split())) - 100) > 0.3:
        raise Failure(session.told("the report does not tell the levels of all regions' time"))
    session.fine("whatif", "app.skel", "-np", "2", "--rank-all", "--format=json", "--", "4000", "9")
    gains = {one["name"]: one["gain"] for one in json.loads(session.out)["candidates"]}
    expect(gains["64 KiB cache"] > gains["memory"] > 0 and gains["blocks"] > 0.01, str(gains))


# Of a block, an access, a ns of the math library, a line from the second cache, an announced one, and so on: SMALL.
PRICES = (1, 0.25, 1, 3, 1, 80, 5)


def walking(session):
    """The region that takes most, and its samples."""
    samples = []
    for path in glob.glob(session.path("app.skel/samples/*.samples")):
        with open(path, encoding="utf-8") as file:
            samples += [one for one in map(json.loads, file) if "counted" in one]
    region = max(samples, key=lambda one: one["seconds"])["region"]
    return region, [one for one in samples if one["region"] == region]


def formula_of(counts, name, features):
    return eval(counts[name], {"math": math}, {f"n{i + 1}": feature for i, feature in enumerate(features)})


def case_measured_signatures_are_the_time_on_each_geometry(session):
    """What blocks, accesses and lines take adds up to the counted time, with either size of the second cache."""
    prepare(session)
    for kilobytes in (64, 256):
        machine = f"with{kilobytes}"
        session.write(machine, SMALL.replace("64KiB", f"{kilobytes}KiB"))
        region, samples = learn(session, machine)
        session.fine("signature", "app.skel", "--measured", "--machine", machine, "--format=json")
        report = json.loads(session.out)
        if report["machine"] != machine or f"cache {1024 * kilobytes} 8" not in report["processor"]:
            raise Failure(f"{report['machine']}: {report['processor']}")
        found = {one["count"]: one["formula"] for of in report["regions"] if of["index"] == region
                 for one in of["measured"]}
        if f"announced lines from the {kilobytes} KiB cache" not in found or "announced lines from memory" not in found:
            raise Failure(f"{kilobytes} KiB: {found}")
        for sample in samples:
            exact_s = sum(1e-9 * price * count for price, count in zip(PRICES, sample["counted"]))
            if abs(exact_s - sample["seconds"]) > 1e-9 * sample["timed"]:
                raise Failure(f"{kilobytes} KiB: {exact_s} of {sample['seconds']} s")
            for name, count in zip(("blocks", "accesses"), sample["counted"]):
                one = formula_of(found, name, sample["features"])
                if abs(one * sample["timed"] / count - 1) > 0.005:
                    raise Failure(f"{kilobytes} KiB: {one} {name} of {count} in {sample['timed']} executions")
    session.refused("signature", "app.skel", "--machine", "with64", code=64, says="--machine goes with --measured")
    session.refused("signature", "app.skel", "--measured", "--machine", "nobody", says="no clock that counts")


# The skeleton keeps nothing between BSIM_BEGIN and BSIM_END but allocations that clang takes to succeed.
KEPT = r"""
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

float **table(int rows, int columns);

int main(int argc, char **argv) {
    int rank, size, n = atoi(argv[1]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    float **x, *y = malloc(n * sizeof *y);
    if (rank == 0)
        x = table(n, n);
    else
        x = table(n / size, n);
    if (!x || !y) {
        if (rank == 0)
            fprintf(stderr, "no memory\n");
        MPI_Finalize();
        return 1;
    }
    MPI_Scatter(&x[0][0], n / size * n, MPI_FLOAT, &x[0][0], n / size * n, MPI_FLOAT, 0, MPI_COMM_WORLD);
    MPI_Bcast(y, n, MPI_FLOAT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

float **table(int rows, int columns) {
    float *all = malloc(rows * columns * sizeof *all);
    float **of = malloc(rows * sizeof *of);
    if (!all || !of)
        return NULL;
    for (int i = 0; i < rows; i++)
        of[i] = &all[i * columns];
    return of;
}
"""


def case_kept_allocations_alone_are_linked(session):
    """clang leaves no access to the rank's own variables then."""
    generate(session, KEPT, "--counted")

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fuzzes the analysis: writes random MPI programs, makes their skeletons, and verifies each.

    fuzz.py hpc|csmith|cxx FIRST-LAST [--cuts] [--mpiskel PATH] [-j JOBS] [--np N] [--keep DIR] [--max-kept P]

For each seed: write the program, `mpiskel generate`, `mpiskel verify` on N ranks (default 4), every third
one also on 1 to 6 ranks. Outcomes:
  ok            same calls with the same arguments on all ranks
  refused       generate says that it cannot model something (its message is counted)
  void          the original itself does not get through, or takes too long: no test
  uncompilable  the skeleton (or the profiling build) does not compile
  unused        the same calls, but a variable is left that only removed code looked at: -Wall says so
  warns         the skeleton has another warning of -Wall that the original has not
  differs       verify says so; failed: the skeleton aborts, crashes or is in a deadlock
  crash         mpiskel itself ends by a signal or with a sanitizer's report
  timeout       mpiskel or the skeleton takes too long
With --cuts the skeletons take values as given, as many as there are to save anything, and are verified with those of
the original. Those of FINE are no errors; all others make the exit code 1. So do too many refused or void programs and a
mean of kept statements above --max-kept: a slicer that keeps everything would pass otherwise."""
import argparse
import collections
import concurrent.futures
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import csmith  # noqa: E402
import cxx  # noqa: E402
from hpc import program  # noqa: E402

FINE = ("ok", "unused", "refused", "void")
UNUSED = ("-Wunused-variable", "-Wunused-but-set-variable")
# Per kind: most statements kept on average, most refused and most void programs, in percent.
LIMITS = {"hpc": (50, 2, 0), "csmith": (65, 2, 10), "cxx": (95, 2, 0)}
MAKERS = {"hpc": program, "csmith": csmith, "cxx": cxx}
TIMEOUT_S, CPU_S = 600, 60  # only what never ends takes as long, also where compiling C++ takes seconds
# Without counts what is hot is estimated; with 0 all goes that a cut can save.
CUTS = ["--assume=type-classes,aligned-collectives,files-apart,cuts", "--max-kept=0"]

Result = collections.namedtuple("Result", "seed outcome detail summary calls")


def run(command, directory, timeout_s=TIMEOUT_S):
    """Exit code (None: out of time), stdout, stderr. Nothing that it started is left running. Processor time is
    limited as well, since programs of csmith may run for ever; elapsed time depends on the machine."""
    child = subprocess.Popen(command, cwd=directory, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             text=True, errors="replace", start_new_session=True,
                             preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S)))
    try:
        out, err = child.communicate(timeout=timeout_s)
        return child.returncode, out, err
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        out, err = child.communicate()
        return None, out, err


def flags_of(kind, seed):
    return ["-O1" if seed % 4 == 0 else "-O0", "-Wall" if kind == "hpc" else "-w"]


def write_program(kind, seed, directory):
    """Sources and build description; the program's arguments, or None where there is no program."""
    made = MAKERS[kind].write(seed)
    if made is None:
        return None
    files, arguments = made
    for name, text in files.items():
        with open(os.path.join(directory, name), "w", encoding="utf-8") as file:
            file.write(text)
    flags = flags_of(kind, seed)
    sources = sorted(name for name in files if name.endswith((".c", ".cpp")))
    compiler = "mpicxx" if kind == "cxx" else "mpicc"
    objects = [os.path.splitext(name)[0] + ".o" for name in sources]
    entries = [{"directory": directory, "file": name, "output": output,
                "arguments": [compiler] + flags + ["-c", name]} for name, output in zip(sources, objects)]
    link = {"directory": directory, "output": "program",
            "arguments": [compiler] + objects + ["-o", "program", "-lm"]}
    for name, content in (("compile_commands.json", entries), ("link_commands.json", [link])):
        with open(os.path.join(directory, name), "w", encoding="utf-8") as file:
            json.dump(content, file)
    return arguments


def first_line(text, word):
    return next((line for line in text.splitlines() if word in line), text.strip()[-200:])


def tool_died(code, err):
    return code is not None and (code < 0 or code > 128 or "Sanitizer" in err or "runtime error:" in err)


def judge_generate(code, err):
    """None: fine."""
    if code is None:
        return "timeout", "generate"
    if tool_died(code, err):
        return "crash", first_line(err, "ERROR")
    if code != 0 and "the compiler's messages are above" in err:
        return "uncompilable", first_line(err, "error:")
    if code != 0:
        return "refused", re.sub(r"^.*?error: ", "", first_line(err, "error:"))
    return None


def judge_verify(code, out, err, records):
    if code is None and not os.path.exists(os.path.join(records, "skeleton")):
        return "void", "the original takes too long"
    if code is None:
        return "timeout", "the skeleton"
    if tool_died(code, err):
        return "crash", first_line(err, "ERROR")
    if "the original failed" in err or "which both sides call" in err:
        return "void", first_line(err, "the original failed")
    if "warning:" in err:
        return "differs", first_line(err, "warning:")
    if code == 0 and re.match(r"identical: \d+ calls on \d+ ranks$", out.strip()):
        return None
    return ("differs" if code == 2 else "failed"), first_line(out + err, "rank")


def warnings_in(log):
    """Pairs of the name that a warning is about and its option, but for those about expressions as we wrote them."""
    found = set(re.findall(r"warning: .*?[\u2018']([^\u2019']*)[\u2019'].*\[(-W[a-z-]+)", log))
    return {pair for pair in found if pair[1] not in ("-Wbool-compare", "-Wtautological-compare")}


def judge_warnings(kind, seed, directory):
    log = os.path.join(directory, "program.skel", "build.log")
    if kind != "hpc" or not os.path.exists(log):
        return None
    with open(log, encoding="utf-8") as file:
        new = warnings_in(file.read())
    for name in sorted(name for name in os.listdir(directory) if new and name.endswith(".c")):
        new -= warnings_in(run(["smpicc"] + flags_of(kind, seed) + ["-DSMPI_NO_OVERRIDE_MALLOC", "-c", "-o", "/dev/null", name],
                               directory)[2])
    if not new:
        return None
    return ("unused" if all(option in UNUSED for _, option in new) else "warns"), str(sorted(new))


def try_program(options, seed, directory):
    arguments = write_program(options.kind, seed, directory)
    if arguments is None:
        return Result(seed, "void", "no program within the time", {}, 0)
    code, out, err = run([options.mpiskel, "generate", "--skeleton", "--format=json", "--no-progress", "-j", "1", "-o", "program.skel"]
                         + CUTS * options.cuts, directory)
    verdict, summary, calls = judge_generate(code, err), {}, 0
    if verdict is None:
        summary = json.loads(out)
        for ranks in [options.np] + [1 + seed // 3 % 6] * (seed % 3 == 0):
            records = f"verify-{ranks}"
            shutil.rmtree(os.path.join(directory, records), ignore_errors=True)
            code, out, err = run([options.mpiskel, "verify", "program.skel", "-np", str(ranks), "--no-progress", "--no-real",
                                  "--keep", records]
                                 + ["--replay"] * options.cuts + ["--"] + arguments, directory)
            verdict = judge_verify(code, out, err, os.path.join(directory, records))
            if verdict is not None:
                verdict = verdict[0], f"-np {ranks}: {verdict[1]}"
                break
            calls += int(re.search(r"identical: (\d+)", out).group(1))
    verdict = verdict or judge_warnings(options.kind, seed, directory) or ("ok", "")
    return Result(seed, verdict[0], verdict[1], summary, calls)


def try_seed(options, seed):
    if options.keep is None:
        with tempfile.TemporaryDirectory(prefix="fuzz-") as directory:
            return try_program(options, seed, os.path.realpath(directory))
    directory = os.path.realpath(os.path.join(options.keep, f"{options.kind}-{seed}"))
    shutil.rmtree(directory, ignore_errors=True)
    os.makedirs(directory)
    result = try_program(options, seed, directory)
    if result.outcome in FINE and not options.keep_all:
        shutil.rmtree(directory)
    return result


def mean(values):
    return sum(values) / len(values) if values else 0.0


def report(options, results):
    """Prints the summary; whether all is well."""
    count = collections.Counter(result.outcome for result in results)
    made = [result.summary for result in results if result.summary and result.outcome in ("ok", "unused")]
    kept = mean([100 * s["statements_kept"] / s["statements"] for s in made])
    print(f"{options.kind} {options.first}-{options.last}: {len(results)} programs: " + ", ".join(f"{n} {name}" for name, n in count.most_common()))
    print(f"statements kept: {kept:.1f} % on average; statements {mean([s['statements'] for s in made]):.0f}, scratch buffers "
          f"{mean([s['scratch_buffers'] for s in made]):.1f}, regions {mean([s['regions'] for s in made]):.1f}, "
          f"live payloads {mean([s['live_payloads'] for s in made]):.1f} a program; {sum(r.calls for r in results)} calls compared")
    most_kept, most_refused, most_void = LIMITS[options.kind]
    bad = [f"{count[name]} {name}" for name in count if name not in FINE]
    if not made or kept > (options.max_kept or most_kept):
        bad.append(f"{kept:.1f} % of the statements are kept: these programs test nothing")
    for name, most in (("refused", most_refused), ("void", most_void)):
        if 100 * count[name] > most * len(results):
            bad.append(f"more than {most} % {name}")
    for line in bad:
        print(f"FAILED: {line}")
    return not bad


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=tuple(MAKERS))
    parser.add_argument("seeds", help="FIRST-LAST")
    parser.add_argument("--mpiskel", default="mpiskel")
    parser.add_argument("-j", type=int, default=1, dest="jobs")
    parser.add_argument("--np", type=int, default=4, help="at most 8")
    parser.add_argument("--cuts", action="store_true", help="cut all that can be, and replay the values")
    parser.add_argument("--keep", help="where programs with an error are left")
    parser.add_argument("--keep-all", action="store_true", help="leave all of them there")
    parser.add_argument("--stop", action="store_true", help="end after the first error")
    parser.add_argument("--max-kept", type=float, help="percent")
    options = parser.parse_args()
    options.first, options.last = map(int, options.seeds.split("-")) if "-" in options.seeds else (int(options.seeds),) * 2
    options.mpiskel = shutil.which(options.mpiskel) or sys.exit(f"error: no {options.mpiskel}")
    options.mpiskel = os.path.abspath(options.mpiskel)
    return options


def main():
    options = parse()
    results = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        pending = (pool.submit(try_seed, options, seed) for seed in range(options.first, options.last + 1))
        window = collections.deque()
        for future in pending:
            window.append(future)
            if len(window) > 2 * options.jobs:
                results.append(window.popleft().result())
                tell(results[-1])
                if options.stop and results[-1].outcome not in FINE:
                    break
        results += tell_all(window)
    sys.exit(0 if report(options, results) else 1)


def tell(result):
    if result.outcome != "ok":
        print(f"seed {result.seed}: {result.outcome}: {result.detail}", flush=True)
    return result


def tell_all(window):
    return [tell(future.result()) for future in window]


main()

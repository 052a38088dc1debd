#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random communication under SMPI and in the engine.

    random_calls.py FIRST-LAST --libraries build/release/lib/mpiskel [--ranks 4,...] [--steps 20] [-j JOBS] [--set KEY:VALUE]
                    [--selection tree|default] [--direct]

random_calls.c is compiled for SMPI once and runs in both, without a skeleton around it. Each rank tells what MPI has told
it, and when. Outcomes:
  same       the same lines of each rank in the same order, times within 0.1 %
  order      as many calls, messages and bytes, and the same time of the whole, but a receive from anyone, or a wait for any,
             took another one of those that arrived within 0.1 us
  void       SMPI does not get through: it loses persistent requests, which is a deadlock
  differs, failed, timeout
The exit code is 1 if there are any of the last, more than --most-order percent of `order`, or more than 10 percent void."""
import argparse
import collections
import concurrent.futures
import os
import struct
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "engine"))
import agreement  # noqa: E402

MOST = 1e-3 # of times, relative
MOST_DIRECT = 1e-2 # of the time of the whole, where in which order messages share links is any
MOST_VOID = 10 # percent
TIMEOUT_S = 600
SELECTIONS = {"tree": [f"smpi/{one}" for one in agreement.TREE], "default": []}  # of collectives' algorithms

Told = collections.namedtuple("Told", "code lines messages log")


def compile_program(work):
    program = os.path.join(work, "random_calls")
    subprocess.run(["smpicc", "-O1", "-Wall", "-DSMPI_NO_OVERRIDE_MALLOC", "-o", program, os.path.join(HERE, "random_calls.c")],
                   check=True)
    return program


def lines_by_rank(text):
    found = collections.defaultdict(list)
    for line in text.splitlines():
        rank, *told, _, time = line.split()
        found[rank].append((told, float(time)))
    return found


def run(command, library_path, preload, work):
    path = os.path.join(work, "messages")
    environment = dict(os.environ, LD_LIBRARY_PATH=library_path, LD_PRELOAD=preload, BSIM_MESSAGES=path)
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
    messages = None
    if os.path.exists(path):
        with open(path, "rb") as file:
            messages = struct.unpack("Qd", file.read(16))
        os.remove(path)
    return Told(done.returncode, lines_by_rank(done.stdout) if done.returncode == 0 else {}, messages, done.stderr)


def first_difference(smpi, own):
    """None: there is none. Else the rank, the number of the line, and both of them."""
    for rank in sorted(smpi.keys() | own.keys()):
        one, other = smpi.get(rank, []), own.get(rank, [])
        for i in range(max(len(one), len(other))):
            a, b = (lines[i] if i < len(lines) else ([], 0.0) for lines in (one, other))
            if a[0] != b[0] or abs(a[1] - b[1]) > MOST * max(a[1], 1e-9):
                return f"rank {rank}, line {i + 1}: SMPI {' '.join(a[0])} at {a[1]:.9g}, engine {' '.join(b[0])} at {b[1]:.9g}"
    return None


def end_s(lines):
    return max(line[1] for of_rank in lines.values() for line in of_rank)


def calls(lines):
    """How often what was told, without what it told: which message, which index."""
    return collections.Counter((rank, told[0], told[1]) for rank, of_rank in lines.items() for told, _ in of_rank
                               if told[1] not in ("any", "some", "tests", "testall", "testsome"))


def judge(smpi, own, most=MOST):
    if smpi.code != 0 or "Deadlock" in smpi.log:
        return "void", smpi.log.strip()[-200:]
    if own.code != 0:
        return "failed", own.log.strip()[-300:]
    found = first_difference(smpi.lines, own.lines)
    if found is None:
        return ("same", "") if smpi.messages == own.messages else ("differs", f"messages {smpi.messages} and {own.messages}")
    close = abs(end_s(smpi.lines) - end_s(own.lines)) <= most * end_s(smpi.lines)
    alike = close and smpi.messages == own.messages and calls(smpi.lines) == calls(own.lines)
    return ("order" if alike else "differs"), found


def run_in(where, libraries, program, arguments, ranks, network, settings, work):
    """What SMPI or the engine (`where`: smpi, engine) says of the program with these arguments and settings."""
    platform, hosts = network
    given = agreement.SETTINGS + settings + [f"smpi/np:{ranks}", f"smpi/hostfile:{hosts}"]
    rest = [program, *[f"--cfg={one}" for one in given], "--log=root.thres:warning", "--", platform, *arguments]
    engine = os.path.join(libraries, "engine")
    with tempfile.TemporaryDirectory(dir=work) as place:
        if where == "engine":
            return run([os.path.join(engine, "smpimain"), *rest], engine, "", place)
        return run([agreement.smpimain(), *rest], agreement.smpi_library_path(libraries),
                   os.path.join(libraries, "libbsim_messages.so"), place)


def try_seed(options, program, ranks, network, work, seed):
    rest = (options.libraries, program, [str(seed), str(options.steps)], ranks, network,
            SELECTIONS[options.selection] + options.set, work)
    try:
        smpi, own = run_in("smpi", *rest), run_in("engine", *rest)
    except subprocess.TimeoutExpired as late:
        return seed, "timeout", str(late.cmd[0])
    return seed, *judge(smpi, own, MOST_DIRECT if options.direct else MOST)


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("seeds")
    parser.add_argument("--libraries", required=True)
    parser.add_argument("--ranks", type=lambda text: [int(one) for one in text.split(",")], default=[4])
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--set", action="append", default=[], metavar="KEY:VALUE")
    parser.add_argument("--selection", choices=SELECTIONS, default="tree")
    parser.add_argument("--direct", action="store_true", help="the engine as with many ranks: in any order within an instant")
    parser.add_argument("--most-order", type=float, default=10)
    parser.add_argument("-j", "--jobs", type=int, default=1)
    return parser.parse_args()


def main():
    options = parse()
    first, _, last = options.seeds.partition("-")
    if options.direct:
        os.environ["BSIM_ENGINE_DIRECT"] = "1"
    seeds = range(int(first), int(last or first) + 1)
    count = collections.Counter()
    with tempfile.TemporaryDirectory() as work, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        program = compile_program(work)
        for ranks in options.ranks:
            network = agreement.write_switch(work, ranks)
            for seed, outcome, detail in pool.map(lambda seed: try_seed(options, program, ranks, network, work, seed), seeds):
                count[outcome] += 1
                if outcome != "same":
                    print(f"{seed} on {ranks} ranks: {outcome}: {detail}", flush=True)
    programs = len(seeds) * len(options.ranks)
    print(f"{programs} programs: " + ", ".join(f"{n} {name}" for name, n in count.most_common()))
    bad = sum(count[name] for name in ("differs", "failed", "timeout")) > 0 or count["same"] + count["order"] == 0 or \
        100 * count["order"] > options.most_order * programs or 100 * count["void"] > MOST_VOID * programs
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

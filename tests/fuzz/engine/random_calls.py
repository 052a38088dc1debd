#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random communication under SMPI and in the engine.

    random_calls.py FIRST-LAST --libraries build/release/lib/mpiskel [--ranks 4] [--steps 20] [-j JOBS] [--set KEY:VALUE]

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
MOST_VOID = 10 # percent
TIMEOUT_S = 600

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


def judge(smpi, own):
    if smpi.code != 0 or "Deadlock" in smpi.log:
        return "void", smpi.log.strip()[-200:]
    if own.code != 0:
        return "failed", own.log.strip()[-300:]
    found = first_difference(smpi.lines, own.lines)
    if found is None:
        return ("same", "") if smpi.messages == own.messages else ("differs", f"messages {smpi.messages} and {own.messages}")
    close = abs(end_s(smpi.lines) - end_s(own.lines)) <= MOST * end_s(smpi.lines)
    alike = close and smpi.messages == own.messages and calls(smpi.lines) == calls(own.lines)
    return ("order" if alike else "differs"), found


def try_seed(options, program, network, work, seed):
    platform, hosts = network
    settings = agreement.SETTINGS + [f"smpi/{one}" for one in agreement.TREE] + options.set + \
        [f"smpi/np:{options.ranks}", f"smpi/hostfile:{hosts}"]
    rest = [program, *[f"--cfg={one}" for one in settings], "--log=root.thres:warning", "--", platform, str(seed),
            str(options.steps)]
    engine = os.path.join(options.libraries, "engine")
    with tempfile.TemporaryDirectory(dir=work) as place:
        try:
            smpi = run([agreement.smpimain(), *rest], agreement.smpi_library_path(options.libraries),
                       os.path.join(options.libraries, "libbsim_messages.so"), place)
            own = run([os.path.join(engine, "smpimain"), *rest], engine, "", place)
        except subprocess.TimeoutExpired as late:
            return seed, "timeout", str(late.cmd[0])
    return seed, *judge(smpi, own)


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("seeds")
    parser.add_argument("--libraries", required=True)
    parser.add_argument("--ranks", type=int, default=4)
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--most-order", type=float, default=10)
    parser.add_argument("-j", "--jobs", type=int, default=1)
    return parser.parse_args()


def main():
    options = parse()
    first, _, last = options.seeds.partition("-")
    seeds = range(int(first), int(last or first) + 1)
    count = collections.Counter()
    with tempfile.TemporaryDirectory() as work, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        program, network = compile_program(work), agreement.write_switch(work, options.ranks)
        for seed, outcome, detail in pool.map(lambda seed: try_seed(options, program, network, work, seed), seeds):
            count[outcome] += 1
            if outcome != "same":
                print(f"{seed}: {outcome}: {detail}", flush=True)
    print(f"{len(seeds)} programs on {options.ranks} ranks: " + ", ".join(f"{n} {name}" for name, n in count.most_common()))
    bad = sum(count[name] for name in ("differs", "failed", "timeout")) > 0 or count["same"] == 0 or \
        100 * count["order"] > options.most_order * len(seeds) or 100 * count["void"] > MOST_VOID * len(seeds)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

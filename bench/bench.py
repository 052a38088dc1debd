# SPDX-License-Identifier: Apache-2.0
"""What the benchmarks share: running commands, and making, profiling and simulating bundles.

A run of an application is written `RANKS: ARGUMENTS`, several of them with semicolons between; with
`@DIRECTORY` as the last argument it is made there.
Commands that fail raise Failure, with the last of what they said; nothing is retried or skipped.
"""
import argparse
import array
import contextlib
import ctypes
import json
import mmap
import os
import shutil
import subprocess
import sys
import tempfile

REPOSITORY = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# What each example is profiled with: at most four ranks and nine configurations, and mostly one rank,
# since ranks that share a core or a memory bus are slower than ranks that SMPI simulates one after
# the other. Sizes are about those that one rank has in the tests. Each command takes from a fraction
# of a second to a few seconds.
TRAINING = {
    "heat3d": "1: 96 192 192 20; 1: 128 128 128 20; 1: 160 160 128 20; 1: 192 192 192 20;"
              "1: 256 192 192 20; 2: 192 192 192 20",
    "lu": "1: 512 32; 1: 768 64; 1: 1024 32; 1: 1536 64; 2: 512 64; 2: 1024 64; 4: 512 32; 4: 512 64;"
          "4: 1024 64",
    "cg": "1: 768 7; 1: 1024 7; 1: 1536 7; 1: 2048 7; 2: 1536 7; 2: 2048 7",
    "farm": "2: 100 2000; 2: 200 10000; 2: 400 20000; 2: 200 50000; 2: 70 100000; 4: 200 20000",
    "sort": "1: 300000 5; 1: 500000 5; 1: 1000000 5; 2: 500000 5; 2: 1000000 5; 4: 500000 5;"
            "4: 1000000 5",
    "sweep": "1: 128 128 128 16 4; 1: 192 192 128 16 4; 1: 256 256 64 16 4; 1: 256 256 128 16 4;"
             "1: 384 256 128 16 4; 2: 256 256 128 16 4",
    "fft": "1: 1024 2; 1: 2048 2; 1: 4096 2; 2: 2048 2; 2: 4096 2; 4: 2048 2; 4: 4096 2",
    "hydro": "1: 80 40 0.05; 1: 120 60 0.05; 1: 160 80 0.05; 1: 320 160 0.02; 2: 160 80 0.1;"
             "4: 160 80 0.05; 4: 320 80 0.05; 4: 320 160 0.02",
    "particles": "1: 48 96 50 0; 1: 48 192 50 0; 1: 48 384 50 0; 1: 24 384 50 0; 1: 24 768 50 0;"
                 "2: 96 192 50 0; 2: 48 384 50 0; 4: 96 384 50 0",
    "plu": "1: 256 32; 1: 512 32; 1: 768 64; 1: 1024 64; 2: 512 64; 4: 512 32; 4: 512 64; 4: 1024 64;"
           "4: 1536 64",
}

# Options of generate. What decides when cg stops is given, as is what decides the messages of the
# last three: the rest of the computation can go.
GENERATE = {
    "cg": ["--assume=cuts", "--scout", "mpirun --oversubscribe -np 4 {} 64"],
    "hydro": ["--assume=cuts", "--scout", "mpirun --oversubscribe -np 4 {} 100 20"],
    "particles": ["--assume=no-abnormal-exit,cuts",
                  "--scout", "mpirun --oversubscribe -np 4 {} 48 12 20"],
    "plu": ["--assume=cuts", "--scout", "mpirun --oversubscribe -np 4 {} 192 16",
            "--hints", "plu.hints"],
}

# Under SMPI, which gives the ground truth, all ranks share one core: when a rank's turn comes after
# an MPI call, the others have been through the caches, with all that they have in memory. The
# profiling runs are made to find them so as well: they go through a buffer first, as large as what
# all ranks of the simulation had. More than what the machine calls its largest cache still makes a
# difference: on 260 MiB a rank of sort that scatters its keys takes 3.3 ms after 64 MiB, 3.8 after
# 320, 4.4 after 1040 and 5.1 after 2080, as it does in the simulation.
LEAST_CACHE_MB, MOST_CACHE_MB = 16, 2048

# Enough to evict a core's own caches: what is compared with is a rank that has the others' company in
# a shared one only.
OWN_CACHES_BYTES = 16 << 20


# What a host takes to back a page of a virtual machine that was not used for some seconds is ten
# times what the machine's own kernel takes: no property of the program that happens to be given it.
# A kernel tells its host of large free blocks only (2 MiB and more; 128 KiB on the machine of
# docs/accuracy.md), and takes smaller ones first when memory is asked for. So as long as each second
# 64 KiB are held the others stay backed, and are the next to be used. Smaller pieces than that are
# scattered, and slower: with one page of each 64 KiB held, and single pages used first, reading took up
# to 45 % longer. Profiling runs get the same kind of memory.
BACKED_BYTES = 1 << 30
BACKED_CHUNK_BYTES = 32 << 20
BACKED_PAGES = (64 << 10) // mmap.PAGESIZE


def free_bytes():
    with open("/proc/meminfo", encoding="utf-8") as file:
        for line in file:
            if line.startswith("MemFree:"):
                return int(line.split()[1]) << 10
    return 0


def page_frames(memory):
    """Physical page numbers of a mapping; without the right to know them (root has it) the virtual ones."""
    first = ctypes.addressof(ctypes.c_char.from_buffer(memory)) // mmap.PAGESIZE
    count = len(memory) // mmap.PAGESIZE
    try:
        with open("/proc/self/pagemap", "rb", buffering=0) as pagemap:
            pagemap.seek(8 * first)
            frames = [entry & ((1 << 55) - 1) for entry in array.array("Q", pagemap.read(8 * count))]
    except OSError:
        frames = []
    return frames if any(frames) else range(first, first + count)


def give_back(memory, frames):
    """Each second block of BACKED_PAGES pages."""
    first = None
    for page, frame in enumerate([*frames, BACKED_PAGES]):
        held = frame & BACKED_PAGES
        if first is None and not held:
            first = page
        elif first is not None and held:
            memory.madvise(mmap.MADV_DONTNEED, first * mmap.PAGESIZE, (page - first) * mmap.PAGESIZE)
            first = None


@contextlib.contextmanager
def backed_memory(size_bytes):
    """So much of the free memory, at most a third, is backed by the host until the body has used it."""
    chunk = b"\1" * BACKED_CHUNK_BYTES
    held = []
    for _ in range(2 * min(size_bytes, free_bytes() // 3) // BACKED_CHUNK_BYTES):
        memory = mmap.mmap(-1, BACKED_CHUNK_BYTES, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        memory.madvise(mmap.MADV_NOHUGEPAGE)
        memory.write(chunk)
        held.append(memory)
    for memory in held:
        give_back(memory, page_frames(memory))
    try:
        yield
    finally:
        for memory in held:
            memory.close()


def cache_environment(memory_bytes=64 << 20, ranks=64):
    """Of a profiling run; the memory and the ranks of the simulation that is to be predicted."""
    megabytes = min(max(memory_bytes >> 20, LEAST_CACHE_MB), MOST_CACHE_MB)
    return {"BSIM_CACHE": "cold", "BSIM_CACHE_MB": str(megabytes), "BSIM_CACHE_RANKS": str(ranks)}


class Failure(Exception):
    """A command that failed; its text names the command."""


def log(text):
    print(text, file=sys.stderr, flush=True)


def run(command, directory=None, environment=None):
    """Runs a command and returns its standard output."""
    done = subprocess.run(command, cwd=directory, text=True, capture_output=True,
                          env=dict(os.environ, **(environment or {})))
    if done.returncode != 0:
        raise Failure("%s\nended with %d:\n%s" % (" ".join(command), done.returncode,
                                                  (done.stdout + done.stderr)[-2000:]))
    return done.stdout


def parse_runs(text):
    """`RANKS: ARGUMENTS; RANKS: ARGUMENTS` as a list of (ranks, [arguments])."""
    runs = []
    for item in text.split(";"):
        ranks, separator, arguments = item.partition(":")
        if not separator or not ranks.strip().isdigit() or int(ranks) == 0:
            raise argparse.ArgumentTypeError("'%s' is not of the form 'RANKS: ARGUMENTS'" % item)
        runs.append((int(ranks), arguments.split()))
    return runs


def placed(arguments):
    """The arguments, and where to run: `@DIRECTORY` behind them, or None."""
    if arguments and arguments[-1].startswith("@"):
        return arguments[:-1], os.path.abspath(arguments[-1][1:])
    return arguments, None


def of_other_build(arguments):
    """The arguments, and whose profiling build is to be run: `+BUNDLE` behind them, or None."""
    if arguments and arguments[-1].startswith("+"):
        return arguments[:-1], arguments[-1][1:]
    return arguments, None


def spelled(ranks, arguments):
    return "%d: %s" % (ranks, " ".join(arguments))


def command_line(description, epilog=None):
    """A parser that ends with 64 on a wrong command line; the options that all scripts have."""
    parser = argparse.ArgumentParser(description=description, epilog=epilog)
    parser.error = lambda message: parser.exit(64, "%s: error: %s\n" % (parser.prog, message))
    parser.add_argument("--mpiskel", default="mpiskel", metavar="PROGRAM")
    return parser


def check_names(parser, names):
    for name in names:
        if name not in TRAINING:
            parser.error("there is no example '%s', only %s" % (name, ", ".join(TRAINING)))


def copy_example(name, directory):
    """A clean copy of an example; returns its directory."""
    source = os.path.join(directory, name)
    shutil.copytree(os.path.join(REPOSITORY, "examples", name), source)
    run(["make", "clean"], source)
    return source


def make_bundle(mpiskel, name, directory):
    """Copies an example, records its build and generates; returns the bundle's path."""
    source = copy_example(name, directory)
    run([mpiskel, "capture", "-o", "commands.json", "--", "make"], source)
    run([mpiskel, "generate", "--no-progress", "-p", "commands.json", "-o", "bench.skel"]
        + GENERATE.get(name, []), source)
    return os.path.join(source, "bench.skel")


def profile(bundle, runs, environment, one_core=False):
    """Makes each profiling run once; on one core if nobody is to share the memory's bandwidth."""
    program = os.path.join(os.path.abspath(bundle), "profile")
    with tempfile.TemporaryDirectory() as directory:
        for ranks, arguments in runs:
            log("  profile  " + spelled(ranks, arguments))
            arguments, place = placed(arguments)
            with backed_memory(BACKED_BYTES + (int(environment.get("BSIM_CACHE_MB", 0)) << 20)):
                run((["taskset", "-c", "0"] if one_core else [])
                    + ["mpirun", "--oversubscribe", "-np", str(ranks), program] + arguments,
                    place or directory, environment)


def fit(mpiskel, bundle, others=()):
    """Fits, to runs of builds with other constants as well, and returns the report."""
    others = [word for other in others for word in ("--with", other)]
    return json.loads(run([mpiskel, "fit", "--format=json", bundle] + others))


def train(mpiskel, bundle, runs):
    """Profiles and fits; returns the fit's report."""
    profile(bundle, runs, cache_environment())
    return fit(mpiskel, bundle)


def simulate(mpiskel, bundle, ranks, arguments, original):
    """The report of `mpiskel run`, of the skeleton or of the original."""
    command = [mpiskel, "run", "--format=json", "--no-progress", os.path.abspath(bundle),
               "-np", str(ranks)]
    if original:
        command.insert(2, "--original")
    arguments, place = placed(arguments)
    return json.loads(run(command + ["--"] + arguments, place))

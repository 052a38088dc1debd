# SPDX-License-Identifier: Apache-2.0
"""What the benchmarks share: running commands, and making, profiling and simulating bundles.

A run of an application is written `RANKS: ARGUMENTS`, several of them with semicolons between; with
`@DIRECTORY` as the last argument it is made there, `<FILE` among them is its standard input, and
`1,2,4: ARGUMENTS` are three runs.
Commands that fail raise Failure, with the last of what they said; nothing is retried or skipped.
"""
import argparse
import json
import mmap
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time

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


# How fast memory is depends on more than the program: which pages it happens to be given, and, of a
# virtual machine, whether the host has them backed at all (one that has not takes ten times what the
# machine's own kernel takes for a new page). So originals and profiling runs take what they allocate
# from the pool of huge pages (sysctl vm.nr_hugepages), where the machine has one: always the same
# memory, which is never given back to the host, in pieces of 2 MiB.
HUGE_PAGE_BYTES = 2 << 20
MAP_HUGETLB = 0x40000
POOL_ENVIRONMENT = {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=2"}
POOL_LOOK_S = 0.02


def free_pool_bytes():
    with open("/proc/meminfo", encoding="utf-8") as file:
        for line in file:
            if line.startswith("HugePages_Free:"):
                return int(line.split()[1]) * HUGE_PAGE_BYTES
    return 0


def prepare_pool():
    """Has the host back the whole pool; returns its bytes, 0 if there is none."""
    size = free_pool_bytes()
    if size > 0:
        try:
            memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | MAP_HUGETLB)
        except OSError as error:
            raise Failure("the pool of huge pages cannot be had (%s): another program, one that has "
                          "not ended yet, say, has reserved part of it" % error) from error
        for at in range(0, size, HUGE_PAGE_BYTES):
            memory[at] = 1
        memory.close()
    return size


class PoolUse:
    """How much of the pool is left while the body runs, in `least` (bytes)."""

    def __enter__(self):
        self.least = free_pool_bytes()
        self.ended = threading.Event()
        self.watcher = threading.Thread(target=self.watch)
        self.watcher.start()
        return self

    def watch(self):
        while not self.ended.wait(POOL_LOOK_S):
            self.least = min(self.least, free_pool_bytes())

    def __exit__(self, *unused):
        self.ended.set()
        self.watcher.join()


def cache_environment(memory_bytes=64 << 20, ranks=64):
    """Of a profiling run; the memory and the ranks of the simulation that is to be predicted."""
    megabytes = min(max(memory_bytes >> 20, LEAST_CACHE_MB), MOST_CACHE_MB)
    return {"BSIM_CACHE": "cold", "BSIM_CACHE_MB": str(megabytes), "BSIM_CACHE_RANKS": str(ranks)}


# What the runtime says when it no longer waits.
DISTURBED = "others disturb this machine"


class Failure(Exception):
    """A command that failed; its text names the command."""


def log(text):
    print(text, file=sys.stderr, flush=True)


def run(command, directory=None, environment=None, source=None):
    """Runs a command, its standard input from the file `source`, and returns its standard output."""
    with open(os.path.join(directory or "", source or os.devnull), encoding="utf-8") as given:
        done = subprocess.run(command, cwd=directory, text=True, errors="replace", capture_output=True,
                              stdin=given, env=dict(os.environ, **(environment or {})))
    if done.returncode != 0:
        raise Failure("%s\nended with %d:\n%s" % (" ".join(command), done.returncode,
                                                  (done.stdout + done.stderr)[-2000:]))
    if DISTURBED in done.stderr:
        log("    disturbed: BSIM_QUIET seconds were waited")
    return done.stdout


class Cost:
    """Wall-clock and processor seconds of processes one after the other, peak MiB of the largest: at least
    that of this script, from which they are started, some 15 MiB. `output`: what the last one wrote to its
    standard output."""

    def __init__(self):
        self.output = ""
        self.wall_s = self.processor_s = self.peak_mib = 0.0

    def add(self, command, directory):
        start = time.monotonic()
        with tempfile.TemporaryFile() as written, tempfile.TemporaryFile() as said:
            process = subprocess.Popen(command, cwd=directory, stdout=written, stderr=said)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            self.output, messages = (file.seek(0) or file.read().decode("utf-8", "replace")
                                     for file in (written, said))
            if process.returncode != 0:
                raise Failure("%s\nended with %d:\n%s" % (
                    " ".join(command), process.returncode, (self.output + messages)[-2000:]))
        self.wall_s += time.monotonic() - start
        self.processor_s += usage.ru_utime + usage.ru_stime
        self.peak_mib = max(self.peak_mib, usage.ru_maxrss / 1024)


def cost_of(commands):
    """Of commands, each with where it runs; None: here."""
    cost = Cost()
    for command, directory in commands:
        cost.add(command, directory)
    return cost


def parse_runs(text):
    """`RANKS: ARGUMENTS; RANKS: ARGUMENTS` as a list of (ranks, [arguments])."""
    runs = []
    for item in text.split(";"):
        ranks, separator, arguments = item.partition(":")
        for number in ranks.split(","):
            if not separator or not number.strip().isdigit() or int(number) == 0:
                raise argparse.ArgumentTypeError("'%s' is not of the form 'RANKS: ARGUMENTS'" % item)
            runs.append((int(number), arguments.split()))
    return runs


def placed(arguments, base=None):
    """The arguments, and where to run: `@DIRECTORY` behind them (in `base`, if given), or None."""
    if arguments and arguments[-1].startswith("@"):
        return arguments[:-1], os.path.abspath(os.path.join(base or "", arguments[-1][1:]))
    return arguments, None


def redirected(arguments):
    """The arguments, and the file of the standard input: `<FILE` among them, or None."""
    sources = [word[1:] for word in arguments if word.startswith("<")]
    return [word for word in arguments if not word.startswith("<")], sources[-1] if sources else None


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
            arguments, source = redirected(arguments)
            run((["taskset", "-c", "0"] if one_core else [])
                + ["mpirun", "--oversubscribe", "-np", str(ranks), program] + arguments,
                place or directory, environment, source)


def reference_s(path):
    """How long the run's own loop took, of a samples file."""
    with open(path, encoding="utf-8") as file:
        return json.loads(file.readline())["reference_s"]


def fit(mpiskel, bundle, others=()):
    """Fits, to runs of builds with other constants as well, and returns the report."""
    others = [word for other in others for word in ("--with", other)]
    return json.loads(run([mpiskel, "fit", "--format=json", bundle] + others))


def train(mpiskel, bundle, runs):
    """Profiles and fits; returns the fit's report."""
    profile(bundle, runs, cache_environment())
    return fit(mpiskel, bundle)


def disturbed_share(report):
    """Of what an original computed: what was disturbed, and no other original tells of it."""
    bursts = report["simulation"].get("bursts", {"disturbed_s": 0, "computed_s": 1})
    return bursts["disturbed_s"] / max(bursts["computed_s"], 1e-9)


def simulate(mpiskel, bundle, ranks, arguments, original, environment=None, directory=None, options=()):
    """The report of `mpiskel run`, of the skeleton or of the original; `directory`: where."""
    command = [mpiskel, "run", "--format=json", "--no-progress", os.path.abspath(bundle),
               "-np", str(ranks)] + list(options)
    if original:
        command.insert(2, "--original")
    arguments, place = placed(arguments, directory)
    arguments, source = redirected(arguments)
    return json.loads(run(command + ["--"] + arguments, place or directory, environment, source))

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The table of all collectives (collectives.c), as an original of mpiskel's, under SMPI with each algorithm that
`--collectives` can choose, or in the engine.

    collectives.py MPISKEL LIBRARIES smpi|engine [--real]

A process checks one algorithm of one collective. --real: under mpirun as well."""
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(HERE, "..", "engine"))
import agreement  # noqa: E402

TREE = dict(one.split(":") for one in agreement.TREE)
SELECTIONS = ("ompi", "mpich", "mvapich2")
OWN = "ompi-4.1"  # of mpiskel: the runtime makes its messages
TIMEOUT_S = 600


def is_power_of_two(ranks):
    return ranks & (ranks - 1) == 0


# SimGrid ends the simulation with a message, on one rank a host, unless there are so many ranks: nothing is wrong without a
# word. For which operations reduce_scatter's last two are is said, too.
STOPS_UNLESS = {
    "allgather": {"2dmesh": lambda n: n not in (5, 7), "3dmesh": lambda n: n > 2, "pair": is_power_of_two,
                  "rhv": is_power_of_two},
    "allgatherv": {"pair": is_power_of_two},
    "allreduce": {"rab1": is_power_of_two, "smp_rsag_rab": is_power_of_two},
    "alltoall": {"2dmesh": lambda n: n not in (5, 7), "3dmesh": lambda n: n > 2, "mpich": lambda n: n % 2 == 0,
                 "pair": is_power_of_two, "pair_light_barrier": is_power_of_two, "pair_mpi_barrier": is_power_of_two,
                 "pair_one_barrier": is_power_of_two},
    "alltoallv": {"ompi": lambda n: n != 3, "pair": is_power_of_two, "pair_light_barrier": is_power_of_two,
                  "pair_mpi_barrier": is_power_of_two, "pair_one_barrier": is_power_of_two},
    "bcast": {"SMP_linear": lambda n: False, "ompi_split_bintree": lambda n: False, "impi": lambda n: n in (3, 4)},
    "reduce": {"scatter_gather": is_power_of_two},
    "reduce_scatter": {"impi": lambda n: False, "mpich_noncomm": lambda n: False, "mvapich2": lambda n: False,
                       "ompi_basic_recursivehalving": lambda n: False},
}


def known(mpiskel, question, pattern):
    """What there is to choose, by what mpiskel says to a wrong choice."""
    done = subprocess.run([mpiskel, "run", "x", "-np", "2", f"--collectives={question}"], capture_output=True, text=True)
    found = re.search(pattern + r" (.*)", done.stderr)
    if found is None:
        sys.exit(f"{question} is not answered: {done.stderr}")
    return found[1].split()


def replaced():
    with open(os.path.join(ROOT, "mpi", "collective_faults.def"), encoding="utf-8") as file:
        return set(re.findall(r'\(REPLACED, "(\w+)", "(\w+)"', file.read()))


class Table:
    def __init__(self, mpiskel, libraries, work):
        self.libraries, self.work, self.failed = libraries, work, False
        names = known(mpiskel, "?=x", "there are")
        self.algorithms = {name: known(mpiskel, f"{name}=?", "SimGrid 3.32 has") for name in names}
        self.replaced = replaced()
        self.platform, self.hosts = agreement.write_switch(work, 16)
        self.program = os.path.join(work, "collectives")
        sources = [os.path.join(HERE, one) for one in os.listdir(HERE) if one.endswith(".c")]
        subprocess.run(["smpicc", "-O1", "-Wall", "-Wextra", "-Werror", "-DSMPI_NO_OVERRIDE_MALLOC", "-DBSIM_ORIGINAL",
                        '-DBSIM_BUNDLE_ID="0123456789abcdef"', f"-I{libraries}/include", "-include", "bsim.h", *sources,
                        "-o", self.program, f"-L{libraries}", "-lbsim_original", "-lm"], check=True)

    def simulate(self, engine, settings, ranks, arguments, library):
        main = os.path.join(self.libraries, "engine", "smpimain") if engine else agreement.smpimain()
        library_path = os.path.dirname(main) if engine else agreement.smpi_library_path(self.libraries)
        settings = [one for one in agreement.SETTINGS if engine or "stack-size" not in one] + \
            [f"smpi/{one}" for one in settings] + [f"smpi/np:{ranks}", f"smpi/hostfile:{self.hosts}"]
        return subprocess.run([main, self.program, *[f"--cfg={one}" for one in settings], "--log=root.thres:critical", "--",
                               self.platform, *arguments], capture_output=True, text=True, timeout=TIMEOUT_S, cwd=self.work,
                              env=dict(os.environ, LD_LIBRARY_PATH=library_path, SMPI_GLOBAL_SIZE=str(ranks),
                                       BSIM_COLLECTIVES=library))

    def judge(self, what, done):
        wrong = [line for line in done.stdout.splitlines() if line.startswith("wrong")]
        if done.returncode == 0 and "checked" in done.stdout.splitlines() and not wrong:
            return
        self.failed = True
        print(f"{what}: {len(wrong)} are wrong, code {done.returncode}", *wrong[:12], done.stderr[-600:], sep="\n  ")

    def check(self, name, settings, ranks, *arguments, engine=False, library=""):
        self.judge(f"{name} on {ranks} ranks ({' '.join(settings)}{library})",
                   self.simulate(engine, settings, ranks, arguments, library))

    def usable(self, collective, algorithm, ranks):
        condition = STOPS_UNLESS.get(collective, {}).get(algorithm)
        fits = condition is None or condition(ranks)
        return algorithm if fits and (collective, algorithm) not in self.replaced else TREE.get(collective, "default")

    def check_algorithm(self, collective, algorithm, ranks):
        if collective != "barrier" and self.usable(collective, algorithm, ranks) == algorithm:
            self.check("SMPI", [f"{collective}:{algorithm}"], ranks, "few", collective.capitalize(), "3", "0", "1200")

    def selection(self, name, ranks):
        left_out = [f"{collective}:{TREE.get(collective, 'default')}" for collective in self.algorithms
                    if self.usable(collective, name, ranks) != name]
        return [f"coll-selector:{name}"] + left_out


def check_real(table):
    subprocess.run(["mpicc", "-O1", "-o", "real", *[os.path.join(HERE, one) for one in os.listdir(HERE) if one.endswith(".c")]],
                   cwd=table.work, check=True)
    for ranks, what in ((2, "all"), (3, "all"), (4, "all"), (7, "few"), (8, "few")):
        table.judge(f"Open MPI on {ranks} ranks", subprocess.run(
            ["mpirun", "--oversubscribe", "-np", str(ranks), "./real", what, "3", "0", "1"], capture_output=True, text=True,
            cwd=table.work))


def check_engine(table):
    for ranks in (2, 3, 5, 8):
        table.check("the engine", agreement.TREE, ranks, "all", "2", "1200", engine=True)
    for ranks in (4, 6, 7, 9):
        table.check("the engine", agreement.TREE, ranks, "few", "0", "3", "1200", engine=True, library=OWN)


def check_smpi(table):
    for ranks in (3, 4):
        table.check("SMPI, tree", agreement.TREE, ranks, "all", "2", "6000")
        table.check("SMPI, default", [], ranks, "few", "2", "1200")
    for collective, algorithms in table.algorithms.items():
        for number, algorithm in enumerate(algorithms):
            for ranks in ((4, 5), (3, 8))[number % 2]:
                table.check_algorithm(collective, algorithm, ranks)
    for ranks in (4, 6, 7, 9):
        for name in SELECTIONS:
            table.check("SMPI", table.selection(name, ranks), ranks, "few", "0", "3", "1200")
        table.check("SMPI", agreement.TREE, ranks, "few", "0", "3", "1200", library=OWN)
    print(f"{sum(map(len, table.algorithms.values()))} algorithms")


def main():
    mpiskel, libraries, where, *options = sys.argv[1], os.path.abspath(sys.argv[2]), *sys.argv[3:]
    with tempfile.TemporaryDirectory() as work:
        table = Table(mpiskel, libraries, work)
        {"engine": check_engine, "smpi": check_smpi}[where](table)
        if "--real" in options:
            check_real(table)
    sys.exit(1 if table.failed else 0)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""Applications of another MPI than the one that mpiskel was built with: MPICH's.

Open MPI stays the machine's default: MPICH's programs are called by their full names."""
import json
import os
import subprocess

from support import ENVIRONMENT, expect

# Keeps its communicator in an int, as MPICH allows, and sends as much as it has computed.
SOURCE = r"""
#include <mpi.h>
#include <stdlib.h>

static double x[5000];

static double relax(int sweeps) {
    double sum = 0;
    int i, k;
    for (k = 0; k < sweeps; k++)
        for (i = 0; i < 5000; i++)
            sum += x[i] = x[i] * 0.5 + i; /* hot */
    return sum;
}

int main(int argc, char **argv) {
    int world, rank, n, step;
    MPI_Init(&argc, &argv);
    world = (int)MPI_COMM_WORLD;
    MPI_Comm_rank((MPI_Comm)world, &rank);
    for (step = 1; step <= 10; step++) {
        n = relax(20) > 0 ? 7 : 1;
        MPI_Bcast(x, n, MPI_DOUBLE, 0, (MPI_Comm)world);
    }
    MPI_Finalize();
    return 0;
}
"""

RUN = "mpirun.mpich -np 2 {}"


def program(session, *compiler):
    session.program(("app.c", SOURCE))
    entries = json.loads(session.read("compile_commands.json"))
    entries[0]["arguments"][:1] = compiler
    session.write("compile_commands.json", json.dumps(entries))


def profile(session):
    done = subprocess.run(["mpirun.mpich", "-np", "2", session.path("app.skel/profile")],
                          cwd=session.directory, env=ENVIRONMENT, capture_output=True, text=True,
                          timeout=600)
    expect(done.returncode == 0, f"the profiling run failed: {done.stdout}{done.stderr}")


def expect_samples(session, ranks):
    """One file that has samples of all ranks."""
    names = os.listdir(session.path("app.skel/samples"))
    expect(len(names) == 1, f"samples: {names}")
    lines = [json.loads(line) for line in session.read("app.skel/samples/" + names[0]).splitlines()]
    seen = {line["rank"] for line in lines if "region" in line}
    expect(seen == set(range(ranks)), f"there are samples of ranks {seen}")


def case_the_default_mpi_is_still_open_mpi(_):
    for command in (["mpicc", "--showme:version"], ["mpirun", "--version"]):
        said = subprocess.run(command, capture_output=True, text=True, timeout=600)
        expect("Open MPI" in said.stdout + said.stderr, f"{command}: {said.stdout}{said.stderr}")


def bundle(session):
    """Made once for all tests that look at it, since the runtime is compiled for each."""
    def make(other):
        program(other, "mpicc.mpich")
        other.fine("generate", "-o", "app.skel")
    session.made_once("mpich", make, ("app.c", SOURCE))


def case_profiles_are_built_and_run(session):
    bundle(session)
    profile(session)
    expect_samples(session, 2)
    session.fine("fit", "app.skel")
    session.fine("verify", "app.skel", "-np", "4")
    session.prints("identical")
    session.fine("run", "app.skel", "-np", "4", "--format=json")
    expect(json.loads(session.out)["predicted_s"] > 0, "no time was predicted")
    session.fine("validate", "app.skel", "-np", "2", "--repeat", "1", "--format=json")
    expect("not measured" not in session.out, f"no region was measured: {session.out}")


def case_nothing_of_the_runtime_is_left_in_the_bundle(session):
    bundle(session)
    left = [name for name in os.listdir(session.path("app.skel"))
            if name.endswith((".c", ".o", ".o.log"))]
    expect(not left, f"{left} are left")


def case_options_for_old_c_do_not_reach_the_runtime(session):
    program(session, "mpicc.mpich", "-std=gnu89", "-pedantic-errors", "-Wno-long-long", "-Dinline=",
            "-DLINE_BYTES=oops", "-Werror")
    session.fine("generate", "-o", "app.skel")
    profile(session)
    expect_samples(session, 2)


def case_a_compiler_without_wrapper_is_told_its_mpi_by_include_directories(session):
    shown = subprocess.run(["mpicc.mpich", "-show"], check=True, capture_output=True,
                           text=True).stdout.split()
    program(session, *[word for word in shown if word == shown[0] or word.startswith("-I")])
    session.write("link_commands.json", json.dumps(
        [{"directory": session.directory, "output": "app",
          "arguments": ["mpicc.mpich", "app.o", "-o", "app"]}]))
    session.fine("generate", "-o", "app.skel")
    profile(session)
    expect_samples(session, 2)


def case_executions_are_counted_and_values_given(session):
    program(session, "mpicc.mpich")
    session.fine("generate", "-o", "app.skel", "--assume=cuts", "--scout", RUN)
    expect("0.5" not in session.read("app.skel/src/app.c"), "the hot loop is still there")
    session.fine("verify", "app.skel", "-np", "4", "--replay")
    session.prints("identical")
    profile(session)
    session.fine("fit", "app.skel")
    session.prints("value")
    session.fine("verify", "app.skel", "-np", "4")


def case_runs_are_recorded(session):
    session.write("app.c", SOURCE)
    subprocess.run(["mpicc.mpich", "app.c", "-o", "app"], cwd=session.directory, check=True)
    session.fine("record", "-o", "run", "--", "mpirun.mpich", "-np", "2", "./app")
    session.prints("of 2 ranks")
    session.fine("trace", "info", "run")
    session.prints("MPI_Bcast")
    session.fine("trace", "check", "run")
    session.prints("22 events")

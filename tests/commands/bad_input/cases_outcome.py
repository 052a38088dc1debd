# SPDX-License-Identifier: Apache-2.0
"""Simulations that do not get through: SMPI's own exit code is 0 after most of these, mpiskel's never.
Each row is the first argument of a program, and what the commands that simulate have to say of it."""
import json
import os
import signal
import subprocess
import time

from support import ENVIRONMENT, Failure, expect

PROGRAM = r"""
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *mode;

static int is(const char *name) {
    return strcmp(mode, name) == 0;
}

int main(int argc, char **argv) {
    int rank, size, buffer[64] = {0};
    mode = argc > 1 ? argv[1] : "fine";
    if (is("no-init"))
        return 0;
    if (is("exit-before-init"))
        exit(0);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Allreduce(MPI_IN_PLACE, buffer, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    while (is("forever"))
        MPI_Barrier(MPI_COMM_WORLD);
    if (is("liar"))
        fprintf(stderr, "[0.1] Deadlock detected\nMPI_Abort was called\n");
    if (is("receive"))
        MPI_Recv(buffer, 1, MPI_INT, (rank + 1) % size, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (is("barrier") && rank > 0)
        MPI_Recv(buffer, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (is("truncate") && rank == 0)
        MPI_Send(buffer, 64, MPI_INT, 1, 0, MPI_COMM_WORLD);
    if (is("truncate") && rank == 1)
        MPI_Recv(buffer, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1) {
        if (is("abort"))
            MPI_Abort(MPI_COMM_WORLD, 5);
        if (is("abort-0"))
            MPI_Abort(MPI_COMM_WORLD, 0);
        if (is("segmentation"))
            raise(SIGSEGV);
        if (is("division"))
            raise(SIGFPE);
        if (is("assertion"))
            abort();
        if (is("exit"))
            exit(0);
        if (is("exit-3"))
            exit(3);
        if (is("_exit"))
            _exit(0);
        if (is("return"))
            return 0;
        if (is("no-such-rank"))
            MPI_Send(buffer, 1, MPI_INT, size + 5, 0, MPI_COMM_WORLD);
    }
    if (is("exit-all"))
        exit(0);
    if (is("return-all"))
        return 0;
    MPI_Finalize();
    if (is("late-segmentation") && rank == 1)
        raise(SIGSEGV);
    if (is("late-exit") && rank == 1)
        exit(5);
    return 0;
}
"""

UNFINISHED = "not every rank reached MPI_Finalize"
ROWS = [("no-init", UNFINISHED), ("exit-before-init", UNFINISHED), ("receive", "deadlock at"),
        ("barrier", "deadlock at"), ("truncate", "MPI_ERR_TRUNCATE"),
        ("abort", "rank 1 called MPI_Abort"), ("abort-0", "rank 1 called MPI_Abort"),
        ("segmentation", "signal 11"), ("division", "signal 8"), ("assertion", "signal 6"),
        ("exit", UNFINISHED), ("exit-3", UNFINISHED), ("_exit", UNFINISHED), ("return", UNFINISHED),
        ("exit-all", UNFINISHED), ("no-such-rank", "MPI_ERR_RANK"),
        ("late-segmentation", "signal 11")]


def bundle(session):
    session.program(("app.c", PROGRAM))
    session.fine("generate", "--skeleton", "-o", "app.skel")


def case_no_failure_of_a_skeleton_is_a_success(session):
    bundle(session)
    for engine in ("smpi", "own"):
        for mode, message in ROWS:
            session.refused("run", "app.skel", "-np", "4", f"--engine={engine}", "--", mode, says=["error: ", message])
            expect(session.out == "", session.told(f"{mode}: a prediction was printed"))


def case_no_failure_of_an_original_is_a_success(session):
    bundle(session)
    for mode, message in ROWS:
        session.refused("run", "app.skel", "-np", "4", "--original", "--", mode,
                        says=["error: ", message])
    session.fine("run", "app.skel", "-np", "4", "--original", "--", "liar")
    session.fine("run", "app.skel", "-np", "4", "--original", "--", "return-all")
    session.run("run", "app.skel", "-np", "4", "--", "late-exit")
    session.expect(5, "the application returned 5")


LEAVES = """#include <mpi.h>
#define USAGE (1 | 1 << 3)
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    if (argc < 2) {
        MPI_Finalize();
        return -1;
    }
    if (argv[1][0] == 'u') {
        MPI_Finalize();
        return USAGE;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
"""


def case_a_skeleton_leaves_with_the_constant_that_its_original_returns(session):
    session.program(("app.c", LEAVES))
    session.fine("generate", "-o", "app.skel")
    for argument in ([], ["u"]):
        session.fine("verify", "app.skel", "-np", "2", "--no-real", "--", *argument)
        expect("returned" not in session.err, session.told("the exit codes differ"))


# MPI_Abort on both sides is what verify is to find the same.
def case_other_commands_tell_failures_too(session):
    bundle(session)
    session.profile("app.skel")
    session.fine("fit", "app.skel")
    for mode, message in ROWS:
        if "abort" not in mode:
            session.refused("verify", "app.skel", "-np", "4", "--", mode, says=["error: ", message])
        if "MPI_ERR" in message and "--collectives" in session.err:
            raise Failure(session.told("an error of the program is blamed on SimGrid"))
    for mode in ("receive", "exit", "segmentation", "abort-0"):
        session.refused("validate", "app.skel", "-np", "2", "--args", mode, says="error: ")
        session.refused("plan", "app.skel", "--target", "-np 4 " + mode, says="error: ")
        session.refused("scale", "app.skel", "-np", "2,4", "--", mode, says="error: on 2 ranks: ")


def simulation_of(process):
    """The id of the process that `process` has started; 0: none yet."""
    for name in os.listdir("/proc"):
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                parent = int(file.read().rsplit(")", 1)[1].split()[1])
            if parent == process.pid:
                return int(name)
        except (OSError, ValueError, IndexError):
            continue
    return 0


def kill_simulation(process, number):
    os.kill(simulation_of(process), number)


def kill_command(process, number):
    os.kill(process.pid, number)


def kill_group(process, number):
    """As ^C on a terminal."""
    os.killpg(process.pid, number)


def case_a_killed_or_interrupted_simulation_is_told(session):
    bundle(session)
    os.makedirs(session.path("tmp"))
    environment = dict(ENVIRONMENT, TMPDIR=session.path("tmp"))
    for number, kill, code, says in ((signal.SIGKILL, kill_simulation, 1, ["error: ", "memory runs out"]),
                                     (signal.SIGTERM, kill_simulation, 1, ["error: ", "signal 15"]),
                                     (signal.SIGINT, kill_group, 130, "error: interrupted"),
                                     (signal.SIGTERM, kill_command, 143, "error: interrupted")):
        for engine in ("smpi", "own"):
            process = session.start(session.mpiskel, "run", "app.skel", "-np", "4", f"--engine={engine}", "--",
                                    "forever", environment=environment)
            session.wait_for(lambda: simulation_of(process) != 0)
            time.sleep(0.2)
            simulation = simulation_of(process)
            kill(process, number)
            session.finish(process)
            session.expect(code, says)
            if os.path.exists(f"/proc/{simulation}") or os.listdir(session.path("tmp")):
                raise Failure(f"{engine}: left are {os.listdir(session.path('tmp'))}, or process {simulation}")


CRASHES = r"""#include <alloca.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
static int recurse(int n) {
    volatile char pad[1000];
    pad[n % 1000] = (char)n;
    return n > 0 ? recurse(n - 1) + pad[n % 1000] : 0;
}
static int array(int kib) {
    char all[kib * 1024];
    memset(all, 1, sizeof all);
    MPI_Bcast(all, kib * 1024, MPI_CHAR, 0, MPI_COMM_WORLD);
    return all[kib];
}
static int from_top(int kib) {
    char *all = alloca(kib * 1024);
    for (int i = kib * 1024; i-- > 0;)
        all[i] = 1;
    MPI_Bcast(all, kib * 1024, MPI_CHAR, 0, MPI_COMM_WORLD);
    return all[kib];
}
int main(int argc, char **argv) {
    int n = atoi(argv[2]), one = 0, all[8];
    MPI_Init(&argc, &argv);
    switch (argv[1][0]) {
    case 'r': one = recurse(n); break;
    case 'a': one = array(n); break;
    case 't': one = from_top(n); break;
    case 'w': one = *(int *)(long)n; break;
    }
    if (one != 3)
        MPI_Allgather(&one, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
"""


def verify_with_stack(session, kib, *arguments):
    """With a limit that the process itself could raise again."""
    command = f'ulimit -S -s {kib}; exec "$0" "$@"'
    done = subprocess.run(["sh", "-c", command, session.mpiskel, "verify", "app.skel", "-np", "3", "--",
                           *arguments], cwd=session.directory, env=ENVIRONMENT, capture_output=True,
                          text=True, timeout=600)
    session.code, session.out, session.err = done.returncode, done.stdout, done.stderr


def case_stacks_follow_the_limit_and_a_crash_tells_its_cause(session):
    session.program(("app.c", CRASHES))
    session.fine("generate", "-o", "app.skel")
    for arguments in (("recurse", "12000"), ("array", "12000"), ("top", "12000")):
        verify_with_stack(session, 8192, *arguments)
        session.expect(1, "the original failed: the stack of a rank was too small: arrays in functions, "
                          "alloca or recursion took more than its 8 MiB; it follows the limit")
        if "SimGrid's algorithms" in session.err or "mpirun" in session.err:
            raise Failure(session.told("there is another guess"))
        verify_with_stack(session, 32768, *arguments)
        session.expect(0, "")
    session.refused("verify", "app.skel", "-np", "2", "--", "wild", "16",
                    says=["signal 11", "under mpirun it crashes, too (signal 11)"])
    session.refused("verify", "app.skel", "-np", "3", "--collectives", "allgather=pair", "--", "-", "0",
                    says="with --collectives=default it gets through: one of SimGrid's algorithms")


IDLE = r"""#include <mpi.h>
#include <unistd.h>
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    if (argc > 1)
        pause();
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
"""


def case_a_simulation_that_takes_no_processor_time_is_ended(session):
    """It never goes on: the time that it is given decides only how long that takes."""
    session.program(("idle.c", IDLE))
    session.fine("generate", "-o", "idle.skel")
    environment = dict(ENVIRONMENT, MPISKEL_PATIENCE="1")
    for command in (["run", "--engine=smpi"], ["run"], ["verify"]):
        session.refused(*command, "idle.skel", "-np", "2", "--", "x", environment=environment,
                        says="for 1 s the simulation took no processor time, and was ended")
    session.refused("run", "idle.skel", "-np", "2", "--",
                    environment=dict(ENVIRONMENT, MPISKEL_PATIENCE="soon"),
                    says="MPISKEL_PATIENCE is 'soon'; it takes a number of seconds")


def case_a_simulation_without_memory_is_ended(session):
    bundle(session)
    little = {"run --engine=smpi": "4MiB", "run": "1MiB", "run --original": "4MiB", "verify": "4MiB"}
    for command, most in little.items():
        session.refused(*command.split(), "app.skel", "-np", "4", "--", "forever",
                        environment=dict(ENVIRONMENT, MPISKEL_MEMORY=most),
                        says=["error: ", "memory ran out: the simulation had taken"])
    for text in ("much", "-1", "1 GiB", "1PiB", "0x10"):
        session.refused("run", "app.skel", "-np", "4", environment=dict(ENVIRONMENT, MPISKEL_MEMORY=text),
                        says=f"MPISKEL_MEMORY is '{text}'")
    session.run("run", "app.skel", "-np", "4", environment=dict(ENVIRONMENT, MPISKEL_MEMORY="2GiB"))
    session.expect(0, [])


def case_a_run_that_would_not_fit_is_refused(session):
    bundle(session)
    little = dict(ENVIRONMENT, MPISKEL_MEMORY="60MiB")
    session.refused("run", "app.skel", "-np", "8192", "--engine=smpi", environment=little,
                    says=["error: 8192 ranks would take about", "60 MiB are available", "--no-estimate"])
    session.refused("run", "app.skel", "-np", "4096", "--no-estimate", "--engine=smpi", "--", "forever",
                    environment=little, says="memory ran out")
    session.refused("run", "app.skel", "-np", "8192", "--estimate", "--engine=smpi", environment=little,
                    says="error: ")
    session.refused("run", "app.skel", "-np", "8", "--estimate", "--", "abort",
                    says="there is no estimate: a small simulation failed: rank 1 called MPI_Abort")
    session.fine("run", "app.skel", "-np", "8", "--estimate")
    session.prints("8 ranks will take about")


# A quarter of a MiB a rank that is looked at: what little takes is hidden by a tool with sanitizers, since
# Linux carries the largest resident set on through execve.
KEEPS = r"""
#include <mpi.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int *own = malloc(65536 * sizeof *own);
    for (int i = 0; i < 65536; i++)
        own[i] = i % 7;
    MPI_Bcast(own, own[argc * 100], MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
"""


# The memory of 1,024 ranks, known from at most 256 of them.
def case_estimates_are_near_what_a_run_takes(session):
    session.program(("app.c", KEEPS))
    session.fine("generate", "-o", "app.skel")
    session.profile("app.skel")
    session.fine("fit", "app.skel")
    session.fine("run", "app.skel", "-np", "1024", "--estimate", "--format=json")
    estimate = json.loads(session.out)
    session.fine("run", "app.skel", "-np", "1024", "--format=json")
    taken = 1024 * json.loads(session.out)["simulation"]["peak_memory_kib"]
    if not 0.8 < estimate["memory_bytes"] / taken < 1.25:
        raise Failure(session.told(f"{estimate['memory_bytes']} bytes estimated, {taken} taken"))
    if [one["ranks"] for one in estimate["trials"]] != [64, 144, 256] or not estimate["fits"]:
        raise Failure(session.told(f"the estimate is {estimate}"))


ERRORS = r"""
#include <mpi.h>

static double sum, x[9000];

static void work(int n) {
    for (int i = 0; i < n; i++)
        sum += x[i] = x[i] * 0.5 + i;
}

int main(int argc, char **argv) {
    int rank, size, wrong = 0, counts[64] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    work(9000);
    wrong += MPI_Send(x, -1, MPI_DOUBLE, 0, 6, MPI_COMM_WORLD) != MPI_SUCCESS;
    wrong += MPI_Send(x, 1, MPI_DOUBLE, size + 3, 6, MPI_COMM_WORLD) != MPI_SUCCESS;
    wrong += MPI_Bcast(x, -2, MPI_DOUBLE, 0, MPI_COMM_WORLD) != MPI_SUCCESS;
    for (int i = 0; i < wrong; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return counts[0];
}
"""


def case_a_call_that_returned_an_error_is_a_sample_and_an_event_like_others(session):
    session.program(("app.c", ERRORS))
    session.fine("generate", "-o", "app.skel")
    session.profile("app.skel")
    session.fine("fit", "app.skel")
    session.prints("calls as in 1 of 1")
    session.fine("run", "app.skel", "-np", "2", "--trace", "run.trace")
    session.fine("trace", "check", "run.trace")

# SPDX-License-Identifier: Apache-2.0
"""`mpiskel sweep --launcher slurm` on a real Slurm of two nodes, on loopback."""
import json
import os
import signal
import sqlite3
import time

import cluster as slurm
from support import ENVIRONMENT, Failure, expect_same as expect

LONG = 700  # ranks of points that take a second or so, to be killed on the way
GRID = ("-np", f"2..28:+2,{LONG}", "--vary", "n=10,20,30,40")
BEHIND = ("--", "fine", "{n}")
QUICK = ("--launcher", "slurm", "--poll", "0.2", "--grace", "1", "--format=json")


class Sweeping:
    """A bundle, a cluster, and what is in the store."""

    def __init__(self, session):
        self.session = session
        session.bundle()
        self.cluster = slurm.Cluster(session.path("slurm"))
        self.started = 0
        self.environment = dict(ENVIRONMENT, SLURM_CONF=self.cluster.environment["SLURM_CONF"])

    def start(self, *arguments, environment=None):
        command = [self.session.mpiskel, "sweep", "app.skel", *QUICK, *arguments]
        self.started += 1
        name = f"out{self.started}"
        output = open(self.session.path(name), "w", encoding="utf-8")
        process = slurm.subprocess.Popen(command, cwd=self.session.directory, stdout=output,
                                         env=environment or self.environment, text=True,
                                         stderr=slurm.subprocess.PIPE, start_new_session=True)
        output.close()
        process.output = name
        return process

    def finish(self, process, code=0):
        """Its report."""
        self.session.err = process.communicate(timeout=600)[1]
        self.session.code, self.session.out = process.returncode, self.session.read(process.output)
        self.session.check_no_crash()
        if self.session.code != code:
            raise Failure(self.session.told(f"the exit code should be {code}\n{self.cluster.logs()}"))
        return json.loads(self.session.out) if code == 0 or self.session.out else None

    def ask(self, sql):
        with sqlite3.connect(self.session.path("app.skel/store.db"), timeout=120) as database:
            return database.execute(sql).fetchall()

    def count(self, table):
        return self.ask(f"SELECT count(*) FROM {table}")[0][0]

    def wait_for(self, what, seconds=300):
        end = time.monotonic() + seconds
        while True:
            found = what()
            if found:
                return found
            if time.monotonic() > end:
                raise Failure(f"after {seconds} s there is still nothing\n{self.cluster.logs()}")
            time.sleep(0.02)

    def simulations(self, ranks):
        """(pid, parent) of each `mpiskel run` on so many ranks."""
        return [(pid, parent) for pid, parent, words in slurm.descendants()
                if words[1:2] == ["run"] and words[3:5] == ["-np", str(ranks)]]

    def expect_whole(self, report, points):
        """Every point is there and done, once, and nothing is left of the work."""
        rows = self.ask("SELECT bundle, setup, inputs, ranks, arguments, options FROM points")
        expect(points, len(rows), "points in the store")
        expect(points, len(set(rows)), "different points in the store")
        expect(["done"] * points, [point["status"] for point in report["points"]], "in the report")
        for table in ("claims", "batches", "drivers"):
            left = self.count(table)
            # A driver that was killed is forgotten when the next one starts.
            expect(0, left, f"left in {table}")
        expect([], os.listdir(self.session.path("app.skel/sweeps")), "directories of batches")


def with_cluster(case):
    """Whatever happens, nothing keeps running."""
    def run(session):
        sweeping = Sweeping(session)
        try:
            sweeping.cluster.wait_until_idle()
            case(sweeping)
        finally:
            sweeping.cluster.stop()
    return run


@with_cluster
def sixty_points(sweeping):
    first = sweeping.start(*GRID, *BEHIND)
    run, worker = sweeping.wait_for(lambda: sweeping.simulations(LONG))[0]
    os.kill(worker, signal.SIGKILL)
    sweeping.wait_for(lambda: run not in [pid for pid, _, _ in slurm.descendants()])
    run, _ = sweeping.wait_for(lambda: sweeping.simulations(LONG))[0]
    os.kill(run, signal.SIGKILL)
    sweeping.wait_for(lambda: sweeping.count("points") > 5)
    os.kill(first.pid, signal.SIGKILL)
    first.communicate()
    there = sweeping.count("points")
    if there >= 60:
        raise Failure("the sweep was over before its driver was killed")
    report = sweeping.finish(sweeping.start(*GRID, *BEHIND))
    sweeping.expect_whole(report, 60)
    if report["were_there"] < there:
        raise Failure(f"{there} points were in the store, {report['were_there']} were found again")
    expect(62, sum(point["attempts"] for point in report["points"]), "starts of 60 points, 2 killed")
    again = sweeping.finish(sweeping.start(*GRID, *BEHIND))
    expect(60, again["were_there"], "points that need no simulation")


@with_cluster
def cancelled(sweeping):
    """One point, on so many ranks that there is time."""
    one = ("-np", str(LONG), *BEHIND[:-1], "10")
    first = sweeping.start("--attempts", "2", *one)
    for _ in range(2):
        sweeping.wait_for(lambda: sweeping.simulations(LONG))
        job = sweeping.cluster.ask("squeue", "-h", "-o", "%A").split()[0]
        sweeping.cluster.ask("scancel", job)
        sweeping.wait_for(lambda: not sweeping.simulations(LONG))
    point = sweeping.finish(first, code=1)["points"][0]
    expect(("failed", 2), (point["status"], point["attempts"]), "a point that was cancelled twice")
    if not point["message"].startswith("lost 2 times"):
        raise Failure(f"the message is '{point['message']}'")
    sweeping.finish(sweeping.start("--attempts", "2", *one), code=1)
    sweeping.expect_whole(sweeping.finish(sweeping.start("--retry", *one)), 1)


@with_cluster
def killed_after_sbatch(sweeping):
    """Its sbatch submits, and kills the driver before it hears of that."""
    session = sweeping.session
    session.write("bin/sbatch", "#!/bin/sh\n"
                  f"echo once >> {session.path('submitted')}\n"
                  f'{slurm.shutil.which("sbatch")} "$@"\n'
                  "kill -9 $PPID\nsleep 10\n")
    os.chmod(session.path("bin/sbatch"), 0o755)
    path = dict(sweeping.environment, PATH=session.path("bin") + ":" + ENVIRONMENT["PATH"])
    grid = ("-np", f"2,4,{LONG}", *BEHIND[:-1], "10")
    first = sweeping.start(*grid, environment=path)
    first.communicate(timeout=600)
    expect(-signal.SIGKILL, first.returncode, "how the driver ended")
    report = sweeping.finish(sweeping.start(*grid, environment=path))
    sweeping.expect_whole(report, 3)
    expect("once\n", session.read("submitted"), "how often sbatch was called")


@with_cluster
def shared(sweeping):
    """A driver with Slurm, one that simulates here, and one that hands over and leaves."""
    grid = ("-np", "2..24:+2", "--vary", "n=10,20", "--points-per-task", "4", *BEHIND)
    left = sweeping.finish(sweeping.start("--no-wait", "-np", "2..12:+2", *grid[2:]))
    if not left["points"]:
        raise Failure("--no-wait does not report")
    drivers = [sweeping.start(*grid), sweeping.start("--launcher", "local", "-j1", *grid)]
    reports = [sweeping.finish(driver) for driver in drivers[::-1]]
    sweeping.expect_whole(reports[0], 24)


def is_on(pid, node):
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            return f"SLURMD_NODENAME={node}".encode() in file.read().split(b"\0")
    except OSError:
        return False


@with_cluster
def node_lost(sweeping):
    """As if the power of n2 went while it simulates."""
    grid = ("-np", str(LONG), "--vary", "n=1..6", *BEHIND)
    first = sweeping.start("--launcher-options=--no-requeue", *grid)
    there = sweeping.wait_for(lambda: [one for one in sweeping.simulations(LONG) if is_on(one[0], "n2")])
    known = {pid: parent for pid, parent, _ in slurm.descendants()}
    steps = {known[worker] for _, worker in there}  # slurmstepd, which would report
    for pid in [sweeping.cluster.daemons["n2"].pid, *steps, *(one for pair in there for one in pair)]:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass  # ended with its parent
    # Slurm would notice by itself, but only after half a minute.
    sweeping.cluster.ask("scontrol", "update", "NodeName=n2", "State=DOWN", "Reason=test")
    report = sweeping.finish(first)
    sweeping.expect_whole(report, 6)
    lost = sum(point["attempts"] for point in report["points"]) - 6
    if lost < 1:
        raise Failure("nothing was lost with the node")


@with_cluster
def refused(sweeping):
    """sbatch does not take the second array, with points that were lost, until later. Others have to be at work when it
    refuses, or the driver has nothing to wait for."""
    session, ranks = sweeping.session, 4 * LONG
    session.write("bin/sbatch", "#!/bin/sh\n"
                  f"echo call >> {session.path('calls')}\n"
                  f"[ $(wc -l < {session.path('calls')}) -ne 2 ] && exec {slurm.shutil.which('sbatch')} \"$@\"\n"
                  "echo 'sbatch: error: QOSMaxSubmitJobPerUserLimit' >&2\nexit 1\n")
    os.chmod(session.path("bin/sbatch"), 0o755)
    path = dict(sweeping.environment, PATH=session.path("bin") + ":" + ENVIRONMENT["PATH"])
    driver = sweeping.start("-np", str(ranks), "--vary", "n=1..10", *BEHIND, environment=path)
    _, worker = sweeping.wait_for(lambda: sweeping.simulations(ranks))[0]
    os.kill(worker, signal.SIGKILL)
    sweeping.expect_whole(sweeping.finish(driver), 10)
    expect("call\n" * 3, session.read("calls"), "calls of sbatch")
    if "QOSMaxSubmitJobPerUserLimit; trying again" not in session.err:
        raise Failure(session.told("the refusal is not told"))


@with_cluster
def no_answers(sweeping):
    """The controller is stopped and started; squeue fails for two seconds and more."""
    session, cluster = sweeping.session, sweeping.cluster
    session.write("bin/squeue", "#!/bin/sh\n"
                  f"echo call >> {session.path('calls')}\n"
                  f"[ $(wc -l < {session.path('calls')}) -gt 10 ] && exec {slurm.shutil.which('squeue')} \"$@\"\n"
                  "echo 'slurm_load_jobs error: Unable to contact slurm controller' >&2\nexit 1\n")
    os.chmod(session.path("bin/squeue"), 0o755)
    path = dict(sweeping.environment, PATH=session.path("bin") + ":" + ENVIRONMENT["PATH"])
    driver = sweeping.start("--grace", "0.1", "-np", str(LONG), "--vary", "n=1..8", *BEHIND, environment=path)
    sweeping.wait_for(lambda: sweeping.simulations(LONG))
    cluster.daemons["slurmctld"].terminate()  # killed, it would have forgotten what runs
    cluster.daemons["slurmctld"].wait()
    time.sleep(2)
    cluster.start("slurmctld", "slurmctld", "-D")
    report = sweeping.finish(driver)
    sweeping.expect_whole(report, 8)
    expect({1}, {point["attempts"] for point in report["points"]}, "attempts: nothing was lost")
    if session.err.count("going on to ask") != 1:
        raise Failure(session.told("that Slurm does not answer is not told once"))


def case_nothing_is_lost_while_slurm_does_not_answer(session):
    no_answers(session)


def case_what_slurm_does_not_take_is_handed_over_later(session):
    refused(session)


def case_points_of_a_node_that_fails_are_simulated_elsewhere(session):
    node_lost(session)


def case_sixty_points_survive_kills_of_a_worker_and_of_the_driver(session):
    sixty_points(session)


def case_a_cancelled_point_is_started_again_but_not_for_ever(session):
    cancelled(session)


def case_a_job_is_found_again_whose_driver_died_before_it_knew_it(session):
    killed_after_sbatch(session)


def case_drivers_of_several_launchers_share_a_sweep(session):
    shared(session)

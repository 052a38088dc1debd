# SPDX-License-Identifier: Apache-2.0
"""`mpiskel sweep` here and under GNU parallel (under Slurm: tests/commands/slurm)."""
import atexit
import csv
import errno
import io
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import time

from processes import processes
from support import ENVIRONMENT, Failure, expect_same as expect

LONG = "700"  # ranks of a point that takes a second or two


def report(session, *arguments, code=0):
    session.run("sweep", *arguments[:1], "--format=json", *arguments[1:])
    if session.code != code:
        raise Failure(session.told(f"the exit code should be {code}"))
    return json.loads(session.out)


def points(session, *arguments, code=0):
    return report(session, *arguments, code=code)["points"]


def grid(session, *arguments):
    """(ranks, options, arguments) of each point, by --dry-run."""
    return [(point["ranks"], " ".join(point["options"]), " ".join(point["arguments"]))
            for point in points(session, "app.skel", "--dry-run", *arguments)]


def ask(session, sql, store="app.skel/store.db"):
    with sqlite3.connect(session.path(store), timeout=120) as database:
        return database.execute(sql).fetchall()


def expect_whole(session, count):
    """The store has so many points, no two are the same, and nobody is at work."""
    rows = ask(session, "SELECT bundle, setup, inputs, ranks, arguments, options FROM points")
    expect((count, count), (len(rows), len(set(rows))), "points, and different ones")
    for table in ("claims", "batches", "drivers"):
        expect(0, ask(session, f"SELECT count(*) FROM {table}")[0][0], table)


def start(session, *arguments, environment=None, before=()):
    """In the background; its report goes to a file of its own."""
    name = session.path(f"out{time.monotonic_ns()}")
    with open(name, "w", encoding="utf-8") as output:
        process = subprocess.Popen([*before, session.mpiskel, "sweep", "app.skel", "--format=json", *arguments],
                                   cwd=session.directory, env=environment or ENVIRONMENT, stdout=output, text=True,
                                   stderr=subprocess.PIPE, start_new_session=True)
    process.report = name
    atexit.register(process.kill)
    return process


def finish(session, process, code=0):
    session.finish(process)
    expect(code, session.code, session.told("exit code"))
    with open(process.report, encoding="utf-8") as file:
        text = file.read()
    return json.loads(text) if text else None


def started_by(parent):
    """(pid, words) of the processes below one with this number."""
    return [(pid, words) for pid, above, words in processes() if above == parent]


def simulation_of(session, process, ranks):
    """The `mpiskel run` of a driver on so many ranks, as soon as there is one."""
    found = []

    def look():
        found[:] = [pid for pid, words in started_by(process.pid) if words[1:2] == ["run"] and words[4] == ranks]
        return found or process.poll() is not None
    session.wait_for(look)
    if not found:
        raise Failure("the sweep was over before its simulation was seen")
    return found[0]


def without_place():
    """Nobody says where temporary files are to be."""
    return {name: value for name, value in ENVIRONMENT.items() if name != "TMPDIR"}


def place_of(simulation):
    """Where it has its files."""
    with open(f"/proc/{simulation}/environ", encoding="utf-8") as file:
        return [word[7:] for word in file.read().split("\0") if word.startswith("TMPDIR=")][0]


def workers(session):
    """(worker, its simulation) of this test's batches."""
    known = list(processes())
    at_work = [pid for pid, _, words in known if words[1:3] == ["sweep", "--work"]
               and words[3].startswith(session.directory)]
    return [(above, pid) for pid, above, words in known if above in at_work and words[1:2] == ["run"]]


# ---- Grids ----

def case_lists_and_ranges_make_the_grid(session):
    session.bundle()
    expect([(2, "", "fine"), (4, "", "fine"), (8, "", "fine")], grid(session, "-np", "2..8:x2", "--", "fine"))
    expect([2, 3, 7, 16, 32, 40, 50], [one[0] for one in grid(session, "-np", "2..3,7,16..40:x2,40..50:+10")])
    expect([1, 4, 9, 16], [one[0] for one in grid(session, "-np", "1..24:square")])
    expect([(1, "", "fine 0.5"), (1, "", "fine 1"), (1, "", "fine 1.5")],
           grid(session, "-n1", "--vary", "n=0.5..1.5:+0.5", "--", "fine", "{n}"))
    expect([(2, "", "a"), (4, "", "a"), (2, "", "b/../c"), (4, "", "b/../c")],
           grid(session, "-np", "2,4", "--vary", "x=a,b/../c", "--", "{x}"))
    expect([(4, "", "2x2"), (16, "", "4x8")],
           grid(session, "--vary", "np,p,q=4:2:2,16:4:8", "--", "{p}x{q}"))
    expect([(4, "", "64 4 a3"), (16, "", "128 16 a3")],
           grid(session, "-np", "4,16", "--vary", "m=3", "--", "{32*ranks^1/2:8}", "{ranks}", "a{m}"))
    expect([(2, "--bandwidth 1GBps", "{y} {n"), (2, "--bandwidth 1GBps --latency=2us", "{y} {n")],
           grid(session, "-np", "2", "--bandwidth", "{b}GBps", "--vary", "b=1", "--try", "", "--try",
                "--latency={l}us", "--vary", "l=2", "--", "{{y}} {n"))


def case_points_that_are_the_same_are_one(session):
    session.bundle()
    expect([2, 4], [one[0] for one in grid(session, "-np", "2,4,2,2..4:x2")])
    if "3 of the grid's 5 points are the same as others" not in session.err:
        raise Failure(session.told("it is not told"))


def case_wrong_grids_are_told(session):
    session.bundle()
    for wrong, says in ((("-np", "8..2:x2"), "upwards"), (("-np", "2..8:x1"), "factor above 1"),
                        (("-np", "0..8:x2"), "above 0"), (("-np", "2..8:+0"), "step"),
                        (("-np", "2,,4"), "missing between commas"), (("-np", "two"), "'two'"),
                        (("-np", "2..8:*"), "'2..8:*'"), (("-np", "1..99999999:+1"), "more than"),
                        (("-np", "5..8:square"), "no square"), ((), "how many ranks"),
                        (("-np", "2", "--vary", "n"), "NAME=VALUES"),
                        (("-np", "2", "--vary", "n=1"), "{n} stands neither"),
                        (("-np", "2", "--vary", "n-1=1", "--", "{n}"), "no name"),
                        (("-np", "2", "--vary", "n,m=1:2,3", "--", "{n}{m}"), "one per name"),
                        (("-np", "2", "--vary", "n=1", "--vary", "n=2", "--", "{n}"), "varied twice"),
                        (("-np", "2", "--vary", "np=2"), "varied twice"),
                        (("-np", "2", "--vary", "status=2", "--", "{status}"), "another name"),
                        (("-np", "1..2000:+1", "--vary", "n=1..2000", "--", "{n}"), "4000000 points"),
                        (("-np", "2", "--", "{n}"), "add --vary n=VALUES"),
                        (("-np", "2", "--try", "'x"), "a quote has no end"),
                        (("-np", "2", "--jobs", "0"), "--jobs"), (("-np", "2", "--launcher", "x"), "'x'"),
                        (("-np", "2", "--timeout", "-1"), "--timeout"), (("-np", "2", "more"), "behind --")):
        session.refused("sweep", "app.skel", *wrong, code=64, says=says)
    session.refused("sweep", "-np", "2", code=64, says="which bundle?")
    session.refused("sweep", "app.skel", "-np", "2", "--", b"\xff", says="is not UTF-8")
    session.refused("sweep", "none.skel", "-np", "2", says="there is no bundle none.skel")
    expect([], ask(session, "SELECT id FROM points"))


def case_wrong_options_of_run_end_the_sweep(session):
    session.bundle()
    session.refused("sweep", "app.skel", "-np", "2..64:+2", "--bogus", code=64,
                    says=["refuses its options", "unrecognized option '--bogus'"])
    session.refused("sweep", "app.skel", "-np", "2", "--bandwidth", "9", "--launcher", "parallel", code=64,
                    says="refuses its options")
    expect_whole(session, 0)


# ---- Points are there once ----

def case_each_point_is_simulated_once(session):
    session.bundle()
    first = report(session, "app.skel", "-np", "2,4", "--vary", "n=10,20", "--", "fine", "{n}")
    expect((4, 0, 0), (first["finished"], first["failed"], first["were_there"]))
    again = report(session, "app.skel", "-np", "2,4,8", "--vary", "n=10,20", "--", "fine", "{n}")
    expect((6, 0, 4), (again["finished"], again["failed"], again["were_there"]))
    known = {point["point"]: point for point in again["points"]}
    for point in first["points"]:
        expect(point, known[point["point"]], "a point that was there")
    expect_whole(session, 6)
    session.fine("run", "app.skel", "-np", "4", "--format=json", "--", "fine", "20")
    alone = json.loads(session.out)["predicted_s"]
    found = [point["predicted_s"] for point in again["points"]
             if (point["ranks"], point["n"]) == (4, 20)]
    expect([alone], found, "what `run` predicts, and the sweep")


def case_a_change_of_what_a_result_depends_on_makes_other_points(session):
    session.bundle()
    session.write("data.txt", "1")
    sweep = ("app.skel", "-np", "2", "--", "fine", "10", "data.txt")
    expect(0, report(session, *sweep)["were_there"])
    expect(1, report(session, *sweep)["were_there"])
    session.write("data.txt", "2")
    expect(0, report(session, *sweep)["were_there"], "the input changed")
    session.write("data.txt", "1")
    expect(1, report(session, *sweep)["were_there"], "the input is as it was")
    machines = ("app.skel", "--machine=other", *sweep[1:])
    before = points(session, "app.skel", "--dry-run", *machines[1:])[0]["point"]
    ask(session, "INSERT INTO networks SELECT id, '', '', '', '', 'text', 0, 0 FROM machines")
    if before == points(session, "app.skel", "--dry-run", *machines[1:])[0]["point"]:
        raise Failure("a network of the store is not seen")
    expect(1, report(session, *sweep)["were_there"], "options without machines")
    shortened = ("app.skel", "--mach=other", *sweep[1:])  # argp takes what is no other option
    before = points(session, "app.skel", "--dry-run", *shortened[1:])[0]["point"]
    ask(session, "UPDATE networks SET description = 'another'")
    if before == points(session, "app.skel", "--dry-run", *shortened[1:])[0]["point"]:
        raise Failure("a shortened --machine does not see what the store has")
    session.profile("app.skel", "fine", "1000")
    session.fine("fit", "app.skel")
    expect(0, report(session, *sweep)["were_there"], "the model changed")


def case_files_of_any_size_and_kind_can_be_arguments(session):
    session.bundle()
    with open(session.path("mesh"), "wb") as file:
        file.truncate((1 << 30) + 1)
    os.mkfifo(session.path("pipe"))
    names = ("-np", "1", "--dry-run", "--", "fine", "1", "mesh", "pipe", "/dev/zero", ".")
    before = points(session, "app.skel", *names)[0]["point"]
    with open(session.path("mesh"), "ab") as file:
        file.write(b"x")
    if before == points(session, "app.skel", *names)[0]["point"]:
        raise Failure("the end of a large file does not count")


def case_failures_are_kept_and_retried_on_demand(session):
    session.bundle()
    sweep = ("app.skel", "-np", "2", "--vary", "mode=fine,abort,crash", "--", "{mode}")
    found = points(session, *sweep, code=1)
    expect(["done", "failed", "failed"], [point["status"] for point in found])
    if "called MPI_Abort" not in found[1]["message"] or "signal 6" not in found[2]["message"]:
        raise Failure(f"messages: {found}")
    finished = ask(session, "SELECT rowid, id FROM points ORDER BY rowid")
    again = report(session, *sweep, code=1)
    expect((3, 2), (again["were_there"], again["failed"]))
    session.run("sweep", *sweep)
    session.prints("failed: rank 1 called MPI_Abort")
    expect(finished, ask(session, "SELECT rowid, id FROM points ORDER BY rowid"), "rows without --retry")
    expect(1, report(session, *sweep[:1], "--retry", *sweep[1:], code=1)["were_there"], "with --retry")
    expect_whole(session, 3)


def case_what_takes_too_long_has_failed(session):
    session.bundle()
    for launcher in ("local", "parallel"):
        found = points(session, "app.skel", "-np", "2", "--timeout", "1", "--launcher", launcher,
                       "--store", launcher + ".db", "--", "forever", code=1)
        expect([("failed", "it took longer than 1 s (--timeout)")],
               [(point["status"], point["message"]) for point in found], launcher)


def case_what_does_not_end_when_told_is_killed(session):
    session.bundle()
    for launcher in ("local", "parallel"):
        driver = start(session, "-np", "2", "--timeout", "2", "--launcher", launcher, "--store", launcher + ".db",
                       "--", "forever")
        runs = []

        def look():
            runs[:] = [pid for pid, _, words in processes()
                       if words[1:2] == ["run"] and words[2:3] == [session.path("app.skel")]]
            return runs or driver.poll() is not None
        session.wait_for(look)
        os.kill(runs[0], signal.SIGSTOP)  # SIGTERM waits
        found = finish(session, driver, 1)["points"]
        expect("it took longer than 2 s (--timeout)", found[0]["message"], launcher)


# ---- Interrupted, killed, shared ----

GRID = ("-np", "2..20:+2," + LONG, "--vary", "n=10,20", "--", "fine", "{n}")


def case_a_killed_driver_loses_nothing(session):
    session.bundle()
    driver = start(session, "-j1", *GRID)
    run = simulation_of(session, driver, LONG)
    os.kill(driver.pid, signal.SIGKILL)
    driver.communicate()
    session.wait_for(lambda: not os.path.exists(f"/proc/{run}/exe"))
    there = ask(session, "SELECT count(*) FROM points")[0][0]
    if not 10 <= there < 22:
        raise Failure(f"{there} points when the driver was killed")
    expect(1, ask(session, "SELECT count(*) FROM claims")[0][0], "claims of the dead driver")
    again = report(session, "app.skel", *GRID)
    expect((22, 0, there), (again["finished"], again["failed"], again["were_there"]))
    expect({1}, {point["attempts"] for point in again["points"]}, "attempts")
    expect_whole(session, 22)


def case_a_killed_simulation_is_started_again(session):
    session.bundle()
    driver = start(session, "-np", LONG, "--", "fine")
    os.kill(simulation_of(session, driver, LONG), signal.SIGKILL)
    point = finish(session, driver)["points"][0]
    expect(("done", 2), (point["status"], point["attempts"]))
    driver = start(session, "-np", LONG, "--attempts=1", "--", "fine", "5")
    os.kill(simulation_of(session, driver, LONG), signal.SIGKILL)
    point = finish(session, driver, code=1)["points"][0]
    expect(("failed", "lost 1 times, at last: mpiskel run was ended by signal 9"),
           (point["status"], point["message"]))
    expect_whole(session, 2)


def case_a_point_that_was_lost_is_simulated_alone(session):
    session.bundle()
    driver = start(session, "-j2", "-np", LONG, "--vary", "n=1..4", "--", "fine", "{n}")

    def simulations():
        return [(pid, words[-1]) for pid, words in started_by(driver.pid) if words[1:2] == ["run"]]
    session.wait_for(lambda: len(simulations()) == 2)
    killed, number = simulations()[0]
    os.kill(killed, signal.SIGKILL)
    seen = []

    def again():
        seen[:] = simulations()
        return [one for one in seen if one[1] == number and one[0] != killed]
    session.wait_for(again)
    expect(1, len(seen), f"simulations at that time: {seen}")
    expect(5, sum(point["attempts"] for point in finish(session, driver)["points"]))


def case_an_interrupted_sweep_goes_on(session):
    session.bundle()
    driver = start(session, "-j2", *GRID)
    simulation_of(session, driver, LONG)
    os.kill(driver.pid, signal.SIGINT)
    finish(session, driver, code=130)
    session.expect(130, "interrupted; the same command goes on")
    there = ask(session, "SELECT count(*) FROM points")[0][0]
    expect([(0, "", 0)] * len(ask(session, "SELECT * FROM claims")),
           ask(session, "SELECT driver, batch, lost FROM claims"), "claims")
    expect(there, report(session, "app.skel", *GRID)["were_there"])
    expect_whole(session, 22)


def case_files_of_points_are_in_memory_unless_a_place_is_chosen(session):
    """They live for milliseconds. Nothing stays of them, nor of the journal that a sweep keeps."""
    session.bundle()
    for chosen in (None, session.path("there")):
        os.makedirs(session.path("there"), exist_ok=True)
        environment = without_place()
        if chosen is not None:
            environment["TMPDIR"] = chosen
        driver = start(session, "-j2", "--store", f"{chosen is None}.db", *GRID, environment=environment)
        simulation = simulation_of(session, driver, LONG)
        place = place_of(simulation)
        expect(f"{chosen or '/dev/shm'}", os.path.dirname(place), "where the files of points are")
        finish(session, driver)
        expect((False, False), (os.path.exists(place), os.path.exists(session.path(f"{chosen is None}.db-journal"))),
               "what is left")


def case_files_of_points_are_on_disk_where_memory_has_no_room(session):
    session.bundle()
    done = subprocess.run(["unshare", "-rm", "sh", "-ec", 'mount -t tmpfs -o size=16k tmpfs /dev/shm; exec "$@"', "sh",
                           session.mpiskel, "sweep", "app.skel", "--format=json", *GRID],
                          cwd=session.directory, env=without_place(), capture_output=True, text=True)
    expect((0, ""), (done.returncode, "left no message" if "left no message" in done.stdout else ""), done.stderr)


def case_memory_that_fills_during_a_point_is_told(session):
    """Somebody else takes what is left in it while a simulation that would not end goes on; then that fails."""
    session.bundle()
    driver = start(session, "--attempts=1", "-np", "2", "--", "forever", environment=without_place(),
                   before=["unshare", "-rm", "sh", "-ec", 'mount -t tmpfs -o size=64m tmpfs /dev/shm; exec "$@"', "sh"])
    run = simulation_of(session, driver, "2")
    simulations = []

    def look():
        simulations[:] = [pid for pid, words in started_by(run) if words[1:2] != ["run"]]
        return simulations
    session.wait_for(look)
    try:
        with open(f"/proc/{driver.pid}/root/dev/shm/full", "wb", buffering=0) as file:
            while True:
                file.write(bytes(4096))
    except OSError as problem:
        expect(errno.ENOSPC, problem.errno, "how writing ended")
    os.kill(simulations[0], signal.SIGABRT)
    point = finish(session, driver, code=1)["points"][0]
    wanted = ("lost 1 times, at last: no space is left for temporary files in /dev/shm: free some there, or choose another "
              "place with TMPDIR")
    expect(("failed", 1, wanted), (point["status"], point["attempts"], point["message"][:len(wanted)]))


def case_what_killed_ones_left_in_memory_is_removed(session):
    """A driver with its points, and a worker of a batch."""
    session.bundle()
    driver = start(session, "-j1", "-np", "2", "--", "forever", environment=without_place())
    place = place_of(simulation_of(session, driver, "2"))
    os.kill(driver.pid, signal.SIGKILL)
    driver.communicate()
    driver = start(session, "--launcher=parallel", "--store=other.db", "-np", LONG, "--", "fine",
                   environment=without_place())
    session.wait_for(lambda: workers(session))
    worker, run = workers(session)[0]
    of_worker = place_of(run)
    expect("/dev/shm", os.path.dirname(of_worker), "where a task of GNU parallel has its files")
    os.kill(worker, signal.SIGKILL)
    expect(2, finish(session, driver)["points"][0]["attempts"], "attempts")
    expect((False, False), (os.path.exists(place), os.path.exists(of_worker)), "what is left")


def case_two_drivers_share_a_sweep(session):
    session.bundle()
    os.remove(session.path("app.skel/store.db"))  # both make it
    drivers = [start(session, "-j1", *GRID) for _ in range(2)]
    reports = [finish(session, driver) for driver in drivers]
    expect([22, 22], [one["finished"] for one in reports])
    expect(22, sum(one["finished_here"] for one in reports), "simulations")
    if min(one["finished_here"] for one in reports) < 3:
        raise Failure(f"one driver did nearly all: {[one['finished_here'] for one in reports]}")
    expect_whole(session, 22)


def case_a_driver_takes_over_from_one_that_is_killed(session):
    session.bundle()
    grid = ("-j1", "-np", LONG, "--vary", "n=10,20,30,40", "--", "fine", "{n}")  # more than are over when the second begins
    first = start(session, *grid)
    simulation_of(session, first, LONG)
    second = start(session, *grid)
    simulation_of(session, second, LONG)
    os.kill(first.pid, signal.SIGKILL)
    first.communicate()
    expect(4, finish(session, second)["finished"])
    expect_whole(session, 4)


# ---- GNU parallel ----

def case_parallel_simulates_in_batches(session):
    session.bundle()
    found = report(session, "app.skel", "--launcher=parallel", "--points-per-task", "3", "-j2", "-np", "2..16:+2",
                   "--vary", "mode=fine,abort", "--", "{mode}", "it's \"odd\" $HOME", code=1)
    expect((16, 8), (found["finished"], found["failed"]))
    expect_whole(session, 16)
    expect([], os.listdir(session.path("app.skel/sweeps")), "left behind")


def case_parallel_survives_kills(session):
    session.bundle()
    driver = start(session, "--launcher=parallel", "-j2", *GRID)
    session.wait_for(lambda: ask(session, "SELECT count(*) FROM points")[0][0] > 3)
    os.kill(driver.pid, signal.SIGKILL)
    driver.communicate()
    there = ask(session, "SELECT count(*) FROM points")[0][0]
    again = report(session, "app.skel", "--launcher=parallel", *GRID)
    expect(22, again["finished"])
    if there == 22 or again["were_there"] < there:
        raise Failure(f"{there} were there, {again['were_there']} were found again")
    expect_whole(session, 22)
    driver = start(session, "--launcher=parallel", "-np", LONG, "--", "fine", "7")
    parallel = []

    def look():
        parallel[:] = [pid for pid, words in started_by(driver.pid) if any("parallel" in word for word in words)]
        return parallel
    session.wait_for(look)
    session.wait_for(lambda: started_by(parallel[0]))
    os.kill(parallel[0], signal.SIGKILL)
    point = finish(session, driver)["points"][0]
    expect("done", point["status"])


def case_a_batch_whose_directory_is_gone_is_given_up(session):
    session.bundle()
    driver = start(session, "--launcher=parallel", "-np", LONG, "--", "fine")
    session.wait_for(lambda: ask(session, "SELECT count(*) FROM batches")[0][0] > 0)
    os.kill(driver.pid, signal.SIGKILL)
    driver.communicate()
    shutil.rmtree(session.path("app.skel/sweeps"), ignore_errors=True)
    expect(1, report(session, "app.skel", "-np", "2", "--", "fine")["finished"])
    expect_whole(session, 1)


def case_launchers_that_fail_are_told(session):
    session.bundle()
    sweep = ("sweep", "app.skel", "-np", "2,4", "--launcher=slurm", "--", "fine")
    session.write("bin/sbatch", "#!/bin/sh\necho 'sbatch: a warning' >&2\necho 'sbatch: error: no such account' >&2\n"
                  "exit 1\n")
    os.chmod(session.path("bin/sbatch"), 0o755)
    path = dict(ENVIRONMENT, PATH=session.path("bin") + ":" + ENVIRONMENT["PATH"])
    session.refused(*sweep, environment=path, says="sbatch fails with code 1: sbatch: error: no such account")
    expect_whole(session, 0)
    session.write("bin/sbatch", "#!/bin/sh\necho nothing\n")
    session.refused(*sweep, environment=path, says="sbatch tells no number of a job")
    expect_whole(session, 0)
    expect([], os.listdir(session.path("app.skel/sweeps")), "left behind")
    os.mkdir(session.path("none"))
    session.refused(*sweep, environment=dict(ENVIRONMENT, PATH=session.path("none")),
                    says="there is no sbatch on the PATH, which --launcher slurm needs")
    os.remove(session.path("bin/sbatch"))


def case_points_of_another_version_are_refused(session):
    """As where mpiskel was exchanged while a sweep ran."""
    point = {"format": "mpiskel-point", "version": 1, "point": "a", "command": ["true"], "timeout_s": 0}
    for version in (1, 3):
        session.write("batch/points/0.json", json.dumps(dict(point, version=version)))
        session.refused("sweep", "--work", session.path("batch"), "0", "1",
                        says=["batch/points/0.json:1:1: error: ", "no point of a sweep of this mpiskel (version 2)",
                              "start it again"])


def case_results_of_workers_may_be_damaged(session):
    """Each task leaves half a result, at first."""
    session.bundle()
    session.write("bin/parallel", "#!/bin/sh\n"
                  f"rm -f {session.path('bin/parallel')}\n"
                  "for one in \"$@\"; do script=$before; before=$one; done\n"  # the last but one
                  "directory=${script%/job.sh}\n"
                  "echo '{\"format\": \"mpiskel-po' > $directory/results/0.json\n"
                  "printf '\\0\\377' > $directory/results/1.json\n"
                  ": > $directory/results/2.json\n"
                  "echo '{\"format\": \"mpiskel-point-result\", \"end\": 7}' > $directory/results/3.json\n")
    os.chmod(session.path("bin/parallel"), 0o755)
    path = dict(ENVIRONMENT, PATH=session.path("bin") + ":" + ENVIRONMENT["PATH"])
    session.run("sweep", "app.skel", "--format=json", "--launcher=parallel", "-np", "2..8:+2", "--", "fine",
                environment=path)
    expect([("done", 2)] * 4, [(point["status"], point["attempts"])
                               for point in json.loads(session.out)["points"]], session.told(""))
    expect_whole(session, 4)


# ---- Specs ----

SPEC = """# A spec: what the command line says, one option a line.
bundle    app.skel
np        2,4        # ranks
vary      n=10..20:+10
try
try       --latency=2us
bandwidth 1GBps
arguments fine {n} "a # b"
jobs      2
"""


def case_a_spec_says_the_same_as_the_command_line(session):
    session.bundle()
    session.write("specs/s.sweep", SPEC.replace("app.skel", "../app.skel"))
    found = report(session, "specs/s.sweep")
    expect((8, 0), (found["finished"], found["were_there"]))
    same = report(session, "app.skel", "-np", "2,4", "--vary", "n=10,20", "--try=", "--try", "--latency=2us",
                  "--bandwidth=1GBps", "--", "fine", "{n}", "a # b")
    expect(8, same["were_there"])
    session.write("specs/t.sweep", "bundle ../app.skel\nstore t.db\nnp 2\nplatform p.xml\n")
    session.write("specs/p.xml", "no platform")
    expect(["failed"], [point["status"] for point in points(session, "specs/t.sweep", code=1)])
    expect(1, len(ask(session, "SELECT * FROM points WHERE message LIKE 'p.xml:1%'", "specs/t.db")))
    expect(0, report(session, "specs/t.sweep", "--store=u.db", code=1)["were_there"])
    expect(1, len(ask(session, "SELECT * FROM points", "u.db")))
    expect([2, 2, 2, 2], [point["ranks"] for point in points(session, "specs/s.sweep", "-np", "2")])
    session.write("specs/quoted.sweep", "bundle '../app.skel'\nnp 2\nvary \"n=10,20\"\ntry ''\ntry '--latency=2us'\n"
                  "bandwidth '1GBps' # quoted\narguments 'fine' {n} 'a # b'\n")
    expect(4, report(session, "specs/quoted.sweep")["were_there"], "quotes are the shell's")
    expect(["101"], points(session, "specs/s.sweep", "--dry-run", "--vary=m=1", "--", "{n}{m}")[0]["arguments"])


def case_wrong_specs_are_told_with_their_place(session):
    session.bundle()
    for text, says in (("np 2\n", "s.sweep:1:1: error: there is no line `bundle APP.skel`"),
                       ("bundle app.skel\n\nnp 2\njobs many\n", "s.sweep:4:1: error: --jobs"),
                       ("bundle app.skel\n-np 2\n", "s.sweep:2:1: error: a line begins with the name"),
                       ("bundle app.skel\nvary n\n", "s.sweep:2:1: error: --vary takes NAME=VALUES"),
                       ("bundle app.skel\nretry yes\n", "s.sweep:2:1: error: --retry takes no value"),
                       ("bundle app.skel\nnp\n", "s.sweep:2:1: error: --np needs a value"),
                       ("bundle\n", "s.sweep:1:1: error: bundle"),
                       ("bundle app.skel\narguments 'x\n", "s.sweep:2:1: error: ''x': a quote has no end"),
                       ("bundle app.skel\0", "this is no text"), ("\xff\n", "s.sweep:1:1: error:"),
                       ("bundle none.skel\nnp 2\n", "there is no bundle"),
                       ("bundle app.skel\nnp '2\n", ":2:1: error: ''2': a quote has no end"),
                       ("", "there is no line `bundle")):
        with open(session.path("s.sweep"), "wb") as file:
            file.write(text.encode("latin-1"))
        session.refused("sweep", "s.sweep", says=says)
    for length in range(0, len(SPEC), 7):
        session.write("s.sweep", SPEC[:length])
        session.run("sweep", "s.sweep", "--dry-run")


# ---- Results ----

def case_results_are_tables(session):
    session.bundle()
    sweep = ("sweep", "app.skel", "-np", "2,4", "--vary", "mode=fine,abort", "--try", "", "--try",
             "--latency 1ms", "--", "{mode}", "a,\"b")
    session.run(*sweep[:2], "--format=csv", *sweep[2:])
    rows = list(csv.DictReader(io.StringIO(session.out)))
    expect((1, 8), (session.code, len(rows)))
    expect([("2", "fine", "done"), ("4", "fine", "done"), ("2", "abort", "failed"), ("4", "abort", "failed")],
           [(row["ranks"], row["mode"], row["status"]) for row in rows[:4]])
    expect("--latency 1ms", rows[4]["options"])
    expect("fine 'a,\"b'", rows[0]["arguments"])
    done = [row for row in rows if row["status"] == "done"]
    for row in done:
        total_s = float(row["compute_s"]) + float(row["mpi_s"])
        if not 0.9 * float(row["predicted_s"]) < total_s <= 1.001 * float(row["predicted_s"]):
            raise Failure(f"computation and MPI are not the predicted time: {row}")
    if not float(done[2]["predicted_s"]) > 10 * float(done[0]["predicted_s"]):
        raise Failure(f"a latency of 1 ms changes nothing: {done}")
    session.run(*sweep)
    lines = session.out.splitlines()
    expect(["np", "mode", "options", "predicted,", "s", "95", "%", "from", "to", "computation", "MPI"],
           lines[0].split())
    expect(9, len(lines))
    expect(0, len(set(len(line) for line in lines[:3])) - 1, "columns that do not line up")
    expect(["missing"] * 2, [point["status"] for point in points(session, "app.skel", "-np", "3,5", "--dry-run")])

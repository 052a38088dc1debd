# SPDX-License-Identifier: Apache-2.0
"""What the tests of commands share: running mpiskel in a temporary directory, and judging it. Exit codes of mpiskel:
1 failed, 2 the result is there but misses the asked quality, 64 usage.

A Session has the path of mpiskel, a directory of its own, and the result of the last command. A
crash of the tool (a signal, a report of a sanitizer) fails every test."""
import fcntl
import hashlib
import json
import os
import re
import shutil
import subprocess
import time

ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   LC_ALL="C.UTF-8")

# Computes for a while and sends around; the first argument asks for trouble.
APPLICATION = r"""
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static double work(double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] = x[i] * 0.5 + i;
    return sum;
}

int main(int argc, char **argv) {
    const char *mode = argc > 1 ? argv[1] : "fine";
    int rank, size, n = argc > 2 ? atoi(argv[2]) : 100;
    double sum = 0, *x;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    x = calloc(n, sizeof *x);
    for (int step = 0; step < 20; step++) {
        sum += work(x, n);
        MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (strcmp(mode, "abort") == 0 && rank == size - 1)
        MPI_Abort(MPI_COMM_WORLD, 5);
    if (strcmp(mode, "deadlock") == 0)
        MPI_Recv(x, 1, MPI_DOUBLE, (rank + 1) % size, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (strcmp(mode, "probe") == 0 && rank == 1)
        MPI_Probe(MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (strcmp(mode, "sleep") == 0 && rank == 0) {
        sleep(200000);
        MPI_Send(x, 1, MPI_DOUBLE, 1, 7, MPI_COMM_WORLD);
    }
    for (int found = 0; strcmp(mode, "sleep") == 0 && rank == 1 && !found;)
        MPI_Iprobe(MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
    if (strcmp(mode, "sleep") == 0 && rank == 1)
        MPI_Recv(x, 1, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int found = 0; strcmp(mode, "iprobe") == 0 && rank == 1 && !found;)
        MPI_Iprobe(MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
    if (strcmp(mode, "crash") == 0)
        abort();
    if (strcmp(mode, "segfault") == 0) {
        int *nowhere = (int *)(long)(argc - 2);
        MPI_Bcast(x, *nowhere, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    if (strcmp(mode, "fault") == 0) /* not in the skeleton, which computes nothing */
        sum += work((double *)(long)(argc - 2), 3);
    while (strcmp(mode, "forever") == 0) {
        sum += work(x, n);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    free(x);
    MPI_Finalize();
    return 0;
}
"""


class Failure(Exception):
    pass


def expect(is_so, text):
    if not is_so:
        raise Failure(text)


def expect_that(text, is_so):
    expect(is_so, text)


def expect_same(wanted, found, what="this"):
    expect(wanted == found, f"{what}: wanted {wanted!r}, found {found!r}")


def state_of(mpiskel, sources):
    """A text that differs where tool, runtimes or sources differ."""
    root = os.path.dirname(os.path.dirname(mpiskel))
    folders = os.walk(os.path.join(root, "lib", "mpiskel"))
    paths = [mpiskel] + sorted(os.path.join(folder, file) for folder, _, files in folders for file in files)
    stats = [(path, os.stat(path).st_size, os.stat(path).st_mtime_ns) for path in paths]
    return hashlib.sha256(repr((stats, sources)).encode()).hexdigest()


class Session:
    def __init__(self, mpiskel, directory):
        self.mpiskel = mpiskel
        self.directory = directory
        self.code, self.out, self.err = None, "", ""

    def path(self, name):
        return os.path.join(self.directory, name)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def program(self, *sources):
        """Writes each (name, text) and a compile database of all."""
        entries = []
        for name, text in sources:
            self.write(name, text)
            entries.append({"directory": self.directory, "file": name, "output": name[:-2] + ".o",
                            "arguments": ["mpicc", "-c", name]})
        self.write("compile_commands.json", json.dumps(entries))

    def links(self, **executables):
        """link_commands.json: executable=[sources]."""
        self.write("link_commands.json", json.dumps(
            [{"directory": self.directory, "output": name,
              "arguments": ["mpicc"] + [source[:-2] + ".o" for source in sources] + ["-o", name]}
             for name, sources in executables.items()]))

    def made_once(self, name, make, *sources):
        """The files of a program, and those that `make(session)` adds to them: a copy of what was made for all tests
        of this build, of tool and sources as they are now."""
        directory = os.path.join(os.path.dirname(os.path.dirname(self.mpiskel)), "tests", "made_once", name)
        os.makedirs(directory, exist_ok=True)
        with open(os.path.join(directory, "of"), "a+", encoding="utf-8") as of:
            fcntl.flock(of, fcntl.LOCK_EX)
            of.seek(0)
            program, state = os.path.join(directory, "program"), state_of(self.mpiskel, sources)
            if of.read() != state:
                of.truncate(0)
                shutil.rmtree(program, ignore_errors=True)
                other = Session(self.mpiskel, program)
                other.program(*sources)
                make(other)
                of.write(state)
                of.flush()
            shutil.copytree(program, self.directory, dirs_exist_ok=True, symlinks=True)
        self.program(*sources)

    def bundle(self):
        """A bundle of APPLICATION with the samples of one run and a model."""
        def make(session):
            session.fine("generate", "--skeleton", "-o", "app.skel")
            session.profile("app.skel")
            session.fine("fit", "app.skel")
        self.made_once("fitted", make, ("app.c", APPLICATION))

    def bundle_without_runs(self):
        self.made_once("generated", lambda session: session.fine("generate", "--skeleton", "-o", "app.skel"),
                       ("app.c", APPLICATION))

    def profile(self, bundle, *arguments):
        command = ["mpirun", "--oversubscribe", "-np", "2", self.path(bundle + "/profile")]
        done = subprocess.run(command + list(arguments), cwd=self.directory, env=ENVIRONMENT,
                              capture_output=True, text=True, timeout=600)
        if done.returncode != 0:
            raise Failure(f"the profiling run failed: {done.stdout}{done.stderr}")

    def write_run(self, bundle, number, ranks, arguments, measured, key=lambda region: region["index"]):
        """A samples file as of a profiling run: measured(region) is (features, executions, seconds)
        on each rank, without noise; regions were executed in the order of the key. Returns its name."""
        described = json.loads(self.read(bundle + "/regions.json"))
        run_id = f"20261121-{100000 + number}-1"
        lines = [{"format": "mpiskel-samples", "version": 1, "bundle": described["bundle"],
                  "run": run_id, "ranks": ranks, "host": "host", "cpu": "cpu", "args": arguments,
                  "timer_overhead_s": 0, "complete": True}]
        for rank in range(ranks):
            for region in sorted(described["regions"], key=key):
                features, executions, seconds = measured(region)
                lines.append({"region": region["index"], "rank": rank, "features": features,
                              "count": executions, "timed": executions, "seconds": seconds,
                              "squares": 0, "min": 0, "max": 0})
        lines.append({"end": True, "lines": len(lines) - 1})
        name = f"{bundle}/samples/{run_id}.samples"
        self.write(name, "".join(json.dumps(line) + "\n" for line in lines))
        return name

    # Running

    def run(self, *arguments, environment=None):
        done = subprocess.run([self.mpiskel] + list(arguments), cwd=self.directory,
                              env=environment or ENVIRONMENT, capture_output=True, timeout=600)
        self.code = done.returncode
        self.out, self.err = (text.decode("utf-8", "replace") for text in (done.stdout, done.stderr))
        self.check_no_crash()

    def start(self, *command, environment=None):
        """In a process group of its own, as under a terminal."""
        return subprocess.Popen(command, cwd=self.directory, env=environment or ENVIRONMENT,
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                start_new_session=True)

    def finish(self, process):
        self.err = process.communicate(timeout=600)[1]
        self.code, self.out = process.returncode, ""
        self.check_no_crash()

    def check_no_crash(self):
        if self.code < 0 or "Sanitizer" in self.err or "runtime error:" in self.err:
            raise Failure(self.told("the tool crashed"))

    # Judging

    def told(self, what):
        return f"{what}\nexit code {self.code}\nstdout: {self.out}\nstderr: {self.err}"

    def fine(self, *arguments, environment=None):
        self.run(*arguments, environment=environment)
        if self.code != 0:
            raise Failure(self.told(f"mpiskel {' '.join(arguments)} failed"))

    def refused(self, *arguments, code=1, says, environment=None):
        """The command ends with this code, and stderr matches all of `says` (texts)."""
        self.run(*arguments, environment=environment)
        self.expect(code, says)

    def expect(self, code, says):
        if self.code != code:
            raise Failure(self.told(f"the exit code should be {code}"))
        for text in [says] if isinstance(says, str) else says:
            if text not in self.err:
                raise Failure(self.told(f"stderr does not tell '{text}'"))

    def prints(self, text):
        if text not in self.out:
            raise Failure(self.told(f"stdout does not tell '{text}'"))

    def generate_refuses(self, place, *texts):
        """generate fails at place ("a.c:3:10") with the source line and a caret below it, and leaves
        nothing behind."""
        before = set(os.listdir(self.directory))
        self.refused("generate", "-o", "x.skel", says=[place, *texts])
        line = self.err.find(place)
        if re.search(r"^\s*\^", self.err[line:], re.M) is None:
            raise Failure(self.told("there is no caret"))
        self.expect_files(before)

    def expect_files(self, before):
        after = set(os.listdir(self.directory))
        if after != before:
            raise Failure(self.told(f"left behind: {after - before}; missing: {before - after}"))

    def contents(self, name):
        """All files below a directory, as a dictionary; without the command that generated a bundle."""
        found = {}
        for folder, _, files in os.walk(self.path(name)):
            for file in set(files) - {"generate.json"}:
                path = os.path.join(folder, file)
                with open(path, "rb") as stream:
                    found[os.path.relpath(path, self.path(name))] = stream.read()
        return found

    def expect_contents(self, name, before):
        after = self.contents(name)
        if after != before:
            changed = [key for key in {**before, **after} if before.get(key) != after.get(key)]
            raise Failure(self.told(f"{name} has changed: {changed}"))

    def slow_compiler(self):
        """An environment in which smpicc takes a few seconds."""
        real = shutil.which("smpicc")
        self.write("slow/smpicc", f'#!/bin/sh\nsleep 3\nexec {real} "$@"\n')
        os.chmod(self.path("slow/smpicc"), 0o755)
        return dict(ENVIRONMENT, PATH=self.path("slow") + ":" + ENVIRONMENT["PATH"])

    def wait_for(self, what, seconds=300):
        end = time.monotonic() + seconds
        while not what():
            if time.monotonic() > end:
                raise Failure(f"after {seconds} s there is still nothing")
            time.sleep(0.02)

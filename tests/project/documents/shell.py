# SPDX-License-Identifier: Apache-2.0
"""One bash that executes commands one after the other and gives the output and exit code of each.

Commands come to bash over a pipe of their own, so that none can read another from its stdin. What
they write to stdout and stderr goes into one pipe, in which bash marks the end of each command.
stdbuf(1) has programs write line by line, so that the order is that of a terminal, without what
only terminals get (progress, colours). A process that a command left behind is ended with the
shell: this process adopts such orphans."""
import ctypes
import os
import re
import secrets
import select
import signal
import subprocess
import time

PR_SET_CHILD_SUBREAPER = 36
GRACE_S = 3        # from SIGTERM to SIGKILL: mpirun takes about 1 s to end its ranks
DRIVER = r"""
while IFS= read -r -d '' -u {descriptor} SESSION_COMMAND; do
    eval "$SESSION_COMMAND" {descriptor}<&-
    printf '\036%s %d\036' {token} $?
done
"""


class ShellEnded(Exception):
    """bash is no more (a command said `exit`), or the time is up; args: what happened, output."""


class Shell:
    def __init__(self, directory, environment, timeout_s):
        self.deadline = time.monotonic() + timeout_s
        self.token = secrets.token_hex(16)
        self.mark = re.compile(rb"\x1e%b (\d+)\x1e" % self.token.encode())
        self.pending = b""
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        reading, self.commands = os.pipe()
        driver = DRIVER.format(descriptor=reading, token=self.token)
        self.bash = subprocess.Popen(
            ["stdbuf", "-oL", "bash", "--noprofile", "--norc", "-c", driver], cwd=directory,
            env=line_buffered(environment), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, pass_fds=[reading], start_new_session=True)
        os.close(reading)

    def run(self, command):
        """(output, exit code) of one command, which may have several lines."""
        os.write(self.commands, command.encode() + b"\0")
        while True:
            match = self.mark.search(self.pending)
            if match:
                output = self.pending[:match.start()]
                self.pending = self.pending[match.end():]
                return output.decode(errors="replace"), int(match.group(1))
            self.read_more()

    def read_more(self):
        readable, _, _ = select.select([self.bash.stdout], [], [], 0.5)
        data = os.read(self.bash.stdout.fileno(), 1 << 16) if readable else b""
        self.pending += data
        output = self.pending.decode(errors="replace")
        if not data and (readable or self.bash.poll() is not None):
            raise ShellEnded("it ended the session's bash", output)
        if time.monotonic() > self.deadline:
            raise ShellEnded("the time of the session is up", output)

    def close(self):
        """Ends bash and all that its commands left behind."""
        os.close(self.commands)
        for number, wait_s in ((signal.SIGTERM, GRACE_S), (signal.SIGKILL, GRACE_S)):
            end = time.monotonic() + wait_s
            for process in descendants(os.getpid()):
                send(process, number)
            while descendants(os.getpid()) and time.monotonic() < end:
                reap()
                time.sleep(0.02)
        self.bash.stdout.close()
        self.bash.returncode = self.bash.returncode or 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def line_buffered(environment):
    """The environment in which programs with AddressSanitizer accept stdbuf's library."""
    options = [environment[name] for name in ("ASAN_OPTIONS",) if name in environment]
    return {**environment, "ASAN_OPTIONS": ":".join(options + ["verify_asan_link_order=0"])}


def send(process, number):
    try:
        os.kill(process, number)
    except ProcessLookupError:
        pass


def reap():
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def descendants(ancestor):
    """The living processes below one, found by their parents."""
    children = {}
    for name in os.listdir("/proc"):
        parent = parent_of(name) if name.isdigit() else None
        if parent is not None:
            children.setdefault(parent, []).append(int(name))
    found, rest = [], [ancestor]
    while rest:
        below = children.get(rest.pop(), [])
        found += below
        rest += below
    return found


def parent_of(process):
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8", errors="replace") as stream:
            return int(stream.read().rpartition(")")[2].split()[1])
    except (FileNotFoundError, ProcessLookupError):
        return None

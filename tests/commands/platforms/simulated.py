# SPDX-License-Identifier: Apache-2.0
"""What the cases share: commands, comparisons, and messages simulated on a platform."""
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
SMPIRUN = ["smpirun", "--cfg=smpi/simulate-computation:no", "--cfg=smpi/wtime:0",
           "--cfg=smpi/barrier:ompi_recursivedoubling", "--log=root.thres:critical"]


def run(code, *command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, env=ENVIRONMENT)
    if done.returncode != code:
        sys.exit(f"{' '.join(command)} ended with {done.returncode} instead of {code}:\n"
                 f"{done.stdout}{done.stderr}")
    return done.stdout, done.stderr


def check(what, wanted, got):
    if wanted != got:
        sys.exit(f"{what} is {got}, and should be {wanted}")


def check_near(what, wanted, got, part=1e-3):
    if abs(got - wanted) > part * abs(wanted):
        sys.exit(f"{what} is {got}, and should be {wanted}")


def check_holds(text, part):
    if part not in text:
        sys.exit(f"this does not hold '{part}':\n{text}")


def build_messages():
    if not os.path.exists("messages"):
        run(0, "smpicc", "-O1", os.path.join(HERE, "messages.c"), "-o", "messages")


def times(directory, size, *pairs, ranks=None, settings=()):
    """Seconds of each message, by its (from, to)."""
    build_messages()
    if ranks is None:
        ranks = sum(1 for _ in open(os.path.join(directory, "hostfile"), encoding="utf-8"))
    words = [str(rank) for pair in pairs for rank in pair]
    output, _ = run(0, *SMPIRUN, *settings, "-np", str(ranks), "-platform",
                    os.path.join(directory, "platform.xml"), "-hostfile",
                    os.path.join(directory, "hostfile"), "./messages", str(size), *words)
    result = {}
    for line in output.splitlines():
        sender, receiver, seconds = line.split()
        result[int(sender), int(receiver)] = float(seconds)
    check("the number of messages that came", len(set(pairs)), len(result))
    return result


def make(mpiskel, *words):
    directory = f"net-{len(os.listdir('.'))}"
    run(0, mpiskel, "platform", *words, "-o", directory)
    return directory

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What MPI's functions answer in the engine.

    answers.py LIBRARIES CASE

Most cases are parts of the program that say the same under SMPI, at the same time, on few and many ranks, with the
algorithms of both selections of collectives."""
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
for folder in ("..", os.path.join("..", "..", "fuzz", "engine")):
    sys.path.insert(0, os.path.join(HERE, folder))
import agreement  # noqa: E402
import random_calls  # noqa: E402

# On how many ranks; sizes: where SMPI chooses otherwise.
AGREE = {"mistakes": (3,), "objects": (4, 6), "types": (2,), "windows": (3,), "requests": (3,), "sizes": (2, 4, 9, 17, 40)}
DIRECT_RANKS = 1024  # docs/reference/environment.md, BSIM_ENGINE_DIRECT
WAITING_SHOWN = 8
ABORT_CODE = 5  # answers.h


class Program:
    def __init__(self, libraries, work):
        self.libraries, self.work, self.path = libraries, work, os.path.join(work, "answers")
        sources = [os.path.join(HERE, name) for name in sorted(os.listdir(HERE)) if name.endswith(".c")]
        subprocess.run(["smpicc", "-O1", "-Wall", "-Wextra", "-DSMPI_NO_OVERRIDE_MALLOC", "-o", self.path, *sources],
                       check=True)

    def run(self, where, part, ranks, selection="tree", properties=""):
        """What is said of it in `where`, smpi or engine; `properties` of the network are mpiskel's own."""
        network = agreement.write_switch(self.work, ranks, properties)
        return random_calls.run_in(where, self.libraries, self.path, [part], ranks, network,
                                   random_calls.SELECTIONS[selection], self.work)


def expect(what, wrong):
    print(f"{what}: {wrong or 'as it has to be'}")
    return not wrong


def agrees(program, part):
    for ranks in AGREE[part]:
        for selection in random_calls.SELECTIONS:
            said = [program.run(where, part, ranks, selection) for where in ("smpi", "engine")]
            outcome, detail = random_calls.judge(*said)
            yield expect(f"{part} on {ranks} ranks, {selection}", outcome != "same" and f"{outcome}: {detail}")


def frees_what_is_freed(program):
    """On few ranks, and as on many."""
    for selection, direct in (("tree", DIRECT_RANKS), ("default", DIRECT_RANKS), ("tree", 1)):
        os.environ["BSIM_ENGINE_DIRECT"] = str(direct)
        own = program.run("engine", "leftovers", 4, selection)
        left = [f"{told[1]}: {told[3]} bytes each time" for told, _ in own.lines["0"] if told[2] != "1"]
        yield expect(f"memory, {selection}, direct from {direct} ranks on", own.log if own.code != 0 else ", ".join(left))


def keeps_order_on_few_ranks(program):
    """In the order of SMPI, or of ranks."""
    def first(where, ranks):
        return program.run(where, "order", ranks).lines["0"][0][0][2]

    for where, ranks, wanted in (("smpi", 4, "2"), ("engine", 4, "2"), ("engine", DIRECT_RANKS - 1, "2"),
                                 ("engine", DIRECT_RANKS, "1")):
        found = first(where, ranks)
        yield expect(f"order on {ranks} ranks in {where}", found != wanted and f"rank {found} is first")


def sends_eager_messages_in_their_turn(program):
    own = program.run("engine", "eager", 2, properties='<prop id="connections" value="ordered"/>')
    came = [int(told[2]) for told, _ in own.lines["1"]]
    yield expect("eager messages", came != [65535, 1, 65536] and f"they come as {came}")


def tells_who_waits(program):
    for ranks in (WAITING_SHOWN - 1, WAITING_SHOWN + 2):
        own = program.run("engine", "deadlock", ranks)
        told = own.log.count(" waits in MPI_Recv")
        yield expect(f"deadlock of {ranks} ranks", told != min(ranks, WAITING_SHOWN) and f"{told} are told:\n{own.log}")


def ends_with_its_code(program):
    """After MPI_Abort SMPI 3.32 ends with 0."""
    wanted = {"abort": ABORT_CODE, "return": program.run("smpi", "return", 3).code}
    for part, code in wanted.items():
        own = program.run("engine", part, 3)
        yield expect(f"code of {part}", (own.code != code or code == 0) and f"{own.code} instead of {code}")


OTHERS = {"leftovers": frees_what_is_freed, "order": keeps_order_on_few_ranks,
          "eager": sends_eager_messages_in_their_turn, "deadlock": tells_who_waits,
          "ends": ends_with_its_code}


def main():
    libraries, case = sys.argv[1:]
    with tempfile.TemporaryDirectory() as work:
        program = Program(libraries, work)
        results = list(agrees(program, case) if case in AGREE else OTHERS[case](program))
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())

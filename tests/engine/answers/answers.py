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


class Program:
    def __init__(self, libraries, work):
        self.libraries, self.work, self.path = libraries, work, os.path.join(work, "answers")
        sources = [os.path.join(HERE, name) for name in sorted(os.listdir(HERE)) if name.endswith(".c")]
        subprocess.run(["smpicc", "-O1", "-Wall", "-Wextra", "-DSMPI_NO_OVERRIDE_MALLOC", "-o", self.path, *sources],
                       check=True)

    def run(self, part, ranks, selection="tree", properties=""):
        """What SMPI and the engine say of it; `properties` of the network are mpiskel's own."""
        network = agreement.write_switch(self.work, ranks, properties)
        return random_calls.run_both(self.libraries, self.path, [part], ranks, network,
                                     random_calls.SELECTIONS[selection], self.work)


def expect(what, wrong):
    print(f"{what}: {wrong or 'as it has to be'}")
    return not wrong


def agrees(program, part):
    for ranks in AGREE[part]:
        for selection in random_calls.SELECTIONS:
            outcome, detail = random_calls.judge(*program.run(part, ranks, selection))
            yield expect(f"{part} on {ranks} ranks, {selection}", outcome != "same" and f"{outcome}: {detail}")


def frees_what_is_freed(program):
    for selection in random_calls.SELECTIONS:
        _, own = program.run("leftovers", 4, selection)
        left = [f"{told[1]}: {told[3]} bytes each time" for told, _ in own.lines["0"] if told[2] != "1"]
        yield expect(f"memory, {selection}", own.log if own.code != 0 else ", ".join(left))


def first_told(said):
    return [told[2] for told, _ in said.lines["0"]]


def keeps_order_on_few_ranks(program):
    """In the order of SMPI, or of ranks."""
    for ranks, is_same in ((DIRECT_RANKS - 1, True), (DIRECT_RANKS, False)):
        smpi, own = program.run("order", ranks)
        yield expect(f"order on {ranks} ranks", (first_told(smpi) == first_told(own)) != is_same and
                     f"{first_told(smpi)} and {first_told(own)}")


def sends_eager_messages_in_their_turn(program):
    _, own = program.run("eager", 2, properties='<prop id="connections" value="ordered"/>')
    came = [int(told[2]) for told, _ in own.lines["1"]]
    yield expect("eager messages", came != [65535, 1, 65536] and f"they come as {came}")


def tells_who_waits(program):
    for ranks in (WAITING_SHOWN - 1, WAITING_SHOWN + 2):
        _, own = program.run("deadlock", ranks)
        told = own.log.count(" waits in MPI_Recv")
        yield expect(f"deadlock of {ranks} ranks", told != min(ranks, WAITING_SHOWN) and f"{told} are told:\n{own.log}")


OTHERS = {"leftovers": frees_what_is_freed, "order": keeps_order_on_few_ranks,
          "eager": sends_eager_messages_in_their_turn, "deadlock": tells_who_waits}


def main():
    libraries, case = sys.argv[1:]
    with tempfile.TemporaryDirectory() as work:
        program = Program(libraries, work)
        results = list(agrees(program, case) if case in AGREE else OTHERS[case](program))
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
"""What the cases share: a bundle of phases.c, whose times are known. Regions with a loop take a
microsecond for each iteration, the others nothing."""
import json
import os

from support import Failure, expect_same as expect

HERE = os.path.dirname(os.path.abspath(__file__))

SECOND_PER_TRIP = 1e-6


def regions_of(session):
    return json.loads(session.read("p.skel/regions.json"))["regions"]


def write_model(session, without=(), execution=0, rank=0):
    """model.bsim by hand, without models of some functions' regions; executions and ranks differ by so much."""
    bundle = json.loads(session.read("p.skel/regions.json"))["bundle"]
    lines, count = ["mpiskel-model 1", f"bundle {bundle}", "machine default"], 0
    for region in regions_of(session):
        if region["function"] in without:
            continue
        loops = len(region["features"])
        lines.append(f"region {region['index']} {region['id']} features {loops} terms {loops} range"
                     + " 0 1000000" * loops)
        lines += [f"term {SECOND_PER_TRIP}" + " 1" * loops] * loops
        lines.append(f"spread 0.02 0 {rank} {execution} 0.5")
        count += 1
    session.write("p.skel/model.bsim", "\n".join(lines + [f"end {count}"]) + "\n")


def make_bundle(session):
    with open(os.path.join(HERE, "phases.c"), encoding="utf-8") as file:
        source = file.read()
    session.made_once("phases", lambda other: other.fine("generate", "--skeleton", "-o", "p.skel"), ("phases.c", source))
    write_model(session)


def report(session, *arguments):
    session.fine(*arguments)
    return json.loads(session.out)


def run(session, *words):
    """The report of a run on 4 ranks; words are options, then those behind --."""
    options = list(words[:words.index("--")]) if "--" in words else list(words)
    arguments = list(words[len(options):]) or ["--", "imbalance", "1000"]
    return report(session, "run", "p.skel", "-np", "4", "--format=json", *options, *arguments)


def near(wanted, found, tolerance=1e-9):
    if not abs(wanted - found) <= tolerance * max(1, abs(wanted)):
        raise Failure(f"wanted {wanted}, found {found}")


def seconds_of(found, function):
    return sum(region["seconds_per_rank"] for region in found["regions"]
               if region["function"] == function)

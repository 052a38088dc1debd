# SPDX-License-Identifier: Apache-2.0
"""What `mpiskel signature` says of regions, against what valgrind counts of the same code."""
import json
import os
import subprocess

import executed
from regions import EXAMPLES, REGIONS, bundle_of

from support import APPLICATION, expect

def signature_of(session, example, place):
    session.fine("signature", bundle_of(session, example), place, "--format=json")
    regions = json.loads(session.out)["regions"]
    expect(len(regions) == 1, f"{example} {place}: {len(regions)} regions")
    return regions[0]


def counted(region, features, branches):
    """The same keys as executed.count, by the blocks of the signature."""
    found = dict.fromkeys(("add", "multiply", "divide", "square_root", "loads", "stores"), 0)
    executions, taken = [], list(branches)
    for block in region["blocks"]:
        factor = block["factor"]
        if block.get("guess"):
            factor = taken.pop(0)
        if "feature" in block:
            executions.append(factor * features[block["feature"] - 1])
        else:
            executions.append(factor * executions[block["parent"]] if block["parent"] >= 0 else 1)
        if block["kind"] == "kernel":  # in a library
            continue
        for kind, times in block["operations"].items():
            if kind in found:
                found[kind] += times * executions[-1]
        for access in block["accesses"]:
            found["loads"] += access["loads"] * executions[-1]
            found["stores"] += access["stores"] * executions[-1]
    expect(not taken, f"branches are left: {taken}")
    return found


def compile_harness(session, number, example, sources, harness):
    directory, program = os.path.join(EXAMPLES, example), session.path(f"region{number}")
    session.write(f"region{number}.c", harness)
    subprocess.run(["mpicc", "-O0", "-no-pie", "-mno-fma", "-I" + directory, program + ".c"] +
                   [os.path.join(directory, source) for source in sources] +
                   ["-o", program, "-lm"], check=True)
    return program


# Of the main regions; others are counted in one size, since valgrind takes its time.
SIZES = {"main.c:48": 3, "solver.c:47": 3, "factor.c:111": 3}


def flops_of(counts):
    """gcc makes x + x of 2 * x even without optimisation: additions and products go together."""
    counts = dict(counts)
    counts["add or multiply"] = counts.pop("add") + counts.pop("multiply")
    return counts


def case_counts_equal_valgrinds_of_code_without_optimisation(session):
    for number, (example, place, sources, harness, sizes, _) in enumerate(REGIONS):
        region = signature_of(session, example, place)
        program = compile_harness(session, number, example, sources, harness)
        for arguments, features, branches in sizes[:SIZES.get(place, 1)]:
            said = flops_of(counted(region, features, branches))
            seen = flops_of(executed.count(program, arguments, "region"))
            print(example, place, *arguments, said)
            expect(said == seen, f"{example} {place} {arguments}: said {said}, valgrind {seen}")


def case_damaged_signatures_are_refused(session):
    session.program(("app.c", APPLICATION))
    session.fine("generate", "--no-compile", "-o", "app.skel")
    good = session.read("app.skel/signature.json")
    value = json.loads(good)

    def block(**changes):
        changed = json.loads(good)
        next(region for region in changed["regions"] if len(region["blocks"]) > 1)["blocks"][1].update(changes)
        return json.dumps(changed)
    bad = [good[:len(good) // 2], "", "[]", "\x00\x7f" * 1000, "[" * 200000,
           json.dumps(dict(value, version=2)), json.dumps(dict(value, bundle="0" * 16)),
           json.dumps(dict(value, format="x")), json.dumps(dict(value, regions=7)),
           block(parent=1), block(parent=-1), block(parent=7), block(factor=-1), block(feature=99),
           block(feature=1, factor=None), block(operations={"add": 1e30}), block(kind="knot"),
           block(accesses=[{}]), block(accesses=[{"array": "a", "bytes": 8, "loads": 1, "stores": 0,
                                                  "class": "unit", "offset": "", "steps": [{"block": 2, "stride": 8}]}]),
           block(calls=[{"name": 7}])]
    for text in bad:
        session.write("app.skel/signature.json", text)
        session.refused("signature", "app.skel", says=["signature.json:", "error: "])
    os.remove(session.path("app.skel/signature.json"))
    session.refused("signature", "app.skel", says=["signature.json"])
    session.write("app.skel/signature.json", good)
    session.refused("signature", "app.skel", "app.c:1", says=["no region is at app.c:1"])


def case_definitions_by_others_are_not_followed_for_ever(session):
    def eight(k):
        pair = f"(y{k} + y{k})"
        return f"(({pair} + {pair}) + ({pair} + {pair}))"
    chain = "".join(f"    long y{k} = {eight(k - 1)};\n" for k in range(1, 36))
    session.program(("app.c", APPLICATION.replace(
        "    double sum = 0;\n    for (int i = 0; i < n; i++)\n        sum += x[i] = x[i] * 0.5 + i;",
        "    double sum = 0;\n    for (int i = 0; i < n; i++) {\n    long y0 = i;\n" + chain +
        "        sum += x[y35 & 1];\n    x[y35 % n] = sum;\n    }", 1)))
    session.fine("generate", "--no-compile", "-o", "app.skel")
    session.fine("signature", "app.skel")
    session.prints("unknown, 8 bytes")


PROBES = os.path.join(EXAMPLES, "..", "runtime", "probes")
SUITE = os.path.join(PROBES, "probe_suite.json")


def suite_of(session):
    """The signature of the probe suite, its regions by the names of their kernels."""
    session.write("compile_commands.json", json.dumps(
        [{"directory": PROBES, "file": file, "output": session.path(file[:-2] + ".o"),
          "arguments": ["mpicc", "-c", file]} for file in ("probe_kernels.c", "probe_program.c")]))
    session.fine("generate", "--no-compile", "-o", "probes.skel")
    told = json.loads(session.read("probes.skel/signature.json"))
    names = {region["index"]: region["summary"]
             for region in json.loads(session.read("probes.skel/regions.json"))["regions"]}
    regions = [dict(region, id=names[region["index"]][len("probe_"):]) for region in told["regions"]
               if names[region["index"]].startswith("probe_")]
    return json.dumps(dict(told, bundle="probes", regions=regions), indent=1) + "\n"


def case_probe_suite_is_as_generate_tells_it(session):
    suite = suite_of(session)
    if os.environ.get("BLESS"):
        with open(SUITE, "w", encoding="utf-8") as file:
            file.write(suite)
    with open(SUITE, encoding="utf-8") as file:
        expect(file.read() == suite, "runtime/probes/probe_suite.json is another one: BLESS=1 writes it")
    expect(len(json.loads(suite)["regions"]) == 20, "there are other kernels than the 20 that probe_machine.c has")

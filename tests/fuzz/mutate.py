#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Can the fuzzer see an error? Breaks the analysis in one place after the other and fuzzes until it is seen.

    mutate.py TREE [--seeds N] [NAME...]
    mutate.py TREE --dry-run

TREE is the source; it is copied, and the copy is built and broken. For each mutation (MUTATIONS, or those
whose names are given) the seeds 1 to N (default 100) of both kinds are run until one is an error. Prints
which mutation was seen, by which seed and as what. Exit code 1 if one was not seen, or cannot be made because
the text that it replaces is no longer there exactly once: then say here what has become of it. --dry-run
tells of these alone, and builds nothing."""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

MUTATIONS = {
    "sends that match a live receive": (
        "skeletonizer/slice/match.c", "slice_add(s, DEMAND_PAYLOAD, s->messages.items[i]->id, PAYLOAD_ALL);", ";"),
    "collectives that match a live one": (
        "skeletonizer/slice/match.c", "slice_add(s, DEMAND_PAYLOAD, other->id, PAYLOAD_FOR_OTHERS);", ";"),
    "control dependence on jumps": (
        "skeletonizer/slice/flow.c", "with_pseudo && k < node->pseudo_next.count", "false && k < node->pseudo_next.count"),
    "the first caller of a parameter": (
        "skeletonizer/slice/demands_of_calls.c",
        "    for (size_t i = 0; i < s->callers[function->id].count; i++) {\n        struct call *call = s->callers[function->id].items[i];\n"
        "        s->why = \"is passed to a parameter",
        "    for (size_t i = 1; i < s->callers[function->id].count; i++) {\n        struct call *call = s->callers[function->id].items[i];\n"
        "        s->why = \"is passed to a parameter"),
    "sources of copied structs": (
        "skeletonizer/slice/demands.c", "copy_event(s, wanted, class, at);", ";"),
    "second definitions that reach a use": (
        "skeletonizer/slice/flow.c", "            vec_push(out, one->definitions.items[d].node);",
        "        {\n            vec_push(out, one->definitions.items[d].node);\n            return;\n        }"),
    "definitions that may not happen": (
        "skeletonizer/slice/flow.c", "node->defines.items[i].object == object->id && !node->defines.items[i].conditional",
        "node->defines.items[i].object == object->id"),
    "second targets of function pointers": (
        "skeletonizer/pointsto/pointsto.c", "for (size_t k = 0; k < targets->count; k++) {\n            const struct object *object =",
        "for (size_t k = 0; k < targets->count && k < 1; k++) {\n            const struct object *object ="),
    "members of unions that share memory": (
        "frontend/program/build_lvalues.c", "out->untyped = out->untyped || (record != NULL && record->is_union);", "out->untyped = false;"),
    "overlap of repeated places": (
        "skeletonizer/pointsto/location.c", "return distance < one.length_bytes || step - distance < other.length_bytes || distance == 0;",
        "return distance == 0;"),
    "variable arguments": (
        "frontend/clang/clang_expressions.c", "is_argument_list(list) &&", "false && is_argument_list(list) &&"),
    "runs of members": (
        "skeletonizer/slice/events.c", "lvalue.length_bytes = 0; /* the members behind it, too */", ";"),
}


def run(command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


def build(folder):
    done = run(["cmake", "--build", folder, "-j", "2", "--target", "mpiskel", "bsim_skeleton", "bsim_original",
                "bsim_profile"])
    if done.returncode != 0:
        sys.exit(f"error: the build failed:\n{(done.stdout + done.stderr)[-2000:]}")


def first_error(tree, folder, seeds):
    """What the fuzzer says first, or None."""
    for kind in ("hpc", "csmith"):
        done = run([sys.executable, os.path.join(tree, "tests", "fuzz", "fuzz.py"), kind, f"1-{seeds}", "--stop", "-j", "2",
                    "--mpiskel", os.path.join(folder, "bin", "mpiskel")])
        match = re.search(r"^seed (\d+): (differs|failed|uncompilable|warns|crash|timeout): .*", done.stdout, re.M)
        if match:
            return f"{kind} seed {match.group(1)}: {match.group(2)}"
    return None


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def obstacle(tree, mutation):
    """Why it cannot be made, or None."""
    count = read(os.path.join(tree, mutation[0])).count(mutation[1])
    return None if count == 1 else f"CANNOT BE MADE: its text is {count} times in {mutation[0]}"


def mutate(tree, folder, mutation, seeds):
    path, old, new = mutation
    path = os.path.join(tree, path)
    text = read(path)
    if (why := obstacle(tree, mutation)) is not None:
        return why
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace(old, new))
    try:
        build(folder)
        return first_error(tree, folder, seeds) or "NOT SEEN"
    finally:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--dry-run", action="store_true")
    options = parser.parse_intermixed_args()
    if options.dry_run:
        lost = [f"{name}: {why}" for name, mutation in MUTATIONS.items() if (why := obstacle(options.tree, mutation))]
        sys.exit("\n".join(lost) or 0)
    good = True
    with tempfile.TemporaryDirectory(prefix="mutate-") as directory:
        tree, folder = os.path.join(directory, "source"), os.path.join(directory, "build")
        shutil.copytree(options.tree, tree, ignore=lambda folder, names: (
            [name for name in names if name.startswith("build") or name == ".git"] if folder == options.tree else []))
        run(["cmake", "-S", tree, "-B", folder, "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_C_FLAGS_RELEASE=-O1"])
        for name in options.names or MUTATIONS:
            verdict = mutate(tree, folder, MUTATIONS[name], options.seeds)
            good = good and ":" in verdict and "CANNOT" not in verdict
            print(f"{name}: {verdict}", flush=True)
    sys.exit(0 if good else 1)


main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The mutants of a small program, all in one executable: each changes what it prints, and none does by itself. A run that
splits at each of them prints the same as a run of each. A test that sleeps is not taken for one that never ends."""
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, HERE)
import cases  # noqa: E402
import mutants  # noqa: E402
import mutation  # noqa: E402

SOURCE = b"""#include <stdbool.h>
#include <stdio.h>
#define LIMIT 8 /* of what is told */
#define ASSERTED(x) ((x) ? 1 : 0)
static const int table[LIMIT + 1] = {3};

static bool is_near(int x, const int *place) {
    if (place == NULL)
        return false;
    return x < LIMIT && x != *place;
}

static void tell(const char *text) {
    printf("%s\\n", text);
}

int main(void) {
    int five = 5, eight = 8, zero = 0;
    double half = 0.5;
    tell(is_near(zero, NULL) ? "near" : "far");
    tell(is_near(zero, &zero) ? "near" : "far");
    tell(is_near(eight, &five) ? "near" : "far");
    tell(is_near(zero + 1, &five) ? "near" : "far");
    printf("%g %d\\n", half, _Generic(five, int: ASSERTED(five > 4), default: 0));
    tell("five");
    return table[0] > 3 && zero >= 0;
}
"""
WANTED = """constant: LIMIT 8 doubled
rule: 'place == NULL' is false
result: return true
logic: 'x < LIMIT && x != *place' with ||
boundary: 'x < LIMIT' with <=
equality: 'x != *place' with ==
rule: 'is_near(zero, &zero)' is true
call: without tell("five")
number: 0.5 doubled
boundary: 'table[0] > 3' with >=
logic: 'table[0] > 3 && zero >= 0' with ||""".splitlines()


def said(program, number):
    done = subprocess.run([program], capture_output=True, text=True, env=dict(os.environ, MUTANT=str(number)))
    return done.returncode, done.stdout


def said_by_split(program, numbers, directory):
    """What the run itself does, and number -> what it did with that mutant, of those that it reached."""
    seen, out = os.path.join(directory, "seen"), os.path.join(directory, "made")
    cases.write_seen(seen, numbers)
    done = subprocess.run([program], capture_output=True, text=True,
                          env=dict(os.environ, MUTANT_SEEN=seen, MUTANT_OUT=out))
    with open(seen, "rb") as file:
        cells = file.read()
    found = {}
    for number in numbers:
        if cells[number] != cases.WANTED:
            with open(f"{out}.{number}.out", encoding="utf-8") as file:
                found[number] = (int(cells[number] == cases.FAILED), file.read())
    return (done.returncode, done.stdout), found


def check_limits(directory):
    for script, ends_well in (("sleep 2", True), ("while :; do :; done", False)):
        code, _, _ = mutation.limited(["sh", "-c", script], directory, {}, 1)
        if (code == 0) != ends_well:
            sys.exit(f"'{script}' ends with {code} where a test may take a second of processor time")
    _, out, seconds = mutation.limited(["sh", "-c", "echo said; (while :; do :; done); :"], directory, {}, 1)
    # the kernel ends it by ticks of its clock, which on a busy machine are some percent more than what it used
    if not out.startswith(b"said\n") or not 0.5 < seconds < 9:
        sys.exit(f"a second of processor time in a process of the test's own is {seconds} s, with {out}")


def main():
    with tempfile.TemporaryDirectory(prefix="mutants-") as directory:
        path, program = os.path.join(directory, "small.c"), os.path.join(directory, "small")
        with open(path, "wb") as file:
            file.write(SOURCE)
        sites = mutants.find(path, SOURCE, ["cc", "-c", path], directory)
        names = [f"{site.operator}: {site.change}" for site in sites]
        missing = [name for name in WANTED if name not in names]
        if missing:
            sys.exit("not found:\n" + "\n".join(missing) + "\nof\n" + "\n".join(names))
        # the initializer of a static array cannot be switched, which is why a campaign tries whether a site compiles
        sites = [site for site in sites if f"{site.operator}: {site.change}" in WANTED and site.operator != "constant"]
        with open(path, "wb") as file:
            file.write(mutants.written(SOURCE, list(enumerate(sites, 1)), os.path.join(HERE, "mutant.h")))
        subprocess.run(["cc", "-w", "-o", program, path], check=True)
        first = said(program, 0)
        if first != (0, "far\nfar\nfar\nnear\n0.5 1\nfive\n"):
            sys.exit(f"without a mutant: {first}")
        same = [names for number, names in enumerate(sites, 1) if said(program, number) == first]
        if same:
            sys.exit("no change by " + ", ".join(f"{site.operator}: {site.change}" for site in same))
        numbers = range(1, len(sites) + 1)
        itself, split = said_by_split(program, numbers, directory)
        alone = {number: said(program, number) for number in numbers}
        if itself != first or split != {number: (int(code != 0), text) for number, (code, text) in alone.items()}:
            sys.exit(f"a run that splits: {itself}, {split}")
        check_limits(directory)
    print(f"{len(sites)} mutants: fine")


main()

# SPDX-License-Identifier: Apache-2.0
"""Formulas in C and Python compute what the model says.

formulas.py MPISKEL CC: makes a bundle whose samples have planted forms (a sum, x*log2(x), a power
that is none of the usual ones, a step), fits it, compiles the formulas that --formulas=c prints and
evaluates those of --formulas=python, and compares both with the terms and steps of the JSON report,
at sizes inside, beside and far outside of the samples. Exit code 0 or 1.
"""
import json
import math
import os
import subprocess
import sys
import tempfile

BUNDLE = "0123456789abcdef"
SIZES = [0, 0.5, 1, 2, 1000, 16000, 48000, 300000, 1e9]
PLANTED = [
    lambda x, y: 2e-5 + 3e-9 * x + 1e-8 * y,
    lambda x, y: 1e-9 * x * math.log2(x),
    lambda x, y: 1e-10 * x ** 1.7,
    lambda x, y: 1e-9 * x * (1 if x < 2e4 else 3),
]


def write_bundle(directory):
    features = [{"name": name, "expression": name, "meaning": ""} for name in ("x", "y")]
    regions = [{"index": i, "id": "planted-%d" % i, "function": "f", "file": "f.c", "line": i + 1,
                "end_line": i + 1, "summary": "", "features": features}
               for i in range(len(PLANTED))]
    with open(os.path.join(directory, "regions.json"), "w") as file:
        json.dump({"format": "mpiskel-regions", "version": 3, "bundle": BUNDLE, "program": "planted",
                   "root": "/", "regions": regions}, file)
    os.mkdir(os.path.join(directory, "samples"))
    for run in range(9):
        write_run(os.path.join(directory, "samples", "r%d.samples" % run), run)


def write_run(path, run):
    x, y = 1000 * 2 ** run, 500 * (1 + run * 5 % 7)
    lines = [{"format": "mpiskel-samples", "version": 1, "bundle": BUNDLE, "run": "r%d" % run,
              "ranks": 2, "host": "h", "cpu": "c", "args": [], "timer_overhead_s": 0,
              "complete": True}]
    for region, latency in enumerate(PLANTED):
        for rank in range(2):
            lines.append({"region": region, "rank": rank, "features": [x, y], "count": 1, "timed": 1,
                          "seconds": latency(x, y), "squares": 0, "min": 0, "max": 0})
    lines.append({"end": True, "lines": len(lines) - 1})
    with open(path, "w") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines)


def fit(mpiskel, directory, style):
    done = subprocess.run([mpiskel, "fit", "--format=json", "--formulas=" + style, directory],
                          capture_output=True, text=True, check=True)
    return json.loads(done.stdout)["regions"]


def wanted(region, values):
    total = 0
    for term in region["terms"]:
        product = term["coefficient_s"]
        for value, exponent, log in zip(values, term["exponents"], term["logs"]):
            product *= value ** exponent * math.log2(max(value, 1)) ** log
        total += product
    for step in region["steps"]:
        ramp = math.log(max(values[step["feature"]], step["from"]) / step["from"])
        total *= step["factor"] ** min(ramp / math.log(step["to"] / step["from"]), 1)
    return total


def points():
    return [(x, y) for x in SIZES for y in SIZES]


def by_c(cc, directory, regions):
    source = os.path.join(directory, "formulas.c")
    program = os.path.join(directory, "formulas")
    with open(source, "w") as file:
        file.write("#include <math.h>\n#include <stdio.h>\n")
        for region in regions:
            file.write("static double f%d(double x, double y) {\n    (void)x, (void)y;\n"
                       "    return %s;\n}\n" % (region["index"], region["formula"]))
        file.write("int main(void) {\n")
        for region in regions:
            for x, y in points():
                file.write('    printf("%%.17g\\n", f%d(%r, %r));\n' % (region["index"], x, y))
        file.write("    return 0;\n}\n")
    subprocess.run([cc, "-Wall", "-Wextra", "-Werror", "-o", program, source, "-lm"], check=True)
    done = subprocess.run([program], capture_output=True, text=True, check=True)
    return [float(line) for line in done.stdout.split()]


def by_python(regions):
    return [eval(region["formula"], {"math": math, "x": x, "y": y})
            for region in regions for x, y in points()]


def compare(style, found, regions):
    answers = [wanted(region, point) for region in regions for point in points()]
    assert len(found) == len(answers)
    for one, other in zip(found, answers):
        if abs(one - other) > 1e-12 * other:
            sys.exit("%s: %r instead of %r" % (style, one, other))


def check_forms(regions):
    """The forms that are to be compared have to be there."""
    logs = any(any(term["logs"]) for region in regions for term in region["terms"])
    powers = any(exponent % 1 for region in regions for term in region["terms"]
                 for exponent in term["exponents"])
    if not (logs and powers and any(region["steps"] for region in regions)):
        sys.exit("not all forms were fitted: %s" % [region["formula"] for region in regions])


def main():
    mpiskel, cc = sys.argv[1:]
    with tempfile.TemporaryDirectory() as directory:
        write_bundle(directory)
        regions = fit(mpiskel, directory, "c")
        check_forms(regions)
        compare("C", by_c(cc, directory, regions), regions)
        compare("Python", by_python(fit(mpiskel, directory, "python")), regions)
    print("formulas of %d regions agree at %d points" % (len(PLANTED), len(points())))


main()

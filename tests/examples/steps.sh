#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# steps.sh MPISKEL heat3d: a program whose first step takes three times as long as the others is
# profiled with 20 steps and predicted with 5 and 100. What profiling runs measured is replaced by
# made-up times, so that it is known what has to come out: within 2 % with what fit learns of the
# executions in a run, and more than 5 % off without (--no-ratio).
set -euo pipefail
source "$(dirname "$0")/bundle.sh"

profile() { # DIRECTORY SIZE STEPS
    mkdir -p "$1"
    BSIM_SAMPLES=$1 mpirun --oversubscribe -np 1 app.skel/profile "$2" "$2" "$2" "$3" >run.log 2>&1 ||
        { cat run.log; fail "the profiling run failed"; }
}

# Each execution takes 1 ns and 1 ns for each unit of its features; the first one three times that.
cat >pretend.py <<'END'
import glob, json, sys
total_s = 0
for name in glob.glob(sys.argv[1] + "/*.samples"):
    lines = [json.loads(line) for line in open(name)]
    for line in lines:
        if "region" not in line:
            continue
        usual_s = 1e-9 * (1 + sum(line["features"]))
        contexts = line["contexts"]
        line["seconds"] = line["squares"] = 0
        for at in range(0, len(contexts), 5):
            contexts[at + 4] = contexts[at + 3] * usual_s * (3 if contexts[at] == 1 else 1)
            line["seconds"] += contexts[at + 4]
            line["squares"] += contexts[at + 4] ** 2 / contexts[at + 3]
        assert line["timed"] == line["count"] == sum(contexts[3::5]), line
        total_s += line["seconds"]
    open(name, "w").writelines(json.dumps(line) + "\n" for line in lines)
print(total_s)
END

for size in 24 32 40 48; do
    profile app.skel/samples "$size" 20
done
python3 pretend.py app.skel/samples >trained_s
for steps in 5 100; do
    profile "steps$steps" 32 "$steps"
    python3 pretend.py "steps$steps" >"steps$steps.wanted"
done

predict() { # NAME FIT_OPTIONS...
    "$mpiskel" fit app.skel "${@:2}" >fit.log || { cat fit.log; fail "fit failed"; }
    for steps in 5 100; do
        "$mpiskel" run app.skel -np 1 --format=json -- 32 32 32 "$steps" >"steps$steps.$1" 2>run.log ||
            { cat run.log; fail "run failed"; }
    done
}

predict without --no-ratio
predict with
grep -q 'ratio 2\.[0-9]* at first' fit.log || { cat fit.log; fail "fit does not tell the ratio"; }

python3 - <<'END'
import json
for steps in 5, 100:
    wanted_s = float(open(f"steps{steps}.wanted").read())
    error = {}
    for way in "with", "without":
        found_s = json.load(open(f"steps{steps}.{way}"))["per_rank"]["compute_s"]["mean"]
        error[way] = found_s / wanted_s - 1
        print(f"{steps} steps, {way} the ratio: {found_s:.4g} s instead of {wanted_s:.4g} ({100 * error[way]:+.1f} %)")
    assert abs(error["with"]) < 0.02, "the first step is not told from the others"
    assert abs(error["without"]) > 0.05, "without the ratio it is as good"
END

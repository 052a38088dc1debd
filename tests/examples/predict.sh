#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# predict.sh MPISKEL heat3d: the whole path, from profiling at 1 and 2 ranks with two sizes to a
# prediction for 16 ranks. It has to be the same bit for bit when repeated, positive, and within a factor
# of 2 of what the simulation of the original says.
set -euo pipefail
source "$(dirname "$0")/bundle.sh"

# What others do on this machine would be timed as well.
export BSIM_QUIET=30

for ranks in 1 2; do
    for n in 32 64; do
        mpirun --oversubscribe -np "$ranks" app.skel/profile "$n" "$n" "$n" 20 >run.log 2>&1 ||
            { cat run.log; fail "the profiling run failed"; }
    done
done
"$mpiskel" fit app.skel >fit.log || { cat fit.log; fail "fit failed"; }

predict() {
    "$mpiskel" run app.skel -np 16 --format=json "$@" -- 96 96 96 20 2>run.log ||
        { cat run.log; fail "run $* failed"; }
}

# What the simulation itself took differs from run to run; it stands in an object of its own.
prediction() {
    python3 -c 'import json, sys
report = json.load(open(sys.argv[1]))
report.pop("simulation")
print(json.dumps(report, indent=1))' "$1"
}

predict >first.json
predict >second.json
predict --original >original.json
prediction first.json >first
prediction second.json >second
diff first second || fail "the same run predicts something else"
python3 - <<'END'
import json
skeleton, original = (json.load(open(name + ".json"))["predicted_s"] for name in ("first", "original"))
print(f"heat3d on 16 ranks: predicted {skeleton:.4g} s, simulated original {original:.4g} s")
assert skeleton > 0 and original > 0, "a time is not positive"
assert 0.5 < skeleton / original < 2, "more than a factor of 2 apart"
END

# explain: a kept line's chain ends at an MPI call, a removed one tells region, features and formula.
line_of() { # FILE TEXT
    grep -nF -m 1 "$2" "$1" | cut -d: -f1
}
"$mpiskel" explain app.skel "domain.c:$(line_of domain.c 'd->local[axis] = share')" >kept.txt
grep -q '^kept:' kept.txt || fail "explain does not say that the line is kept"
grep -q 'halo.c:[0-9]*: MPI_Irecv' kept.txt || fail "the chain of reasons does not end at an MPI call"
tail -n 1 kept.txt | grep -q 'is an MPI call (a criterion)' || fail "the last reason is no criterion"
"$mpiskel" explain app.skel "main.c:$(line_of main.c 'stencil_step(s, d')" >removed.txt
grep -q '^removed: region' removed.txt || fail "explain does not say that the line is removed"
grep -q 'feature n3 = ' removed.txt || fail "explain does not tell the region's features"
grep -q 'latency in seconds: .*\*n[0-9]' removed.txt || fail "explain does not tell the formula"
echo "explain tells chain, region and formula"

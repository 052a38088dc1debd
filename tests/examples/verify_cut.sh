#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# verify_cut.sh MPISKEL EXAMPLE_DIRECTORY CLAIMS: the skeleton of an example from which hot computation is
# cut makes the same MPI calls as the example when it is given the same values, and nearly the same with
# values learned from a few profiling runs. CLAIMS is a file of lines (others are remarks)
#   assume: NAMES          option of generate
#   hints: none            the hints file beside the example is taken away
#   scout: ARGUMENTS       of the run, on four ranks, that counts executions
#   ranks: RANKS...        on which the skeleton is verified, with
#   arguments: ARGUMENTS
#   kept: SHARE            of the executed statements, which at most is kept
#   cut: STATEMENT         each value that is given, as the program writes it; without any, they are not
#                          looked at
#   train: ARGUMENTS       of a profiling run, on each of
#   trained_on: RANKS...
#   told: TEXT             that fit prints
#   exactly: RANKS ARGUMENTS    of a run that is the same
#   predict: RANKS ARGUMENTS    of a run that differs by no more than
#   tolerance: PERCENT     in calls, messages and bytes of all ranks together, and
#   rank_tolerance: PERCENT    of each rank (default: as all together)
#   untold: FILE TEXT      the statement, in the line with the text, that is computed once fit was asked to
#                          keep what is not told; after that all that is predicted is the same
#   iterates: FILE TEXT    the loop, in the line with the text, of which `run` has to say that a formula
#                          tells how often it iterates, there but not with `arguments`
set -euo pipefail

claim() {
    sed -n "s/^$1: //p" "$claims"
}

claims=$(realpath "$3")
read -ra arguments <<<"$(claim arguments)"
generate_options=(--format=json "--assume=$(claim assume)" --scout "mpirun --oversubscribe -np 4 {} $(claim scout)")
[ "$(claim hints)" = none ] && prepare() { rm ./*.hints; }
source "$(dirname "$0")/bundle.sh"

python3 - "$(claim kept)" >found <<'END' || fail "more is kept than $(claim kept)"
import json, sys
summary = json.load(open("summary"))
values = json.load(open("app.skel/regions.json"))["cuts"]["values"]
print("\n".join(value["text"] for value in values))
sys.exit(not 0 < summary["executions_kept"] <= float(sys.argv[1]) * summary["executions"])
END
if [ -n "$(claim cut)" ]; then
    diff <(claim cut | sort) <(sort found) || fail "other values are cut (>) than expected (<)"
fi

for ranks in $(claim ranks); do
    code=0
    "$mpiskel" verify app.skel -np "$ranks" --replay -- "${arguments[@]}" >verdict || code=$?
    cat verdict
    [ $code = 0 ] || fail "verify --replay -np $ranks ended with $code"
    grep -Eq "^identical: [1-9][0-9]* calls on $ranks ranks\$" verdict || fail "not identical"
done
[ -n "$(claim train)" ] || exit 0
train() {
    while read -ra arguments; do
        for ranks in $(claim trained_on); do
            mpirun --oversubscribe -np "$ranks" app.skel/profile "${arguments[@]}" >run.log 2>&1 </dev/null ||
                { cat run.log; fail "the profiling run failed"; }
        done
    done < <(claim train)
}

train
"$mpiskel" fit app.skel >models
cat models
told=$(claim told)
grep -qF -- "$told" models || fail "fit does not tell: $told"
while read -ra arguments; do
    "$mpiskel" verify app.skel -np "${arguments[0]}" -- "${arguments[@]:1}" >verdict ||
        { cat verdict; fail "other calls than the program at ${arguments[*]}"; }
    cat verdict
    grep -Eq "^identical: [1-9][0-9]* calls on ${arguments[0]} ranks\$" verdict || fail "not identical: ${arguments[*]}"
done < <(claim exactly)
tolerances=(--tolerance "$(claim tolerance)")
of_ranks=$(claim rank_tolerance)
[ -z "$of_ranks" ] || tolerances+=(--rank-tolerance "$of_ranks")
while read -ra arguments; do
    "$mpiskel" verify app.skel "${tolerances[@]}" -np "${arguments[0]}" -- \
        "${arguments[@]:1}" || fail "other calls than the program, or too many, at ${arguments[*]}"
    predicted=("${arguments[@]}")
done < <(claim predict)

read -r file text <<<"$(claim untold)"
if [ -n "$file" ]; then
    "$mpiskel" fit app.skel --keep-untold >models
    "$mpiskel" generate -o app.skel "--assume=$(claim assume)" >summary 2>messages
    grep -qF "computed, as models did not tell it: $file:$(grep -nF -m 1 "$text" "$file" | cut -d: -f1) " messages ||
        { cat messages; fail "$text is not computed"; }
    train
    "$mpiskel" fit app.skel --keep-untold >models 2>messages
    grep -q "takes no value as given" messages || { cat messages; fail "other values are not told"; }
    while read -ra arguments; do
        "$mpiskel" verify app.skel -np "${arguments[0]}" -- "${arguments[@]:1}" ||
            fail "other calls than the program at ${arguments[*]}, though nothing is left to models"
    done < <(claim predict)
fi

read -r file text <<<"$(claim iterates)"
[ -n "$file" ] || exit 0
line=$(grep -nF -m 1 "$text" "$file" | cut -d: -f1)
told="^$file:$line, [0-9]* % of the time, iterates as often as a formula says"
"$mpiskel" run app.skel -np "${predicted[0]}" --even-if-unknown -- "${predicted[@]:1}" >report
grep -q "$told" report || fail "nothing tells that iterations of $file:$line are a formula's: $(head -6 report)"
read -ra arguments <<<"$(claim arguments)"
"$mpiskel" run app.skel -np 4 -- "${arguments[@]}" >report
! grep "iterates as often" report || fail "iterations that were seen are said to be a formula's"

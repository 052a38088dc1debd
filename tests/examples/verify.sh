#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# verify.sh MPISKEL EXAMPLE_DIRECTORY "RANKS..." "ARGUMENTS...": the skeleton of an example makes the
# same MPI calls as the example, for each number of ranks.
set -euo pipefail
source "$(dirname "$0")/bundle.sh"

read -ra arguments <<<"$4"
for ranks in $3; do
    code=0
    "$mpiskel" verify app.skel -np "$ranks" -- "${arguments[@]}" >verdict || code=$?
    cat verdict
    [ $code = 0 ] || fail "verify -np $ranks ended with $code"
    grep -Eq "^identical: [1-9][0-9]* calls on $ranks ranks\$" verdict || fail "not identical"
done

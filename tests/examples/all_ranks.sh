#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# all_ranks.sh MPISKEL: all examples at 4, 8, 16 and 64 ranks, with larger arguments than the tests use
# (some minutes; not part of ctest).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
mpiskel=$(realpath "$1")

while read -r name arguments; do
    bash "$here/verify.sh" "$mpiskel" "$here/../../examples/$name" "4 8 16 64" "$arguments"
done <<'END'
cg 64
farm 500 2000
fft 512 3
heat3d 64 64 64 60
hydro 100 50
lu 1024 32
particles 192 24 20
plu 256 16
sort 20000 5
sweep 64 64 32 8 4
END
echo "all examples are identical at 4, 8, 16 and 64 ranks"

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# test.sh CHECK: does the layer check find each kind of mistake? Every case is a tree of two or
# three files with one mistake in it, and the words that have to be in the complaint.
set -eu
check=$1
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failures=0

fresh() {
    rm -rf "${tree:?}"/*
    mkdir -p "$tree/base" "$tree/model" "$tree/cli"
    printf 'base:\nmodel: base\ncli: base model/eval/eval.h\n' > "$tree/layers.txt"
    printf '#include <stdio.h>\n' > "$tree/base/a.h"
    printf '#include "base/a.h"\n' > "$tree/model/m.c"
    printf '#include "model/eval/eval.h"\n#include "cli/x.h"\n' > "$tree/cli/c.c"
}

complains() { # NAME WORDS
    if output=$(sh "$check" "$tree" 2>&1); then
        echo "$1: the check found nothing"
        failures=$((failures + 1))
    elif ! echo "$output" | grep -qF "$2"; then
        echo "$1: expected '$2' in: $output"
        failures=$((failures + 1))
    fi
}

fresh
sh "$check" "$tree" || { echo "a good tree: the check complains"; failures=1; }
printf '#include "model/m.h"\n' >> "$tree/base/a.h"
complains "an include upwards" "base/a.h:2: error: base may not include model/m.h"
fresh
printf '#include "model/fit.h"\n' >> "$tree/cli/c.c"
complains "a header beside the allowed one" "cli/c.c:3: error: cli may not include model/fit.h"
fresh
printf '#  include <sqlite3.h>\n' >> "$tree/cli/c.c"
complains "a foreign library outside its wrapper" "cli/c.c:3: error: sqlite3.h may be included in model/store/store*.c only"
fresh
mkdir -p "$tree/simulator/network"
printf 'simulator:\n' >> "$tree/layers.txt"
printf '#include <expat.h>\n' > "$tree/simulator/network/hosts.c"
mkdir -p "$tree/model/solve" "$tree/model/eval"
printf '#include <gsl/gsl_math.h>\n' > "$tree/model/solve/nnls.c"
sh "$check" "$tree" || { echo "foreign libraries in their wrappers: the check complains"; failures=1; }
printf '#include <expat.h>\n' > "$tree/simulator/other.c"
complains "a wrapper's neighbour" "simulator/other.c:1: error: expat.h may be included"
fresh
printf 'base: cli\ncli: base\n' > "$tree/layers.txt"
complains "a circle in layers.txt" "layers.txt:1: error: base may include cli, which is not above"
fresh
mkdir "$tree/extra"
printf 'int x;\n' > "$tree/extra/e.c"
complains "a folder that is not listed" "extra: error:"
exit $failures

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# prefix.sh CMAKE BUILD TREE: what is installed below a prefix of one's own, with blanks in its name, works from
# there: the tool, its pages, the rules for make and CMake; and nothing is written outside of it.
set -euo pipefail
cmake=$1
build=$2
tree=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix="$work/a prefix"

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

"$cmake" --install "$build" --prefix "$prefix" > "$work/log" || fail "$(tail -5 "$work/log")"
outside=$(sed -n 's/^-- \(Installing\|Up-to-date\): //p' "$work/log" | grep -vF "$prefix/" || true)
[ -z "$outside" ] || fail "written outside of the prefix: $outside"
cp -r "$tree/examples/farm" "$work/farm"
cd "$work/farm"
PATH="$prefix/bin:$PATH"
mpiskel capture -- make -B > /dev/null
mpiskel generate -o farm.skel > /dev/null
mpiskel verify farm.skel --no-real -np 3 -- 20 1000 | grep -q '^identical: ' || fail "verify"
[ -e "$(mpiskel --makefile | sed 's/\\//g')" ] || fail "mpiskel --makefile"
[ -e "$prefix/lib/cmake/mpiskel/mpiskelConfig.cmake" ] || fail "the CMake package"
[ -e "$prefix/share/doc/mpiskel/docs/how-to/troubleshooting.md" ] || fail "the documents"

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# prefix.sh CMAKE BUILD TREE: what is installed below a prefix of one's own, with blanks in its name, works from
# there: the tool, its pages, the rules for make, CMake's package, pkg-config's file; nothing is written outside of it.
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

export PKG_CONFIG_PATH="$prefix/share/pkgconfig"
[ "$(pkg-config --modversion mpiskel)" = "$(mpiskel --version | sed 's/^mpiskel \([^ ]*\).*/\1/')" ] || fail "pkg-config's version"
for variable in executable makefile documents; do
    place=$(pkg-config --variable=$variable mpiskel | sed 's/\\//g')
    [ -e "$place" ] || fail "pkg-config --variable=$variable: there is no $place"
done

mkdir "$work/project"
cp "$tree/examples/farm/farm.c" "$work/project"
cat > "$work/project/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.20)
project(farm C)
find_package(MPI REQUIRED COMPONENTS C)
add_executable(farm farm.c)
target_link_libraries(farm PRIVATE MPI::MPI_C m)
find_package(mpiskel 0.2 REQUIRED)
mpiskel_add_skeleton(farm)
END
"$cmake" -S "$work/project" -B "$work/built" -DCMAKE_PREFIX_PATH="$prefix" > "$work/log" 2>&1 || fail "find_package: $(tail -5 "$work/log")"
"$cmake" --build "$work/built" --target skeleton > "$work/log" 2>&1 || fail "the target skeleton: $(tail -5 "$work/log")"
mpiskel verify "$work/built/farm.skel" --no-real -np 3 -- 20 1000 | grep -q '^identical: ' || fail "verify of CMake's skeleton"
[ -e "$prefix/share/doc/mpiskel/docs/how-to/troubleshooting.md" ] || fail "the documents"

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# check.sh TREE: do the #include lines of TREE keep to its layers.txt?
#
# Complained about, each with file and line: an include of a folder that layers.txt does not allow;
# a foreign library's header outside the file that wraps it; a folder missing from layers.txt; an
# arrow in layers.txt that does not point to a folder above, which is what keeps circles away.
# Exit code: 0 all well, 1 something to complain about, 64 usage.
set -eu
[ $# -eq 1 ] && [ -f "$1/layers.txt" ] || { echo "usage: $0 TREE (with a layers.txt)" >&2; exit 64; }
cd "$1"
folders=$(sed -n 's/^\([a-z_]*\):.*/\1/p' layers.txt)
[ -n "$folders" ] || { echo "layers.txt: error: no folder in it" >&2; exit 1; }
list=$(mktemp)
trap 'rm -f "$list"' EXIT
for folder in $folders; do
    [ -d "$folder" ] || continue
    find "$folder" -name '*.[ch]' -exec awk '
        /^[[:space:]]*#[[:space:]]*include/ { print FILENAME ":" FNR ":" $0 }' {} +
done > "$list"
[ -s "$list" ] || { echo "layers.txt: error: its folders hold no C source" >&2; exit 1; }

awk '
function complain(where, text) { print where ": error: " text; bad = 1 }
# The one place for each foreign library: headers, files. A star stands for part of a name.
function pattern(text) {
    gsub(/\./, "\\.", text)
    gsub(/\*/, "[A-Za-z0-9_./-]*", text)
    return "^" text "$"
}
BEGIN {
    wrapper["clang-c/*"] = "frontend/clang*"
    wrapper["gsl/*"] = "model/solve/(nnls|curve).c"
    wrapper["sqlite3.h"] = "model/store/store*.c"
    wrapper["jansson.h"] = "base/json.*"
    wrapper["xgboost/*"] = "model/solve/trees.c"
    wrapper["expat.h"] = "simulator/network/(hosts|scaled_platform).c"
}
FNR == NR {
    sub(/#.*/, "")
    if ($1 !~ /:$/) next
    folder = substr($1, 1, length($1) - 1)
    for (i = 2; i <= NF; i++) {
        target = $i
        sub(/\/.*/, "", target)
        if (!(target in known)) complain("layers.txt:" FNR, folder " may include " $i ", which is not above it")
        allowed[folder, $i] = 1
    }
    known[folder] = 1
    next
}
{
    split($0, part, ":")
    file = part[1]; where = part[1] ":" part[2]
    folder = file; sub(/\/.*/, "", folder)
    header = $0
    if (!match(header, /include[[:space:]]*["<][^">]*/)) next
    header = substr(header, RSTART, RLENGTH)
    sub(/.*["<]/, "", header)
    for (headers in wrapper)
        if (header ~ pattern(headers) && file !~ pattern(wrapper[headers]))
            complain(where, header " may be included in " wrapper[headers] " only")
    target = header
    if (!sub(/\/.*/, "", target) || !(target in known) || target == folder) next
    if (!((folder, target) in allowed) && !((folder, header) in allowed))
        complain(where, folder " may not include " header " (layers.txt)")
}
END { exit bad }
' layers.txt "$list"

unlisted=0
for folder in */; do
    folder=${folder%/}
    case $folder in
    build* | bench | examples | tests | docs | cmake | scripts) continue ;;
    esac
    if find "$folder" -name '*.[ch]' | grep -q . && ! echo "$folders" | grep -qx "$folder"; then
        echo "$folder: error: has C source, but layers.txt does not say what it may include"
        unlisted=1
    fi
done
exit $unlisted

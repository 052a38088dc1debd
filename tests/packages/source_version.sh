#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# source_version.sh CMAKE TREE: of which commit a build is: that of the clone, that of the archive, none; the same
# sources give the same, and changed ones say so.
set -euo pipefail
cmake=$1
tree=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export GIT_CONFIG_GLOBAL=/dev/null
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
export GIT_AUTHOR_DATE=2001-02-03T04:05:06Z GIT_COMMITTER_DATE=2001-02-03T04:05:06Z

said() { # DIRECTORY
    rm -f "$work/version.h"
    "$cmake" -DSOURCE="$1" -DOUTPUT="$work/version.h" -P "$tree/cmake/source_version.cmake"
    tr '\n' ' ' < "$work/version.h"
}

expect() { # WHAT DIRECTORY TEXT
    local text
    text=$(said "$2")
    [ "$text" = "$3" ] || { echo "FAILED: $1: $text, not $3" >&2; exit 1; }
}

mkdir -p "$work/clone/cmake" "$work/archive"
cp "$tree/cmake/source_version.txt" "$work/clone/cmake"
cp "$tree/.gitattributes" "$work/clone"
cd "$work/clone"
git init -q .
git add .
git commit -q -m first
commit=$(git rev-parse --short=12 HEAD)
expect "a clone" . "#define MPISKEL_COMMIT \"$commit\" #define MPISKEL_DATE \"2001-02-03\" "
git archive HEAD | tar -x -C "$work/archive"
expect "an archive" "$work/archive" "#define MPISKEL_COMMIT \"$commit\" #define MPISKEL_DATE \"2001-02-03\" "
echo changed >> cmake/source_version.txt
expect "a changed clone" . "#define MPISKEL_COMMIT \"$commit with changes\" #define MPISKEL_DATE \"2001-02-03\" "
rm -rf .git
cp "$tree/cmake/source_version.txt" cmake
expect "a copy of the files" . '#define MPISKEL_COMMIT "" #define MPISKEL_DATE "" '

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# check.sh TREE: is all C source formatted as .clang-format says? The files are those that git
# tracks or would add, or all of them where TREE is not a checkout; sources in tests/ that are data
# for the tool (one file per case, with its result beside it) are written as the case needs them.
set -eu
cd "$1"
command -v clang-format-19 > /dev/null ||
    { echo "error: clang-format-19 is missing; install it (scripts/install-packages --developer does)" >&2; exit 1; }
if git rev-parse --is-inside-work-tree > /dev/null 2>&1; then
    git ls-files --cached --others --exclude-standard -- '*.c' '*.h'
else
    find . -name build -prune -o -name '*.[ch]' -print
fi | grep -Ev "${2:-^$}" | sort | while read -r file; do
    if [ -e "$file" ]; then # neither deleted nor renamed since the last commit
        echo "$file"
    fi
done | {
    files=$(cat)
    [ -n "$files" ] || { echo "error: no C source in $1" >&2; exit 1; }
    echo "$files" | xargs clang-format-19 --dry-run -Werror
    echo "$(echo "$files" | wc -l) files are formatted"
}

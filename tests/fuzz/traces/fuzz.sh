#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
#     fuzz.sh SECONDS [DIRECTORY]
#
# The readers of traces and of other tools' files on mutated seeds, with sanitizers, for so long. What was found
# is left in DIRECTORY (default: a temporary one), with the corpus.
set -eu
root=$(cd "$(dirname "$0")/../../.." && pwd)
work=${2:-$(mktemp -d)}
mkdir -p "$work/corpus"
clang-19 -std=gnu11 -D_GNU_SOURCE -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -I"$root" \
    "$root"/tests/fuzz/traces/fuzz_traces.c "$root"/analysis/writer/*.c "$root"/analysis/trace/*.c \
    "$root"/analysis/convert/*.c "$root"/analysis/source/*.c "$root"/base/*.c -ljansson -lzstd -lxxhash -lz -lopen-trace-format2 -lm -o "$work/fuzz"
cd "$work"
./fuzz -max_total_time="$1" -timeout=10 -rss_limit_mb=1500 -malloc_limit_mb=1500 -max_len=65536 corpus "$root/tests/fuzz/traces/seeds"

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
#     oracle.sh KIND MPISKEL RANKS LIMIT TEXT FLAGS FILES [ARGUMENTS...]
#
# Is the program here still a case of KIND (different, crash, refusal, hang)? Exit code 0: it is; else why
# not is printed. creduce and cvise ask for each variant (command_reduce.c). What is no C program, or does
# not run by itself, is no case of anything: without that a reducer makes programs with faults of their own.
set -u
kind=$1 mpiskel=$2 ranks=$3 limit=$4 text=$5 flags=$6 files=$7
shift 7
strict="-Werror=implicit-function-declaration -Werror=implicit-int -Werror=int-conversion
    -Werror=incompatible-pointer-types -Werror=return-type -Werror=uninitialized -Werror=maybe-uninitialized"
[ "$(id -u)" -ne 0 ] || export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM # reducers end what they ask in vain
cp --parents $files "$work" && cd "$work" || exit 1

no() {
    echo "$*"
    [ ! -s out ] || tail -n 5 out
    exit 1
}
within() {
    timeout -k 5 "$limit" "$@" > out 2>&1
    code=$?
    [ $code -ne 137 ] || code=124 # what does not end by SIGTERM either
    return $code
}
says() { grep -qF -e "$text" out; }
is_crash() { [ "$1" -ge 128 ] || grep -q -e Sanitizer -e 'a fault of mpiskel' out; }

sources=
for file in $files; do
    case $file in *.[cC] | *.cc | *.cpp | *.cxx) sources="$sources $file" ;; esac
done
within mpicc -O1 $strict -I. $flags -o original $sources -lm || no "it does not compile"

entries=
for source in $sources; do
    words=
    for word in mpicc -I. $flags -c "$source"; do
        words="$words${words:+, }\"$word\""
    done
    entries="$entries${entries:+, }{\"directory\": \"$work\", \"file\": \"$source\", \"output\": \"$source.o\",
        \"arguments\": [$words]}"
done
echo "[$entries]" > compile_commands.json
within "$mpiskel" generate -o x.skel
code=$?
case $kind in
refusal) [ $code -eq 1 ] && says || no "generate does not refuse it with this text (exit code $code)"; exit 0 ;;
crash) ! is_crash $code || { says && exit 0; } ;;
hang) [ $code -ne 124 ] || exit 0 ;;
esac
[ $code -eq 0 ] || no "generate ends with exit code $code"

within mpirun --oversubscribe -np "$ranks" ./original "$@" || no "the program itself fails (exit code $?)"
within "$mpiskel" verify x.skel -np "$ranks" --no-real --no-progress -- "$@"
code=$?
! grep -q 'the original failed' out || no "the simulated original fails"
case $kind in
different) [ $code -eq 2 ] && says ;;
crash) grep -q 'the skeleton failed' out && says || { is_crash $code && says; } ;;
hang) [ $code -eq 124 ] || { grep -q 'the skeleton failed' out && grep -q -e deadlock -e 'waits in' out; } ;;
esac || no "verify ends with exit code $code"

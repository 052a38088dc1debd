# SPDX-License-Identifier: Apache-2.0
#
# Sourced by the other scripts, with MPISKEL EXAMPLE_DIRECTORY: copies an example into a temporary
# directory, captures its build with make, makes it into app.skel (with generate_options, if that array is
# set) and changes there, where the function `prepare`, if there is one, is called first. The skeleton has to compile without any warning (the examples use -Wall).
mpiskel=$1
example=$(basename "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

fail() {
    echo "$example: $*" >&2
    exit 1
}

make_bundle() {
    cp -r "$1/." "$work"
    cd "$work"
    ! declare -F prepare >/dev/null || prepare
    "$mpiskel" capture -- make -B >build.log 2>&1 || { cat build.log; fail "capture failed"; }
    "$mpiskel" generate -o app.skel "${generate_options[@]}" >summary 2>messages || { cat messages; fail "generate failed"; }
    cat summary
    [ ! -s messages ] || { cat messages; fail "generate is not silent"; }
}

make_bundle "$2"

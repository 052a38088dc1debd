#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Tests of the runtimes: builds the programs beside this file as `mpiskel generate` would, runs them
# under smpirun or mpirun, and looks at what the runtimes wrote.
#
#   run.sh LIBRARY_DIRECTORY INSPECT CASE
#
# LIBRARY_DIRECTORY holds libbsim_*.a and include/; INSPECT is the program made from inspect.c; CASE
# is the name of one of the functions `case_...` below.
set -euo pipefail

libraries=$1
inspect=$2
case=$3
sources=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
bundle=0123456789abcdef

fail() {
    echo "$case: $*" >&2
    exit 1
}

expect() { # what, value, wanted
    [ "$2" = "$3" ] || fail "$1 is $2, should be $3"
}

is_within() { awk -v v="$1" -v a="$2" -v b="$3" 'BEGIN { exit !(v >= a && v <= b) }'; }

within() { # what, value, lowest, highest
    is_within "${@:2}" || fail "$1 is $2, should be from $3 to $4"
}

compile() { # compiler, macro, runtime, source, output, further options
    "$1" -O2 -Wall -Wextra -Werror "${@:6}" -I"$libraries/include" -include bsim.h "-D$2" \
        "-DBSIM_BUNDLE_ID=\"$bundle\"" "$sources/$4" -o "$5" -L"$libraries" "-l$3" -lm
}

skeleton() { compile smpicc BSIM_SKELETON bsim_skeleton "$1" skeleton "${@:2}"; }
original() { compile smpicc BSIM_ORIGINAL bsim_original "$1" original; }
profile() { compile mpicc BSIM_PROFILE bsim_profile "$1" profile "${@:2}"; }

platform() {
    cat >platform.xml <<EOF
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="c" prefix="n" suffix="" radical="0-1023" speed="1Gf" bw="10GBps" lat="1us"/>
</platform>
EOF
    seq -f 'n%.0f' 0 1023 >hosts
}

model() {
    cat >model.bsim <<EOF
mpiskel-model 1
bundle $bundle
machine test
region 0 a features 0 terms 1 range
term 0.25
region 1 b features 1 terms 2 range 1 100
term 1e-7 0
term 1e-9 1
region 2 c features 2 terms 1 range 1 2 3 4
term 1e-10 1 1
end 3
EOF
}

simulate() { # ranks, program and arguments; $precision if set
    smpirun -np "$1" -platform platform.xml -hostfile hosts --log=root.thresh:warning \
        "--cfg=surf/precision:${precision:-1e-9}" --cfg=smpi/simulate-computation:no \
        ${privatize:-} "${@:2}"
}

# The same calls in original and skeleton give the same records; each ends with its number of calls.
case_records_of_equal_programs_are_equal() {
    for source in ring.c many_calls.c; do
        skeleton "$source"
        original "$source"
        rm -rf a b
        BSIM_TRACE=a simulate 4 ./original
        BSIM_TRACE=b simulate 4 ./skeleton
        diff -r a b
        expect "number of records" "$(ls a/*.calls | wc -l)" 4
        for record in a/*.calls; do
            lines=$(wc -l <"$record")
            expect "end of $record" "$(tail -n 1 "$record")" "end $((lines - 1))"
            [ "$lines" -gt 10 ] || fail "$record has only $lines lines"
        done
    done
}

case_record_tells_a_different_tag() {
    skeleton ring.c
    original ring.c
    BSIM_TRACE=a simulate 2 ./original 4 100 7
    BSIM_TRACE=b simulate 2 ./skeleton 4 100 8
    cmp a/rank-1.calls b/rank-1.calls
    diff a/rank-0.calls b/rank-0.calls >difference && fail "the records are equal"
    expect "number of different lines" "$(grep -c '^<' difference)" 1
    grep -q '^< .*MPI_Sendrecv .*sendtag=7 ' difference
    grep -q '^> .*MPI_Sendrecv .*sendtag=8 ' difference
}

# Receivers are ranks of MPI_COMM_WORLD; what is started again counts again, MPI_PROC_NULL never.
case_volume_of_a_rank_is_told() {
    original volume.c
    skeleton volume.c
    BSIM_TRACE=a simulate 4 ./original
    BSIM_TRACE=b simulate 4 ./skeleton
    for rank in 0 1 2 3; do
        cmp "a/rank-$rank.volume" "b/rank-$rank.volume"
    done
    diff - a/rank-1.volume <<EOF
mpiskel-volume 2
collectives 4 84 40
accesses 1 16
to 0 1 4
to 2 4 1232
to 3 3 56
end 3
EOF
    diff - a/rank-2.volume <<EOF
mpiskel-volume 2
collectives 4 88 40
accesses 1 16
to 0 3 56
to 3 4 1232
end 2
EOF
    BSIM_TRACE=c simulate 4 ./original deadlock >/dev/null 2>&1 || code=$?
    expect "messages before a deadlock" "$(grep '^to ' c/rank-1.volume)" "to 2 1 800"
}

# 0.25 s and 1e-7 s + 1e-9 s * 100, at any precision of the clock; also in strict C89.
case_time_is_charged_exactly() {
    skeleton ring.c -std=c89 -pedantic -Dinline=__inline__ # for the headers that smpicc includes
    for precision in 1e-9 1e-5; do
        expect "charged time" "$(simulate 4 ./skeleton | tail -n 1)" "charged 0.250000200"
    done
    expect "time in a record" "$(BSIM_TRACE=a simulate 4 ./skeleton)" "charged 0.000000000"
}

# What the simulation is told counts for all of it.
case_programs_may_clear_their_environment() {
    skeleton cleared.c
    printf '%31s\n' 3 >factors
    expect "alike" "$(simulate 1 ./skeleton | tail -n 1)" "charged 0.000000200"
    expect "three times as slow" "$(BSIM_HOST_FACTORS=$PWD/factors simulate 1 ./skeleton | tail -n 1)" \
        "charged 0.000000600"
}

case_features_may_be_known_as_a_region_ends() {
    skeleton late.c
    expect "charged time" "$(simulate 1 ./skeleton | tail -n 1)" "charged 0.000000602"
    profile late.c
    BSIM_CLOCK=wall mpirun --oversubscribe -np 1 ./profile >output
    file=$(echo samples/*.samples)
    expect "vectors of 1" "$($inspect lines "$file" 1)" 2
    expect "executions of 1" "$($inspect sum "$file" 1 count)" 4
    expect "timed executions of 1" "$($inspect sum "$file" 1 timed)" 4
    within "seconds of 1" "$($inspect sum "$file" 1 seconds)" 0.0079 10
    for features in '\[1\]' '\[100\]'; do
        expect "lines of $features" "$(grep -c "\"features\":$features,\"count\":2," "$file")" 1
    done
}

# Also charges below the clock's precision; and a loop that waits for the clock ends.
case_small_charges_are_not_lost() {
    skeleton charges.c
    for precision in 1e-9 1e-5 3e-5; do
        expect "charged time" "$(simulate 1 ./skeleton | tail -n 1)" "charged 0.000200000"
        BSIM_STATS=stats.json simulate 1 ./skeleton
        within "computation" "$($inspect value stats.json per_rank.0.compute_s)" 1.9999e-4 2.0001e-4
        within "makespan" "$($inspect value stats.json makespan_s)" 1.199e-3 1.3e-3
    done
}

# What several threads execute is charged, and measured, once.
case_threads_are_charged_once() {
    skeleton threads.c -fopenmp
    for nested in 1 2; do
        expect "charged time" "$(OMP_MAX_ACTIVE_LEVELS=$nested simulate 1 ./skeleton | tail -n 1)" \
            "charged 0.000200000"
    done
    profile threads.c -fopenmp
    mpirun --oversubscribe -np 2 ./profile >/dev/null
    expect "executions" "$($inspect sum samples/*.samples 1 count)" 2000
}

# Before MPI_Init regions count, behind MPI_Finalize there is no time that they could take.
case_regions_outside_of_mpi() {
    skeleton outside.c
    expect "charged time" "$(simulate 1 ./skeleton | tail -n 1)" "charged 0.000000200"
    profile outside.c
    mpirun --oversubscribe -np 2 ./profile >/dev/null
    expect "executions before MPI_Init" "$($inspect sum samples/*.samples 1 count)" 2
    expect "executions behind MPI_Finalize" "$($inspect sum samples/*.samples 7 count)" 0
}

case_ranks_that_return_have_ended() {
    skeleton returns.c
    BSIM_STATS=stats.json simulate 4 ./skeleton
    expect finalized "$($inspect value stats.json finalized)" 4
    expect executions "$($inspect value stats.json regions.0.executions)" 9000
    within "computation of rank 0" "$($inspect value stats.json per_rank.0.compute_s)" 2.999e-4 3.001e-4
    within "computation of rank 3" "$($inspect value stats.json per_rank.3.compute_s)" 5.999e-4 6.001e-4
    within makespan "$($inspect value stats.json makespan_s)" 6e-4 6.2e-4
}

check_stats() { # 4 ranks, 4 rounds, 100 elements
    expect format "$($inspect value "$1" format)" mpiskel-stats
    expect ranks "$($inspect value "$1" ranks)" 4
    expect finalized "$($inspect value "$1" finalized)" 4
    expect per_rank "$($inspect value "$1" per_rank)" "[4]"
    expect "calls of rank 3" "$($inspect value "$1" per_rank.3.calls)" 18
    expect "computation of rank 3" "$($inspect value "$1" per_rank.3.compute_s)" 0.25000106
    expect "executions of 0" "$($inspect value "$1" regions.0.executions)" 4
    expect "executions of 1" "$($inspect value "$1" regions.1.executions)" 20
    expect "seconds of 1" "$($inspect value "$1" regions.1.seconds)" 4e-06
    expect "executions of 2" "$($inspect value "$1" regions.2.executions)" 16
    expect "seconds of 2" "$($inspect value "$1" regions.2.seconds)" 2.4e-07
    expect "smallest feature of 2" "$($inspect value "$1" regions.2.features_min.0)" 0
    expect "largest feature of 2" "$($inspect value "$1" regions.2.features_max.0)" 3
    expect "a function" "$($inspect value "$1" calls.6.name)" MPI_Send
    expect "its calls" "$($inspect value "$1" calls.6.count)" 16
    expect "its bytes" "$($inspect value "$1" calls.6.bytes)" 12800
    expect "sites" "$($inspect value "$1" sites)" "[9]"
    within makespan "$($inspect value "$1" makespan_s)" 0.25 0.251
}

case_summary_counts_are_right() {
    skeleton ring.c
    BSIM_STATS=stats.json BSIM_PROGRESS=progress simulate 4 ./skeleton
    check_stats stats.json
    expect "seconds of 1 on a rank, of two stubs" "$($inspect value stats.json regions.1.most_seconds)" 1e-06
    expect "size of the progress file" "$(stat -c %s progress)" 4096
    expect "calls in it" "$(od -An -tu8 -j8 -N8 progress | tr -d ' ')" 72
    expect "ranks in it" "$(od -An -tu8 -j16 -N8 progress | tr -d ' ')" 4
    privatize=-no-privatize
    BSIM_STATS=stats.json simulate 4 ./skeleton
    check_stats stats.json
    expect "seconds of 1 on a rank, where all share one copy" \
        "$($inspect value stats.json regions.1.most_seconds)" 1e-06
    original ring.c
    BSIM_STATS=original.json simulate 4 ./original
    expect "regions of the original" "$($inspect value original.json regions)" "[0]"
    expect "its calls" "$($inspect value original.json calls.6.count)" 16
}

ratio_model() { # of region 0
    cat >model.bsim <<EOF
mpiskel-model 1
bundle $bundle
machine test
region 0 a features 1 terms 1 range 1 2
term 1e-3 1
$1
region 1 b features 0 terms 1 range
term 1e-3
region 2 c features 0 terms 1 range
term 1e-3
ratio forest inputs 1 trees 2 scale 2
input before 3 0 1 2
tree 3 0 0.5 -1 1.0986122886681098 -1 0
tree 3 0 1.5 -1 0 -1 0.69314718055994531
end 3
EOF
}

# Three times the average at first, half of it from the fourth execution on, whatever the features.
case_latencies_follow_the_ratio() {
    skeleton ratio.c
    ratio_model "ratio table 3 1 3 2 1 4 0.5"
    BSIM_STATS=stats.json simulate 1 ./skeleton >output
    expect "region 0" "$(grep 'region 0' output | head -n 8 | cut -d ' ' -f 3 | tr '\n' ' ')" \
        "3.0 1.0 1.0 0.5 0.5 0.5 1.0 1.0 "
    expect "region 2 behind 0" "$(grep 'behind 0' output)" "region 2 behind 0 6.0 ms"
    expect "region 2 behind 1 and 2" "$(grep again output | cut -d ' ' -f 4 | tr '\n' ' ')" \
        "2.0 4.0 4.0 "
    expect "executions of 0" "$($inspect value stats.json regions.0.executions)" 8
    expect "seconds of 0" "$($inspect value stats.json regions.0.seconds)" 0.0085
}

# An input counts the executions since the feature changed.
case_latencies_follow_a_forest() {
    skeleton ratio.c
    ratio_model "ratio forest inputs 2 trees 1 scale 1
input unchanged 0 4
input feature 0 1 2
tree 5 0 0.5 1 1.5 -1 1.0986122886681098 -1 1.6094379124341003 -1 0"
    simulate 1 ./skeleton >output
    expect "region 0" "$(grep 'region 0' output | head -n 8 | cut -d ' ' -f 3 | tr '\n' ' ')" \
        "3.0 1.0 1.0 1.0 1.0 1.0 10.0 2.0 "
}

# Ranks that share one copy of the program count their executions apart, as with a copy each.
case_ranks_that_share_the_program_count_apart() {
    skeleton ratio.c
    ratio_model "ratio table 3 1 3 2 1 4 0.5"
    privatize=-no-privatize
    simulate 4 ./skeleton >shared
    privatize=
    simulate 4 ./skeleton >output
    diff shared output
    expect "first executions" "$(grep -c 'region 0 3.0 ms' output)" 4
}

# Gives region 0 and region 1 of the model this spread.
spread() {
    model
    sed -i "/^term 0.25/a spread $*" model.bsim
    sed -i "/^term 1e-9/a spread $*" model.bsim
}

noisy() { # BSIM_NOISE, summary, arguments of ring.c
    BSIM_NOISE="$1" BSIM_STATS="$2" simulate 4 ./skeleton "${@:3}" >/dev/null
}

seconds() { # summary, region
    $inspect value "$1" "regions.$2.seconds"
}

case_noise_is_a_function_of_seed_and_repetition() {
    skeleton ring.c
    spread 0.2 0.1 0.3 0.4 0.5
    noisy "7 3" a.json
    noisy "7 3" again.json
    cmp a.json again.json
    noisy "7 4" b.json
    noisy "8 3" c.json
    ! cmp -s a.json b.json || fail "another repetition has the same noise"
    ! cmp -s a.json c.json || fail "another seed has the same noise"
    sed -i 's/lat="1us"/lat="900us"/' platform.xml # ranks run in another order
    noisy "7 3" slow.json
    for region in 0 1; do
        expect "time in a slower network" "$(seconds slow.json $region)" "$(seconds a.json $region)"
    done
    platform
    model
    noisy "7 3" none.json
    check_stats none.json
    code=0
    noisy "7 x" bad.json 2>message || code=$?
    expect "exit code" "$code" 1
    grep -q "BSIM_NOISE is '7 x', not off, or a seed and the number of a repetition" message
}

ratio_of() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.6f\n", a / b }'; }

case_noise_has_the_factors_that_the_spread_says() {
    skeleton ring.c
    spread 0.2 0 0 0 0 # one for all of a region
    noisy "1 0" model.json
    expect "ranks alike" "$(ratio_of "$(seconds model.json 1)" "$($inspect value model.json regions.1.most_seconds)")" 4.000000
    factor=$(ratio_of "$(seconds model.json 1)" 4e-6)
    other=$(ratio_of "$(seconds model.json 0)" 1)
    within "factor of region 1" "$factor" 0.4 2.5
    [ "$factor" != 1.000000 ] || fail "there is no noise"
    [ "$factor" != "$other" ] || fail "regions have the same noise"
    spread 0 0.2 0 0 0 # one for all regions
    noisy "1 0" run.json
    expect "regions alike" "$(ratio_of "$(seconds run.json 1)" 4e-6)" "$(ratio_of "$(seconds run.json 0)" 1)"
    [ "$(seconds run.json 0)" != 1 ] || fail "the run has no noise"
    spread 0 0 0.2 0 0 # one for each rank
    noisy "1 0" rank.json
    within "the slowest of four ranks" "$(ratio_of "$(seconds rank.json 1)" "$($inspect value rank.json regions.1.most_seconds)")" 1 3.99
    spread 0 0 0 0.4 0 # one for each execution, 1 on average
    noisy "1 0" execution.json 2000
    within "mean of the executions" "$(ratio_of "$(seconds execution.json 1)" 1.6008e-3)" 0.98 1.02
    [ "$(ratio_of "$(seconds execution.json 1)" 1.6008e-3)" != 1.000000 ] || fail "no noise"
    spread 0 0 0 0 0.5 # out of the trained range
    noisy "1 0" inside.json 4 100
    expect "inside" "$(seconds inside.json 1)" 4e-06
    noisy "1 0" outside.json 4 400
    [ "$(seconds outside.json 1)" != 1e-05 ] || fail "there is no noise out of the range"
}

# Without --distribution executions differ by as much as the spread says, but not by more than 0.25.
case_executions_differ_by_chance() {
    skeleton ring.c
    spread 0.2 0.2 0 0 0.5
    BSIM_STATS=alike.json simulate 4 ./skeleton 2000 >/dev/null
    expect "without a spread of executions" "$(seconds alike.json 1)" 0.0016008
    spread 0.2 0.2 0 5 0.5
    BSIM_STATS=a.json simulate 4 ./skeleton 2000 >/dev/null
    within "mean of the executions" "$(ratio_of "$(seconds a.json 1)" 1.6008e-3)" 0.999 1.001
    BSIM_STATS=few.json simulate 4 ./skeleton 17 >/dev/null
    within "mean of sixteen and two" "$(ratio_of "$(seconds few.json 1)" 1.44e-5)" 0.98 1.02
    BSIM_STATS=two.json simulate 4 ./skeleton 1 >/dev/null
    expect "what runs twice" "$(seconds two.json 1)" 1.6e-06
    within "the slowest of four ranks" "$(ratio_of "$(seconds a.json 1)" "$($inspect value a.json regions.1.most_seconds)")" 3.9 3.999
    BSIM_STATS=again.json simulate 4 ./skeleton 2000 >/dev/null
    cmp a.json again.json
    noisy off off.json 2000
    expect "switched off" "$(seconds off.json 1)" 0.0016008
}

# The slowest of four ranks is exp(0.2 * 1.049 - 0.2^2 / 2 * 0.595) of the mean, in all regions, and
# others wait for it.
case_ranks_differ_as_long_as_a_run_lasts() {
    skeleton ring.c
    spread 0.3 0.3 0.2 0 0.5
    BSIM_STATS=a.json simulate 4 ./skeleton 2000 >/dev/null
    BSIM_STATS=again.json simulate 4 ./skeleton 2000 >/dev/null
    cmp a.json again.json
    noisy off off.json 2000
    within "mean of the ranks" "$(ratio_of "$(seconds a.json 1)" "$(seconds off.json 1)")" 0.999 1.001
    within "the slowest rank" "$(ratio_of "$($inspect value a.json regions.0.most_seconds)" 0.25)" 1.215 1.222
    within "all wait for it" "$(ratio_of "$($inspect value a.json makespan_s)" "$($inspect value off.json makespan_s)")" 1.19 1.222
    BSIM_STATS=alone.json simulate 1 ./skeleton 2000 >/dev/null
    expect "a rank alone" "$(seconds alone.json 0)" 0.25
    spread 0.3 0.3 9 0 0.5
    BSIM_STATS=wide.json simulate 4 ./skeleton 2000 >/dev/null
    within "by no more than 0.25" "$(ratio_of "$($inspect value wide.json regions.0.most_seconds)" 0.25)" 1.27 1.28
}

# Exit code 1 and what to do; no summary.
case_region_without_model_stops_the_run() {
    skeleton ring.c
    sed -i '/^region 2/,/^term/d; s/^end 3/end 2/' model.bsim
    code=0
    BSIM_STATS=stats.json simulate 4 ./skeleton 2>message || code=$?
    expect "exit code" "$code" 1
    grep -q 'src/.*ring.c:[0-9]*: error: region 2 has no model: .*mpiskel fit' message
    [ ! -e stats.json ] || fail "there is a summary"
    sed -i 's/^bundle .*/bundle fedcba9876543210/' model.bsim
    code=0
    simulate 4 ./skeleton 2>message || code=$?
    expect "exit code with a foreign model" "$code" 1
    grep -q 'belongs to bundle fedcba9876543210' message
    rm model.bsim
    code=0
    simulate 4 ./skeleton 2>message || code=$?
    expect "exit code without a model file" "$code" 1
    BSIM_TRACE=a simulate 4 ./skeleton
}

case_record_of_a_rank_that_ends_early_has_no_end() {
    original stop.c
    # After an abort smpirun may end with any code, so it tells nothing.
    BSIM_TRACE=a simulate 2 ./original abort >/dev/null 2>&1 || code=$?
    grep -q 'MPI_Barrier' a/rank-1.calls
    grep -q 'MPI_Abort comm=0 errorcode=3' a/rank-1.calls
    grep -q '^end' a/rank-1.calls && fail "the record of an aborted rank has an end line"
    BSIM_TRACE=b simulate 2 ./original exit >/dev/null 2>&1 || code=$?
    grep -q 'MPI_Barrier' b/rank-1.calls
    grep -q '^end' b/rank-1.calls && fail "the record of a rank that called exit has an end line"
    BSIM_TRACE=c simulate 2 ./original none
    grep -q '^end 3$' c/rank-1.calls
}

case_grids_are_those_of_open_mpi() {
    skeleton dims.c
    original dims.c
    mpicc -O1 "$sources/dims.c" -o real
    mpirun -np 1 ./real >wanted
    for program in skeleton original; do
        simulate 1 ./$program >found
        diff wanted found || fail "$program has other grids"
    done
    expect "lines" "$(wc -l <wanted)" 2292
}

# Five from rank 0 to rank 1, and those of a binomial tree over eight ranks.
case_messages_inside_collectives_count() {
    skeleton messages.c
    LD_PRELOAD=$libraries/libbsim_messages.so BSIM_MESSAGES=messages \
        smpirun -np 8 -platform platform.xml -hostfile hosts --log=root.thresh:warning \
        --cfg=smpi/simulate-computation:no --cfg=smpi/bcast:binomial_tree ./skeleton
    expect "messages" "$(od -An -tu8 -N8 messages | tr -d ' ')" $((5 + 7))
    expect "their bytes" "$(od -An -tf8 -j8 -N8 messages | tr -d ' ')" $((100300 + 7 * 1000))
}

# The summary of a run is the same, byte by byte; of messages.c all but the large one are detached.
case_messages_are_detached_quickly_and_nothing_else() {
    for source in ring.c many_calls.c messages.c; do
        skeleton "$source"
        BSIM_STATS=a.json simulate 16 ./skeleton >/dev/null
        LD_PRELOAD=$libraries/libbsim_messages.so BSIM_STATS=b.json BSIM_MESSAGES=messages \
            simulate 16 ./skeleton >/dev/null
        cmp a.json b.json
    done
    sent=$(od -An -tu8 -N8 messages | tr -d ' ')
    expect "detached messages" "$(od -An -tu8 -j16 -N8 messages | tr -d ' ')" $((sent - 1))
}

# Processor time is read where somebody asks for it: SMPI's own simulation of computation, loops
# that it samples.
case_processor_time_is_read_where_it_counts() {
    skeleton sampled.c
    for computation in no yes; do
        LD_PRELOAD=$libraries/libbsim_messages.so BSIM_MESSAGES=messages.$computation \
            smpirun -np 2 -platform platform.xml -hostfile hosts --log=root.thresh:warning \
            --cfg=smpi/simulate-computation:$computation --cfg=smpi/host-speed:1Gf \
            ./skeleton >output.$computation
        expect "the sampled loop" "$(cat output.$computation)" "takes simulated time"
    done
    spared=$(od -An -tu8 -j24 -N8 messages.no | tr -d ' ')
    [ "$spared" -ge 10 ] || fail "only $spared clocks were spared"
    expect "clocks that are spared" "$(od -An -tu8 -j24 -N8 messages.yes | tr -d ' ')" 0
}

timed() { # what is loaded before SimGrid, may be empty; simulated processors are half as fast
    LD_PRELOAD=$1 BSIM_MESSAGES=messages BSIM_HOST_SPEED=2e9 smpirun -np 2 -platform platform.xml \
        -hostfile hosts --log=root.thresh:warning --cfg=surf/precision:1e-9 \
        --cfg=smpi/simulate-computation:yes --cfg=smpi/host-speed:2Gf --cfg=smpi/cpu-threshold:0 \
        --cfg=smpi/display-timing:yes --log=smpi_utils.thresh:info ./original
}

# Programs time themselves: that must neither let other ranks use the caches in between, nor be
# told another time than MPI_Wtime's.
case_clocks_of_originals_do_not_disturb() {
    platform
    original clocks.c
    timed "$libraries/libbsim_messages.so" >output
    expect "what clocks say" "$(grep -c 'differ\|machine' output)" 0
    expect "order of ranks" "$(grep -o 'rank . step' output | uniq | wc -l)" 2
    within "seconds of the reference" "$(od -A n -j 32 -N 8 -t f8 messages)" 0.00001 0.1
    within "computation around calls" "$(awk '/ratio/ { print $2 }' output)" 0.6 1.6
    calls() { # library: seconds in calls, the least of five runs, since others disturb single ones
        for _ in 1 2 3 4 5; do timed "$1" 2>errors; done | awk '/calls/ { print $2 }' | sort -g | head -n 1
    }
    within "time in calls, of SMPI's" \
        "$(ratio_of "$(calls "$libraries/libbsim_messages.so")" "$(calls "")")" 0 0.9
}

case_a_thousand_ranks() {
    skeleton ring.c
    BSIM_STATS=stats.json simulate 1024 ./skeleton 20 1000
    expect finalized "$($inspect value stats.json finalized)" 1024
    expect "executions of 1" "$($inspect value stats.json regions.1.executions)" $((1024 * 21))
}

case_scratch_takes_the_time_of_real_memory() {
    platform
    skeleton light.c
    simulate 4 ./skeleton >output
    expect "what was received" "$(grep received output)" "received 3 beside 0"
    expect "the sum" "$(grep sum output)" "sum 6"
    expect "kinds of times" "$(grep -c 'exchange\|reduce' output)" 4
    expect "distinct times" "$(grep 'exchange\|reduce' output | sort -u | wc -l)" 2
    within "the exchange" "$(awk '/exchange/ { print $2; exit }' output)" 1e-6 1
}

case_samples_are_counted_and_timed() {
    profile timing.c
    # The program waits for elapsed time to pass.
    BSIM_CLOCK=wall mpirun --oversubscribe -np 4 ./profile 'an "argument"' 2>messages
    expect "number of files" "$(ls samples | wc -l)" 1
    file=$(echo samples/*.samples)
    expect bundle "$($inspect samples "$file" bundle)" "$bundle"
    expect ranks "$($inspect samples "$file" ranks)" 4
    expect complete "$($inspect samples "$file" complete)" true
    elapsed_s=$($inspect samples "$file" elapsed_s)
    within "elapsed seconds" "$elapsed_s" 0.0199 300
    most_s=$(awk "BEGIN { print 4 * $elapsed_s }") # of all ranks, where others have the cores meanwhile
    within "seconds of the reference" "$($inspect samples "$file" reference_s)" 0.00001 0.1
    expect "samples of 0" "$($inspect lines "$file" 0)" 8
    expect "executions of 0" "$($inspect sum "$file" 0 count)" 20
    expect "timed executions of 0" "$($inspect sum "$file" 0 timed)" 20
    seconds_of_0=$($inspect sum "$file" 0 seconds)
    within "seconds of 0" "$seconds_of_0" 0.0399 "$most_s"
    within "minima of 0" "$($inspect sum "$file" 0 min)" 0.0159 "$seconds_of_0"
    expect "executions of 1" "$($inspect sum "$file" 1 count)" 20
    within "seconds of 1" "$($inspect sum "$file" 1 seconds)" 0.0399 "$most_s"
    expect "samples of 4, inside of 1" "$($inspect lines "$file" 4)" 0
    expect "executions of 2" "$($inspect sum "$file" 2 count)" 800000
    within "timed executions of 2" "$($inspect sum "$file" 2 timed)" 4000 400000
    expect "executions of 3" "$($inspect sum "$file" 3 count)" 24000
    within "samples of 3" "$($inspect lines "$file" 3)" $((4 * 4096)) $((4 * 4200))
    expect "messages about 3" "$(grep -c 'region 3 has more than 4096' messages)" 4
    mkdir elsewhere
    BSIM_SAMPLES=elsewhere mpirun --oversubscribe -np 2 ./profile 2>/dev/null
    expect "number of files elsewhere" "$(ls elsewhere | wc -l)" 1
}

# The clock takes 50 us: the program's own time is what it takes without. Who waits for others to
# leave the machine alone keeps nobody.
case_the_time_of_the_run_holds_no_clocks() {
    profile timing.c "$sources/slow_clock.c" -DBUSY_S=5e-5
    elapsed() { # where samples go; what mpirun starts
        BSIM_SAMPLES=$1 mpirun --oversubscribe "${@:2}" 2>messages || fail "$1 ended with $?"
        $inspect samples "$(echo "$1"/*.samples)" elapsed_s
    }
    least() { # the most that is wanted; where samples go; what mpirun starts: again, since others make it longer
        for ((i = 0; i < ATTEMPTS; i++)); do
            seconds=$(elapsed "$2$i" "${@:3}")
            is_within "$seconds" 0 "$1" && break
        done
        echo "$seconds"
    }
    within "seconds with regions" "$(elapsed regions -np 1 ./profile)" 0.6 600
    export BSIM_CLOCK=none
    within "seconds without" "$(least 0.59 without -np 1 ./profile)" 0.0199 0.59
    within "seconds where one waits" \
        "$(least 1.49 waiting -np 1 env BSIM_QUIET=1.5 BSIM_QUIET_LOOP_S=1e-9 ./profile : -np 1 ./profile)" 0.0199 1.49
    expect "messages of the one that waits" "$(grep -c 'others disturb' messages)" 1
    file=$(ls waiting*/*.samples | tail -n 1)
    expect clock "$($inspect samples "$file" clock)" none
    expect complete "$($inspect samples "$file" complete)" true
    expect "lines but those of calls" "$(grep -vc '"calls"' "$file")" 2
    within "seconds of the reference" "$($inspect samples "$file" reference_s)" 0.00001 0.1
}

# Region 0 alternates with region 1 and between two vectors; region 2 is executed 200,000 times.
case_samples_tell_the_contexts_of_executions() {
    profile timing.c
    mpirun -np 1 ./profile 2>messages
    file=$(echo samples/*.samples)
    contexts() { # region, first feature, second one
        grep "\"region\":$1,\"rank\":0,\"features\":\[${2:-}\]" "$file" |
            sed -n 's/.*"contexts":\[\(.*\)\].*/\1/p' | tr , '\n' |
            paste -d , - - - - - | cut -d , -f 1-4 | tr '\n' ' '
    }
    expect "region 0" "$(contexts 0 2.5,0)" "1,1,-1,1 3,1,1,1 5,1,1,1 "
    expect "region 0, odd ones" "$(contexts 0 2.5,1)" "2,1,1,1 4,1,1,1 "
    expect "region 1" "$(contexts 1)" "1,1,0,1 2,2,0,1 3,3,0,1 4,4,0,1 5,5,0,1 "
    expect "region 2" "$(contexts 2 7 | cut -d ' ' -f 1-8)" \
        "1,1,1,1 2,2,2,1 3,3,2,1 4,4,2,1 5,5,2,4 9,9,2,8 17,17,2,16 33,33,2,32"
    within "the timed executions in contexts" \
        "$(contexts 2 7 | tr ' ' '\n' | awk -F , '{ sum += $4 } END { print sum }')" \
        "$($inspect sum "$file" 2 timed)" "$($inspect sum "$file" 2 timed)"
}

# Other guests of the machine use its caches for seconds on end: runs are made again, alternating,
# until the shortest times of each kind tell, or so many have been made that they would have.
ATTEMPTS=12
shortest() { cat "$1"/shortest; }
note_shortest() { # kind, samples, region
    $inspect sum "$(echo "$2"/*.samples)" "$3" min >>"$1"/all
    sort -g "$1"/all | head -n 1 >"$1"/shortest
}

# What others leave of the caches depends on how long they had them: to go through 64 MB after each of
# 20,000 regions that take no time would take minutes of the processor.
# A thousand ranks, since 64 go through 1.4 MB while one goes through its 256 KiB in 2.2 us, which is hardly
# more than a core's own cache has on quick processors: whether it is evicted then is chance.
case_caches_are_evicted_as_far_as_others_come() {
    profile evict.c
    mkdir warm cold few
    for ((i = 0; i < ATTEMPTS; i++)); do
        BSIM_SAMPLES=warm$i mpirun --oversubscribe -np 1 ./profile
        BSIM_CACHE=cold BSIM_CACHE_RANKS=1000 BSIM_SAMPLES=cold$i mpirun --oversubscribe -np 1 ./profile
        BSIM_CACHE=cold BSIM_CACHE_RANKS=1 BSIM_SAMPLES=few$i mpirun --oversubscribe -np 1 ./profile
        for kind in warm cold few; do
            note_shortest $kind $kind$i 0
        done
        is_within "$(ratio_of "$(shortest cold)" "$(shortest warm)")" 1.3 1000 &&
            is_within "$(ratio_of "$(shortest few)" "$(shortest warm)")" 0.77 1.3 && break
    done
    TIMEFORMAT=%U
    { time BSIM_CACHE=cold timeout 1200 mpirun --oversubscribe -np 1 ./profile 20000; } 2>took
    within "seconds of the processor" "$(tail -n 1 took)" 0 60
    grep -q '"cache":"cold"' cold0/*.samples
    grep -q '"cache":"as is"' few0/*.samples
    within "the shortest time to go through 256 KiB, cold over warm" \
        "$(ratio_of "$(shortest cold)" "$(shortest warm)")" 1.3 1000
    within "and with one rank" "$(ratio_of "$(shortest few)" "$(shortest warm)")" 0.77 1.3
}

# A rank that communicates with nobody finds its caches as it left them, behind calls of all it does not.
case_who_takes_part_evicts() {
    profile evict.c
    mkdir all alone
    for ((i = 0; i < ATTEMPTS; i++)); do
        BSIM_CACHE=cold BSIM_CACHE_MB=16 BSIM_SAMPLES=run$i mpirun --oversubscribe -np 4 ./profile
        note_shortest all run$i 0
        note_shortest alone run$i 2
        is_within "$(ratio_of "$(shortest all)" "$(shortest alone)")" 1.3 1000 && break
    done
    within "the shortest time to go through 256 KiB, behind calls of all over those of one" \
        "$(ratio_of "$(shortest all)" "$(shortest alone)")" 1.3 1000
}

# Four ranks on this machine's cores; one that leaves a region by a jump does not make others wait.
case_ranks_of_a_node_compute_one_at_a_time() {
    profile turns.c
    at_once() { timeout 600 mpirun --oversubscribe -np 4 ./profile "$@" 2>errors; }
    within "rounds that overlap" "$(at_once)" 1 50
    expect "rounds that overlap, with turns" "$(BSIM_CACHE=cold BSIM_CACHE_MB=1 at_once)" 0
    rm -rf samples
    BSIM_CACHE=cold at_once jump >rounds || fail "ended with $? after a jump: $(cat errors)"
    expect "executions of 0" "$($inspect sum samples/*.samples 0 timed)" 200
    expect "executions of 1" "$($inspect sum samples/*.samples 1 count)" 4
    expect "timed executions of 1" "$($inspect sum samples/*.samples 1 timed)" 3
    expect "messages about 1" "$(grep -c 'rank 0 communicates in region 1' errors)" 1
    left() { # of this test's processes, which have ended; other tests have such files for a moment
        for file in $(find /dev/shm -name 'mpiskel-turns-*' -newer model.bsim); do
            [ -e "/proc/${file##*-}" ] || [ ! -e "$file" ] || echo "$file"
        done
    }
    expect "what is left in /dev/shm" "$(left)" ""
}

# Nothing is quiet enough, and everything is: what is timed neither contains the waiting nor is lost.
case_nothing_is_timed_while_others_disturb() {
    platform
    profile timing.c
    original clocks.c
    for loop_s in 1e-9 1; do
        export BSIM_QUIET=1.5 BSIM_QUIET_LOOP_S=$loop_s
        waits=$([ $loop_s = 1 ] && echo 0 || echo 1)
        rm -rf samples
        begin_ns=$(date +%s%N)
        BSIM_CLOCK=wall mpirun --oversubscribe -np 1 ./profile 2>errors
        took_s=$(ratio_of $(($(date +%s%N) - begin_ns)) 1e9)
        within "profiling run" "$took_s" $([ $waits = 1 ] && echo 1.5 || echo 0) 600
        expect "messages of the profiling run" "$(grep -c 'others disturb' errors)" $waits
        file=$(echo samples/*.samples)
        expect "executions of 0" "$($inspect sum "$file" 0 count)" 5
        within "seconds of 0" "$($inspect sum "$file" 0 seconds)" 0.0099 1.49
        begin_ns=$(date +%s%N)
        timed "$libraries/libbsim_messages.so" >output 2>errors
        took_s=$(ratio_of $(($(date +%s%N) - begin_ns)) 1e9)
        within "original" "$took_s" $([ $waits = 1 ] && echo 1.5 || echo 0) 600
        expect "messages of the original" "$(grep -c 'others disturb' errors)" $waits
        expect "what clocks say" "$(grep -c 'differ\|machine' output)" 0
        within "simulated time" "$(sed -n 's/.*Simulated time: *\([0-9.]*\).*/\1/p' errors)" 0.0001 1.4
    done
    BSIM_QUIET=always mpirun --oversubscribe -np 1 ./profile 2>errors
    expect "messages about what is no number" "$(grep -c 'BSIM_QUIET=always is no number' errors)" 1
}

# What is disturbed does not count where something else does, however long it takes.
case_what_others_disturb_does_not_count() {
    profile disturbed.c "$sources/slow_clock.c" -DTICK_S=1e-4
    for quiet in 0 60; do
        BSIM_SAMPLES=samples$quiet BSIM_QUIET=$quiet BSIM_QUIET_LOOP_S=1e-4 mpirun --oversubscribe -np 1 ./profile
        file=$(echo samples$quiet/*.samples)
        of() { $inspect sum "$file" "$1" "$2"; }
        expect "executions" "$(of 0 count) $(of 1 count) $(of 2 count)" "10 10 10"
        expect "timed" "$(of 0 timed) $(of 1 timed) $(of 2 timed)" "$([ $quiet = 60 ] && echo 5 || echo 10) 10 10"
        within "the mean of region 0" "$(ratio_of "$(of 0 seconds)" "$(of 0 timed)")" \
            $([ $quiet = 60 ] && echo 0.0099 0.0101 || echo 0.0149 0.0151)
        within "the longest of region 0" "$(of 0 max)" $([ $quiet = 60 ] && echo 0.0099 0.0101 || echo 0.0199 0.0201)
        within "the mean of region 1" "$(ratio_of "$(of 1 seconds)" "$(of 1 timed)")" 0.0199 0.0201
    done
}

slow_clock() { # further options
    gcc -shared -fPIC -O2 -Wall -Wextra -Werror "$sources/slow_clock.c" -o libslow.so "$@"
}

# To look at the clock takes a tenth of a burst. Simulated processors are half as fast as this one.
case_originals_do_not_count_what_the_clock_takes() {
    slow_clock -DTICK_S=2e-3
    compile smpicc BSIM_ORIGINAL bsim_original bursts.c original -Wl,--no-as-needed "$PWD/libslow.so"
    HOW=2 timed "$PWD/libslow.so:$libraries/libbsim_messages.so" 2>errors >output
    within "what bursts take" "$(awk '/took/ { print $2 }' output)" 0.399 0.405
}

# Simulated processors are half as fast as this one: bursts of 20 ms take 40.
case_originals_count_what_bursts_usually_take() {
    slow_clock
    compile smpicc BSIM_ORIGINAL bsim_original bursts.c original -Wl,--no-as-needed "$PWD/libslow.so"
    took() { # how, what BSIM_QUIET says, file of bursts
        HOW=$1 BSIM_QUIET=$2 BSIM_QUIET_LOOP_S=1e-5 BSIM_BURSTS=$3 \
            timed "$PWD/libslow.so:$libraries/libbsim_messages.so" 2>errors >output
        awk '/took/ { print $2 }' output
    }
    shares() { od -A n -j $((40 + 8 * $1)) -N 8 -t f8 messages; } # computed, disturbed, replaced
    for run in 1 2; do within "a quiet run" "$(took $run 60 known)" 0.39 0.42; done
    for how in late gone; do within "$how, twice known" "$(took $how 60 twice)" 0.79 0.82; done
    rm known
    for run in 1 2 3 4 5; do within "a quiet run" "$(took $run 60 known)" 0.39 0.42; done
    bytes=$(stat -c %s known)
    within "late, known" "$(took late 60 known)" 0.39 0.42
    within "seconds that were replaced" "$(shares 2)" 0.59 0.61
    within "seconds that were computed" "$(shares 0)" 0.59 0.62
    expect "bytes of what is known" "$(stat -c %s known)" $((bytes / 5 * 6))
    within "gone, known" "$(took gone 60 known)" 0.39 0.42
    within "late, where nobody looks" "$(took late 0 known)" 0.39 0.42
    within "late, unknown" "$(took late 60 "")" 0.79 0.82
    within "late, not known yet" "$(took late 60 new)" 0.79 0.82
    within "seconds that count though disturbed" "$(shares 1)" 0.59 0.61

    own() { awk '/timed/ { print $2 }' output; }
    for run in 1 2 3 4 5; do
        within "a quiet run, with a clock that is read" "$(READS=1 took $run 60 read)" 0.39 0.42
        within "what it reads" "$(own)" 0.099 0.102
    done
    within "late, with a clock that is read, known" "$(READS=1 took late 60 read)" 0.39 0.42
    within "what it reads" "$(own)" 0.099 0.102
    within "late, with a clock that is read, unknown" "$(READS=1 took late 60 "")" 0.79 0.82
    within "what it reads" "$(own)" 0.199 0.203

    for run in 1 2 3 4 5; do within "a quiet run" "$(OTHERS=1 took $run 60 others)" 0.39 0.42; done
    within "late, bursts that are others" "$(OTHERS=1 took late 60 others)" 0.79 0.82

    bytes=$(stat -c %s known)
    within "late, known of other arguments" "$(BSIM_CONFIGURATION=others took late 60 known)" 0.79 0.82
    expect "messages about it" "$(grep -c 'BSIM_BURSTS=known: it is of another program, number' errors)" 1
    expect "bytes of what is known then" "$(stat -c %s known)" "$bytes"

    head -c $((bytes / 8 * 4 + 7)) known >short
    head -c 100000 /dev/urandom >noise
    within "late, known by a file that is cut off" "$(took late 60 short)" 0.39 0.42
    expect "bytes of what was cut off" "$(stat -c %s short)" $((bytes / 8 * 5))
    within "late, unknown" "$(took late 60 noise)" 0.79 0.82
    expect "messages about it" "$(grep -c 'BSIM_BURSTS=noise: it is no file of bursts' errors)" 1
    expect "bytes of another file" "$(stat -c %s noise)" 100000
    within "late, with a directory" "$(took late 60 "$PWD")" 0.79 0.82
    expect "messages about it" "$(grep -c 'BSIM_BURSTS=.*it is no file' errors)" 1
}

# Ten bursts of 10 us on rank 0, of 20 us on rank 1, of which some take 15 us more, others in each run.
case_originals_do_not_count_interruptions_of_short_bursts() {
    slow_clock -DTICK_S=1e-8
    compile smpicc BSIM_ORIGINAL bsim_original bursts.c original -Wl,--no-as-needed "$PWD/libslow.so"
    took() { # which bursts are longer, file of bursts
        HOW=2 BASE=1e-5 HITS=$1 BSIM_BURSTS=$2 \
            timed "$PWD/libslow.so:$libraries/libbsim_messages.so" 2>errors >output
        awk '/took/ { print 1e6 * $2 }' output
    }
    least=$(took 0 "")
    within "an interruption that counts" "$(($(took 682 "") - least))" 148 152
    for hits in 10 0 32 640; do took $hits known >more; done
    within "five interruptions, known" "$(($(took 682 known) - least))" -2 2
    for hits in 170 680 650 674; do took $hits others >more; done
    within "bursts that are others each time" "$(($(took 682 others) - least))" 148 152
}

case_samples_survive_abort_and_exit() {
    profile stop.c
    for way in abort exit quit; do
        rm -rf samples
        timeout 600 mpirun --oversubscribe -np 2 ./profile $way >/dev/null 2>&1 && fail "mpirun did not fail"
        file=$(echo samples/*-rank1.samples)
        expect "complete after $way" "$($inspect samples "$file" complete)" false
        expect "executions before $way" "$($inspect sum "$file" 0 count)" 3
    done
    for way in none return; do
        rm -rf samples
        mpirun --oversubscribe -np 2 ./profile $way
        expect "files after $way" "$(ls samples | wc -l)" 1
        expect "complete after $way" "$($inspect samples samples/*.samples complete)" true
        expect "executions before $way" "$($inspect sum samples/*.samples 0 count)" 6
    done
}

# Where samples cannot be written the program runs on, with one line on stderr and none on stdout.
case_profiling_that_fails_is_off() {
    profile ring.c
    touch file
    BSIM_SAMPLES=file/samples mpirun -np 1 ./profile 3 10 >output 2>messages
    expect "lines on stderr" "$(grep -c 'profiling is off' messages)" 1
    expect "lines on stdout" "$(sed '/^charged/d' output | wc -l)" 0
}

platform
model
"case_$case"
echo "$case: fine"

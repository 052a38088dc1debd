/* SPDX-License-Identifier: Apache-2.0
 *
 * Time in the original under SMPI. Where SMPI has been asked to simulate computation it is the
 * simulated time plus what the rank has computed since its last MPI call
 * (runtime/original/rank_clock.h). SMPI's own answer is the same but comes after the computation so
 * far was simulated: other ranks take their turns meanwhile, and a program that times its own
 * functions finds its caches used by all of them, as on no real machine (HydroC on 64 ranks: 7 %
 * slower). Where computation is not simulated (verify), asking for the time takes none, as in the
 * skeleton, most of whose clocks are gone: else messages would arrive in another order, and
 * MPI_Waitany find another one first. A program that asks again and again without any MPI call is
 * answered by SMPI in the end: the clock advances, and others may do what it waits for. Where
 * regions take the time that the models say (BSIM_LATENCIES), the clock is the skeleton's. Linked
 * into originals only.
 */
#include "runtime/original/malloc_threshold.h"
#include "runtime/original/rank_clock.h"
#include "runtime/smpi/io.h"

#define BSIM_NO_MACROS
#include "bsim_calls.h"

#include <math.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <stdlib.h>

/* So many in direct succession, and each further one lets other ranks go on and takes what
 * `smpi/wtime` says. */
#define IDLE_WTIMES 100000

BSIM__COMMON int bsim__takes_latencies;

__attribute__((constructor)) static void ask_for_latencies(void) {
    bsim__takes_latencies = getenv("BSIM_LATENCIES") != NULL;
}

/* NULL where the library was not preloaded. */
#pragma weak bsim_burst_end
#pragma weak bsim_burst_begin
#pragma weak bsim_burst_clock_s

static double flops_per_s(void) {
    static double known = -1;
    if (known < 0) {
        const char *speed = getenv("BSIM_HOST_SPEED");
        known = speed != NULL ? strtod(speed, NULL) : 0;
    }
    return known;
}

static uint64_t place_of(const struct bsim__call *call) {
    return (uint64_t)call->id << 32 | (uint32_t)call->line;
}

void bsim__hold_clock(struct bsim__call *call) {
    const struct bsim__rank *rank = bsim__current_rank();
    bsim__own.kept_depth = 0; /* a region that communicates was left by a jump */
    if (bsim_burst_end != NULL && rank->number >= 0 && !rank->finalized &&
        bsim__shared()->computation_takes_time)
        call->clock = bsim_burst_end(rank->number, place_of(call));
}

void bsim__release_clock(struct bsim__call *call) {
    if (bsim__shared()->computation_takes_time)
        bsim__malloc_use(bsim__current_rank());
    if (call->clock != NULL)
        bsim_burst_begin(call->clock);
}

/* Simulated seconds that the rank has computed since its last MPI call; below 0: not known. */
static double computed_s(const struct bsim__rank *rank) {
    double real_s = bsim_burst_clock_s != NULL ? bsim_burst_clock_s(rank->number) : -1;
    double speed = flops_per_s();
    return real_s >= 0 && speed > 0 ? real_s * speed / sg_host_get_speed(sg_host_self()) : -1;
}

double bsim__clock_s(void) {
    double counted_s = bsim__counted_clock_s(bsim__current_rank());
    if (!isnan(counted_s))
        return counted_s;
    if (bsim__takes_latencies) /* in a region the skeleton asks for none */
        return bsim__charged_clock_s(bsim__current_rank(), bsim__own.kept_depth == 0);
    if (++bsim__current_rank()->idle_wtimes > IDLE_WTIMES)
        return MPI_Wtime();
    if (!bsim__shared()->computation_takes_time)
        return simgrid_get_clock();
    double ahead_s = computed_s(bsim__current_rank());
    return ahead_s >= 0 ? simgrid_get_clock() + ahead_s : MPI_Wtime();
}

double bsim__uncharged_s(const struct bsim__rank *rank) {
    bool computes = bsim__shared()->computation_takes_time && !bsim__takes_latencies;
    return computes ? fmax(computed_s(rank), 0) : 0;
}

double bsim_MPI_Wtime(const char *bsim_file, int bsim_line) {
    (void)bsim_file, (void)bsim_line;
    return bsim__clock_s() - bsim__shared()->start_s;
}

void bsim__lighten(struct bsim__call *call) {
    (void)call;
}

void bsim__charge_gap(struct bsim__rank *rank, const struct bsim__call *call) {
    (void)rank, (void)call;
}

/* It writes what it computes. */
bool bsim__io_is_scratch(const void *buffer) {
    (void)buffer;
    return false;
}

bool bsim__io_spares_disk(void) {
    return false;
}

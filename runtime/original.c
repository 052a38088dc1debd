/* SPDX-License-Identifier: Apache-2.0
 *
 * Time in the original under SMPI. Where SMPI has been asked to simulate computation it is the
 * simulated time plus what the rank has computed since its last MPI call (runtime/rank_clock.h).
 * SMPI's own answer is the same but comes after the computation so far was simulated: other ranks
 * take their turns meanwhile, and a program that times its own functions finds its caches used by
 * all of them, as on no real machine (HydroC on 64 ranks: 7 % slower). Where computation is not
 * simulated (verify), asking for the time takes none, as in the skeleton, most of whose clocks are
 * gone: else messages would arrive in another order, and MPI_Waitany find another one first. A
 * program that asks again and again without any MPI call is answered by SMPI in the end: the clock
 * advances, and others may do what it waits for. Linked into originals only.
 */
#include "runtime/runtime.h"

#define BSIM_NO_MACROS
#include "bsim_calls.h"

#include <dlfcn.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <stdlib.h>
#include <string.h>

/* So many in direct succession, and each further one lets other ranks go on and takes what
 * `smpi/wtime` says. */
#define IDLE_WTIMES 100000

typedef void *(*hold_call)(void);
typedef void (*go_call)(void *timer);
typedef double (*clock_call)(void);

static struct {
    bool looked_up;
    hold_call hold;
    go_call go;
    clock_call computed_s;
    double flops_per_s; /* of the processor that computes here; 0: not known */
} clock_of;

static void look_up(void *out, const char *name) {
    void *found = dlsym(RTLD_DEFAULT, name);
    memcpy(out, &found, sizeof found);
}

static void find_clock(void) {
    if (clock_of.looked_up)
        return;
    const char *speed = getenv("BSIM_HOST_SPEED");
    clock_of.looked_up = true;
    clock_of.flops_per_s = speed != NULL ? strtod(speed, NULL) : 0;
    look_up(&clock_of.hold, "bsim_clock_hold");
    look_up(&clock_of.go, "bsim_clock_go");
    look_up(&clock_of.computed_s, "bsim_clock_s");
}

void bsim__hold_clock(struct bsim__call *call) {
    const struct bsim__rank *rank = bsim__current_rank();
    find_clock();
    if (clock_of.hold != NULL && clock_of.go != NULL && rank->number >= 0 && !rank->finalized &&
        bsim__shared()->computation_takes_time)
        call->clock = clock_of.hold();
}

void bsim__release_clock(struct bsim__call *call) {
    if (call->clock != NULL)
        clock_of.go(call->clock);
}

/* Simulated seconds that the rank has computed since its last MPI call; below 0: not known. */
static double computed_s(void) {
    find_clock();
    double real_s = clock_of.computed_s != NULL ? clock_of.computed_s() : -1;
    return real_s >= 0 && clock_of.flops_per_s > 0
               ? real_s * clock_of.flops_per_s / sg_host_get_speed(sg_host_self())
               : -1;
}

double bsim__clock_s(void) {
    if (++bsim__current_rank()->idle_wtimes > IDLE_WTIMES)
        return MPI_Wtime();
    if (!bsim__shared()->computation_takes_time)
        return simgrid_get_clock();
    double ahead_s = computed_s();
    return ahead_s >= 0 ? simgrid_get_clock() + ahead_s : MPI_Wtime();
}

double bsim_MPI_Wtime(const char *bsim_file, int bsim_line) {
    (void)bsim_file, (void)bsim_line;
    return bsim__clock_s() - bsim__shared()->start_s;
}

void bsim__lighten(struct bsim__call *call) {
    (void)call;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Two readings of the monotonic clock for each stretch of kept code, or of the clock that counts
 * where there is one; what a stretch of nothing takes is subtracted.
 */
#include "runtime/profile/profile_kept.h"

#include "runtime/common/idle_machine.h"
#include "runtime/common/machine_clock.h"
#include "runtime/profile/profile.h"

#define BSIM_PROFILE
#define BSIM_NO_MACROS
#include "runtime/include/bsim.h"

#define TRIALS 201

static double since_s = -1; /* kept code goes on since then; negative: it is paused */
static double kept_s, overhead_s;

static double now_s(void) {
    return bsim__machine_clock_s(bsim__profile.counted != NULL ? bsim__profile.clock
                                                               : CLOCK_MONOTONIC);
}

void bsim__kept_start(void) {
    double trials[TRIALS];
    for (int i = 0; i < TRIALS; i++) {
        since_s = now_s();
        trials[i] = now_s() - since_s;
    }
    overhead_s = bsim__median(trials, TRIALS);
    kept_s = 0;
    bsim__kept_resume();
}

void bsim__kept_pause(void) {
    if (since_s < 0 || !bsim__profile_measures())
        return;
    double stretch_s = now_s() - since_s - overhead_s;
    if (stretch_s > 0)
        kept_s += stretch_s;
    since_s = -1;
}

void bsim__kept_resume(void) {
    if (bsim__profile_measures() && bsim__profile.start_s > 0 && !bsim__region_is_open())
        since_s = now_s();
}

double bsim__kept_take(void) {
    double taken_s = kept_s;
    kept_s = 0;
    return taken_s;
}

/* Around a sleep of the program's own, and before features are computed (bsim.h). */
void bsim_pause_kept(void) {
    bsim__kept_pause();
}

int bsim_resume_kept(int result) {
    bsim__kept_resume();
    return result;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Waiting until others leave the machine alone, before something is timed: BSIM_QUIET.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Others may have begun to disturb since bsim__idle_machine_wait() in what took so long. */
#define BSIM__QUIET_LONG_S 2e-4

/* Of the loop that BSIM_QUIET_LOOP_S tells the time of. */
#define BSIM__IDLE_MACHINE_PASSES 1000

/* Processor time, in seconds, of so many passes (84 ns each, say) through a loop that is always the
 * same and leaves the caches but 2 KiB alone. */
double bsim__idle_machine_loop_s(int passes);

/* Sorts them; there is one at least. */
double bsim__median(double *numbers, size_t count);

/* Before what is timed: returns at once, mostly, and otherwise when the loop takes no longer than
 * on an undisturbed machine. */
void bsim__idle_machine_wait(void);

/* Something waits: BSIM_QUIET seconds were asked for, and are not over yet. */
bool bsim__idle_machine_is_asked(void);

/* Behind what was timed: false if others disturb now, and so probably did before. True as well
 * where nothing waits for them. */
bool bsim__idle_machine_is_left(void);

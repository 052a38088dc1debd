/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether others used this machine's processors while something was measured here.
 *
 * In: the kernel's times of all processors (/proc/stat), and those of this process and of the
 * children that it has waited for. Out: what is left, as a share of what the processors could have
 * done; and what a virtual machine's host took away. Works where /proc is Linux's; elsewhere
 * nothing is known. Not noticed: what others do to caches and memory, or a lower clock.
 */
#pragma once

#include <stdbool.h>

/* Others matter from a twentieth on: an idle Linux takes a hundredth at most. */
#define DISTURBANCE_MATTERS 0.05

struct disturbance_mark {
    bool known;
    double wall_s, busy_s, stolen_s, own_s;
};

struct disturbance {
    bool known;
    double others, stolen; /* shares of all processors' time */
};

struct disturbance_mark disturbance_begin(void);

/* Since the mark; not known if that is less than a tenth of a second, which the kernel's ticks do
 * not tell. */
struct disturbance disturbance_since(const struct disturbance_mark *mark);

/* It matters: more than DISTURBANCE_MATTERS together. */
bool disturbance_matters(const struct disturbance *disturbance);

/* A note on stderr where it matters: what was done meanwhile, and what to do about it. */
void disturbance_tell(const struct disturbance *disturbance, const char *meanwhile,
                      const char *advice);

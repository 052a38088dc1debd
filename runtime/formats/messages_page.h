/* SPDX-License-Identifier: Apache-2.0
 *
 * The file that BSIM_MESSAGES names (docs/reference/run-files.md): mapped and counted in by
 * runtime/preload, read when the simulation is over by simulator/run/traffic.c.
 */
#ifndef RUNTIME_FORMATS_MESSAGES_PAGE_H
#define RUNTIME_FORMATS_MESSAGES_PAGE_H

#include <stdint.h>

struct bsim__bursts { /* seconds of processor time, of all ranks */
    double computed_s;
    double disturbed_s; /* of that: what was disturbed, and too few runs tell of it */
    double replaced_s;  /* what took longer than it does in other runs, and counts as there */
};

struct messages_page {
    uint64_t count;
    double bytes;
    uint64_t detached;          /* by runtime/preload/detached.c */
    uint64_t untimed;           /* by runtime/preload/host_clock.c */
    double reference_s;         /* likewise */
    struct bsim__bursts bursts; /* likewise */
};

#endif

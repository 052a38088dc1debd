/* SPDX-License-Identifier: Apache-2.0
 *
 * The clock of probe_machine.c where callgrind counts: each measured loop becomes a file of counts,
 * and its seconds are the number of that file.
 */
#include <valgrind/callgrind.h>

static int probe_counted;

static double probe_end(void) {
    CALLGRIND_DUMP_STATS;
    return ++probe_counted;
}

#define PROBE_BEGIN CALLGRIND_ZERO_STATS
#define PROBE_END() probe_end()

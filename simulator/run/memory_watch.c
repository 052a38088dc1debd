/* SPDX-License-Identifier: Apache-2.0
 *
 * What memory.h of base knows of the system, and what MPISKEL_MEMORY asks for; see memory_watch.h.
 */
#include "simulator/run/memory_watch.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

#define RESERVE_BYTES 64e6 /* that the system keeps at least, */
#define RESERVE_PART 0.01  /* and of what it has */

static int asked_bytes(double *out, struct error *error) {
    const char *text = getenv("MPISKEL_MEMORY");
    *out = INFINITY;
    if (text == NULL || text[0] == '\0' || memory_size_parse(out, text) == 0)
        return 0;
    return error_set(error, "MPISKEL_MEMORY is '%s'; it takes a size such as 2GiB", text);
}

int memory_watch_limit(double *out_bytes, struct error *error) {
    if (asked_bytes(out_bytes, error) != 0)
        return -1;
    *out_bytes = fmin(*out_bytes, memory_available_bytes());
    return 0;
}

int memory_watch_init(struct memory_watch *out, struct error *error) {
    if (asked_bytes(&out->most_bytes, error) != 0)
        return -1;
    out->most_bytes = fmin(out->most_bytes, memory_group_bytes());
    double total = memory_system_bytes("MemTotal:");
    out->available_bytes = isfinite(total) ? fmax(RESERVE_BYTES, RESERVE_PART * total) : 0;
    return 0;
}

bool memory_watch_exceeded(const struct memory_watch *watch, pid_t pid) {
    return memory_resident_bytes(pid) > watch->most_bytes ||
           memory_system_bytes("MemAvailable:") < watch->available_bytes;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Linux's /proc; see driver.h.
 */
#include "simulator/sweep/driver.h"

#include "base/clock.h"
#include "base/file.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *boot_id(struct arena *arena) {
    struct error error = {0};
    char *text = NULL;
    if (file_read(&text, NULL, "/proc/sys/kernel/random/boot_id", &error) != 0)
        return "";
    const char *copy = arena_strndup(arena, text, strcspn(text, "\n"));
    free(text);
    return copy;
}

struct driver driver_self(struct arena *arena) {
    char host[HOST_NAME_MAX + 1] = "", space[128] = "";
    if (gethostname(host, sizeof host - 1) != 0)
        host[0] = '\0';
    if (readlink("/proc/self/ns/pid", space, sizeof space - 1) < 0)
        space[0] = '\0';
    return (struct driver){.host = arena_strdup(arena, host),
                           .boot = boot_id(arena),
                           .space = arena_strdup(arena, space),
                           .pid = getpid(),
                           .started = clock_process_began(getpid()),
                           .seen_s = clock_realtime_s()};
}

bool driver_is_alive(const struct driver *driver) {
    struct arena arena = {0};
    struct driver self = driver_self(&arena);
    bool same_host = strcmp(self.host, driver->host) == 0;
    bool same_boot = strcmp(self.boot, driver->boot) == 0;
    bool same_space = strcmp(self.space, driver->space) == 0;
    arena_dispose(&arena);
    if (same_host && !same_boot)
        return false;
    if (same_host && same_space)
        return clock_process_began(driver->pid) == driver->started;
    return self.seen_s - driver->seen_s < DRIVER_SILENCE_S;
}

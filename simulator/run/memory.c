/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads /proc and the control group's files; see memory.h.
 */
#include "simulator/run/memory.h"

#include "base/file.h"
#include "base/str.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GROUP "/sys/fs/cgroup"
#define RESERVE_BYTES 64e6 /* that the system keeps at least, */
#define RESERVE_PART 0.01  /* and of what it has */

/* The number behind `key` in a file of lines, or the first number where key is ""; -1: there is
 * none. */
static double number_in(const char *path, const char *key) {
    char line[256];
    double number = -1;
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return -1;
    while (number < 0 && fgets(line, sizeof line, file) != NULL)
        if (!text_has_prefix(line, key) || sscanf(line + strlen(key), "%lf", &number) != 1)
            number = -1;
    fclose(file);
    return number;
}

static double system_bytes(const char *key) {
    double kib = number_in("/proc/meminfo", key);
    return kib >= 0 ? 1024 * kib : INFINITY;
}

/* What this process' control group and those above it leave. */
static double group_bytes(void) {
    char line[1024], path[1200];
    double least = INFINITY;
    FILE *file = fopen("/proc/self/cgroup", "r");
    bool found = false;
    while (file != NULL && !found && fgets(line, sizeof line, file) != NULL)
        found = text_has_prefix(line, "0::/");
    if (file != NULL)
        fclose(file);
    if (!found)
        return INFINITY;
    char *group = line + strlen("0::");
    group[strcspn(group, "\n")] = '\0';
    for (;;) {
        snprintf(path, sizeof path, GROUP "%s/memory.max", group);
        double most = number_in(path, "");
        snprintf(path, sizeof path, GROUP "%s/memory.current", group);
        double used = number_in(path, "");
        if (most >= 0 && used >= 0)
            least = fmin(least, fmax(0, most - used));
        char *last = strrchr(group, '/');
        if (last == NULL || group[0] == '\0')
            return least;
        *last = '\0';
    }
}

static int asked_bytes(double *out, struct error *error) {
    static const struct {
        const char *name;
        double bytes;
    } units[] = {{"", 1},         {"B", 1},    {"KiB", 0x1p10}, {"MiB", 0x1p20}, {"GiB", 0x1p30},
                 {"TiB", 0x1p40}, {"kB", 1e3}, {"MB", 1e6},     {"GB", 1e9},     {"TB", 1e12}};
    const char *text = getenv("MPISKEL_MEMORY");
    char *end = NULL;
    *out = INFINITY;
    if (text == NULL || text[0] == '\0')
        return 0;
    size_t digits = strspn(text, "0123456789.");
    double number = strtod(text, &end);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (digits > 0 && end == text + digits && strcmp(end, units[i].name) == 0) {
            *out = number * units[i].bytes;
            return 0;
        }
    return error_set(error, "MPISKEL_MEMORY is '%s'; it takes a size such as 2GiB", text);
}

int memory_limit(double *out_bytes, struct error *error) {
    if (asked_bytes(out_bytes, error) != 0)
        return -1;
    *out_bytes = fmin(*out_bytes, fmin(system_bytes("MemAvailable:"), group_bytes()));
    return 0;
}

double memory_resident_bytes(pid_t pid) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/status", (long)pid);
    double kib = number_in(path, "VmRSS:");
    return kib >= 0 ? 1024 * kib : 0;
}

int memory_watch_init(struct memory_watch *out, struct error *error) {
    if (asked_bytes(&out->most_bytes, error) != 0)
        return -1;
    out->most_bytes = fmin(out->most_bytes, group_bytes());
    double total = system_bytes("MemTotal:");
    out->available_bytes = isfinite(total) ? fmax(RESERVE_BYTES, RESERVE_PART * total) : 0;
    return 0;
}

bool memory_watch_exceeded(const struct memory_watch *watch, pid_t pid) {
    return memory_resident_bytes(pid) > watch->most_bytes ||
           system_bytes("MemAvailable:") < watch->available_bytes;
}

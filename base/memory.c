/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads /proc and the control group's files; see memory.h.
 */
#include "base/memory.h"

#include "base/error.h"
#include "base/status_line.h"
#include "base/str.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GROUP "/sys/fs/cgroup"
/* Between two looks at /proc, which take some 30 us each; as much more than the budget may be
 * taken. */
#define LOOK_BYTES 16e6

static struct {
    double most_bytes, unseen_bytes; /* since the latest look */
    const char *what, *remedy;
} budget = {.most_bytes = INFINITY};

int memory_size_parse(double *out_bytes, const char *text) {
    static const struct {
        const char *name;
        double bytes;
    } units[] = {{"", 1},         {"B", 1},    {"KiB", 0x1p10}, {"MiB", 0x1p20}, {"GiB", 0x1p30},
                 {"TiB", 0x1p40}, {"kB", 1e3}, {"MB", 1e6},     {"GB", 1e9},     {"TB", 1e12}};
    size_t digits = strspn(text, "0123456789.");
    char *end = NULL;
    double number = strtod(text, &end);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (digits > 0 && end == text + digits && strcmp(end, units[i].name) == 0) {
            *out_bytes = number * units[i].bytes;
            return 0;
        }
    return -1;
}

void memory_size_print(char *out, size_t length, double bytes) {
    if (bytes < 0x1p30)
        snprintf(out, length, "%.0f MiB", bytes / 0x1p20);
    else
        snprintf(out, length, "%.3g GiB", bytes / 0x1p30);
}

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

double memory_system_bytes(const char *key) {
    double kib = number_in("/proc/meminfo", key);
    return kib >= 0 ? 1024 * kib : INFINITY;
}

double memory_group_bytes(void) {
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

double memory_available_bytes(void) {
    return fmin(memory_system_bytes("MemAvailable:"), memory_group_bytes());
}

double memory_resident_bytes(pid_t pid) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/status", (long)pid);
    double kib = number_in(path, "VmRSS:");
    return kib >= 0 ? 1024 * kib : 0;
}

/* Allocates nothing of its own: there may be nothing left. */
static void end_stage(const char *why) {
    char taken[32];
    memory_size_print(taken, sizeof taken, memory_resident_bytes(getpid()));
    status_line_hide();
    fprintf(stderr, "mpiskel: error: %s took %s of memory, and %s; %s\n", budget.what, taken, why,
            budget.remedy);
    fflush(stderr);
    _exit(EXIT_FAILED);
}

static void look(double more_bytes) {
    char most[32], why[64];
    budget.unseen_bytes = 0;
    if (memory_resident_bytes(getpid()) + more_bytes <= budget.most_bytes)
        return;
    memory_size_print(most, sizeof most, budget.most_bytes);
    snprintf(why, sizeof why, "its budget is %s", most);
    end_stage(why);
}

void memory_budget_set(double bytes) {
    budget.most_bytes = bytes;
}

void memory_stage_begin(const char *what, const char *remedy) {
    budget.what = what;
    budget.remedy = remedy;
    look(0);
}

void memory_stage_end(void) {
    budget.what = NULL;
}

void memory_budget_take(size_t bytes) {
    if (budget.what == NULL)
        return;
    budget.unseen_bytes += (double)bytes;
    if (budget.unseen_bytes > LOOK_BYTES)
        look((double)bytes);
}

void memory_ran_out(void) {
    if (budget.what != NULL)
        end_stage("the system gives no more");
    fputs("mpiskel: out of memory\n", stderr);
    abort();
}

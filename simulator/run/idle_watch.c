/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads /proc; see idle_watch.h. Who waits for a processor, for a disk or under a debugger is not
 * asleep, and who waits for a child of its own (system) lets that work.
 */
#include "simulator/run/idle_watch.h"

#include "base/clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define USUAL_PATIENCE_S 60

int idle_watch_init(struct idle_watch *out, struct error *error) {
    const char *text = getenv("MPISKEL_PATIENCE");
    char *end = NULL;
    *out = (struct idle_watch){.patience_s = USUAL_PATIENCE_S, .since_s = clock_monotonic_s()};
    if (text == NULL || text[0] == '\0')
        return 0;
    out->patience_s = strtod(text, &end);
    if (*end == '\0' && isfinite(out->patience_s) && out->patience_s >= 0)
        return 0;
    return error_set(error, "MPISKEL_PATIENCE is '%s'; it takes a number of seconds", text);
}

/* `PID (NAME) STATE ...`; NAME may hold anything. Processor time is in the columns 14 and 15. */
static bool read_state(char *out_state, unsigned long long *out_ticks, pid_t pid) {
    char path[64], text[1024];
    unsigned long long user, system;
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return false;
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = '\0';
    const char *rest = strrchr(text, ')');
    if (rest == NULL || sscanf(rest + 1, " %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu %llu",
                               out_state, &user, &system) != 3)
        return false;
    *out_ticks = user + system;
    return true;
}

static bool has_child(pid_t pid) {
    char path[96];
    snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", (long)pid, (long)pid);
    FILE *file = fopen(path, "r");
    bool found = file != NULL && fgetc(file) != EOF;
    if (file != NULL)
        fclose(file);
    return found;
}

bool idle_watch_exceeded(struct idle_watch *watch, pid_t pid) {
    char state;
    unsigned long long ticks;
    double now_s = clock_monotonic_s();
    if (!read_state(&state, &ticks, pid))
        return false;
    if (state != 'S' || ticks != watch->spent_ticks || has_child(pid)) {
        watch->spent_ticks = ticks;
        watch->since_s = now_s;
    }
    return watch->patience_s > 0 && now_s - watch->since_s > watch->patience_s;
}

double idle_watch_spent_s(const struct idle_watch *watch) {
    return (double)watch->spent_ticks / (double)sysconf(_SC_CLK_TCK);
}

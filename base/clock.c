/* SPDX-License-Identifier: Apache-2.0 */
#include "base/clock.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static double seconds_of(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double clock_monotonic_s(void) {
    return seconds_of(CLOCK_MONOTONIC);
}

double clock_realtime_s(void) {
    return seconds_of(CLOCK_REALTIME);
}

double clock_processor_s(void) {
    return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

static double seconds_used(int whose) {
    struct rusage usage;
    if (getrusage(whose, &usage) != 0)
        return 0;
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

double clock_processor_with_children_s(void) {
    return seconds_used(RUSAGE_SELF) + seconds_used(RUSAGE_CHILDREN);
}

/* Field 22 of proc(5); the name in parentheses may hold anything. */
long long clock_process_began(long long pid) {
    char path[64], text[1024], state = 'Z';
    long long began = -1;
    snprintf(path, sizeof path, "/proc/%lld/stat", pid);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return -1;
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = '\0';
    const char *behind = strrchr(text, ')');
    bool is_read =
        behind != NULL &&
        sscanf(behind + 1,
               " %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %lld",
               &state, &began) == 2;
    return is_read && state != 'Z' && state != 'X' ? began : -1;
}

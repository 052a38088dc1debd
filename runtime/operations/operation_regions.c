/* SPDX-License-Identifier: Apache-2.0
 *
 * The list of regions that stand for operations, which `generate` links into each program of the
 * bundle: lines of number, number of features, line, file and name ("12 9 34 main.c", a tab,
 * "kernel sweep").
 */
#include "runtime/operations/asked_operation.h"

#include <stdio.h>
#include <string.h>

extern const char bsim_operation_regions[] __attribute__((weak, visibility("hidden")));

const char *bsim__operation_what(enum bsim__operation_kind kind) {
    static const char *const names[] = {"kernel",      "copy to", "copy from",
                                        "copy within", "fill",    "marker"};
    return kind < BSIM__MARKER ? names[kind] : names[BSIM__MARKER];
}

/* A processor whose thread waits longer sleeps deeper (Linux, states of cpuidle: residencies up to
 * some 100 us), or is given to others, who keep it for a while. */
#define LONG_WAIT_S 1e-4

const char *bsim__wake_what(double waited_s) {
    return waited_s < LONG_WAIT_S ? "wake" : "long wake";
}

static bool is_named(const char *name, size_t length, const char *what, const char *kernel) {
    size_t first = strlen(what), second = strlen(kernel);
    if (second == 0)
        return length == first && memcmp(name, what, first) == 0;
    return length == first + 1 + second && memcmp(name, what, first) == 0 &&
           memcmp(name + first + 1, kernel, second) == 0;
}

struct bsim__operation_region bsim__operation_region(const char *what, const char *kernel) {
    struct bsim__operation_region out = {.region = -1};
    const char *line = bsim_operation_regions;
    while (line != NULL && *line != '\0') {
        int name = 0, region;
        size_t length = strcspn(line, "\n");
        if (sscanf(line, "%d %d %d %255[^\t]\t%n", &region, &out.feature_count, &out.line, out.file,
                   &name) == 4 &&
            is_named(line + name, length - (size_t)name, what, kernel)) {
            out.region = region;
            return out;
        }
        line += length + (line[length] == '\n');
    }
    return out;
}

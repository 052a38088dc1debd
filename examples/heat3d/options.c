/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads `heat3d [nx [ny [nz [steps]]]]`. In: argc and argv; out: struct options. Every rank parses
 * its own copy of the command line, so nothing has to be broadcast. Sizes that follow a given one
 * keep their defaults; there are no named options.
 */
#include "options.h"

#include <stdlib.h>

#define DEFAULT_CELLS 64
#define DEFAULT_STEPS 100
#define MAX_CELLS 100000
#define MAX_STEPS 1000000000

static int parse_positive(int *out, const char *text, int limit) {
    char *end;
    long value = strtol(text, &end, 10);
    if (end == text || *end != '\0' || value < 1 || value > limit)
        return -1;
    *out = (int)value;
    return 0;
}

int options_parse(struct options *out, int argc, char **argv) {
    int *targets[] = {&out->cells[0], &out->cells[1], &out->cells[2], &out->steps};
    for (int i = 0; i < 3; i++)
        out->cells[i] = DEFAULT_CELLS;
    out->steps = DEFAULT_STEPS;
    if (argc > 5)
        return -1;
    for (int i = 1; i < argc; i++)
        if (parse_positive(targets[i - 1], argv[i], i < 4 ? MAX_CELLS : MAX_STEPS) != 0)
            return -1;
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line of `mpiskel platform`: one option for each key of a description.
 */
#ifndef CLI_PLATFORM_PLATFORM_OPTIONS_H
#define CLI_PLATFORM_PLATFORM_OPTIONS_H

#include "base/arena.h"
#include "base/output_format.h"
#include "simulator/network/network.h"

struct platform_setting {
    const char *key, *value;
};

struct platform_options {
    const char *what; /* a topology, preset or file */
    struct platform_setting settings[64];
    size_t setting_count;
    size_t ranks;                    /* 0: not given */
    const char *directory, *drawing; /* NULL: not given */
    const char *placement_file;      /* NULL: not given, or block or cyclic, which is a key */
    enum output_format format;
    bool list, print;
};

/* Exits with code 64 where it makes no sense. */
void platform_options_parse(struct platform_options *out, int argc, char **argv);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * SimGrid's settings that the engine was started with, and what each means to it.
 */
#pragma once

#include "base/error.h"
#include "engine/network/host_network.h"

#include <stdbool.h>
#include <stddef.h>

/* SimGrid's surf/precision: no sleep is shorter. */
#define PRECISION_S 1e-9

struct engine_options {
    const char *program, *platform, *host_file;
    size_t ranks, stack_bytes;
    char **arguments; /* of the program, the first one behind its name */
    int argument_count;
};

/* `PROGRAM --cfg=KEY:VALUE... --log=... -- PLATFORM ARGUMENTS...`, as smpimain takes them. Applies
 * settings to messages and collectives. NETWORK_NOT_COVERED: the engine lacks one. */
enum host_network_result engine_options_read(struct engine_options *out, int argc, char **argv,
                                             struct error *error);
/* Those that are about the network, and those of the platform that are about messages. */
enum host_network_result engine_options_apply(struct host_network *network, struct error *error);

bool engine_option_is_on(const char *key);
/* 0: it was not given. */
double engine_option_number(const char *key);

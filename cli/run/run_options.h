/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line of `mpiskel run`.
 */
#pragma once

#include "base/output_format.h"
#include "cli/common/option_take.h"
#include "cli/run/estimate.h"
#include "simulator/changes/changes.h"
#include "simulator/changes/latencies.h"
#include "simulator/run/asked_trace.h"
#include "simulator/run/placement.h"

struct run_options {
    const char *bundle;
    struct placement_options placement;
    struct latency_options latencies;
    struct change_options changes;
    struct asked_trace trace;
    enum engine_choice engine;
    enum estimate_when estimate;
    enum output_format format;
    unsigned dumps; /* bits; not 0: nothing is simulated */
    size_t top;
    const char *app_output; /* a file, "none", or NULL: not given */
    option_texts regions;   /* FILE:LINE..FILE:LINE */
    const char *page;       /* where to write the page; NULL: nowhere */
    bool original, noise, no_jitter, no_noise, attribute, no_progress;
    const char *device;                    /* a file; NULL: not given */
    long device_engines, ranks_per_device; /* 0: not told */
    bool even_if_wrong, even_if_unknown, devices_block;
    const char *clock;             /* NULL: not given */
    const char *noise_of;          /* NULL: not given */
    size_t repeat;                 /* 0: not given */
    long seed;                     /* -1: not given */
    double host_speed_flops_per_s; /* 0: not given */
    char **arguments;
    size_t argument_count;
    struct estimate_words *words; /* of the command line, for the estimate */
};

/* Ends the process on mistakes, with EXIT_USAGE. */
void run_options_parse(struct run_options *out, int argc, char **argv);
void run_options_dispose(struct run_options *options);

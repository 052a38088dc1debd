/* SPDX-License-Identifier: Apache-2.0
 *
 * The parts of `mpiskel calibrate`: kernels of BLAS, the network, noise, the profile, a device.
 */
#pragma once

#include "base/arena.h"
#include "cli/common/opened.h"
#include "model/network/messages.h"

#include <stdbool.h>

struct calibrate_options {
    const char *machine, *output; /* output NULL: named after the machine */
    const char *compiler;         /* NULL: cc, or mpicc for the network */
    double budget_s;
    long largest; /* 0: the default of what is measured */
    enum output_format format;

    const char *kernels; /* NULL: not asked for */
    const char *library; /* NULL: the default of what is measured */
    const char *cache;

    bool network, noise, profile, device, no_progress;
    const char *launcher, *measurements, *bundle; /* the last two NULL: not given */
    long ranks, launches, seed;
    double max_error_percent; /* 0: not given */
};

/* Measure, report, write the file. The exit code of the process; `directory` is temporary. */
int calibrate_kernels(const struct calibrate_options *options, const char *directory);
int calibrate_network(const struct calibrate_options *options, const char *directory);
int calibrate_noise(const struct calibrate_options *options);
int calibrate_profile(const struct calibrate_options *options, const char *directory);
int calibrate_device(const struct calibrate_options *options, const char *directory);

/* A program of ours that is compiled where it runs. */
struct calibrate_build {
    const char *command;        /* the compiler, perhaps with options */
    const char *directory;      /* of the sources, from that of mpiskel itself */
    const char *const *sources; /* NULL at the end */
    const char *library;        /* options of the linker; NULL: none */
};

int calibrate_compile(const struct calibrate_build *build, const char *program, struct arena *arena,
                      struct error *error);

/* The processor of this machine in words; "": not known. */
const char *calibrate_processor(struct arena *arena);

/* Its name; "": not known. */
const char *calibrate_host(struct arena *arena);

/* The time in UTC, to the minute: 2026-01-31 23:59. */
const char *calibrate_now(struct arena *arena);

/* Before anything is measured: is there a place for what will be found, the file and the bundle's
 * store? */
int calibrate_check_targets(const struct calibrate_options *options, const char *path,
                            struct arena *arena, struct error *error);

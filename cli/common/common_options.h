/* SPDX-License-Identifier: Apache-2.0
 *
 * The options that several commands have, each with one name, one check and its messages; a
 * command's row says which member it writes, and may have a help text of its own.
 */
#pragma once

#include <stddef.h>

enum common_option {
    COMMON_NONE,
    COMMON_OPTION_CLOCK,
    COMMON_OPTION_FORMAT,
    COMMON_OPTION_FORMAT_CSV,
    COMMON_OPTION_FORMULAS,
    COMMON_OPTION_HOST_SPEED,
    COMMON_OPTION_JOBS,
    COMMON_OPTION_MACHINE,
    COMMON_OPTION_MAX_ERROR,
    COMMON_OPTION_NO_PROGRESS,
    COMMON_OPTION_OUTPUT,
    COMMON_OPTION_RANKS,
    COMMON_OPTION_REPEAT,
    COMMON_OPTION_SEED,
    COMMON_OPTION_TOP,
    COMMON_OPTION_COUNT
};

/* The beginnings of rows of a command's table; see command_option.h. */
#define COMMON_CLOCK(member) COMMON_ROW(CLOCK, const char *, member)
#define COMMON_FORMAT(member) COMMON_ROW(FORMAT, enum output_format, member)
#define COMMON_FORMAT_CSV(member) COMMON_ROW(FORMAT_CSV, enum output_format, member)
#define COMMON_FORMULAS(member) COMMON_ROW(FORMULAS, enum formula_style, member)
#define COMMON_HOST_SPEED(member) COMMON_ROW(HOST_SPEED, double, member)
#define COMMON_JOBS(member) COMMON_ROW(JOBS, size_t, member)
#define COMMON_MACHINE(member) COMMON_ROW(MACHINE, const char *, member)
#define COMMON_MAX_ERROR(member) COMMON_ROW(MAX_ERROR, double, member)
#define COMMON_NO_PROGRESS(member) COMMON_ROW(NO_PROGRESS, bool, member)
#define COMMON_OUTPUT(member) COMMON_ROW(OUTPUT, const char *, member)
#define COMMON_RANKS(member) COMMON_ROW(RANKS, size_t, member)
#define COMMON_REPEAT(member) COMMON_ROW(REPEAT, size_t, member)
#define COMMON_SEED(member) COMMON_ROW(SEED, long, member)
#define COMMON_TOP(member) COMMON_ROW(TOP, size_t, member)
#define COMMON_ROW(option, type, member)                                                           \
    .common = COMMON_OPTION_##option, .at = OPTION_AT(type, member)

/* NULL for COMMON_NONE. */
const struct command_option *common_option(enum common_option which);

/* The default of --jobs. */
size_t common_processors(void);

/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/common/common_options.h"

#include "cli/common/command_option.h"

#include <math.h>
#include <unistd.h>

static const struct command_option table[COMMON_OPTION_COUNT] = {
    [COMMON_OPTION_CLOCK] = {.name = "clock",
                             .value = "counted[:FILE]",
                             .take = option_take_clock,
                             .help = "Programs that `generate --counted` or `mpiskel cc` compiled: "
                                     "the processor whose time their clock shows "
                                     "(docs/reference/processor.md)"},
    [COMMON_OPTION_FORMAT] = {.name = "format",
                              .value = "text|json",
                              .take = option_take_choice,
                              .help = "How the report is printed (default: text)"},
    [COMMON_OPTION_FORMAT_CSV] = {.name = "format",
                                  .value = "text|json|csv",
                                  .take = option_take_choice,
                                  .help = "How the report is printed (default: text)"},
    [COMMON_OPTION_FORMULAS] = {.name = "formulas",
                                .value = "text|latex|c|python",
                                .take = option_take_choice,
                                .help = "How formulas are printed in the report (default: text)"},
    [COMMON_OPTION_HOST_SPEED] = {.name = "host-speed",
                                  .value = "SPEED",
                                  .take = option_take_speed},
    [COMMON_OPTION_JOBS] = {.name = "jobs",
                            .letter = 'j',
                            .value = "N",
                            .take = option_take_count,
                            .help = "Simulations at a time (default: processors here)"},
    [COMMON_OPTION_MACHINE] = {.name = "machine",
                               .letter = 'm',
                               .value = "NAME",
                               .take = option_take_machine},
    [COMMON_OPTION_MAX_ERROR] = {.name = "max-error",
                                 .value = "PERCENT",
                                 .take = option_take_number,
                                 .most = INFINITY,
                                 .unit = "percent"},
    [COMMON_OPTION_NO_PROGRESS] = {.name = "no-progress",
                                   .take = option_take_on,
                                   .help = "Show no progress on the terminal"},
    [COMMON_OPTION_OUTPUT] = {.name = "output",
                              .letter = 'o',
                              .value = "FILE",
                              .take = option_take_text},
    [COMMON_OPTION_RANKS] = {.letter = 'n',
                             .value = "N",
                             .take = option_take_count,
                             .help = "Number of ranks (also -np N)"},
    [COMMON_OPTION_REPEAT] = {.name = "repeat", .value = "N", .take = option_take_count},
    [COMMON_OPTION_SEED] = {.name = "seed", .value = "NUMBER", .take = option_take_whole},
    [COMMON_OPTION_TOP] = {.name = "top", .value = "K", .take = option_take_count},
};

const struct command_option *common_option(enum common_option which) {
    return which != COMMON_NONE ? &table[which] : NULL;
}

size_t common_processors(void) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return processors > 0 ? (size_t)processors : 1;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line of a command: options (command_option.h) and arguments, parsed by argp, which
 * also prints --help. Whatever is wrong ends the process with EXIT_USAGE and a message.
 */
#pragma once

#include "cli/common/command_option.h"

#define SYNTAX_ARGUMENTS 4

struct command_syntax {
    const char *name;  /* "mpiskel run": messages begin with it */
    const char *usage; /* what stands behind the options; one way to call it on each line */
    const char *about; /* argp's: \v stands between what is printed before the options and after */
    struct command_options options;

    /* The members (const char *) that arguments go into, in this order; see ARGUMENTS_AT for an
     * array. */
    size_t arguments[SYNTAX_ARGUMENTS];
    size_t argument_count;
    const char *missing;  /* says that the first is; NULL: it may be */
    const char *too_many; /* says of one more where it would belong; NULL: that is unexpected */
    /* Takes an argument before all that (0), leaves it (1), or refuses it (-1). NULL: leaves it. */
    int (*take)(void *options, const char *text, struct error *error);
    /* Of a command that starts another one: the member (char **) for the first argument and all
     * words behind it, options or not. */
    bool takes_rest;
    size_t rest;
};

/* The first argument is a bundle, which is needed. */
#define BUNDLE_AT(member)                                                                          \
    .arguments = {OPTION_AT(const char *, member)}, .argument_count = 1, .missing = WHICH_BUNDLE

/* An array of SYNTAX_ARGUMENTS; what is not given stays as it is, NULL at best. */
#define ARGUMENTS_AT(member)                                                                       \
    .arguments = {OPTION_AT(const char *, member[0]), OPTION_AT(const char *, member[1]),          \
                  OPTION_AT(const char *, member[2]), OPTION_AT(const char *, member[3])},         \
    .argument_count = SYNTAX_ARGUMENTS

/* Into `options`, a struct of the type that the table is of. */
void command_syntax_parse(const struct command_syntax *syntax, void *options, int argc,
                          char **argv);

/* An option that every command has. */
bool command_syntax_is_of_all(const char *word);

/* `-np N` becomes `-n N`, which argp understands, up to the first `--`; where that is, or argc. */
int command_syntax_prepare(int argc, char **argv);
/* That, and *argc shrinks to what comes before the `--`; the rest is the application's. */
void command_syntax_split(int *argc, char **argv, char ***out_arguments, size_t *out_count);

/* Texts for `missing` and `too_many`. */
#define WHICH_BUNDLE "which bundle? Give the directory that `mpiskel generate` wrote"

#define ARGUMENTS_GO_BEHIND "the application's arguments go behind --"

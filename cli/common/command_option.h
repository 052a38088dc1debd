/* SPDX-License-Identifier: Apache-2.0
 *
 * The options of commands as data. A row of a table says how an option is written (name, letter,
 * value), what it takes and checks, which member of the command's struct of options it writes, and
 * its help text. A file with such a table defines OPTIONS, the type of that struct:
 *
 *     #define OPTIONS struct run_options
 *     static const struct command_option rows[] = {
 *         {OPTION_ON("noise", noise), .help = "Simulate repeatedly ..."},
 *         {OPTION_GROUP("The report:")},
 *         {COMMON_TOP(top), .help = "Rows of each table in text (default: 10)"},
 *         {0}};
 *
 * The compiler checks that a member has the type that the option writes. The rows COMMON_... are
 * options that several commands have (common_options.h).
 */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "cli/common/common_options.h"
#include "cli/common/option_take.h"

#include <stdbool.h>
#include <stddef.h>

struct command_options {
    const struct command_option *rows; /* {0} behind the last */
    /* Asked at the end, whether they go together; NULL: nothing to ask. */
    int (*check)(void *options, struct error *error);
};

struct command_option {
    enum common_option common; /* what is left out of this row stands in the common one */
    const char *name;          /* without dashes; NULL: there is a letter only */
    char letter;               /* 0: none */
    const char *value;         /* as the help writes it; NULL: the option takes none */
    bool value_may_lack;
    const char *help;
    option_take *take;
    int (*own)(void *out, const char *text, struct error *error); /* in place of `take` */
    size_t at; /* of what `take` writes in the struct of options; 0: it gets all of it */
    /* Of numbers. */
    double least, most;
    const char *unit;
    /* Of what stands in place of an option. */
    bool begins_group;
    const struct command_options *set;
};

/* A position that the compiler accepts only if the member is of that type. */
#define OPTION_AT(type, member)                                                                    \
    (offsetof(OPTIONS, member) + 0 * sizeof(1 ? &((OPTIONS *)0)->member : (type *)0))

/* The rows, by what they take (option_take.h); `name` is without dashes, NULL: there is a letter
 * only. */
#define OPTION_ROW(n, v, kind, type, member)                                                       \
    .name = (n), .value = (v), .take = option_take_##kind, .at = OPTION_AT(type, member)
#define OPTION_ON(name, member) OPTION_ROW(name, NULL, on, bool, member)
#define OPTION_OFF(name, member) OPTION_ROW(name, NULL, off, bool, member)
#define OPTION_TEXT(name, value, member) OPTION_ROW(name, value, text, const char *, member)
#define OPTION_TEXTS(name, value, member) OPTION_ROW(name, value, texts, option_texts, member)
#define OPTION_FILLED(name, value, member) OPTION_ROW(name, value, filled, const char *, member)
#define OPTION_MACHINE(name, value, member) OPTION_ROW(name, value, machine, const char *, member)
#define OPTION_WORD(name, words, member) OPTION_ROW(name, words, word, const char *, member)
#define OPTION_CHOICE(name, words, type, member) OPTION_ROW(name, words, choice, type, member)
#define OPTION_WORDS(name, words, member) OPTION_ROW(name, words, set, unsigned, member)
#define OPTION_COUNT(name, value, member) OPTION_ROW(name, value, count, size_t, member)
#define OPTION_WHOLE(name, value, from, to, member)                                                \
    OPTION_ROW(name, value, whole, long, member), .least = (from), .most = (to)
#define OPTION_PERCENT(name, from, to, member)                                                     \
    OPTION_ROW(name, "PERCENT", number, double, member), .unit = "percent", .least = (from),       \
        .most = (to)
#define OPTION_SECONDS(name, from, to, member)                                                     \
    OPTION_ROW(name, "SECONDS", number, double, member), .unit = "seconds", .least = (from),       \
        .most = (to)

/* A function of the command's own, which gets the struct of options, or the member `at`. */
#define OPTION_OWN(n, v, function) .name = (n), .value = (v), .own = (function)

/* Another group of the help; NULL: without a heading. The options of a set, a member with a table
 * of its own, are one. */
#define OPTION_GROUP(text) .begins_group = true, .help = (text)
#define OPTION_SET(heading, options, type, member)                                                 \
    OPTION_GROUP(heading), .set = (options), .at = OPTION_AT(type, member)

/* The row with what it leaves to the common one. */
struct command_option command_option_complete(const struct command_option *row);

/* The option of that long name, complete; name NULL: none. */
struct command_option command_option_find(const struct command_option *rows, const char *name,
                                          size_t length);

/* The option that takes this one back: --no-X of --X, and --X of --no-X. False: it has none, since
 * it takes a value. */
bool command_option_opposite(struct command_option *out, struct arena *arena,
                             const struct command_option *option);

/* Takes the text, which may be NULL if there is none; `options` is the struct of the table. */
int command_option_set(void *options, const struct command_option *option, const char *text,
                       struct error *error);

bool command_option_is_end(const struct command_option *row);

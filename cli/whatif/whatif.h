/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of `mpiskel whatif` share: its options, and the numbers of one simulation.
 */
#ifndef CLI_WHATIF_WHATIF_H
#define CLI_WHATIF_WHATIF_H

#include "base/arena.h"
#include "base/json.h"
#include "base/vec.h"
#include "cli/common/opened.h"
#include "cli/common/simulations.h"

struct scenario_text {
    const char *name;
    const char *const *options;   /* NULL behind the last */
    const char *const *arguments; /* NULL: the base's */
};

struct whatif_options {
    struct arena arena;
    VEC(struct scenario_text) scenarios;
    const char *const *base_options; /* of run, with the bundle; NULL behind the last */
    const char *const *base_arguments;
    size_t jobs, top;
    enum output_format format;
    bool rank_all, no_attribute, no_progress;
    double by_percent, least_percent;
};

/* Ends the process where the command line is wrong. */
void whatif_options_parse(struct whatif_options *out, int argc, char **argv);
void whatif_options_dispose(struct whatif_options *options);

/* Reads "NAME: OPTIONS [-- ARGUMENTS]" or "OPTIONS ..."; texts are in the arena. */
int scenario_text_parse(struct scenario_text *out, struct arena *arena, const char *text,
                        struct error *error);

/* What a report says; seconds. */
struct forecast {
    size_t ranks;
    double predicted_s, low_s, high_s; /* the interval is 0 to 0 where it is not known */
    double extrapolation;              /* the largest factor out of a trained range; 1: none */
    bool has_parts;
    double ideal_s, computation_s, waiting_s, communication_s;
};

/* Where 95 % of the relative differences of the repetitions with noise lie, a repetition of one
 * report being compared with the same one of the other: their draws are the same. */
struct noisy_difference {
    bool known; /* false: there is no noise, or it is another one */
    double low, median, high;
};

struct noisy_difference noisy_difference_of(const json_t *report, const json_t *base);

struct forecast forecast_of(const json_t *report);

/* The simulation of the base with further options behind its own, which may be none. */
struct simulation whatif_simulation(const struct whatif_options *options,
                                    const char *const *further, const char *const *arguments,
                                    bool attribute, struct arena *arena);

/* Row 0 is the base. */
void whatif_print(const struct scenario_text *scenarios, const struct simulation *rows,
                  size_t count, enum output_format format);

/* Sensitivity (--rank-all); an exit code. */
int whatif_rank(struct whatif_options *options, struct error *error);

#endif

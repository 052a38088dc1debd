/* SPDX-License-Identifier: Apache-2.0
 *
 * `mpiskel models`: the models that the store keeps, and two sets of them side by side.
 *
 * Nothing is fitted: what is shown is what the last `mpiskel fit` of that machine and statistic
 * wrote. A set is named NAME or NAME:STATISTIC.
 */
#include "cli/common/command_syntax.h"
#include "cli/common/commands.h"
#include "cli/common/opened.h"
#include "cli/print/models_compare_print.h"
#include "cli/print/models_print.h"

#include "model/findings/compare.h"
#include "model/store/model_set.h"

#include <stdio.h>
#include <string.h>

struct models_options {
    const char *arguments[SYNTAX_ARGUMENTS]; /* action, bundle, ...; NULL: not given */
    enum output_format format;
    enum formula_style style;
};

struct models_command {
    struct models_options options;
    struct opened opened;
    struct error error;
};

/* *out is the caller's (models_dispose). */
static int read_set(struct models *out, struct models_command *command, const char *name) {
    struct opened *opened = &command->opened;
    return model_set_read(out, opened->store, &opened->regions, opened->bundle, name,
                          &command->error);
}

/* ---- Actions ---- */

static int print_set(struct models_command *command, const struct models *models) {
    const struct models_options *options = &command->options;
    struct unexplained unexplained = {0};
    struct samples runs = {0};
    struct verdict verdict;
    if (store_runs(&runs, command->opened.store, &command->opened.regions, models->machine,
                   &command->error) != 0)
        return -1;
    unexplained_add_runs(&unexplained, &runs);
    int result = verdict_read(&verdict, command->opened.bundle, &command->error);
    if (result == 0) {
        models_print(models, &command->opened.regions,
                     &(struct models_style){.format = options->format,
                                            .formulas = options->style,
                                            .name = "mpiskel-models",
                                            .verdict = &verdict,
                                            .unexplained = &unexplained});
        verdict_dispose(&verdict);
        result = output_finish(&command->error);
    }
    samples_dispose(&runs);
    return result;
}

static int show(struct models_command *command) {
    const char *name = command->options.arguments[2];
    struct models models;
    if (read_set(&models, command, name != NULL ? name : "default") != 0)
        return -1;
    int result = print_set(command, &models);
    models_dispose(&models);
    return result;
}

static int compare_sets(struct models_command *command, const struct models *a,
                        const struct models *b) {
    struct opened *opened = &command->opened;
    struct samples work_a = {0}, work_b = {0};
    struct models_comparison comparison;
    bool same_machine = strcmp(a->machine, b->machine) == 0;
    int result =
        store_samples(&work_a, opened->store, &opened->regions, a->machine, &command->error);
    if (result == 0 && !same_machine)
        result =
            store_samples(&work_b, opened->store, &opened->regions, b->machine, &command->error);
    if (result == 0) {
        models_compare(&comparison, a, b, &work_a, same_machine ? NULL : &work_b, &opened->regions);
        models_comparison_print(&comparison, a, b, &opened->regions, command->options.format);
        models_comparison_dispose(&comparison);
        result = output_finish(&command->error);
    }
    samples_dispose(&work_a);
    samples_dispose(&work_b);
    return result;
}

static int compare(struct models_command *command) {
    struct models a = {0}, b = {0};
    int result = read_set(&a, command, command->options.arguments[2]);
    if (result == 0)
        result = read_set(&b, command, command->options.arguments[3]);
    if (result == 0)
        result = compare_sets(command, &a, &b);
    models_dispose(&a);
    models_dispose(&b);
    return result;
}

/* ---- The command ---- */

static const struct models_action {
    const char *name;
    int least, most; /* arguments, with the action and the bundle */
    const char *usage;
    int (*run)(struct models_command *);
} actions[] = {
    {"show", 2, 3, "show APP.skel [NAME[:STATISTIC]]", show},
    {"compare", 4, 4, "compare APP.skel A[:STATISTIC] B[:STATISTIC]", compare},
};

static const struct models_action *find_action(const char *name) {
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
        if (strcmp(actions[i].name, name) == 0)
            return &actions[i];
    return NULL;
}

#define OPTIONS struct models_options

static int check(void *input, struct error *error) {
    struct models_options *options = input;
    const struct models_action *action = find_action(options->arguments[0]);
    int count = 0;
    while (count < SYNTAX_ARGUMENTS && options->arguments[count] != NULL)
        count++;
    if (action == NULL)
        return error_set(error, "no action '%s': show or compare", options->arguments[0]);
    return count >= action->least && count <= action->most
               ? 0
               : error_set(error, "usage: mpiskel models %s", action->usage);
}

static const struct command_option rows[] = {
    {COMMON_FORMAT_CSV(format)},
    {COMMON_FORMULAS(style), .help = "Of show: how formulas are printed (default: text)"},
    {0}};

static const struct command_syntax syntax = {
    .name = "mpiskel models",
    .usage = "show APP.skel [NAME[:STATISTIC]]\ncompare APP.skel A[:STATISTIC] B[:STATISTIC]",
    .about =
        "The models of a bundle, as the last `mpiskel fit` wrote them.\v"
        "`show` prints the formula of each region, its error on runs that were left out of the "
        "fit, the range of the samples and the share of time. `compare` asks two machines, or two "
        "statistics of one machine, for the same work (that of the profiling runs of both) and "
        "prints how many times as long B takes, and where the time goes on each:\n\n"
        "  mpiskel models compare APP.skel default cluster\n"
        "  mpiskel models compare APP.skel default:median default:minimum\n\n"
        "NAME is default where it is not given; STATISTIC is what was fitted last.",
    .options = {rows, check},
    ARGUMENTS_AT(arguments),
    .missing = "what to do? show or compare",
};

int command_models(int argc, char **argv) {
    struct models_command command = {0};
    command_syntax_parse(&syntax, &command.options, argc, argv);
    int result = opened_open(&command.opened, command.options.arguments[1], false, &command.error);
    if (result == 0)
        result = find_action(command.options.arguments[0])->run(&command);
    if (result != 0)
        error_print(&command.error);
    opened_close(&command.opened);
    return result == 0 ? EXIT_FINE : EXIT_FAILED;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * `mpiskel fit`: samples of a bundle -> store -> models, with a table of what came out.
 *
 * Steps: read regions.json; take the runs of other bundles (--with); import every samples file
 * (errors of all of them are told, then the command ends without new models); fit; keep the models
 * in the store; write model.bsim; report. Runs keep the machine's name under which they were first
 * imported.
 */
#include "cli/common/command_syntax.h"
#include "cli/common/commands.h"
#include "cli/common/opened.h"
#include "cli/fit/fit_steps.h"
#include "cli/print/models_print.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/str.h"
#include "base/vec.h"
#include "base/words.h"
#include "model/fit.h"
#include "model/kernel.h"
#include "model/latency/spread.h"
#include "model/samples/disturbed.h"
#include "model/store/store_machines.h"

#include <float.h>
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNTOLD_PERCENT 2
#define UNTOLD_MOST 1e6 /* percent */

struct fit_options {
    const char *bundle;
    const char *machine;
    double max_error_percent; /* INFINITY: any */
    double untold_percent;    /* of values that are to be computed; negative: none are */
    enum statistic statistic;
    enum output_format format;
    unsigned dumps; /* bits of enum fit_stage; not 0: no model is kept */
    bool without_ratio, without_check, without_repair, only_check;
    const char *kernels; /* NULL: none */
    option_texts with;
    enum formula_style style;
    struct fit_from from; /* from.from NULL: what is fitted was measured on the machine */
};

struct fit_command {
    struct fit_options options;
    struct opened opened;
    struct samples samples;
    struct models models;
    struct verdict verdict;
    bool is_uncertain; /* how often loops iterate is */
    struct calibration calibration;
    struct text_set added; /* ids of runs that were imported now */
    struct error error;
};

/* ---- Arguments ---- */

#define OPTIONS struct fit_options

static int take_untold(void *out, const struct command_option *option, const char *text,
                       struct error *error) {
    struct fit_options *options = out;
    options->untold_percent = UNTOLD_PERCENT;
    return text != NULL ? option_take_number(&options->untold_percent, option, text, error) : 0;
}

static int take_argument(void *input, const char *text, struct error *error) {
    const struct fit_options *options = input;
    if (options->bundle == NULL)
        return 1;
    return error_set(error, "one bundle only, '%s' is a second one%s", text,
                     options->untold_percent >= 0
                         ? " (a number of percent stands behind =: --keep-untold=5)"
                         : "");
}

static int check(void *input, struct error *error) {
    const struct fit_options *options = input;
    bool has_others = options->kernels != NULL || options->untold_percent >= 0;
    if (options->dumps != 0 && (options->only_check || options->from.from != NULL))
        return error_set(error, "--dump prints what is fitted: leave out --only-check and --from");
    return fit_from_check(&options->from, has_others, error);
}

static const struct command_option rows[] = {
    {COMMON_MACHINE(machine),
     .help = "Label new profiling runs with NAME and fit the runs of that machine (default: "
             "default)"},
    {COMMON_MAX_ERROR(max_error_percent),
     .help = "Exit with 2 if the models' error, weighted by time, is larger"},
    {OPTION_CHOICE("statistic", "median|minimum|mean", enum statistic, statistic),
     .help = "What is modelled where a latency was measured several times, on several ranks and in "
             "repeated runs: the median or the least of the ranks' means, or the mean of all "
             "executions (default: median; of recordings with a clock that counts mean)"},
    {COMMON_FORMAT_CSV(format)},
    {COMMON_FORMULAS(style)},
    {OPTION_ON("no-ratio", without_ratio),
     .help = "Take all executions of a region with the same features as equally long, even if the "
             "first ones are longer"},
    {OPTION_ON("no-check", without_check),
     .help = "Do not check by simulations that the skeleton makes the calls of the profiled runs"},
    {OPTION_ON("only-check", only_check),
     .help = "Fit nothing: check the model.bsim that is there, by the profiled runs"},
    {OPTION_ON("no-repair", without_repair),
     .help = "Where it does not, only tell so: do not generate it again with those values computed "
             "whose models are to blame"},
    {OPTION_WORDS("dump", "design|choice|values", dumps),
     .help = "Only print what fitting makes of the samples, for people who look into mpiskel, and "
             "keep no model (docs/reference/dump.md)"},
    {OPTION_TEXT("kernels", "FILE", kernels),
     .help = "What `mpiskel calibrate` measured: for calls of library kernels that no profiling "
             "run reached"},
    {OPTION_TEXTS("with", "OTHER.skel", with),
     .help = "Use the profiling runs of OTHER.skel, too: of the same source built with other "
             "compile-time constants, such as a problem size or a number of ranks in a macro; may "
             "be repeated"},
    {OPTION_MACHINE("from", "HERE", from.from),
     .help = "Translate the runs of machine HERE to another one that nobody can run on, of which "
             "there is a profile only (with --to). Rough: mostly a factor of 1.5 to 2 off"},
    {OPTION_MACHINE("to", "THERE", from.to),
     .help = "The machine whose models come out of --from; model.bsim stays as it is, and `mpiskel "
             "run --machine THERE` uses them"},
    {OPTION_TEXT("measured", "COUNTED.skel", from.measured),
     .help = "With --from: by what profiling runs of COUNTED.skel executed with the caches of "
             "either machine (generate --counted, fit COUNTED.skel --machine HERE and THERE); by "
             "the source where they tell nothing"},
    {OPTION_ROW("assume-ratio", "R", number, double, from.ratio), .least = DBL_MIN, .most = 1e9,
     .help = "With --from: take regions of which the signature is not known to take R times as "
             "long there"},
    {.name = "keep-untold",
     .value = "PERCENT",
     .take = take_untold,
     .value_may_lack = true,
     .unit = "percent",
     .most = UNTOLD_MOST,
     .help =
         "Besides, list all given values whose models are off by more than this (default: 2), or "
         "that are any of a range, in APP.skel/untold.json: the next `mpiskel generate` has "
         "them computed"},
    {0}};

static const struct command_syntax syntax = {
    .name = "mpiskel fit",
    .usage = "APP.skel",
    .about =
        "Learn from profiling runs how long each region of a program takes.\v"
        "Imports APP.skel/samples/*.samples into APP.skel/store.db, fits a model of each region's "
        "latency in terms of its features, writes APP.skel/model.bsim for the skeleton, and "
        "reports the models with their errors: of runs that were left out of the fit, or of "
        "feature vectors if there is one run or all runs are alike. Profile at least three "
        "different problem sizes:\n\n"
        "  mpirun -np 2 APP.skel/profile ARGUMENTS",
    .options = {rows, check},
    BUNDLE_AT(bundle),
    .take = take_argument,
};

/* ---- Import ---- */

static int import_file(bool *added, struct fit_command *command, const char *path,
                       struct error *error) {
    struct samples samples;
    if (samples_read(&samples, path, &command->opened.regions, error) != 0)
        return -1;
    if (strcmp(samples.runs[0].clock, "none") == 0) {
        note("%s: this run measured no regions (BSIM_CLOCK=none), it is left out", path);
        samples_dispose(&samples);
        return 0;
    }
    int result = store_import(added, command->opened.store, &samples, &command->opened.regions,
                              command->options.machine, error);
    if (result == 0 && *added)
        text_set_add(&command->added, samples.runs[0].id);
    if (result == 0 && *added && !samples.runs[0].complete)
        note("%s: this run ended early (MPI_Abort); what it measured is used", path);
    samples_dispose(&samples);
    return result;
}

/* All files are tried, so that all that is wrong is told at once, in one transaction: each waits
 * for the disk. */
static int import_files(struct fit_command *command, const glob_t *files) {
    int imported = 0, failed = 0;
    if (store_begin(command->opened.store, &command->error) != 0)
        return -1;
    for (size_t i = 0; i < files->gl_pathc; i++) {
        struct error error = {0};
        bool added = false;
        if (import_file(&added, command, files->gl_pathv[i], &error) != 0) {
            error_print(&error);
            failed++;
        }
        imported += added;
    }
    int result =
        failed > 0
            ? error_set(&command->error,
                        "%d of %zu samples files cannot be used (see above); no model was written",
                        failed, files->gl_pathc)
            : 0;
    result = store_end(command->opened.store, result, &command->error);
    if (result == 0 && imported > 0)
        note("%d profiling run%s imported", imported, text_plural(imported));
    return result;
}

static int import_all(struct fit_command *command) {
    glob_t files;
    int found =
        glob(samples_pattern(&command->opened.arena, command->options.bundle), 0, NULL, &files);
    if (found == GLOB_NOMATCH)
        return 0;
    if (found != 0)
        return error_set(&command->error, "cannot list %s/samples", command->options.bundle);
    int result = import_files(command, &files);
    globfree(&files);
    return result;
}

static int take_runs_of_others(struct fit_command *command) {
    const struct fit_options *options = &command->options;
    for (size_t i = 0; i < options->with.count; i++)
        if (fit_take_runs(&command->opened.arena, options->bundle, &command->opened.regions,
                          options->with.items[i], &command->error) != 0)
            return -1;
    return 0;
}

static int fail_without_samples(struct fit_command *command) {
    const char *machines = "";
    if (store_machines(&machines, &command->opened.arena, command->opened.store,
                       &command->opened.regions, &command->error) != 0)
        return -1;
    if (machines[0] != '\0')
        return error_set(&command->error,
                         "there is no profiling run of machine '%s', only of: %s; choose one with "
                         "--machine",
                         command->options.machine, machines);
    struct str profile = {0};
    words_add(&profile, path_join(&command->opened.arena, command->options.bundle, "profile"));
    error_set(
        &command->error,
        "%s has no samples; run `%s%s ARGUMENTS` first (a run that dies before %s leaves none)",
        command->options.bundle, regions_launcher(&command->opened.regions), str_text(&profile),
        command->opened.regions.is_one_rank ? "main returns or calls exit" : "MPI_Finalize");
    str_dispose(&profile);
    return -1;
}

/* ---- Reports ---- */

static bool has_one_input(const struct samples *samples) {
    for (int i = 1; i < samples->run_count; i++)
        if (!run_has_input_of(&samples->runs[i], samples->runs[0].arguments,
                              samples->runs[0].directory))
            return false;
    return true;
}

static int report(struct fit_command *command) {
    struct unexplained unexplained = {0};
    unexplained_add_runs(&unexplained, &command->samples);
    models_print(&command->models, &command->opened.regions,
                 &(struct models_style){.format = command->options.format,
                                        .formulas = command->options.style,
                                        .is_folded = true,
                                        .has_one_input = has_one_input(&command->samples),
                                        .name = "mpiskel-fit",
                                        .verdict = &command->verdict,
                                        .unexplained = &unexplained});
    return output_finish(&command->error);
}

/* ---- The command ---- */

static void tell_if_on_one_rank(const struct samples *samples, const struct regions *regions) {
    if (regions->is_one_rank)
        return;
    for (int i = 0; i < samples->run_count; i++)
        if (samples->runs[i].ranks > 1)
            return;
    note("all profiling runs were on one rank: what ranks on a node do to each other's memory is "
         "not "
         "measured, nor what only several ranks execute; profile with `mpirun -np 2` as well");
}

static void tell_if_disturbed(const struct samples *samples, const struct text_set *added) {
    struct str text = {0};
    disturbed_add_text(&text, samples, added);
    if (text.length > 0)
        note("%s", text.text);
    str_dispose(&text);
}

static void tell_if_not_repeated(const struct samples *samples, const struct regions *regions) {
    if (!samples_are_counted(samples) && !samples_have_repetitions(samples, regions))
        note("no %s was repeated: by how much executions differ by chance, which makes ranks wait "
             "for each other, is guessed from their variance; make each %s two or three times",
             regions->is_synthesised ? "recording" : "profiling run",
             regions->is_synthesised ? "recording" : "run");
}

static int read_kernels(struct fit_command *command) {
    const char *path = command->options.kernels;
    return path != NULL ? calibration_read(&command->calibration, path, &command->error) : 0;
}

static int check_calls(struct fit_command *command) {
    if (command->options.without_check || command->options.dumps != 0)
        return 0;
    return fit_guard(&command->verdict, command->options.bundle, &command->samples,
                     &command->models, command->options.only_check, &command->error);
}

static int read_runs(struct fit_command *command) {
    const char *bundle = command->options.bundle, *machine = command->options.machine;
    if (read_kernels(command) != 0 ||
        opened_open(&command->opened, bundle, true, &command->error) != 0 ||
        take_runs_of_others(command) != 0 || import_all(command) != 0 ||
        store_samples(&command->samples, command->opened.store, &command->opened.regions, machine,
                      &command->error) != 0)
        return -1;
    if (command->samples.run_count == 0)
        return fail_without_samples(command);
    source_hashes_tell_changes(&command->opened.regions.sources, command->opened.regions.root,
                               bundle);
    return 0;
}

/* Of recordings that are counted no rank is disturbed: what ranks differ by is work, and the median
 * leaves out those that have most. */
static enum statistic statistic_of(const struct fit_command *command) {
    bool is_recorded = command->opened.regions.counted == NULL;
    return command->options.statistic != STATISTIC_COUNT           ? command->options.statistic
           : is_recorded && samples_are_counted(&command->samples) ? STATISTIC_MEAN
                                                                   : STATISTIC_MEDIAN;
}

static int learn(struct fit_command *command) {
    const char *machine = command->options.machine;
    const struct regions *regions = &command->opened.regions;
    tell_if_on_one_rank(&command->samples, &command->opened.regions);
    tell_if_disturbed(&command->samples, &command->added);
    command->samples.statistic = statistic_of(command);
    command->samples.without_ratio = command->options.without_ratio;
    command->samples.dumps = command->options.dumps;
    models_fit(&command->models, &command->samples, regions, machine);
    if (command->options.dumps != 0)
        return 0;
    tell_if_not_repeated(&command->samples, regions); /* they are sorted now */
    kernels_share(&command->models, &command->samples, regions,
                  command->options.kernels != NULL ? &command->calibration : NULL);
    fit_values_tell(&command->models, regions);
    const char *model = path_join(&command->opened.arena, command->options.bundle, "model.bsim");
    if (store_write_models(command->opened.store, &command->models, regions, &command->error) !=
            0 ||
        models_write(&command->models, model, &command->error) != 0 ||
        fit_values_keep(command->options.bundle, &command->samples, regions, &command->error) != 0)
        return -1;
    return command->options.untold_percent < 0
               ? 0
               : fit_values_keep_untold(command->options.bundle, &command->models, regions,
                                        command->options.untold_percent, &command->error);
}

/* Or takes those of the last fit, whose model.bsim may have been changed since. */
static int learn_and_check(struct fit_command *command) {
    if (read_runs(command) != 0)
        return -1;
    if (command->options.from.from != NULL)
        return fit_from(&command->models, &command->samples,
                        &command->opened, /* calls are as here */
                        &command->options.from, &command->error);
    int result =
        command->options.only_check
            ? store_models(&command->models, command->opened.store, &command->opened.regions,
                           command->options.machine, &command->error)
            : learn(command);
    return result == 0 ? check_calls(command) : -1;
}

static void forget(struct fit_command *command) {
    models_dispose(&command->models);
    verdict_dispose(&command->verdict);
    if (command->options.kernels != NULL)
        calibration_dispose(&command->calibration);
    samples_dispose(&command->samples);
    text_set_dispose(&command->added);
    opened_close(&command->opened);
    *command = (struct fit_command){.options = command->options, .error = command->error};
}

/* Each repair may give other values in place of those that are computed now; these are to blame
 * seldom, and then once more. */
#define REPAIRS_MOST 3
/* Processor time from the beginning of fit to that of the last repair, so that a busy machine has
 * the same models. */
#define REPAIRED_MOST_S 180

static bool has_time_to_repair(const struct fit_command *command) {
    double spent_s = clock_processor_with_children_s();
    bool is_to_blame = command->verdict.state == VERDICT_WRONG && command->verdict.blame.count > 0;
    if (spent_s < REPAIRED_MOST_S)
        return true;
    if (is_to_blame)
        note("fit has taken %.0f s of processor time: it was not tried to generate %s again with "
             "what is to blame computed; `mpiskel fit %s` once more does that",
             spent_s, command->options.bundle, command->options.bundle);
    return false;
}

static int fit(struct fit_command *command) {
    bool is_again = true;
    for (int repairs = 0; is_again; repairs++) {
        if (repairs > 0)
            forget(command);
        if (learn_and_check(command) != 0)
            return -1;
        is_again = false;
        if (repairs < REPAIRS_MOST && !command->options.without_repair &&
            !command->options.only_check && has_time_to_repair(command) &&
            fit_repair(&is_again, command->options.bundle, &command->verdict, &command->samples,
                       &command->error) != 0)
            return -1;
    }
    if (command->options.dumps != 0)
        return output_finish(&command->error);
    fit_guard_tell(&command->verdict, command->options.bundle);
    command->is_uncertain =
        fit_guard_tell_uncertain(&command->verdict) ||
        (command->verdict.state == VERDICT_RIGHT &&
         fit_values_tell_uncertain(&command->models, &command->opened.regions, &command->verdict));
    return report(command);
}

static int misses_quality(const struct fit_command *command) {
    if (command->verdict.state == VERDICT_WRONG || command->is_uncertain)
        return 1;
    double percent = 100 * command->models.error;
    if (percent <= command->options.max_error_percent)
        return 0;
    note("the models' error, weighted by time, is %.1f%%, more than --max-error %g", percent,
         command->options.max_error_percent);
    return 1;
}

int command_fit(int argc, char **argv) {
    struct fit_command command = {.options = {.machine = "default",
                                              .max_error_percent = INFINITY,
                                              .untold_percent = -1,
                                              .statistic = STATISTIC_COUNT,
                                              .from = {.ratio = NAN},
                                              .format = OUTPUT_TEXT}};
    command_syntax_parse(&syntax, &command.options, argc, argv);
    if (command.options.from.from != NULL)
        command.options.machine = command.options.from.from;
    int result = fit(&command);
    if (result == 0 && command.options.format == OUTPUT_TEXT && command.options.dumps == 0)
        fit_next_print(command.options.bundle, command.options.from.to, &command.samples);
    int exit_code = result != 0 ? EXIT_FAILED : misses_quality(&command) ? EXIT_MISSED : EXIT_FINE;
    if (result != 0)
        error_print(&command.error);
    forget(&command);
    vec_dispose(&command.options.with);
    return exit_code;
}

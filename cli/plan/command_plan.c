/* SPDX-License-Identifier: Apache-2.0
 *
 * `mpiskel plan`: which profiling runs would best support a prediction
 * (docs/how-to/choose-profiling-runs.md).
 *
 * Steps: read the samples of the machine; let simulator/experiments/experiments.c find the runs;
 * report; with --run make them, one after the other. What a run prints goes into a log that is
 * shown if it fails.
 */
#include "cli/common/command_syntax.h"
#include "cli/common/commands.h"
#include "cli/common/opened.h"
#include "cli/common/unexplained_note.h"
#include "cli/plan/plan_checks.h"
#include "cli/print/plan_print.h"
#include "model/findings/region_findings.h"
#include "model/store/model_set.h"

#include "base/file.h"
#include "base/pool.h"
#include "base/process.h"
#include "base/str.h"
#include "base/words.h"
#include "model/store/machine_name.h"
#include "model/store/store_machines.h"
#include "simulator/experiments/experiments.h"
#include "simulator/network/units.h"
#include "simulator/run/bundle.h"

#include <float.h>
#include <glob.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_RUN "mpirun --oversubscribe -np {np} {} {args}"

#define DEFAULT_MAX_RANKS 4
#define RUN_MOST_S 300 /* of one profiling run: what takes longer is none of the small ones */
static const char default_run[] = DEFAULT_RUN;

struct plan_options {
    const char *bundle, *machine, *target, *run;
    double budget_s;
    size_t max_ranks, trials, runs; /* the first one 0: not asked for */
    enum output_format format;
    bool no_progress;
};

struct plan_command {
    struct plan_options options;
    struct opened opened; /* its arena holds what the command needs */
    struct bundle bundle;
    struct samples samples;
    struct experiments plan;
    const char *const *template; /* words of --run */
    size_t template_count;
    bool has_bundle, has_plan;
    size_t checks_max_ranks; /* of runs that checks need */
    struct error error;
};

/* ---- Arguments ---- */

#define OPTIONS struct plan_options

static int take_run(void *out, const char *text, struct error *error) {
    struct plan_options *options = out;
    (void)error;
    options->run = text != NULL ? text : default_run;
    return 0;
}

/* --run 'COMMAND' instead of --run='COMMAND' */
static int take_argument(void *input, const char *text, struct error *error) {
    struct plan_options *options = input;
    (void)error;
    if (options->run != default_run || strstr(text, "{}") == NULL)
        return 1;
    options->run = text;
    return 0;
}

static int check(void *input, struct error *error) {
    const struct plan_options *options = input;
    return options->target != NULL
               ? 0
               : error_set(error, "what is to be predicted? Give --target '-np N ARGUMENTS'");
}

static const struct command_option rows[] = {
    {OPTION_TEXT("target", "'-np N ARGUMENTS'", target), .letter = 't',
     .help = "What is to be predicted: ranks and arguments"},
    {OPTION_SECONDS("budget", DBL_MIN, 1e9, budget_s),
     .help = "What all runs together may take, their times multiplied by their ranks (default: "
             "60)"},
    {OPTION_COUNT("max-ranks", "N", max_ranks),
     .help = "Ranks of a run at most (default: 4, and what the checks of fit need)"},
    {OPTION_TEXT("machine", "NAME", machine), .letter = 'm',
     .help = "Whose samples there are (default: default)"},
    {OPTION_GROUP(NULL)},
    {OPTION_OWN("run", "COMMAND", take_run), .value_may_lack = true,
     .help = "Make the runs; {np} stands for the number of ranks, {} for the profiling build, "
             "{args} for the arguments (default: " DEFAULT_RUN ")"},
    {OPTION_COUNT("runs", "K", runs), .help = "Runs at most (default: 9)"},
    {OPTION_COUNT("simulations", "K", trials),
     .help = "Small configurations of the skeleton that are simulated at most (default: 100)"},
    {OPTION_GROUP(NULL)},
    {COMMON_FORMAT(format)},
    {COMMON_NO_PROGRESS(no_progress)},
    {0}};

static const struct command_syntax syntax = {
    .name = "mpiskel plan",
    .usage = "APP.skel --target '-np N ARGUMENTS'",
    .about =
        "Tell which small profiling runs would best support a prediction.\v"
        "The skeleton is simulated at the target, which tells the features that each region is "
        "asked for and its share of the time, and at many small configurations, which tells what "
        "each would measure and cost. Chosen are the runs that bring samples nearest to what is "
        "asked for and vary features independently, within the budget:\n\n"
        "  mpiskel plan heat3d.skel --target '-np 1024 512 512 512 20' --budget 30\n"
        "  mpiskel plan heat3d.skel --target '-np 1024 512 512 512 20' --run\n\n"
        "distance: from what the target asks for to the nearest sample, deviation: of the "
        "prediction there, if nothing but the samples were known; both as logarithms (0.1 is "
        "about 10 %). lacking: their sum, weighted by the shares of time.",
    .options = {rows, check},
    BUNDLE_AT(bundle),
    .too_many = "the target's arguments go into --target '-np N ARGUMENTS'",
    .take = take_argument,
};

/* ---- What the plan needs ---- */

static int parse_template(struct plan_command *command) {
    const char *text = command->options.run != NULL ? command->options.run : default_run;
    if (words_split(&command->template, &command->template_count, &command->opened.arena, text,
                    &command->error) != 0)
        return -1;
    bool has_program = false;
    for (size_t i = 0; i < command->template_count; i++)
        has_program |= strstr(command->template[i], "{}") != NULL;
    if (!has_program)
        return error_set(&command->error,
                         "--run '%s' has no {} where the profiling build is to stand, as in "
                         "'" DEFAULT_RUN "'",
                         text);
    return 0;
}

static int parse_target(struct configuration *out, struct plan_command *command) {
    const char *const *words = NULL;
    size_t count = 0;
    if (words_split(&words, &count, &command->opened.arena, command->options.target,
                    &command->error) != 0)
        return -1;
    if (count < 2 || (strcmp(words[0], "-np") != 0 && strcmp(words[0], "-n") != 0))
        return error_set(&command->error,
                         "--target '%s' does not begin with -np N, as in '-np 1024 ARGUMENTS'",
                         command->options.target);
    if (count_parse(&out->ranks, words[1], "-np", &command->error) != 0)
        return -1;
    out->words = (struct words){words + 2, count - 2};
    return 0;
}

/* What was profiled, each configuration once; with room for what is planned. */
static size_t find_profiled(struct configuration **out, struct plan_command *command) {
    const struct samples *samples = &command->samples;
    struct arena *arena = &command->opened.arena;
    size_t found = 0;
    *out = ARENA_ARRAY(arena, struct configuration,
                       (size_t)samples->run_count + command->plan.run_count + 1);
    for (int i = 0; i < samples->run_count; i++) {
        size_t count = 0, same = 0;
        const char *const *items = words_of_json(&count, arena, samples->runs[i].arguments);
        struct configuration one = {(size_t)samples->runs[i].ranks, {items, count}};
        while (same < found &&
               ((*out)[same].ranks != one.ranks || !words_equal((*out)[same].words, one.words)))
            same++;
        if (same == found)
            (*out)[found++] = one;
    }
    return found;
}

static int make_plan(struct plan_command *command) {
    struct configuration *profiled = NULL;
    struct experiments_options options = {.budget_s = command->options.budget_s,
                                          .max_ranks = command->options.max_ranks,
                                          .trials_most = command->options.trials,
                                          .runs_most = command->options.runs,
                                          .show_progress = !command->options.no_progress};
    if (parse_target(&options.target, command) != 0)
        return -1;
    options.profiled_count = find_profiled(&profiled, command);
    options.profiled = profiled;
    if (experiments_make(&command->plan, &command->bundle, &command->samples, &options,
                         &command->error) != 0)
        return -1;
    command->has_plan = true;
    return 0;
}

/* Without samples a plan can be made, but is that what the user thinks? */
static int tell_without_samples(struct plan_command *command) {
    struct opened *opened = &command->opened;
    const char *machines = "";
    glob_t files;
    if (store_machines(&machines, &opened->arena, opened->store, &opened->regions,
                       &command->error) != 0)
        return -1;
    if (machines[0] != '\0')
        note("note: there is no run of machine '%s', only of: %s (--machine)",
             command->options.machine, machines);
    else if (glob(samples_pattern(&opened->arena, opened->bundle), 0, NULL, &files) == 0) {
        note(
            "note: the samples in %s/samples are not in the store yet; `mpiskel fit %s` reads them",
            opened->bundle, opened->bundle);
        globfree(&files);
    }
    return 0;
}

/* A bundle without a store has no samples yet, and one without model.bsim no models. */
static int open_bundle(struct plan_command *command) {
    struct opened *opened = &command->opened;
    if (opened_open(opened, command->options.bundle, true, &command->error) != 0 ||
        parse_template(command) != 0 ||
        store_samples(&command->samples, opened->store, &opened->regions, command->options.machine,
                      &command->error) != 0 ||
        bundle_open(&command->bundle, command->options.bundle, &command->error) != 0)
        return -1;
    command->has_bundle = true;
    if (command->samples.run_count == 0 && tell_without_samples(command) != 0)
        return -1;
    unexplained_note(command->options.bundle, command->options.machine);
    if (bundle_check_program(&command->bundle, command->bundle.skeleton, &command->error) != 0)
        return -1;
    return file_exists(command->bundle.model_file)
               ? bundle_load_model(&command->bundle, &command->error)
               : 0;
}

/* ---- Commands ---- */

static const char *replace(struct arena *arena, const char *word, const char *old,
                           const char *new) {
    const char *at = strstr(word, old);
    return at == NULL
               ? word
               : arena_printf(arena, "%.*s%s%s", (int)(at - word), word, new, at + strlen(old));
}

/* The words of the run, NULL behind them. `profile` is how the profiling build is named. */
static const char *const *command_words(struct plan_command *command,
                                        const struct configuration *configuration,
                                        const char *profile) {
    struct arena *arena = &command->opened.arena;
    const char *ranks = arena_printf(arena, "%zu", configuration->ranks);
    const char **words =
        ARENA_ARRAY(arena, const char *, command->template_count + configuration->words.count + 1);
    size_t count = 0;
    for (size_t i = 0; i < command->template_count; i++) {
        const char *word = command->template[i];
        for (size_t k = 0; strcmp(word, "{args}") == 0 && k < configuration->words.count; k++)
            words[count++] = configuration->words.items[k];
        if (strcmp(word, "{args}") != 0)
            words[count++] = replace(arena, replace(arena, word, "{np}", ranks), "{}", profile);
    }
    return words;
}

static const char *command_text(struct plan_command *command,
                                const struct configuration *configuration) {
    const char *profile = path_join(&command->opened.arena, command->options.bundle, "profile");
    const char *const *words = command_words(command, configuration, profile);
    return words_text(&command->opened.arena, words, words_count(words));
}

static const char *fit_text(struct plan_command *command) {
    struct str text = {0};
    words_add(&text, "mpiskel");
    words_add(&text, "fit");
    words_add(&text, command->options.bundle);
    if (strcmp(command->options.machine, "default") != 0) {
        words_add(&text, "--machine");
        words_add(&text, command->options.machine);
    }
    return str_into(&command->opened.arena, &text);
}

/* How well the target is supported by what was fitted, if anything was. */
static void find_doubts(struct findings *out, struct plan_command *command) {
    struct opened *opened = &command->opened;
    const struct experiments *plan = &command->plan;
    struct models models;
    struct error none = {0};
    if (model_set_read(&models, opened->store, &opened->regions, command->options.bundle,
                       command->options.machine, &none) != 0)
        return;
    double *shares = ARENA_ARRAY(&opened->arena, double, (size_t)opened->regions.count + 1);
    for (size_t i = 0; i < plan->asked_count; i++)
        shares[plan->asked[i].box.region] = plan->asked[i].share;
    region_findings_add(out, &models, &opened->regions, shares, "the predicted time");
    findings_sort(out);
    models_dispose(&models);
}

static int report(struct plan_command *command) {
    const struct experiments *plan = &command->plan;
    struct findings findings = {0};
    const char **commands = ARENA_ARRAY(&command->opened.arena, const char *, plan->run_count + 1);
    for (size_t i = 0; i < plan->run_count; i++)
        commands[i] = command_text(command, &plan->runs[i].candidate->trial.configuration);
    struct plan_report report = {.plan = plan,
                                 .regions = &command->opened.regions,
                                 .machine = command->options.machine,
                                 .run_count = command->samples.run_count,
                                 .budget_s = command->options.budget_s,
                                 .commands = commands,
                                 .fit = fit_text(command),
                                 .findings = &findings};
    find_doubts(&findings, command);
    plan_print(&report, command->options.format);
    findings_dispose(&findings);
    return output_finish(&command->error);
}

/* ---- Making the runs ---- */

static void show_log(const char *path) {
    struct error error = {0};
    char *text = NULL;
    if (file_read(&text, NULL, path, &error) == 0)
        fputs(text, stderr);
    free(text);
}

/* 1: the program failed, which is told. */
static int make_run(struct plan_command *command, const struct configuration *configuration,
                    size_t number, size_t total, const char *log) {
    const char *profile = path_join(&command->opened.arena, command->bundle.directory, "profile");
    struct process_options options = {.stdout_file = log, .stderr_file = log};
    struct pool pool = {.limit_s = RUN_MOST_S};
    struct process_result result;
    size_t job;
    note("run %zu of %zu: %s", number, total, command_text(command, configuration));
    bool is_run = pool_start(&pool, 0, command_words(command, configuration, profile), &options,
                             &command->error) == 0 &&
                  pool_wait(&job, &result, &pool, NULL, NULL, &command->error) == 0;
    pool_dispose(&pool);
    if (!is_run)
        return -1;
    if (process_interrupted())
        return error_set(&command->error, "interrupted in run %zu", number);
    if (result.exit_code != 0) {
        show_log(log);
        note(result.timed_out ? "run %zu was ended after %d s"
                              : "run %zu failed with exit code %d (see above)",
             number, result.timed_out ? RUN_MOST_S : result.exit_code);
        return 1;
    }
    note("run %zu took %.3g s", number, result.wall_s);
    return 0;
}

/* What is planned, and what checks lack as far as it may be run here; returns how many. */
static size_t list_runs(const struct configuration **out, const struct plan_command *command,
                        const struct plan_checks *checks) {
    size_t count = 0;
    for (size_t i = 0; i < command->plan.run_count; i++)
        out[count++] = &command->plan.runs[i].candidate->trial.configuration;
    for (size_t i = 0; i < checks->count; i++)
        if (checks->items[i].ranks <= command->checks_max_ranks)
            out[count++] = &checks->items[i];
    return count;
}

/* One that fails does not keep the others from being of use. */
static int make_all(size_t *out_made, struct plan_command *command,
                    const struct plan_checks *checks, const char *log) {
    const struct configuration **runs =
        ARENA_ARRAY(&command->opened.arena, const struct configuration *,
                    command->plan.run_count + checks->count + 1);
    size_t total = list_runs(runs, command, checks), failed = 0;
    *out_made = total;
    for (size_t i = 0; i < total; i++) {
        int result = make_run(command, runs[i], i + 1, total, log);
        if (result < 0)
            return -1;
        failed += result > 0;
    }
    return failed == 0 ? 0
                       : error_set(&command->error,
                                   "%zu of %zu runs failed (see above); now make others in their "
                                   "place, and `%s`",
                                   failed, total, fit_text(command));
}

/* Those that the user does not want on so many ranks. */
static void tell_left(const struct plan_command *command, size_t left) {
    if (left > 0)
        note("%zu run%s that checks need %s not made, on more ranks than --max-ranks %zu: make %s "
             "yourself (listed above), or raise --max-ranks",
             left, text_plural(left), left == 1 ? "was" : "were", command->options.max_ranks,
             left == 1 ? "it" : "them");
}

static int make_runs(struct plan_command *command, const struct plan_checks *checks) {
    const char *directory =
        directory_temporary(&command->opened.arena, "mpiskel-plan-runs", &command->error);
    if (directory == NULL)
        return -1;
    size_t made = 0;
    int result =
        make_all(&made, command, checks, path_join(&command->opened.arena, directory, "log"));
    if (directory_remove(directory, &command->error) != 0)
        result = -1;
    if (result == 0 && made > 0)
        note("done; now `%s`", fit_text(command));
    tell_left(command, command->plan.run_count + checks->count - made);
    return result;
}

/* What the guard of fit needs on top of the plan's runs, of a skeleton that takes values as given.
 */
static int find_checks(struct plan_checks *out, struct plan_command *command) {
    struct configuration *all = NULL;
    size_t count = find_profiled(&all, command);
    for (size_t i = 0; i < command->plan.run_count; i++)
        all[count++] = command->plan.runs[i].candidate->trial.configuration;
    struct plan_checks_question question = {.bundle = &command->bundle,
                                            .all = all,
                                            .count = count,
                                            .samples = &command->samples,
                                            .target = command->plan.target.configuration.words};
    *out = (struct plan_checks){.count = 0};
    return regions_give_values(&command->opened.regions)
               ? plan_checks_make(out, &command->opened.arena, &question, &command->error)
               : 0;
}

static void tell_checks(struct plan_command *command, const struct plan_checks *checks) {
    plan_checks_tell(checks);
    for (size_t i = 0; i < checks->count; i++)
        note("  %s%s", command_text(command, &checks->items[i]),
             checks->items[i].ranks > command->checks_max_ranks
                 ? " (more than --max-ranks: --run does not make it)"
                 : "");
}

static int plan(struct plan_command *command) {
    if (!machine_is_name(command->options.machine))
        return error_set(&command->error, "'%s' is no name of a machine", command->options.machine);
    if (open_bundle(command) != 0 || make_plan(command) != 0 || report(command) != 0)
        return -1;
    struct plan_checks checks;
    if (find_checks(&checks, command) != 0)
        return -1;
    tell_checks(command, &checks);
    return command->options.run != NULL ? make_runs(command, &checks) : 0;
}

/* Checks ask for twice as many ranks as were profiled: small runs, which are made unless the user
 * says how many ranks a run may have. */
static void set_max_ranks(struct plan_command *command) {
    size_t asked = command->options.max_ranks;
    command->options.max_ranks = asked > 0 ? asked : DEFAULT_MAX_RANKS;
    command->checks_max_ranks = asked > 0 ? asked : SIZE_MAX;
}

int command_plan(int argc, char **argv) {
    struct plan_command command = {
        .options = {.machine = "default", .budget_s = 60, .trials = 100, .runs = 9}};
    command_syntax_parse(&syntax, &command.options, argc, argv);
    set_max_ranks(&command);
    int result = plan(&command);
    if (result != 0)
        error_print(&command.error);
    if (command.has_plan)
        experiments_dispose(&command.plan);
    if (command.has_bundle)
        bundle_close(&command.bundle);
    samples_dispose(&command.samples);
    opened_close(&command.opened);
    return result == 0 ? EXIT_FINE : EXIT_FAILED;
}

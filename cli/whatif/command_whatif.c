/* SPDX-License-Identifier: Apache-2.0
 *
 * `mpiskel whatif`: a base and scenarios, each simulated by `mpiskel run`, side by side.
 *
 * Steps: put together the words of each run; start them, several at a time; read their reports; one
 * table. A scenario that fails is told in its row. With --rank-all the scenarios are made here, see
 * whatif_rank.c.
 */
#include "analysis/report/report_run.h"
#include "base/file.h"
#include "base/words.h"
#include "cli/common/commands.h"
#include "cli/common/unexplained_note.h"
#include "cli/whatif/whatif.h"

#include <stdio.h>
#include <string.h>

/* ---- One simulation ---- */

/* Of a simulation of the original nobody knows what is computation. */
static bool is_original(const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(words[i], "--original") == 0)
            return true;
    return false;
}

struct simulation whatif_simulation(const struct whatif_options *options,
                                    const char *const *further, const char *const *arguments,
                                    bool attribute, struct arena *arena) {
    size_t base = words_count(options->base_options), more = words_count(further), count = 0;
    const char **words = ARENA_ARRAY(arena, const char *, base + more + 2);
    for (size_t i = 0; i < base; i++)
        words[count++] = options->base_options[i];
    for (size_t i = 0; i < more; i++)
        words[count++] = further[i];
    if (attribute && !is_original(words, count))
        words[count++] = "--attribute";
    return (struct simulation){
        .options = words,
        .arguments = arguments != NULL ? arguments : options->base_arguments,
    };
}

/* ---- Scenarios ---- */

static int exit_code_of(const struct simulation *rows, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (rows[i].report == NULL)
            return EXIT_FAILED;
    return EXIT_FINE;
}

/* A wrong option of the base is the whole command's. */
static int fail_of_usage(const struct simulation *base) {
    fprintf(stderr, "mpiskel whatif: %s\nTry `mpiskel whatif --help' or `mpiskel run --help'\n",
            base->error);
    return EXIT_USAGE;
}

/* ---- The page ---- */

/* The bundle is the first word that is one. */
static const char *bundle_among(struct arena *arena, const char *const *words) {
    while (*words != NULL && !file_exists(path_join(arena, *words, "regions.json")))
        words++;
    return *words != NULL ? *words : "";
}

static const char *trace_of(struct arena *arena, const char *directory, size_t number) {
    return arena_printf(arena, "%s/%zu.trace", directory, number);
}

/* The simulations record traces into the directory. */
static void record_traces(struct simulation *rows, size_t count, const char *directory,
                          struct arena *arena) {
    for (size_t i = 0; i < count; i++) {
        size_t given = words_count(rows[i].options);
        const char **words = ARENA_ARRAY(arena, const char *, given + 3);
        memcpy(words, rows[i].options, given * sizeof *words);
        words[given] = "--trace";
        words[given + 1] = trace_of(arena, directory, i);
        rows[i].options = words;
    }
}

/* Of all that did not fail. */
static int write_page(struct whatif_options *options, const struct scenario_text *scenarios,
                      const struct simulation *rows, size_t count, const char *traces,
                      struct error *error) {
    struct finished_run *runs = ARENA_ARRAY(&options->arena, struct finished_run, count);
    size_t finished = 0;
    for (size_t i = 0; i < count; i++)
        if (rows[i].report != NULL)
            runs[finished++] = (struct finished_run){.name = scenarios[i].name,
                                                     .prediction = rows[i].report,
                                                     .trace = trace_of(&options->arena, traces, i)};
    const char *bundle = bundle_among(&options->arena, options->base_options);
    if (report_runs_write(options->page, bundle, runs, finished, error) != 0)
        return -1;
    note("%s: open it in a browser", options->page);
    return 0;
}

static int compare(struct whatif_options *options, struct error *error) {
    static const char *const none[] = {NULL};
    struct arena *arena = &options->arena;
    size_t count = options->scenarios.count + 1;
    struct scenario_text *scenarios = ARENA_ARRAY(arena, struct scenario_text, count);
    struct simulation *rows = ARENA_ARRAY(arena, struct simulation, count);
    scenarios[0] = (struct scenario_text){.name = "base", .options = none};
    for (size_t i = 1; i < count; i++)
        scenarios[i] = options->scenarios.items[i - 1];
    for (size_t i = 0; i < count; i++)
        rows[i] = whatif_simulation(options, scenarios[i].options, scenarios[i].arguments,
                                    !options->no_attribute, arena);
    int exit_code = EXIT_FAILED;
    const char *traces = NULL;
    if (options->page != NULL) {
        if (output_file_check(options->page, error) != 0 ||
            (traces = directory_temporary(arena, "mpiskel-whatif", error)) == NULL)
            goto out;
        record_traces(rows, count, traces, arena);
    }
    if (simulations_run(rows, count, options->jobs, !options->no_progress, arena, error) != 0)
        goto out;
    if (rows[0].exit_code == EXIT_USAGE && rows[0].report == NULL) {
        exit_code = fail_of_usage(&rows[0]);
        goto out;
    }
    whatif_print(scenarios, rows, count, options->format);
    for (size_t i = 0; i < count; i++)
        simulation_tell_warnings(&rows[i], scenarios[i].name);
    exit_code = output_finish(error) == 0 ? exit_code_of(rows, count) : EXIT_FAILED;
    if (options->page != NULL && write_page(options, scenarios, rows, count, traces, error) != 0)
        exit_code = EXIT_FAILED;
out:
    if (traces != NULL && directory_remove(traces, error) != 0)
        exit_code = EXIT_FAILED;
    simulations_dispose(rows, count);
    return exit_code;
}

int command_whatif(int argc, char **argv) {
    struct whatif_options options;
    struct error error = {0};
    whatif_options_parse(&options, argc, argv);
    const char *bundle = bundle_among(&options.arena, options.base_options);
    if (bundle != NULL)
        unexplained_note(bundle, NULL);
    int exit_code = options.rank_all ? whatif_rank(&options, &error) : compare(&options, &error);
    if (error.set)
        error_print(&error);
    whatif_options_dispose(&options);
    return exit_code;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * `mpiskel record -o DIR -- mpirun -np 4 PROGRAM`: starts the command with a library before the
 * program and its MPI (runtime/record), which writes DIR/run.trace; what is known of the run is
 * DIR/recording.json, which says that the run has not ended until it has.
 */
#include "cli/common/commands.h"

#include "analysis/recording/run_recording.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/process.h"
#include "base/str.h"
#include "base/words.h"
#include "cli/common/command_syntax.h"
#include "cli/common/opened.h"
#include "cli/record/record_library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OVERHEAD_FILE "overhead.json"

struct record_options {
    const char *output, *mpicc, *functions, *clock;
    option_texts settings;
    char **command;
};

struct recording_run {
    struct record_options options;
    struct arena arena;
    struct mpi_program program;
    const char *directory; /* absolute */
    const char *library;
    json_t *facts;
    struct process_result done;
    struct error error;
};

#define OPTIONS struct record_options

static const struct command_option rows[] = {
    {COMMON_OUTPUT(output), .value = "DIR", .help = "Where the recording goes; needed"},
    {OPTION_TEXTS("set", "NAME=VALUE,...", settings),
     .help = "What the workload is, such as n=400,P=2: the numbers that `synthesize` learns from; "
             "may be given again"},
    {COMMON_CLOCK(clock)},
    {OPTION_TEXT("functions", "NAME,...", functions),
     .help = "Functions whose executions are recorded as well: of a program that was compiled with "
             "-finstrument-functions, or of BLAS, LAPACK and FFTW, such as dgemm_,cblas_dgemm"},
    {OPTION_TEXT("mpicc", "COMPILER", mpicc),
     .help = "The MPI compiler of the program's MPI, if mpiskel was not built with that: the "
             "recorder is compiled with it"},
    {0}};

static const struct command_syntax syntax = {
    .name = "mpiskel record",
    .usage = "-o DIR [--set NAME=VALUE,...] -- COMMAND [ARGUMENT...]",
    .takes_rest = true,
    .rest = OPTION_AT(char **, command),
    .missing = "no command; for example: mpiskel record -o runs/4 -- mpirun -np 4 ./program",
    .about = "Record the MPI calls of a program that runs, without its source.\v"
             "Each call with its call path, messages, and the processor time before it. "
             "`mpiskel trace`, `events` and `report` show DIR/run.trace.\n\n"
             "Example: mpiskel record -o runs/4 --set n=400,P=2 -- mpirun -np 4 ./program 400\n\n"
             "Exit code: 0 fine; 1 the run failed, or nothing was recorded; 64 usage.",
    .options = {rows, NULL},
};

/* ---- Settings ---- */

static int add_setting(json_t *list, struct arena *arena, const char *text, struct error *error) {
    const char *equals = strchr(text, '=');
    if (equals == NULL || equals == text || equals[1] == '\0')
        return error_set(error, "--set %s: a setting is NAME=VALUE, such as n=400", text);
    const char *name = arena_printf(arena, "%.*s", (int)(equals - text), text);
    const json_t *one;
    size_t i;
    json_array_foreach(list, i, one) if (strcmp(json_get_text(one, "name"), name) ==
                                         0) return error_set(error, "--set %s: %s is set twice",
                                                             text, name);
    json_array_append_new(list, json_pack("{s:o, s:o}", "name", json_any_text(name), "value",
                                          json_any_text(equals + 1)));
    return 0;
}

static int add_settings(json_t *list, struct arena *arena, const char *text, struct error *error) {
    char *rest = arena_strdup(arena, text), *word;
    int result = 0;
    while (result == 0 && (word = strsep(&rest, ",")) != NULL)
        result = add_setting(list, arena, word, error);
    return result;
}

/* ---- Before the run ---- */

/* A directory of something else is never written into. */
static int make_directory(struct recording_run *run) {
    const char *facts = path_join(&run->arena, run->directory, "recording.json");
    if (directory_exists(run->directory) && !file_exists(facts) && rmdir(run->directory) != 0)
        return error_set(&run->error, "-o %s: the directory is there, and is no recording",
                         run->options.output);
    if (file_exists(run->directory) && !directory_exists(run->directory))
        return error_set(&run->error, "-o %s: there is a file of that name", run->options.output);
    if (directory_remove(run->directory, &run->error) != 0)
        return -1;
    return directory_make(run->directory, &run->error);
}

static int write_facts(struct recording_run *run) {
    return json_write(run->facts, path_join(&run->arena, run->directory, "recording.json"),
                      &run->error);
}

/* What no other recording has. */
static const char *make_name(struct recording_run *run) {
    return arena_printf(&run->arena, "%llx-%ld", (unsigned long long)(clock_realtime_s() * 1e6),
                        (long)getpid());
}

static int begin_facts(struct recording_run *run) {
    json_t *command = json_array(), *settings = json_array();
    for (char **word = run->options.command; *word != NULL; word++)
        json_array_append_new(command, json_any_text(*word));
    run->facts =
        json_pack("{s:s, s:i, s:s, s:o, s:o, s:n}", "format", "mpiskel-recording", "version", 1,
                  "run", make_name(run), "command", command, "settings", settings, "exit_code");
    for (size_t i = 0; i < run->options.settings.count; i++)
        if (add_settings(settings, &run->arena, run->options.settings.items[i], &run->error) != 0)
            return -1;
    return 0;
}

static int prepare(struct recording_run *run) {
    if (run->options.output == NULL)
        return error_set(&run->error, "where does the recording go? Give -o DIR");
    const char *target = output_target(&run->arena, run->options.output, &run->error);
    if (target == NULL)
        return -1;
    run->directory = path_absolute(&run->arena, "", target);
    mpi_program_find(&run->program, &run->arena, run->options.command);
    if (begin_facts(run) != 0 || make_directory(run) != 0)
        return -1;
    run->library =
        record_library(&run->arena, &run->program, run->options.mpicc, run->directory, &run->error);
    return run->library != NULL ? write_facts(run) : -1;
}

/* ---- The run ---- */

static int start(struct recording_run *run) {
    struct arena *arena = &run->arena;
    const char *others = getenv("LD_PRELOAD");
    const char *environment[] = {
        arena_printf(arena, "LD_PRELOAD=%s%s%s", run->library, others != NULL ? ":" : "",
                     others != NULL ? others : ""),
        arena_printf(arena, "BSIM_RECORD_FILE=%s/run.trace", run->directory),
        arena_printf(arena, "BSIM_RECORD_RUN=%s", json_get_text(run->facts, "run")),
        arena_printf(arena, "BSIM_RECORD_OVERHEAD=%s/" OVERHEAD_FILE, run->directory),
        arena_printf(arena, "BSIM_TRACE_LIBRARY=%s", path_of_library(arena, "libbsim_trace.so")),
        run->options.functions != NULL
            ? arena_printf(arena, "BSIM_RECORD_FUNCTIONS=%s", run->options.functions)
            : NULL,
        NULL};
    struct process_options process = {.extra_environment = environment};
    return process_run(&run->done, (const char *const *)run->options.command, &process,
                       &run->error);
}

static void end_facts(struct recording_run *run) {
    struct error ignored = {0};
    json_t *overhead = NULL;
    const char *path = path_join(&run->arena, run->directory, OVERHEAD_FILE);
    if (file_exists(path) && json_read(&overhead, path, &ignored) == 0)
        json_object_set_new(run->facts, "overhead", overhead);
    remove(path);
    json_object_set_new(run->facts, "exit_code", json_integer(run->done.exit_code));
    json_object_set_new(run->facts, "wall_s", json_real(run->done.wall_s));
}

/* ---- Behind the run ---- */

static int fail_without_trace(struct recording_run *run) {
    return error_set(&run->error,
                     "%s: error: nothing was recorded: the program did not call MPI_Init, or is "
                     "of another MPI than the recorder (--mpicc names its compiler)",
                     run->options.output);
}

static void print_overhead(const struct recording_run *run, int32_t ranks) {
    const json_t *overhead = json_object_get(run->facts, "overhead");
    double calls = json_get_number(overhead, "calls", 0);
    double seconds = json_get_number(overhead, "seconds", 0);
    double new_paths_s = json_get_number(overhead, "new_paths_seconds", 0);
    if (calls > 0)
        printf(
            "overhead     %.2f us a call, %.3f s a rank for new call paths, %.2g %% of the run\n",
            seconds / calls * 1e6, new_paths_s / ranks,
            100 * (seconds + new_paths_s) / ((double)ranks * run->done.wall_s));
}

/* For who reads it, not for scripts. */
static void print_next(const struct recording_run *run) {
    struct str words = {0};
    words_add(&words, run->options.output);
    printf("next: mpiskel report %s shows it; recordings with other sizes (--set) and numbers of "
           "ranks, then mpiskel synthesize, make a program that predicts\n",
           str_text(&words));
    str_dispose(&words);
}

static int report(struct recording_run *run) {
    struct run_recording *recording;
    if (process_interrupted())
        return error_set(&run->error, "interrupted: %s has a part of the run", run->options.output);
    if (!file_exists(path_join(&run->arena, run->directory, "run.trace")) &&
        run->done.exit_code == 0)
        return fail_without_trace(run);
    if (run_recording_open_damaged(&recording, run->options.output, &run->error) != 0)
        return -1;
    const struct trace *trace = run_recording_trace(recording);
    const char *damage = run_recording_damage(recording);
    printf("recorded     %llu events of %d ranks in %s\n",
           (unsigned long long)trace_stored_events(trace), trace_ranks(trace), run->options.output);
    print_overhead(run, trace_ranks(trace));
    if (damage == NULL && isatty(STDOUT_FILENO))
        print_next(run);
    fflush(stdout);
    int result = damage != NULL ? error_set(&run->error, "%s", damage) : 0;
    run_recording_close(recording);
    return result;
}

int command_record(int argc, char **argv) {
    struct recording_run run = {0};
    command_syntax_parse(&syntax, &run.options, argc, argv);
    int result = prepare(&run);
    if (result == 0)
        result = start(&run);
    if (result == 0) {
        end_facts(&run);
        result = write_facts(&run) != 0 ? -1 : report(&run);
    }
    if (result == 0)
        result = output_finish(&run.error);
    if (result != 0)
        error_print(&run.error);
    json_decref(run.facts);
    vec_dispose(&run.options.settings);
    arena_dispose(&run.arena);
    return result != 0 ? EXIT_FAILED : EXIT_FINE;
}

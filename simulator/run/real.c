/* SPDX-License-Identifier: Apache-2.0 */
#include "simulator/run/real.h"

#include "base/file.h"
#include "base/pool.h"
#include "base/process.h"
#include "base/str.h"
#include "base/vec.h"
#include "model/samples/sample.h"
#include "simulator/run/standard_input.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>

#define SHOWN_BYTES 500 /* of what a failing run said last */

typedef VEC(const char *) word_list;

static void make_command(word_list *out, const struct real_command *command, const char *program,
                         struct arena *arena) {
    for (size_t i = 0; i < command->launcher_count; i++)
        vec_push(out, command->launcher[i]);
    if (command->launcher_count > 0) {
        vec_push(out, "-np");
        vec_push(out, arena_printf(arena, "%zu", command->ranks));
    }
    vec_push(out, program);
    for (size_t i = 0; i < command->argument_count; i++)
        vec_push(out, command->arguments[i]);
    vec_push(out, NULL);
}

const char *real_launcher_text(const struct real_command *command, struct arena *arena) {
    struct str text = {0};
    for (size_t i = 0; i < command->launcher_count; i++)
        str_printf(&text, "%s ", command->launcher[i]);
    if (command->launcher_count > 0)
        str_printf(&text, "-np %zu", command->ranks);
    return str_into(arena, &text);
}

static bool has_launcher(const struct real_command *command, struct arena *arena) {
    return command->launcher_count == 0 || program_find(arena, command->launcher[0]) != NULL;
}

static int fail_run(const struct process_result *result, const word_list *words, const char *log,
                    struct error *error) {
    struct str command = {0};
    struct error no_log = {0};
    char *text = NULL;
    size_t length = 0;
    for (size_t i = 0; i + 1 < words->count; i++)
        str_printf(&command, "%s%s", i > 0 ? " " : "", words->items[i]);
    if (file_read(&text, &length, log, &no_log) != 0)
        text = xstrdup("");
    const char *last = length > SHOWN_BYTES ? text + length - SHOWN_BYTES : text;
    error_set(error, "the real run failed with exit code %d: %.300s\n%s", result->exit_code,
              str_text(&command), last);
    free(text);
    str_dispose(&command);
    return -1;
}

/* `environment` ends with NULL; the log lies in `directory` meanwhile. */
static int start(double *processor_s, const word_list *words, const char *program,
                 const char *const *environment, const char *runs_in, const char *directory,
                 struct arena *arena, struct error *error) {
    struct process_result result;
    const char *log = path_join(arena, directory, "log");
    struct process_options options = {.directory = runs_in,
                                      .extra_environment = environment,
                                      .stdout_file = log,
                                      .stderr_file = log};
    if (standard_input_set(&options, program, false, error) != 0 ||
        process_run(&result, words->items, &options, error) != 0)
        return -1;
    if (process_interrupted())
        return error_set(error, "interrupted");
    *processor_s = result.user_s + result.system_s;
    int status = result.exit_code == 0 ? 0 : fail_run(&result, words, log, error);
    remove(log);
    return status;
}

static void add_up(struct real_run *out, const struct samples *samples) {
    out->elapsed_s = samples->runs[0].elapsed_s;
    for (size_t i = 0; i < samples->count; i++) {
        const struct sample *sample = &samples->items[i];
        if (sample->timed > 0)
            out->region_s[sample->region] += sample->seconds * sample->count / sample->timed;
    }
}

static int read_samples(struct real_run *out, const struct bundle *bundle, const char *directory,
                        struct arena *arena, struct error *error) {
    glob_t files;
    struct samples samples;
    if (glob(path_join(arena, directory, "*.samples"), 0, NULL, &files) != 0)
        return error_set(error, "the real run left no samples: was it MPI_Abort or exit that ended "
                                "it, or does the launcher not pass on the environment?");
    int result = samples_read(&samples, files.gl_pathv[0], &bundle->regions, error);
    if (result == 0) {
        if (files.gl_pathc > 1 || !samples.runs[0].complete || samples.runs[0].elapsed_s <= 0)
            result = error_set(error, "the real run did not reach MPI_Finalize on all ranks");
        else {
            add_up(out, &samples);
            samples_parts(&out->parts, arena, &samples, -1);
        }
        samples_dispose(&samples);
    }
    for (size_t i = 0; i < files.gl_pathc; i++)
        remove(files.gl_pathv[i]);
    globfree(&files);
    return result;
}

int real_limited(struct process_result *out, const struct real_command *command,
                 const struct real_limits *limits, struct arena *arena, struct error *error) {
    struct process_options options = {.extra_environment = limits->environment,
                                      .stdout_file = limits->log,
                                      .stderr_file = limits->log};
    struct pool pool = {.limit_s = limits->limit_s};
    word_list words = {0};
    size_t job;
    make_command(&words, command, limits->program, arena);
    bool is_run = standard_input_set(&options, limits->program, true, error) == 0 &&
                  pool_start(&pool, 0, words.items, &options, error) == 0 &&
                  pool_wait(&job, out, &pool, limits->tick, NULL, error) == 0;
    pool_dispose(&pool);
    vec_dispose(&words);
    return is_run ? 0 : -1;
}

int real_exit_code(const struct bundle *bundle, const struct real_command *command, double limit_s,
                   const char *directory, struct arena *arena) {
    const char *environment[] = {"BSIM_CLOCK=none",
                                 arena_printf(arena, "BSIM_SAMPLES=%s", directory), NULL};
    struct real_limits limits = {.program = path_join(arena, bundle->directory, "profile"),
                                 .log = path_join(arena, directory, "real.log"),
                                 .environment = environment,
                                 .limit_s = limit_s};
    struct process_result result;
    struct error ignored = {0};
    bool is_run = has_launcher(command, arena) && file_exists(limits.program) &&
                  real_limited(&result, command, &limits, arena, &ignored) == 0;
    return is_run && !result.timed_out ? result.exit_code : -1;
}

static int profile(double *processor_s, const char *samples, const struct bundle *bundle,
                   const struct real_command *command, const char *const *variables,
                   struct arena *arena, struct error *error) {
    word_list words = {0}, environment = {0};
    const char *program = path_join(arena, bundle->directory, "profile");
    if (bundle_check_program(bundle, program, error) != 0)
        return -1;
    make_command(&words, command, program, arena);
    vec_push(&environment, arena_printf(arena, "BSIM_SAMPLES=%s", samples));
    for (; *variables != NULL; variables++)
        vec_push(&environment, *variables);
    vec_push(&environment, NULL);
    int result = start(processor_s, &words, program, environment.items, command->directory, samples,
                       arena, error);
    vec_dispose(&words);
    vec_dispose(&environment);
    return result;
}

int real_run(struct real_run *out, const struct bundle *bundle, const struct real_command *command,
             const char *directory, struct arena *arena, struct error *error) {
    const char *variables[] = {command->with_regions ? NULL : "BSIM_CLOCK=none", NULL};
    *out = (struct real_run){.region_s =
                                 ARENA_ARRAY(arena, double, (size_t)bundle->regions.count + 1)};
    if (profile(&out->processor_s, directory, bundle, command, variables, arena, error) != 0)
        return -1;
    return read_samples(out, bundle, directory, arena, error);
}

int real_profile(const char *samples, const struct bundle *bundle,
                 const struct real_command *command, const char *const *variables,
                 struct arena *arena, struct error *error) {
    double processor_s;
    return profile(&processor_s, samples, bundle, command, variables, arena, error);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Samples of values that are given now and were computed before are in no earlier
 * run, so the profiled runs are made again: each configuration once, from its own directory, the
 * shortest first, while all together take no more than a minute.
 */
#include "cli/fit/fit_steps.h"

#include "base/file.h"
#include "base/process.h"
#include "base/vec.h"
#include "base/words.h"
#include "cli/common/made_by.h"
#include "cli/common/mpi_program.h"
#include "model/values/untold.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROFILED_S 60 /* of all runs; by far more than small ones take */
#define LOG_SHOWN 400

/* ---- What is to be computed ---- */

static int keep_blamed(const char *bundle, const struct verdict *verdict, struct error *error) {
    struct untold untold = {0};
    struct arena arena = {0};
    const struct verdict_check *worst = verdict_worst(verdict, CHECK_WRONG);
    const char *path = path_join(&arena, bundle, UNTOLD_FILE);
    double percent = fmax(worst->all.percent, worst->of_rank.percent);
    int result = untold_read(&untold, path, error);
    for (size_t i = 0; i < verdict->blame.count && result == 0; i++) {
        const struct verdict_blame *blame = &verdict->blame.items[i];
        untold_add_value(&untold, &(struct untold_value){.file = blame->file,
                                                         .function = blame->function,
                                                         .text = blame->text,
                                                         .line = blame->line,
                                                         .error = percent / 100});
    }
    if (result == 0)
        result = untold_write(&untold, path, error);
    untold_dispose(&untold);
    arena_dispose(&arena);
    return result;
}

/* ---- generate ---- */

static int fail_generate(const char *log, struct error *error) {
    char *text = NULL;
    size_t length = 0;
    struct error no_log = {0};
    if (file_read(&text, &length, log, &no_log) != 0)
        text = xstrdup("");
    error_set(error, "the bundle could not be generated again: %s",
              length > LOG_SHOWN ? text + length - LOG_SHOWN : text);
    free(text);
    return -1;
}

static int generate(struct arena *arena, const char *bundle, const struct made_by *made_by,
                    struct error *error) {
    const char **words = ARENA_ARRAY(arena, const char *, made_by->word_count + 6);
    const char *directory = directory_temporary(arena, "mpiskel-repair", error);
    struct process_result result;
    struct error ignored = {0};
    size_t count = 0;
    if (directory == NULL)
        return -1;
    const char *log = path_join(arena, directory, "log");
    struct process_options options = {
        .directory = made_by->directory, .stdout_file = log, .stderr_file = log};
    words[count++] = path_executable(arena);
    words[count++] = "generate";
    for (size_t i = 0; i < made_by->word_count; i++)
        words[count++] = made_by->words[i];
    words[count++] = "-o";
    words[count++] = path_absolute(arena, path_current(arena), bundle);
    int code = process_run(&result, words, &options, error);
    if (code == 0 && result.exit_code != 0)
        code = fail_generate(log, error);
    directory_remove(directory, &ignored);
    return code;
}

/* ---- Profiling runs ---- */

typedef VEC(const struct run *) chosen_runs;

static int by_time(const void *left, const void *right) {
    const struct run *a = *(const struct run *const *)left, *b = *(const struct run *const *)right;
    return (a->elapsed_s > b->elapsed_s) - (a->elapsed_s < b->elapsed_s);
}

static bool is_chosen(const chosen_runs *runs, const struct run *run) {
    for (size_t i = 0; i < runs->count; i++)
        if (runs->items[i]->ranks == run->ranks &&
            run_has_input_of(run, runs->items[i]->arguments, runs->items[i]->directory))
            return true;
    return false;
}

static void choose(chosen_runs *out, const struct samples *samples) {
    double seconds = 0;
    size_t kept = 0;
    for (int i = 0; i < samples->run_count; i++)
        if (samples->runs[i].complete && !is_chosen(out, &samples->runs[i]))
            vec_push(out, &samples->runs[i]);
    if (out->count > 0)
        qsort(out->items, out->count, sizeof *out->items, by_time);
    while (kept < out->count && seconds + out->items[kept]->elapsed_s <= PROFILED_S)
        seconds += out->items[kept++]->elapsed_s;
    out->count = kept;
}

static bool was_here(const struct samples *samples) {
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    for (int i = 0; i < samples->run_count; i++)
        if (strcmp(samples->runs[i].host, host) != 0)
            return false;
    return true;
}

static int profile(struct arena *arena, const struct bundle *bundle, const struct run *run,
                   struct error *error) {
    static const char *const none[] = {NULL};
    struct real_command command = {.ranks = (size_t)run->ranks,
                                   .directory =
                                       directory_exists(run->directory) ? run->directory : NULL,
                                   .with_regions = true};
    mpi_program_started(&command, bundle, path_join(arena, bundle->directory, "profile"), arena);
    command.arguments =
        (char *const *)words_of_json(&command.argument_count, arena, run->arguments);
    return real_profile(path_join(arena, bundle->directory, "samples"), bundle, &command, none,
                        arena, error);
}

static int profile_all(struct arena *arena, const char *name, const struct samples *samples,
                       struct error *error) {
    struct bundle bundle;
    chosen_runs runs = {0};
    if (bundle_open(&bundle, name, error) != 0)
        return -1;
    choose(&runs, samples);
    int result = 0;
    for (size_t i = 0; i < runs.count && result == 0; i++)
        result = profile(arena, &bundle, runs.items[i], error);
    vec_dispose(&runs);
    bundle_close(&bundle);
    return result;
}

/* ---- All of it ---- */

static int repair(struct arena *arena, const char *bundle, const struct made_by *made_by,
                  const struct verdict *verdict, const struct samples *samples,
                  struct error *error) {
    size_t count = verdict->blame.count;
    note("%zu value%s to blame (%s:%d%s): %s is generated again with %s computed, and profiled",
         count, count == 1 ? " is" : "s are", verdict->blame.items[0].file,
         verdict->blame.items[0].line, count > 1 ? ", ..." : "", bundle,
         count == 1 ? "it" : "them");
    if (keep_blamed(bundle, verdict, error) != 0 || generate(arena, bundle, made_by, error) != 0)
        return -1;
    return profile_all(arena, bundle, samples, error);
}

int fit_repair(bool *out_repaired, const char *bundle, const struct verdict *verdict,
               const struct samples *samples, struct error *error) {
    struct arena arena = {0};
    struct made_by made_by;
    struct error unknown = {0};
    int result = 0;
    *out_repaired = false;
    if (verdict->state != VERDICT_WRONG || verdict->blame.count == 0)
        return 0;
    if (!was_here(samples))
        note("the profiled runs are of another host: `mpiskel fit --keep-untold` lists what models "
             "do not tell; generate and profile again");
    else if (made_by_read(&made_by, &arena, bundle, &unknown) != 0)
        note("it cannot be generated again from here: %s", unknown.text);
    else
        *out_repaired = (result = repair(&arena, bundle, &made_by, verdict, samples, error)) == 0;
    arena_dispose(&arena);
    return result;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * In a simulation all ranks of the original share one core's caches, while ranks of a real machine
 * have caches of their own. Profiling runs find these (warm), or what other ranks on the core would
 * leave of them (BSIM_CACHE=cold, runtime/profile/profile_cache.c). Which ones a run had its
 * samples tell. To train otherwise the bundle is copied, all but its samples and models by links,
 * so that what validates does not train the bundle itself.
 *
 * Not handled: profiling runs that read other standard input than this command's; runs whose
 * samples are only in the store.
 */
#include "cli/verify/validate_caches.h"

#include "base/file.h"
#include "base/json.h"
#include "base/process.h"
#include "base/status_line.h"
#include "base/str.h"
#include "cli/common/mpi_program.h"
#include "model/samples/sample.h"

#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SHOWN_BYTES 1000 /* of a failing fit's messages */

/* ---- What there is ---- */

/* Calls take() for each run of the bundle's files; ends with what take() returns that is not 0. */
static int each_run(const struct bundle *bundle, struct arena *arena,
                    int (*take)(void *context, const struct run *run, struct error *error),
                    void *context, struct error *error) {
    glob_t files;
    int result = 0;
    if (glob(samples_pattern(arena, bundle->directory), 0, NULL, &files) != 0)
        return 0;
    for (size_t i = 0; i < files.gl_pathc && result == 0; i++) {
        struct samples samples;
        result = samples_read(&samples, files.gl_pathv[i], &bundle->regions, error);
        if (result != 0)
            break;
        for (int k = 0; k < samples.run_count && result == 0; k++)
            result = take(context, &samples.runs[k], error);
        samples_dispose(&samples);
    }
    globfree(&files);
    return result;
}

struct caches_seen {
    size_t warm, cold;
};

static int note_caches(void *context, const struct run *run, struct error *error) {
    struct caches_seen *seen = context;
    (void)error;
    seen->warm += strcmp(run->cache, "as is") == 0;
    seen->cold += strcmp(run->cache, "cold") == 0;
    return 0;
}

const char *validate_trained_caches(const struct bundle *bundle, struct arena *arena) {
    struct caches_seen seen = {0};
    struct error ignored = {0}; /* of a file that fit would tell about */
    each_run(bundle, arena, note_caches, &seen, &ignored);
    if (seen.warm + seen.cold == 0)
        return NULL;
    return seen.cold == 0 ? "warm" : seen.warm == 0 ? "cold" : "mixed";
}

/* ---- Training ---- */

struct training {
    const struct validate_options *options;
    const struct bundle *bundle;
    struct arena *arena;
    const char *samples;
    const char *const *variables;
    size_t ranks, made;
};

static int split_arguments(char ***out, size_t *out_count, struct arena *arena, const char *text,
                           struct error *error) {
    json_error_t where;
    json_t *words = json_loads(text, 0, &where);
    if (!json_is_array(words)) {
        json_decref(words);
        return error_set(error, "a profiling run's arguments are not known: %.200s", text);
    }
    *out_count = json_array_size(words);
    *out = ARENA_ARRAY(arena, char *, *out_count + 1);
    for (size_t i = 0; i < *out_count; i++) {
        const char *word = json_string_value(json_array_get(words, i));
        (*out)[i] = arena_strdup(arena, word != NULL ? word : "");
    }
    json_decref(words);
    return 0;
}

static int profile_again(void *context, const struct run *run, struct error *error) {
    struct training *training = context;
    const struct validate_options *options = training->options;
    char **arguments = NULL;
    size_t count = 0;
    if (split_arguments(&arguments, &count, training->arena, run->arguments, error) != 0)
        return -1;
    struct real_command command = {
        .launcher = options->launcher,
        .launcher_count = options->launcher_count,
        .ranks = (size_t)run->ranks,
        .arguments = arguments,
        .argument_count = count,
    };
    mpi_program_started(&command, training->bundle,
                        path_join(training->arena, training->bundle->directory, "profile"),
                        training->arena);
    training->made++;
    if (!options->no_progress)
        status_line_show("training for %zu ranks: %zu profiling runs", training->ranks,
                         training->made);
    return real_profile(training->samples, training->bundle, &command, training->variables,
                        training->arena, error);
}

static bool is_learned(const char *name) {
    static const char *const names[] = {"samples", "model.bsim", "cache", NULL};
    return text_is_one_of(name, names) || text_has_prefix(name, "store.db") || name[0] == '.';
}

static int link_bundle(const char *directory, const struct bundle *bundle, struct arena *arena,
                       struct error *error) {
    if (directory_make(path_join(arena, directory, "samples"), error) != 0)
        return -1;
    DIR *entries = opendir(bundle->directory);
    if (entries == NULL)
        return error_set(error, "cannot read %s: %s", bundle->directory, strerror(errno));
    int result = 0;
    for (struct dirent *entry; result == 0 && (entry = readdir(entries)) != NULL;)
        if (!is_learned(entry->d_name) &&
            symlink(path_join(arena, bundle->directory, entry->d_name),
                    path_join(arena, directory, entry->d_name)) != 0)
            result = error_set(error, "cannot link into %s: %s", directory, strerror(errno));
    closedir(entries);
    return result;
}

static int fit(const char *directory, struct arena *arena, struct error *error) {
    const char *const words[] = {path_executable(arena), "fit", "--no-check", directory, NULL};
    struct process_result result;
    char *text = NULL;
    if (process_capture(&result, &text, words, true, error) != 0)
        return -1;
    int status = result.exit_code == 0 ? 0
                                       : error_set(error, "mpiskel fit failed on new samples: %.*s",
                                                   SHOWN_BYTES, text);
    free(text);
    return status;
}

int validate_train(struct bundle *out, const struct bundle *bundle,
                   const struct validate_options *options, size_t ranks, const char *directory,
                   struct arena *arena, struct error *error) {
    bool is_cold = strcmp(options->caches, "cold") == 0 && ranks > 1;
    const char *const variables[] = {is_cold ? "BSIM_CACHE=cold" : "BSIM_CACHE=",
                                     arena_printf(arena, "BSIM_CACHE_RANKS=%zu", ranks), NULL};
    struct training training = {.options = options,
                                .bundle = bundle,
                                .arena = arena,
                                .samples = path_join(arena, directory, "samples"),
                                .variables = variables,
                                .ranks = ranks};
    if (link_bundle(directory, bundle, arena, error) != 0 ||
        each_run(bundle, arena, profile_again, &training, error) != 0)
        return -1;
    status_line_hide();
    if (training.made == 0)
        return error_set(error,
                         "--caches=%s makes the profiling runs of %s/samples again, and there are "
                         "none: make some first",
                         options->caches, bundle->directory);
    if (fit(directory, arena, error) != 0 || bundle_open(out, directory, error) != 0)
        return -1;
    if (bundle_load_model(out, error) == 0)
        return 0;
    bundle_close(out);
    return -1;
}

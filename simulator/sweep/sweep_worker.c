/* SPDX-License-Identifier: Apache-2.0
 *
 * The worker of a batch; see sweep.h. Point N is in `points/N.json`, its result goes to
 * `results/N.json` (docs/reference/run-files.md). A point whose file is gone was given up by the
 * driver, and one that has a result was simulated before (Slurm starts a task again when its node
 * failed). What a worker started ends with it; the files of one that is killed are removed by the
 * next command that keeps files in memory.
 */
#include "base/file.h"
#include "base/json.h"
#include "base/pool.h"
#include "simulator/run/launch.h"
#include "simulator/sweep/sweep_batch.h"

#include <stdlib.h>

struct sweep_worker_work {
    struct arena arena;
    const char *directory; /* of the point, temporary */
    const char *id, *bundle;
    const char *const *command;
    size_t ranks;
    double timeout_s;
};

static int read_point(struct sweep_worker_work *work, const char *path, struct error *error) {
    json_t *json = NULL;
    if (json_read(&json, path, error) != 0)
        return -1;
    if (json_get_integer(json, "version", 0) != SWEEP_POINT_VERSION) {
        json_decref(json);
        return error_set(error,
                         "%s:1:1: error: this is no point of a sweep of this mpiskel (version %d): "
                         "end that sweep, and start it again, which keeps what it has",
                         path, SWEEP_POINT_VERSION);
    }
    const json_t *command = json_object_get(json, "command");
    const char *id = json_get_text(json, "point"), *bundle = json_get_text(json, "bundle");
    long long ranks = json_get_integer(json, "ranks", 0);
    size_t count = json_array_size(command);
    const char **words = ARENA_ARRAY(&work->arena, const char *, count + 1);
    bool fine = id != NULL && bundle != NULL && ranks > 0 && count > 0;
    for (size_t i = 0; i < count && fine; i++) {
        const char *word = json_string_value(json_array_get(command, i));
        fine = word != NULL;
        words[i] = fine ? arena_strdup(&work->arena, word) : NULL;
    }
    work->id = fine ? arena_strdup(&work->arena, id) : NULL;
    work->bundle = fine ? arena_strdup(&work->arena, bundle) : NULL;
    work->ranks = (size_t)ranks;
    work->command = words;
    work->timeout_s = json_get_number(json, "timeout_s", 0);
    json_decref(json);
    return fine ? 0 : error_set(error, "%s:1:1: error: this is no point of a sweep", path);
}

static int simulate(struct point_outcome *out, struct sweep_worker_work *work,
                    struct error *error) {
    struct process_result process;
    const char *stdout_file = path_join(&work->arena, work->directory, "report.json");
    const char *stderr_file = path_join(&work->arena, work->directory, "log");
    const char *const environment[] = {arena_printf(&work->arena, "TMPDIR=%s", work->directory),
                                       NULL};
    const struct process_options options = {
        .extra_environment = environment, .stdout_file = stdout_file, .stderr_file = stderr_file};
    struct pool pool = {.limit_s = work->timeout_s};
    size_t job = 0;
    int result = pool_start(&pool, job, work->command, &options, error);
    if (result == 0)
        result = pool_wait(&job, &process, &pool, NULL, NULL, error);
    pool_dispose(&pool);
    if (result != 0)
        return -1;
    const struct point_traces traces = {.exit_code = process.exit_code,
                                        .signal = process.signal,
                                        .wall_s = process.wall_s,
                                        .timeout_s = work->timeout_s,
                                        .timed_out = process.timed_out,
                                        .stdout_file = stdout_file,
                                        .stderr_file = stderr_file};
    point_outcome_read(out, &work->arena, &traces);
    return 0;
}

static int simulate_in_directory(struct point_outcome *out, struct sweep_worker_work *work,
                                 struct error *error) {
    struct error ignored = {0};
    work->directory =
        launch_directory(&work->arena, "mpiskel-sweep",
                         path_join(&work->arena, work->bundle, "skeleton"), work->ranks, error);
    if (work->directory == NULL)
        return -1;
    int result = simulate(out, work, error);
    return directory_remove(work->directory, result == 0 ? error : &ignored) != 0 ? -1 : result;
}

static int work_on(struct sweep_worker_work *work, const char *point_file, const char *result_file,
                   struct error *error) {
    struct point_outcome outcome;
    if (read_point(work, point_file, error) != 0 ||
        simulate_in_directory(&outcome, work, error) != 0)
        return -1;
    json_t *json = point_outcome_to_json(&outcome, work->id);
    int result = json_write(json, result_file, error);
    json_decref(json);
    return result;
}

int sweep_work(const char *directory, size_t first, size_t count, struct error *error) {
    struct sweep_worker_work work = {0};
    arena_init(&work.arena);
    int result = 0;
    for (size_t i = first; i < first + count && result == 0 && !process_interrupted(); i++) {
        const char *name = arena_printf(&work.arena, "%zu.json", i);
        const char *point =
            path_join(&work.arena, directory, arena_printf(&work.arena, "points/%s", name));
        const char *done =
            path_join(&work.arena, directory, arena_printf(&work.arena, "results/%s", name));
        if (file_exists(point) && !file_exists(done))
            result = work_on(&work, point, done, error);
    }
    arena_dispose(&work.arena);
    return result;
}

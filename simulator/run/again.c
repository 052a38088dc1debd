/* SPDX-License-Identifier: Apache-2.0 */
#include "simulator/run/again.h"

#include "base/file.h"
#include "simulator/run/outcome.h"

static int run_in(struct run_stats *out, const struct launch *launch, const char *what,
                  struct arena *arena, struct error *error) {
    struct launch_result result;
    struct outcome outcome;
    struct error no_stats = {0};
    if (launch_run(&result, launch, arena, error) != 0)
        return -1;
    bool has_stats = run_stats_read(out, result.stats_file, &no_stats) == 0;
    bool finalized = has_stats && out->ranks == launch->ranks && out->finalized == launch->ranks;
    outcome_read(&outcome, &result, finalized);
    if (outcome.kind == OUTCOME_FINE)
        return 0;
    if (has_stats)
        run_stats_dispose(out);
    return error_set(error, "%s: %s", what, outcome.text);
}

int again_run(struct run_stats *out, const struct launch *launch, const char *name,
              const char *what, struct error *error) {
    struct arena arena = {0};
    struct launch own = *launch;
    own.work_directory = path_join(&arena, launch->work_directory, name);
    own.output = OUTPUT_TO_LOG;
    own.show_log = false;
    own.trace = NULL; /* which is of the first */
    int result = directory_make(own.work_directory, error);
    if (result == 0)
        result = run_in(out, &own, what, &arena, error);
    if (result == 0 && directory_remove(own.work_directory, error) != 0) {
        run_stats_dispose(out);
        result = -1;
    }
    arena_dispose(&arena);
    return result;
}

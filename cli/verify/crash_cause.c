/* SPDX-License-Identifier: Apache-2.0
 *
 * The simulation once more with SimGrid's default algorithms for collectives: where it gets through
 * another one was what crashed. Else the profiling build, which is the program itself, under
 * mpirun: where it crashes there it is the program. Neither is asked for longer than a real run of
 * such a size takes.
 */
#include "cli/verify/crash_cause.h"

#include "base/error.h"
#include "base/file.h"
#include "base/vec.h"
#include "simulator/run/again.h"
#include "simulator/run/standard_input.h"
#include "simulator/run/stats.h"

#include <signal.h>
#include <string.h>

#define PATIENCE_TICKS 600 /* a minute */

/* The run under mpirun. */
struct crash_cause_run {
    pid_t pid;
    int ticks;
};

static bool simulates_by_default(const struct launch *launch, const char *directory,
                                 struct arena *arena) {
    struct launch again = *launch;
    struct run_stats stats;
    struct error ignored = {0};
    again.work_directory = directory;
    again.trace_directory = again.values_directory = NULL;
    again.clock_step_s = 0;
    again.collectives = "default";
    if (again_run(&stats, &again, arena_strdup(arena, "collectives"), "", &ignored) != 0)
        return false;
    run_stats_dispose(&stats);
    return true;
}

static void on_tick(void *context) {
    struct crash_cause_run *run = context;
    if (++run->ticks == PATIENCE_TICKS)
        kill(-run->pid, SIGKILL);
}

/* The exit code of the program under mpirun; -1: it was not started, or ended after a minute. */
static int real_exit_code(const struct launch *launch, const char *program, const char *directory,
                          struct arena *arena) {
    const char *environment[] = {"BSIM_CLOCK=none",
                                 arena_printf(arena, "BSIM_SAMPLES=%s", directory), NULL};
    const char *log = path_join(arena, directory, "real.log");
    struct process_options options = {
        .extra_environment = environment, .stdout_file = log, .stderr_file = log};
    struct crash_cause_run run = {0};
    struct process_result result;
    struct error ignored = {0};
    VEC(const char *) words = {0};
    const char *const mpirun[] = {"mpirun", "--oversubscribe", "-np",
                                  arena_printf(arena, "%zu", launch->ranks), program};
    for (size_t i = 0; i < sizeof mpirun / sizeof *mpirun; i++)
        vec_push(&words, mpirun[i]);
    for (size_t i = 0; i < launch->argument_count; i++)
        vec_push(&words, launch->arguments[i]);
    vec_push(&words, NULL);
    bool is_run = program_find(arena, "mpirun") != NULL && file_exists(program) &&
                  standard_input_set(&options, program, true, &ignored) == 0 &&
                  process_start(&run.pid, words.items, &options, &ignored) == 0 &&
                  process_wait(&result, run.pid, on_tick, &run, &ignored) == 0;
    vec_dispose(&words);
    return is_run && run.ticks < PATIENCE_TICKS ? result.exit_code : -1;
}

static void tell_real(const struct launch *launch, const struct bundle *bundle,
                      const char *directory, struct arena *arena) {
    const char *program = path_join(arena, bundle->directory, "profile");
    int code = real_exit_code(launch, program, directory, arena);
    if (code > 128)
        note("note: under mpirun it crashes, too (signal %d): mpirun -np %zu %s with these "
             "arguments; mend that first",
             code - 128, launch->ranks, program);
    else if (code != 0) /* mpirun may not have started it */
        note("note: whether it crashes under mpirun, too, was not found out (exit code %d): try "
             "mpirun -np %zu %s with these arguments",
             code, launch->ranks, program);
    else
        note("note: under mpirun it gets through, and in the simulation it crashes with SimGrid's "
             "default collectives, too: memory that is used before it is set, or behind an array's "
             "end, may be another one here (compile it with -fsanitize=address and run it)");
}

void crash_cause_tell(const struct launch *launch, const struct bundle *bundle,
                      const char *directory, struct arena *arena) {
    struct error ignored = {0};
    const char *own = path_join(arena, directory, "cause");
    if (directory_make(own, &ignored) != 0)
        return;
    if (strcmp(launch->collectives, "default") != 0 && simulates_by_default(launch, own, arena))
        note("note: with --collectives=default it gets through: one of SimGrid's algorithms for "
             "collectives is what crashed; verify and run with that option");
    else if (!process_interrupted())
        tell_real(launch, bundle, own, arena);
    directory_remove(own, &ignored);
}

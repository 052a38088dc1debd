/* SPDX-License-Identifier: Apache-2.0
 *
 * The simulation once more with SimGrid's default algorithms for collectives: where it gets through
 * another one was what crashed. Else the profiling build, which is the program itself, without a
 * simulation: where it crashes there it is the program. Neither is asked for longer than a real run
 * of such a size takes.
 */
#include "cli/verify/crash_cause.h"

#include "base/error.h"
#include "base/file.h"
#include "cli/common/mpi_program.h"
#include "simulator/run/again.h"
#include "simulator/run/real.h"
#include "simulator/run/stats.h"

#include <string.h>

#define LAST_SIGNAL 31 /* behind are real-time signals, by which nothing crashes */
#define PATIENCE_S 60  /* what the program crashes by comes soon: it was simulated in a moment */

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

/* The code is 128 and the signal of the rank that crashed; a program may leave with more. */
static bool is_signal(int code) {
    return code > 128 && code - 128 <= LAST_SIGNAL;
}

static void tell_real(const struct launch *launch, const struct bundle *bundle,
                      const char *directory, struct arena *arena) {
    struct real_command command = {.ranks = launch->ranks,
                                   .arguments = launch->arguments,
                                   .argument_count = launch->argument_count};
    const char *program = path_join(arena, bundle->directory, "profile");
    mpi_program_started(&command, bundle, program, arena);
    const char *launcher = real_launcher_text(&command, arena);
    const char *where = launcher[0] != '\0' ? "under mpirun" : "without a simulation";
    program = launcher[0] != '\0' ? arena_printf(arena, "%s %s", launcher, program) : program;
    int code = real_exit_code(bundle, &command, PATIENCE_S, directory, arena);
    if (is_signal(code))
        note("note: %s it crashes, too (signal %d): %s with these arguments; mend that first",
             where, code - 128, program);
    else if (code != 0) /* mpirun may not have started it */
        note("note: whether it crashes %s, too, was not found out (exit code %d): try %s with "
             "these arguments",
             where, code, program);
    else
        note(
            "note: %s it gets through, and in the simulation it crashes with SimGrid's default "
            "collectives, too: memory that is used before it is set, or behind an array's end, may "
            "be another one here (compile it with -fsanitize=address and run it)",
            where);
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

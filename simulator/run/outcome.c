/* SPDX-License-Identifier: Apache-2.0
 *
 * Scans the log for SimGrid's own words, keeping the first lines that say why and the last lines of
 * all; see outcome.h.
 */
#include "simulator/run/outcome.h"

#include "simulator/run/log_line.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define LINE_BYTES 400
#define ACTORS_SHOWN 4
#define LAST_SHOWN 4

struct outcome_findings {
    char abort_line[LINE_BYTES], deadlock_line[LINE_BYTES], critical_line[LINE_BYTES];
    char exit_line[LINE_BYTES], stall_line[LINE_BYTES], left_line[LINE_BYTES];
    char actors[ACTORS_SHOWN][LINE_BYTES], synchronized[ACTORS_SHOWN][LINE_BYTES];
    size_t actor_count, synchronized_count;
    bool stack_is_small;
    char last[LAST_SHOWN][LINE_BYTES]; /* of the application, a ring */
    size_t last_count;
    bool has_usage, lacks_models;
};

static void keep_first(char *slot, const char *line) {
    if (slot[0] == '\0')
        snprintf(slot, LINE_BYTES, "%s", line);
}

/* Ranks that are done wait for all others (runtime/simgrid/end_of_ranks.h), as do those at locks of
 * windows, which are shown if there are no others. */
static void note_actor(struct outcome_findings *findings, const char *line) {
    bool is_synchronized = strstr(line, "waiting for synchronization") != NULL;
    size_t *count = is_synchronized ? &findings->synchronized_count : &findings->actor_count;
    if (*count < ACTORS_SHOWN)
        keep_first((is_synchronized ? findings->synchronized : findings->actors)[(*count)++], line);
}

/* "usage: heat3d [nx ...]", "Usage: ..." */
static bool begins_usage(const char *line) {
    line += strspn(line, " \t");
    return strncasecmp(line, "usage:", strlen("usage:")) == 0;
}

static void look_at(struct outcome_findings *findings, const char *line) {
    switch (log_line_kind(line)) {
    case LINE_ABORT:
        keep_first(findings->abort_line, line);
        break;
    case LINE_DEADLOCK:
        keep_first(findings->deadlock_line, line);
        break;
    case LINE_CRITICAL:
        keep_first(findings->critical_line, line);
        break;
    case LINE_EXIT:
        keep_first(findings->exit_line, line);
        break;
    case LINE_LEFT: /* SimGrid ends all others behind a deadlock */
        if (findings->deadlock_line[0] == '\0')
            keep_first(findings->left_line, line + strlen("mpiskel: "));
        break;
    case LINE_STALL:
        keep_first(findings->stall_line, line + strlen("mpiskel: "));
        break;
    case LINE_STACK:
        findings->stack_is_small = true;
        break;
    case LINE_WAITING:
        if (findings->actor_count < ACTORS_SHOWN)
            keep_first(findings->actors[findings->actor_count++], line + strlen("mpiskel: "));
        break;
    case LINE_ACTOR:
        note_actor(findings, strstr(line, "Actor "));
        break;
    case LINE_APPLICATION:
        findings->has_usage |= begins_usage(line);
        findings->lacks_models |= strstr(line, "to write a new model") != NULL;
        if (line[0] != '\0')
            snprintf(findings->last[findings->last_count++ % LAST_SHOWN], LINE_BYTES, "%s", line);
        break;
    default:
        break;
    }
}

static void scan_log(struct outcome_findings *out, const char *path) {
    char line[LINE_BYTES];
    FILE *log = fopen(path, "r");
    if (log == NULL)
        return;
    while (fgets(line, sizeof line, log) != NULL) {
        size_t length = strcspn(line, "\n");
        bool cut = line[length] == '\0' && length + 1 == sizeof line;
        line[length] = '\0';
        look_at(out, line);
        for (int next = 0; cut && next != '\n' && next != EOF;)
            next = getc(log);
    }
    fclose(log);
}

static void say(struct outcome *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(struct outcome *out, const char *format, ...) {
    size_t used = strlen(out->text);
    va_list args;
    va_start(args, format);
    vsnprintf(out->text + used, sizeof out->text - used, format, args);
    va_end(args);
}

/* The lines that say why; the application's own last ones unless they were shown already. */
static void quote(struct outcome *out, const struct outcome_findings *findings,
                  bool with_application) {
    if (findings->exit_line[0] != '\0')
        say(out, "\n  %s", findings->exit_line);
    if (findings->left_line[0] != '\0')
        say(out, "\n  %s", findings->left_line);
    if (findings->critical_line[0] != '\0')
        say(out, "\n  %s", findings->critical_line);
    for (size_t i = 0; i < findings->actor_count; i++)
        say(out, "\n  %s", findings->actors[i]);
    for (size_t i = 0; findings->actor_count == 0 && i < findings->synchronized_count; i++)
        say(out, "\n  %s", findings->synchronized[i]);
    size_t count = findings->last_count < LAST_SHOWN ? findings->last_count : LAST_SHOWN;
    for (size_t i = findings->last_count - count; i < findings->last_count; i++)
        if (with_application)
            say(out, "\n  %s", findings->last[i % LAST_SHOWN]);
}

/* SimGrid names who speaks as `[host:rank:(actor) time]`; a host's name has no colon. */
static void tell_abort(struct outcome *out, const struct outcome_findings *findings) {
    int rank = 0;
    double time_s = 0;
    out->kind = OUTCOME_ABORTED;
    if (sscanf(findings->abort_line, "[%*[^:]:%d:(%*d) %lf]", &rank, &time_s) == 2)
        say(out, "rank %d called MPI_Abort at %g s", rank, time_s);
    else
        say(out, "the application called MPI_Abort\n  %s", findings->abort_line);
}

static void tell_deadlock(struct outcome *out, const struct outcome_findings *findings) {
    double time_s = 0;
    out->kind = OUTCOME_DEADLOCKED;
    sscanf(findings->deadlock_line, "[%lf]", &time_s);
    say(out, "deadlock at %g s: no message is under way and ranks wait (actor N is rank N - 1)",
        time_s);
}

/* Nobody waits but ranks that are done, for one that will not come. */
static bool waits_for_exit(const struct outcome_findings *findings) {
    return findings->left_line[0] != '\0' && findings->actor_count == 0;
}

static void tell_stall(struct outcome *out, const struct outcome_findings *findings) {
    out->kind = OUTCOME_DEADLOCKED;
    say(out, "%s", findings->stall_line);
}

static void tell_stack(struct outcome *out, const struct launch_result *result) {
    out->kind = OUTCOME_CRASHED;
    out->is_of_stack = true;
    say(out,
        "the stack of a rank was too small: arrays in functions, alloca or recursion took more "
        "than its %.4g MiB; it follows the limit of the shell: ulimit -s unlimited, or a number of "
        "KiB",
        (double)result->stack_kib / 1024);
}

static void tell_crash(struct outcome *out, int signal) {
    const char *name = strsignal(signal);
    out->kind = OUTCOME_CRASHED;
    say(out, "the simulation was ended by signal %d (%s)", signal, name != NULL ? name : "unknown");
    out->is_of_memory = signal == SIGKILL;
    if (out->is_of_memory)
        say(out, ": as the system does where memory runs out, or a limit is reached; take fewer "
                 "ranks, or see docs/how-to/troubleshooting.md");
}

static void tell_no_memory(struct outcome *out, const struct launch_result *result) {
    out->kind = OUTCOME_CRASHED;
    out->is_of_memory = true;
    say(out,
        "memory ran out: the simulation had taken %.4g GiB when it was ended; take fewer ranks, "
        "a machine with more memory, or see docs/how-to/troubleshooting.md (MPISKEL_MEMORY sets a "
        "limit)",
        (double)result->process.peak_memory_kib / (1 << 20));
}

static void tell_idle(struct outcome *out, const struct launch_result *result) {
    out->kind = OUTCOME_DEADLOCKED;
    say(out,
        "for %g s the simulation took no processor time, and was ended: either threads wait for "
        "each other, as where communication is inside a parallel region (OMP_NUM_THREADS=1), or "
        "the program waits for something outside, such as input from a terminal or pipe "
        "(MPISKEL_PATIENCE sets the time)",
        result->idle_s);
}

static void tell_unfinished(struct outcome *out) {
    out->kind = OUTCOME_UNFINISHED;
    say(out,
        "the simulation ended with code %d, but not every rank reached MPI_Finalize: a rank left "
        "by "
        "exit, _exit (which ends all ranks of a simulation) or return, or called no MPI at all",
        out->exit_code);
}

/* This mpiskel has read them before it started the skeleton. */
static void tell_outdated(struct outcome *out) {
    out->kind = OUTCOME_UNFINISHED;
    say(out, "the skeleton cannot read its models, which this mpiskel can: another version of "
             "mpiskel built the skeleton; run `mpiskel generate` again");
}

static void tell_refused(struct outcome *out) {
    out->kind = OUTCOME_REFUSED;
    say(out,
        "the application returned %d and printed its usage: it did not take its arguments, which "
        "go behind --",
        out->exit_code);
}

void outcome_read(struct outcome *out, const struct launch_result *result, bool all_finalized) {
    struct outcome_findings findings = {0};
    int signal = result->process.signal;
    *out = (struct outcome){.exit_code = result->process.exit_code};
    if (process_interrupted()) {
        out->kind = OUTCOME_INTERRUPTED;
        say(out, "interrupted");
        return;
    }
    if (result->out_of_memory) {
        tell_no_memory(out, result);
        return;
    }
    if (result->idle_s > 0) {
        tell_idle(out, result);
        return;
    }
    bool is_through = all_finalized && signal == 0;
    if (is_through && out->exit_code == 0)
        return;
    scan_log(&findings, result->log_file);
    if (is_through && findings.has_usage)
        tell_refused(out);
    if (is_through)
        return;
    if (findings.abort_line[0] != '\0') {
        /* Who waits after an MPI_Abort does not matter. */
        findings.actor_count = findings.synchronized_count = 0;
        tell_abort(out, &findings);
    } else if (signal != 0 && findings.stack_is_small) {
        tell_stack(out, result);
        return; /* SimGrid's guesses */
    } else if (signal != 0) {
        tell_crash(out, signal);
    } else if (findings.deadlock_line[0] != '\0' && !waits_for_exit(&findings)) {
        tell_deadlock(out, &findings);
    } else if (findings.stall_line[0] != '\0') {
        tell_stall(out, &findings);
    } else if (findings.lacks_models) {
        tell_outdated(out);
        return; /* the line that would have models written anew */
    } else {
        findings.synchronized_count = 0;
        tell_unfinished(out);
    }
    quote(out, &findings, !result->log_shown);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Child processes: an argument vector, never a shell. The child gets its own process group, so that
 * ^C and process_kill reach all that it started (mpirun, smpirun and their children).
 */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <sys/types.h>

struct process_options {
    const char *directory;                /* where it runs; NULL: here */
    const char *const *extra_environment; /* "NAME=value" ..., NULL-terminated; NULL: none */
    const char *stdout_file;              /* NULL: inherited */
    int input;          /* a file that is opened once more for standard input; 0: it is inherited */
    off_t input_offset; /* where it is read from */
    const char *stderr_file; /* NULL: inherited; same name as stdout_file: both into one file */
    bool measures_memory;    /* peak_memory_kib is to be the program's own, which takes longer */
};

struct process_result {
    int exit_code;  /* 128 + signal number if a signal ended it */
    int signal;     /* which ended it; 0: none, whatever the code */
    bool timed_out; /* it was ended for it took longer than a pool allows */
    double wall_s, user_s, system_s;
    long peak_memory_kib; /* the largest resident set of any process it waited for, or, without
                             measures_memory, that of the tool where it is larger */
};

/* Starts argv[0], looked up on PATH. *out is the process id (and group id). */
int process_start(pid_t *out, const char *const argv[], const struct process_options *options,
                  struct error *error);

/* Waits until it ends; `tick` (may be NULL) is called about ten times a second meanwhile.
 * A ^C or SIGTERM that arrives meanwhile is passed to the whole group; after that
 * process_interrupted() is true. */
int process_wait(struct process_result *out, pid_t pid, void (*tick)(void *), void *context,
                 struct error *error);

/* Start and wait. Returns -1 only if it could not be started; look at out->exit_code. */
int process_run(struct process_result *out, const char *const argv[],
                const struct process_options *options, struct error *error);

/* Start, wait, and keep what it printed on stdout (and stderr, if asked); the caller frees *text.
 */
int process_capture(struct process_result *out, char **text, const char *const argv[],
                    bool with_stderr, struct error *error);

bool process_interrupted(void);

/* What the tool ends with: `code`, or, where a signal is why that is not 0, 128 and its number, as
 * shells have it (130 for ^C). */
int process_exit_code(int code);

/* While `at_once` ^C and SIGTERM end the tool right away, as an error does: for long computations
 * that have nothing on disk and no child that matters. */
void process_end_when_interrupted(bool at_once);

/* Installs the handlers that make ^C and SIGTERM set process_interrupted(). Call once in main. */
void process_handle_signals(void);

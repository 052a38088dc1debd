/* SPDX-License-Identifier: Apache-2.0
 *
 * A recording: the directory that `mpiskel record` writes (docs/reference/trace.md), which is a
 * trace with call paths and details, and recording.json: command, settings, how the run ended.
 *
 *     struct run_recording *run;
 *     struct trace_cursor *cursor;
 *     struct trace_event event;
 *     if (run_recording_open(&run, "runs/4", &error) != 0)
 *         return -1;
 *     const struct trace *trace = run_recording_trace(run);
 *     for (int32_t rank = 0; rank < trace_ranks(trace); rank++) {
 *         if (trace_cursor_open(&cursor, trace, rank, TRACE_FROM_START, TRACE_TO_END, &error) != 0)
 *             return -1;
 *         while ((result = trace_cursor_next(&event, cursor, &error)) == 1)
 *             use(&event, trace_site(trace, event.site)->function,
 *                 trace_frame(trace, event.call_path));
 *         trace_cursor_close(cursor);
 *     }
 *     run_recording_close(run);
 *
 * What two runs of a program may differ in though they are the same run to its learner:
 *   - times, and `cpu_ns`;
 *   - polls: calls for which run_recording_is_poll holds. Those that found nothing are not in a
 * trace. Those that completed a request are, for the message that they received, but where they are
 *     among the events of a rank is chance: they are completions, and no events. The processor time
 *     before one belongs to the next event.
 *   - who sent what a receive from any source got, and which request MPI_Waitany and MPI_Waitsome
 *     completed.
 */
#ifndef ANALYSIS_RECORDING_RUN_RECORDING_H
#define ANALYSIS_RECORDING_RUN_RECORDING_H

#include "analysis/trace/trace_reader.h"
#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

struct run_recording;

/* What `record --set` said of the workload, in its order. */
struct run_recording_setting {
    const char *name, *value;
    bool is_number;
    double number;
};

/* 0, or -1: it is no recording, or not a whole one, or of a run that did not end well, and `error`
 * says which, where, and what to do. */
int run_recording_open(struct run_recording **out, const char *directory, struct error *error);
/* The same for a run that died or is truncated: as far as it goes; run_recording_damage tells. */
int run_recording_open_damaged(struct run_recording **out, const char *directory,
                               struct error *error);
void run_recording_close(struct run_recording *run);

/* NULL: it is whole. */
const char *run_recording_damage(const struct run_recording *run);

const char *run_recording_directory(const struct run_recording *run);
const struct trace *run_recording_trace(const struct run_recording *run);
size_t run_recording_setting_count(const struct run_recording *run);
const struct run_recording_setting *run_recording_setting(const struct run_recording *run,
                                                          size_t number);

/* MPI_Test and its kin, MPI_Iprobe, MPI_Improbe, by the name of the function. */
bool run_recording_is_poll(const char *function);

/* Whether all are of the same program: 0, or -1 and which two are not, and in what: another
 * program, or another build of it. */
int run_recording_check_same(const struct run_recording *const *runs, size_t count,
                             struct error *error);

/* Two of them that are of different processors or MPI libraries, and of which, in words; NULL: all
 * are of the same, or do not say. */
const char *run_recording_other_machine(struct arena *arena,
                                        const struct run_recording *const *runs, size_t count);

#endif

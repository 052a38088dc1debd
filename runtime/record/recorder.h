/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of the recorder share: a library that is loaded before a program without source
 * and its MPI (LD_PRELOAD), and writes what the ranks do into a trace with call paths and details.
 * It lives inside other people's programs: it never exits and prints nothing on stdout; when
 * something fails it says so once on stderr, stops recording and lets the program go on. Only the
 * thread that called MPI_Init records. With BSIM_RECORD_CALLS it writes lines of calls instead
 * (recorder_lines.c), of all threads.
 */
#pragma once

#include "runtime/calls/call.h"
#include "runtime/operations/asked_operation.h"
#include "runtime/trace/traced.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

/* ---- Calls (recorder.c) ---- */

/* Who called a function of this library: the address that it returns to, and that of its frame. */
struct bsim__record_caller {
    uint64_t returns_to, frame;
};

struct bsim__record_call {
    bool has_line; /* or it is an event */
    union {
        struct bsim__call line;
        struct bsim__traced_call event;
    };
};

/* Around a call; false: it is not recorded, since it is a call of MPI's own, of another thread, or
 * there is no recording. `args` may be changed. */
bool bsim__record_enter(struct bsim__record_call *call, enum bsim__id id, void **args,
                        struct bsim__record_caller caller);
void bsim__record_leave(struct bsim__record_call *call, bool has_failed);

/* Collective, behind MPI_Init: opens the trace if rank 0 is asked for one. */
void bsim__record_start(void);
/* Collective, before MPI_Finalize. */
void bsim__record_finish(void);
/* Before MPI_Abort, or where the program ends without MPI_Finalize: writes what this rank has. */
void bsim__record_flush(void);

/* The function of that name that this library stands before, MPI's own with PMPI_; ends the program
 * if there is none, since it cannot go on. */
void bsim__record_find(void *out, const char *name);

/* Whether this thread records, and is not within a call of MPI. */
bool bsim__record_is_on(void);

/* Whether what this thread does on devices is recorded with its times, and not only as lines. */
bool bsim__record_takes_operations(void);

/* Since the start of the run. */
int64_t bsim__record_now_ns(void);
/* Processor time since the last event, without polls. */
int64_t bsim__record_cpu_since_event_ns(void);

/* An execution of a function: where, when it began, the processor time that it took, and that since
 * the event before. */
void bsim__record_region(uint32_t site, int64_t begin_ns, int64_t spent_ns, int64_t before_ns,
                         int64_t work);
/* A call of a device's library, or a part of it; and what the device did. Ranks are filled in. */
void bsim__record_device_call(struct trace_event *event);
void bsim__record_operation(struct trace_lane lane, struct trace_event *event);
/* The site of such events. */
uint32_t bsim__record_operation_site(const char *function, const char *file);
/* Behind an event that is no call: processor time counts anew. */
void bsim__record_computation_begins(void);

/* ---- Lines of calls (recorder_lines.c) ---- */

bool bsim__lines_are_on(void);
/* Of a device. */
void bsim__lines_operation(const struct bsim__operation *operation);
/* Around a call, likewise. */
bool bsim__lines_enter(struct bsim__call *call, enum bsim__id id, void **args,
                       struct bsim__record_caller caller);
void bsim__lines_leave(struct bsim__call *call);
/* MPI_Finalize may call functions of the program, which delete attributes of MPI_COMM_SELF. */
bool bsim__lines_end_late(void);

/* For a profiling build: what tells the file and the line of the call that is made, once; NULL: not
 * known. */
void bsim__record_places(const char *(*take_place)(int *line));

/* ---- Header (recorder_header.c) ---- */

/* As JSON; the caller frees it. NULL: out of memory. */
char *bsim__record_header(int ranks);

/* ---- Functions (recorder_functions.c) ---- */

/* `names`: with commas between; NULL: none is recorded. */
void bsim__record_functions_start(const struct trace_calls *calls, struct trace_writer *writer,
                                  const char *names);
/* Around a call of MPI: what it takes does not belong to the function. */
void bsim__record_functions_pause(void);
void bsim__record_functions_resume(void);
/* Before the call becomes an event: what was so far is one. Gives the processor time that is told
 * with it. */
int64_t bsim__record_functions_divide(void);

/* ---- Operations of devices (recorder_operations.c) ---- */

/* Before the trace ends: those that have not ended are waited for. */
void bsim__record_operations_finish(void);

/* Operations that are made while their caller waits (recorder_targets.c): before the library is
 * called; then, for each, the call and what the device did from operation->begin_s (in ns) on.
 * `event` becomes the handle of that one; NULL: the call only waits. */
void bsim__record_timed_begin(void);
void bsim__record_timed(const struct bsim__operation *operation, void *event, int64_t end_ns);
/* A queue for them, where only what is waited for comes before. */
void *bsim__record_unordered_queue(void);

/* ---- What recordings do not have (recorder_untold.c) ---- */

/* Libraries for devices that are loaded, on stderr. */
void bsim__record_tell_libraries(void);

/* ---- Call paths (recorder_paths.c) ---- */

/* Once, before the others. */
void bsim__record_paths_start(const struct trace_calls *calls, struct trace_writer *writer);
/* The frame that called this library, and its place as a text that stays: function + offset, or
 * module + offset. `caller` NULL: not known. */
uint32_t bsim__record_path(const char **place, const struct bsim__record_caller *caller);
/* The place of an address alone; stays until the next calls from elsewhere. */
const char *bsim__record_place(uint64_t address);
/* What it has taken to learn new paths, in processor time. */
int64_t bsim__record_learning_ns(void);
/* Of this thread. */
int64_t bsim__record_cpu_ns(void);

/* ---- Stacks that were seen before (recorder_stacks.c) ---- */

/* What was remembered for the stack above the caller; NULL: nothing. */
void *bsim__record_stack_find(const struct bsim__record_caller *caller);
/* Remembers `what` for it, if it has these frames, the first of which the caller returns to. */
void bsim__record_stack_remember(const struct bsim__record_caller *caller, void *const *frames,
                                 int count, void *what);

/* ---- Modules (recorder_modules.c) ---- */

struct bsim__record_symbols;

struct bsim__record_module {
    struct bsim__record_module *next;
    uint64_t first, end, base;            /* addresses of a part of it; offsets are from `base` */
    bool is_mpi;                          /* of MPI, or this library: its frames are left out */
    struct bsim__record_symbols *symbols; /* NULL: not looked at so far */
    char name[256], build_id[96], path[PATH_MAX];
};

/* That with the address; NULL: there is none. */
struct bsim__record_module *bsim__record_module_at(uint64_t address);

/* ---- Symbols (recorder_symbols.c) ---- */

/* The function that the offset in the module is in, and the distance from its begin; NULL: no
 * symbol tells. */
const char *bsim__record_function_at(struct bsim__record_module *module, uint64_t offset,
                                     uint64_t *distance);

/* Sixteen hexadecimal digits of what is in the file, or none. */
void bsim__record_hash_file(char *out, size_t size, const char *path);

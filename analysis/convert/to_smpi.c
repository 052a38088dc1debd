/* SPDX-License-Identifier: Apache-2.0
 *
 * SMPI's time-independent actions (Desprez, Markomanolis, Quinson, Suter, "Assessing the
 * performance of MPI applications through time-independent trace replay", 2011), all ranks in one
 * file, for `smpirun -replay FILE`. Computation is told as operations of a processor with 1 Gf.
 *
 * Replayed are messages, waits and collectives of MPI_COMM_WORLD. Of collectives on other
 * communicators SMPI's actions know nothing: they are comments. A receive that took any source is
 * told where it was complete, with the source that it had.
 */
#include "analysis/convert/conversion.h"

#include <inttypes.h>
#include <string.h>

#define FLOPS_PER_NS 1
#define BYTE_TYPE 6 /* SMPI's number of MPI_BYTE */

struct smpi_writing {
    FILE *out;
    const struct trace *trace;
};

static bool has(const char *name, const char *part) {
    return strstr(name, part) != NULL;
}

static void put_message(const struct smpi_writing *of, const char *action,
                        const struct trace_event *event) {
    fprintf(of->out, "%d %s %d %d %" PRId64 " %d\n", event->rank, action, event->peer, event->tag,
            event->bytes, BYTE_TYPE);
}

static void put_collective(const struct smpi_writing *of, const char *function,
                           const struct trace_event *event) {
    int64_t bytes = event->bytes;
    int root = event->root >= 0 ? event->root : 0;
    bool is_world =
        event->communicator >= 0 &&
        strcmp(trace_communicator(of->trace, event->communicator)->name, "MPI_COMM_WORLD") == 0;
    fprintf(of->out, "%s%d ", is_world ? "" : "# ", event->rank);
    if (has(function, "cast"))
        fprintf(of->out, "bcast %" PRId64 " %d %d\n", bytes, root, BYTE_TYPE);
    else if (has(function, "llreduce"))
        fprintf(of->out, "allreduce %" PRId64 " 0 %d\n", bytes, BYTE_TYPE);
    else if (has(function, "educe") && !has(function, "catter"))
        fprintf(of->out, "reduce %" PRId64 " 0 %d %d\n", bytes, root, BYTE_TYPE);
    else if (has(function, "lltoall"))
        fprintf(of->out, "alltoall %" PRId64 " %" PRId64 " %d %d\n", bytes, bytes, BYTE_TYPE,
                BYTE_TYPE);
    else if (has(function, "llgather"))
        fprintf(of->out, "allgather %" PRId64 " %" PRId64 " %d %d\n", bytes, bytes, BYTE_TYPE,
                BYTE_TYPE);
    else if (has(function, "ather"))
        fprintf(of->out, "gather %" PRId64 " %" PRId64 " %d %d %d\n", bytes, bytes, root, BYTE_TYPE,
                BYTE_TYPE);
    else if (has(function, "catter") && !has(function, "educe"))
        fprintf(of->out, "scatter %" PRId64 " %" PRId64 " %d %d %d\n", bytes, bytes, root,
                BYTE_TYPE, BYTE_TYPE);
    else
        fputs("barrier\n", of->out); /* the same waiting, and no data */
}

/* Posted: by a call that only begins. */
static void put_posted(const struct smpi_writing *of, const char *function,
                       const struct trace_event *event) {
    if (has(function, "Irecv") && event->peer >= 0 && event->tag >= 0)
        put_message(of, "irecv", event);
}

static void put_call(struct smpi_writing *of, const char *function,
                     const struct trace_event *event) {
    bool sends = event->direction == TRACE_SENDS, receives = event->direction == TRACE_RECEIVES;
    if (has(function, "MPI_Init"))
        fprintf(of->out, "%d init\n", event->rank);
    else if (has(function, "MPI_Finalize"))
        fprintf(of->out, "%d finalize\n", event->rank);
    else if (event->collective != 0)
        put_collective(of, function, event);
    else if (has(function, "Waitall"))
        fprintf(of->out, "%d waitall\n", event->rank);
    else if (event->message == 0)
        put_posted(of, function, event);
    else if (sends)
        put_message(of,
                    has(function, "Isend") || has(function, "Start") || has(function, "Sendrecv")
                        ? "isend"
                        : "send",
                    event);
    else if (receives && has(function, "Wait"))
        fprintf(of->out, "%d wait %d %d %d\n", event->rank, event->peer, event->rank, event->tag);
    else if (receives)
        put_message(of, "recv", event);
}

static int take(void *context, const struct trace_event *event, struct error *error) {
    struct smpi_writing *of = context;
    const char *function = trace_site(of->trace, event->site)->function;
    (void)error;
    if (event->rank >= trace_ranks(of->trace))
        return 0;
    if (event->kind == TRACE_REGION || event->kind == TRACE_OPERATION)
        fprintf(of->out, "%d compute %" PRId64 "\n", event->rank,
                (event->end_ns - event->begin_ns) * FLOPS_PER_NS);
    else if (event->kind == TRACE_CALL || !has(function, "Waitall"))
        put_call(of, function, event);
    return 0;
}

int to_smpi(FILE *out, const char *path, const struct trace *trace,
            const struct trace_settings *settings, struct error *error) {
    struct smpi_writing of = {.out = out, .trace = trace};
    (void)path;
    return trace_pass(trace, settings, take, &of, error);
}

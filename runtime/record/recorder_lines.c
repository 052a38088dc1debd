/* SPDX-License-Identifier: Apache-2.0
 *
 * The real run as `verify` compares it: instead of a trace, DIR/rank-N.calls in the form of a
 * simulation's (runtime/calls). Each line is written when its call is complete, so that of a run
 * that is killed, hangs or crashes no complete call is lost. What MPI's own libraries call within a
 * call is not recorded; what a callback of the program calls is, before the line of that call.
 *
 * A profiling build tells where calls are (bsim__record_places); of other programs the function and
 * the distance from its begin are told.
 */
#include "runtime/calls/call.h"
#include "runtime/operations/asked_operation.h"
#include "runtime/record/recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
    const char *directory;                /* NULL: no lines are recorded */
    int file;                             /* 0: not open yet */
    bool has_failed, has_attributes;      /* of MPI_COMM_SELF */
    const char *(*take_place)(int *line); /* NULL: nothing tells */
    struct bsim__known known;
} lines;

static __thread struct bsim__record record; /* of this thread: its line may not be complete */
static __thread int inside;                 /* of how many calls */
static uint64_t calls;

void *bsim__grow(void *old, size_t old_bytes, size_t new_bytes) {
    char *new = realloc(old, new_bytes);
    if (new == NULL) {
        fputs("mpiskel: error: out of memory for the record of calls\n", stderr);
        abort();
    }
    memset(new + old_bytes, 0, new_bytes - old_bytes);
    return new;
}

void bsim__record_places(const char *(*take_place)(int *line)) {
    lines.take_place = take_place;
}

/* ---- The file ---- */

__attribute__((constructor)) static void start(void) {
    lines.directory = getenv("BSIM_RECORD_CALLS");
}

bool bsim__lines_are_on(void) {
    return lines.directory != NULL;
}

/* The comparison sees that the record has no end. */
static void fail(void) {
    if (!lines.has_failed)
        fprintf(stderr, "mpiskel: cannot write the record of calls into %s: %s\n", lines.directory,
                strerror(errno));
    lines.has_failed = true;
}

/* An mpirun of another MPI starts each rank as a run of its own. */
static bool is_whole(void) {
    const char *wanted = getenv("BSIM_RECORD_RANKS");
    int ranks = 0;
    PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (wanted == NULL || atoi(wanted) == ranks)
        return true;
    fprintf(
        stderr,
        "mpiskel: not recorded: MPI_COMM_WORLD has %d ranks instead of %s; is the launcher that "
        "of the program's MPI?\n",
        ranks, wanted);
    return false;
}

static void open_file(void) {
    char path[4096];
    int number = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &number);
    if (!is_whole()) {
        lines.has_failed = true;
        return;
    }
    snprintf(path, sizeof path, "%s/rank-%d.calls", lines.directory, number);
    lines.file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
    if (lines.file <= 0)
        fail();
}

static void write_text(const char *text, size_t length) {
    while (length > 0 && !lines.has_failed) {
        ssize_t written = write(lines.file, text, length);
        if (written < 0 && errno != EINTR)
            fail();
        text += written > 0 ? written : 0;
        length -= written > 0 ? (size_t)written : 0;
    }
}

/* What comes before MPI_Init waits until the rank's number is known. */
static void write_complete(void) {
    if (lines.file <= 0)
        return;
    write_text(record.text, record.complete_length);
    record.text_length = record.complete_length = 0;
}

static void write_end(void) {
    char text[64];
    int length = snprintf(text, sizeof text, "end %llu\n", (unsigned long long)calls);
    write_text(text, (size_t)length);
    lines.file = 0;
    lines.directory = NULL;
}

/* ---- Around a call ---- */

bool bsim__lines_end_late(void) {
    return lines.has_attributes;
}

static void note_attributes(const struct bsim__call *call) {
    if (call->id == BSIM__ID_MPI_Comm_set_attr || call->id == BSIM__ID_MPI_Attr_put)
        lines.has_attributes |= *(MPI_Comm *)call->args[0] == MPI_COMM_SELF;
}

/* False: it is made by MPI itself, within another call. */
static bool is_of_program(const char *file, const struct bsim__record_caller *caller) {
    if (inside == 0 || file != NULL)
        return true;
    const struct bsim__record_module *module = bsim__record_module_at(caller->returns_to);
    return lines.take_place == NULL && module != NULL && !module->is_mpi;
}

/* Relative to the application's root, as in simulations. */
static const char *in_project(const char *file) {
    const char *root = getenv("BSIM_RECORD_ROOT");
    size_t length = root != NULL ? strlen(root) : 0;
    bool is_inside =
        file != NULL && length > 0 && strncmp(file, root, length) == 0 && file[length] == '/';
    return is_inside ? file + length + 1 : file;
}

bool bsim__lines_enter(struct bsim__call *call, enum bsim__id id, void **args,
                       struct bsim__record_caller caller) {
    int line = 0;
    const char *file = lines.take_place != NULL ? in_project(lines.take_place(&line)) : NULL;
    if (lines.has_failed || !is_of_program(file, &caller))
        return false;
    *call = (struct bsim__call){
        .id = id,
        .file = file != NULL ? file : bsim__record_place(caller.returns_to),
        .line = line,
        .args = args,
    };
    inside++;
    note_attributes(call);
    record.known = &lines.known;
    bsim__record_begin(&record, call);
    bsim__handles_forget(record.known, call);
    if (bsim__functions[id].class != MPI_CLASS_ABORT)
        return true;
    bsim__record_end(&record, call);
    calls++;
    write_complete();
    return true;
}

/* A program that ends without MPI_Finalize has come to its end if it says that all is well; mpirun
 * would take it for a failure. */
static void at_exit(int status, void *unused) {
    (void)unused;
    if (status != 0 || lines.directory == NULL || lines.file <= 0)
        return;
    write_end();
    PMPI_Finalize();
}

static void begin_rank(void) {
    bsim__handle_add(&lines.known.communicators,
                     bsim__handle_at(&(MPI_Comm){MPI_COMM_WORLD}, sizeof(MPI_Comm)));
    open_file();
    on_exit(at_exit, NULL);
}

void bsim__lines_leave(struct bsim__call *call) {
    enum mpi_class class = bsim__functions[call->id].class;
    inside--;
    if (class == MPI_CLASS_INIT)
        begin_rank();
    bsim__handles_note(record.known, call);
    bsim__record_end(&record, call);
    calls++;
    write_complete();
    bsim__record_take_up(&record, call);
    if (class == MPI_CLASS_FINALIZE)
        write_end();
}

/* ---- Operations of devices (runtime/operations) ---- */

void bsim__lines_operation(const struct bsim__operation *operation) {
    if (lines.directory == NULL || lines.has_failed)
        return;
    bsim__operation_line(&record, operation);
    calls++;
    write_complete();
}

/* ---- Topologies ---- */

static int status_of(MPI_Comm communicator) {
    int kind = MPI_UNDEFINED;
    if (communicator != MPI_COMM_NULL)
        PMPI_Topo_test(communicator, &kind);
    return kind;
}

/* A grid has two of each dimension. */
static int grid_neighbours(MPI_Comm communicator) {
    int dimensions = 0;
    PMPI_Cartdim_get(communicator, &dimensions);
    return 2 * dimensions;
}

int bsim__neighbour_count(MPI_Comm communicator, bool destinations) {
    struct bsim__graph_neighbours graph;
    if (status_of(communicator) == MPI_CART)
        return grid_neighbours(communicator);
    if (!bsim__graph_neighbours(&graph, communicator))
        return 0;
    return destinations ? graph.destination_count : graph.source_count;
}

static int *room(int count) {
    static int *all;
    free(all);
    all = bsim__grow(NULL, 0, ((size_t)count + 1) * sizeof *all);
    return all;
}

static void take_graph(struct bsim__graph_neighbours *out, MPI_Comm communicator) {
    int rank = 0, count = 0;
    PMPI_Comm_rank(communicator, &rank);
    PMPI_Graph_neighbors_count(communicator, rank, &count);
    int *all = room(count);
    PMPI_Graph_neighbors(communicator, rank, count, all);
    *out = (struct bsim__graph_neighbours){all, all, count, count};
}

static void take_distributed(struct bsim__graph_neighbours *out, MPI_Comm communicator) {
    int in = 0, to = 0, is_weighted = 0;
    PMPI_Dist_graph_neighbors_count(communicator, &in, &to, &is_weighted);
    int *all = room(2 * (in + to));
    PMPI_Dist_graph_neighbors(communicator, in, all, all + in + to, to, all + in,
                              all + 2 * in + to);
    *out = (struct bsim__graph_neighbours){all, all + in, in, to};
}

bool bsim__graph_neighbours(struct bsim__graph_neighbours *out, MPI_Comm communicator) {
    int kind = status_of(communicator);
    if (kind == MPI_GRAPH)
        take_graph(out, communicator);
    else if (kind == MPI_DIST_GRAPH)
        take_distributed(out, communicator);
    return kind == MPI_GRAPH || kind == MPI_DIST_GRAPH;
}

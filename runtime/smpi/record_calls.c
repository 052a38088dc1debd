/* SPDX-License-Identifier: Apache-2.0
 *
 * The record of calls: DIR/rank-N.calls (docs/reference/run-files.md). Each rank gathers text and
 * appends it to its file when a buffer is full, which keeps no file open: thousands of ranks are
 * one process. What a rank does before MPI_Init waits in the buffer until its number is known. A
 * record that cannot be written stops the simulation, since a comparison with half a record would
 * be wrong.
 */
#include "runtime/smpi/runtime.h"
#include "runtime/smpi/topologies.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FLUSH_BYTES 65536
#define IDLE_WTIMES 1000 /* in direct succession: each further one takes a step */

/* Only while stopping: bsim__stop itself flushes. */
static void fail(struct bsim__rank *rank, const char *path) {
    rank->record_failed = true;
    bsim__stop("mpiskel: error: cannot write the record of calls %s: %s", path, strerror(errno));
}

static void write_all(struct bsim__rank *rank, int file, const char *path) {
    size_t done = 0;
    while (done < rank->record.text_length) {
        ssize_t wrote = write(file, rank->record.text + done, rank->record.text_length - done);
        if (wrote < 0 && errno != EINTR)
            fail(rank, path);
        done += wrote > 0 ? (size_t)wrote : 0;
    }
}

void bsim__record_flush(struct bsim__rank *rank) {
    const char *directory = bsim__shared()->trace_directory;
    if (rank->record.text_length == 0 || rank->number < 0 || rank->record_failed)
        return;
    size_t size = strlen(directory) + 32;
    char *path = bsim__grow(NULL, 0, size);
    snprintf(path, size, "%s/rank-%d.calls", directory, rank->number);
    if (!rank->record_started)
        mkdir(directory, 0777);
    int file = open(path, O_WRONLY | O_CREAT | (rank->record_started ? O_APPEND : O_TRUNC), 0666);
    if (file < 0)
        fail(rank, path);
    rank->record_started = true;
    write_all(rank, file, path);
    if (close(file) != 0)
        fail(rank, path);
    rank->record.text_length = rank->record.complete_length = 0;
    free(path);
}

void bsim__record_flush_all(void) {
    struct bsim__shared *shared = bsim__shared();
    for (size_t i = 0; i < shared->actor_capacity; i++) {
        if (shared->by_actor[i] == NULL)
            continue;
        bsim__values_flush(shared->by_actor[i]);
        if (shared->trace_directory != NULL) {
            bsim__record_flush(shared->by_actor[i]);
            bsim__volume_write(shared->by_actor[i]);
        }
    }
}

/* A rank that ends without MPI_Finalize leaves its record without an end line, but not without
 * its last calls. Runs when the program or its copy for a rank is unloaded. */
__attribute__((destructor)) static void flush_at_end(void) {
    if (getenv("BSIM_TRACE") != NULL && getenv("BSIM__SHARED") != NULL)
        bsim__record_flush_all();
}

void bsim__record_call(struct bsim__rank *rank, struct bsim__call *call) {
    bsim__record_end(&rank->record, call);
    if (rank->record.text_length >= FLUSH_BYTES)
        bsim__record_flush(rank);
    bsim__record_take_up(&rank->record, call);
}

int bsim__neighbour_count(MPI_Comm communicator, bool destinations) {
    return topologies_neighbour_count(bsim__current_rank(), communicator, destinations);
}

bool bsim__graph_neighbours(struct bsim__graph_neighbours *out, MPI_Comm communicator) {
    const struct topology *topology = topologies_of(bsim__current_rank(), communicator);
    if (topology == NULL || topology->kind == MPI_CART)
        return false;
    *out = (struct bsim__graph_neighbours){
        .sources = topology->sources.ranks,
        .source_count = topology->sources.count,
        .destinations = topology->destinations.ranks,
        .destination_count = topology->destinations.count,
    };
    return true;
}

double bsim__counted_clock_s(struct bsim__rank *rank) {
    const struct bsim__shared *shared = bsim__shared();
    if (shared->clock_step_s <= 0)
        return NAN;
    if (++rank->idle_wtimes > IDLE_WTIMES)
        rank->waited_s += shared->clock_step_s;
    return shared->start_s + (double)rank->record.calls * shared->clock_step_s + rank->waited_s;
}

void bsim__record_finish(struct bsim__rank *rank) {
    bsim__text(&rank->record, "end %llu\n", (unsigned long long)rank->record.calls);
    bsim__record_flush(rank);
    bsim__volume_write(rank);
    free(rank->record.text);
    rank->record.text = NULL;
    rank->record.text_capacity = 0;
}

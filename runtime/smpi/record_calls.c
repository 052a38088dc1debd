/* SPDX-License-Identifier: Apache-2.0
 *
 * The record of calls: DIR/rank-N.calls (docs/reference/run-files.md). Each rank gathers text and
 * appends it to its file when a buffer is full, which keeps no file open: thousands of ranks are
 * one process. What a rank does before MPI_Init waits in the buffer until its number is known. A
 * record that cannot be written stops the simulation, since a comparison with half a record would
 * be wrong.
 */
#include "runtime/smpi/runtime.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FLUSH_BYTES 65536
#define IDLE_WTIMES 1000 /* in direct succession: each further one takes a step */

void bsim__text(struct bsim__rank *rank, const char *format, ...) {
    for (;;) {
        size_t left = rank->text_capacity - rank->text_length;
        va_list args;
        va_start(args, format);
        int length =
            vsnprintf(left > 0 ? rank->text + rank->text_length : NULL, left, format, args);
        va_end(args);
        if (length >= 0 && (size_t)length < left) {
            rank->text_length += (size_t)length;
            return;
        }
        size_t capacity = rank->text_capacity * 2 + (size_t)(length > 0 ? length : 0) + 1024;
        rank->text = bsim__grow(rank->text, rank->text_capacity, capacity);
        rank->text_capacity = capacity;
    }
}

/* Only while stopping: bsim__stop itself flushes. */
static void fail(struct bsim__rank *rank, const char *path) {
    rank->record_failed = true;
    bsim__stop("mpiskel: error: cannot write the record of calls %s: %s", path, strerror(errno));
}

static void write_all(struct bsim__rank *rank, int file, const char *path) {
    size_t done = 0;
    while (done < rank->text_length) {
        ssize_t wrote = write(file, rank->text + done, rank->text_length - done);
        if (wrote < 0 && errno != EINTR)
            fail(rank, path);
        done += wrote > 0 ? (size_t)wrote : 0;
    }
}

void bsim__record_flush(struct bsim__rank *rank) {
    const char *directory = bsim__shared()->trace_directory;
    if (rank->text_length == 0 || rank->number < 0 || rank->record_failed)
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
    rank->text_length = rank->complete_length = 0;
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

/* Blanks separate words, so in names they are written as %20, like other odd characters. */
static void text_name(struct bsim__rank *rank, const char *name) {
    for (; *name != '\0'; name++) {
        unsigned char c = (unsigned char)*name;
        if (c <= ' ' || c == '%' || c >= 127)
            bsim__text(rank, "%%%02X", c);
        else
            bsim__text(rank, "%c", c);
    }
}

/* A call in a callback of another call (an attribute's function, a reduction of the program's own):
 * the other one's line waits until this one's is complete. */
static void set_aside(struct bsim__rank *rank, struct bsim__call *call) {
    size_t length = rank->text_length - rank->complete_length;
    if (length == 0)
        return;
    call->set_aside =
        memcpy(bsim__grow(NULL, 0, length + 1), rank->text + rank->complete_length, length);
    rank->text_length = rank->complete_length;
}

/* Behind MPI_Abort nothing is completed. */
static void take_up_again(struct bsim__rank *rank, struct bsim__call *call) {
    if (call->set_aside == NULL || bsim__functions[call->id].class == MPI_CLASS_ABORT)
        return;
    bsim__text(rank, "%s", call->set_aside);
    free(call->set_aside);
    call->set_aside = NULL;
}

void bsim__record_begin(struct bsim__rank *rank, struct bsim__call *call) {
    set_aside(rank, call);
    text_name(rank, call->file);
    bsim__text(rank, ":%d %s", call->line, bsim__functions[call->id].name);
    bsim__record_inputs(rank, call);
}

void bsim__record_end(struct bsim__rank *rank, struct bsim__call *call) {
    bsim__record_outputs(rank, call);
    bsim__text(rank, "\n");
    rank->recorded++;
    rank->complete_length = rank->text_length;
    if (rank->text_length >= FLUSH_BYTES)
        bsim__record_flush(rank);
    take_up_again(rank, call);
}

double bsim__counted_clock_s(struct bsim__rank *rank) {
    const struct bsim__shared *shared = bsim__shared();
    if (shared->clock_step_s <= 0)
        return NAN;
    if (++rank->idle_wtimes > IDLE_WTIMES)
        rank->waited_s += shared->clock_step_s;
    return shared->start_s + (double)rank->recorded * shared->clock_step_s + rank->waited_s;
}

void bsim__record_finish(struct bsim__rank *rank) {
    bsim__text(rank, "end %llu\n", (unsigned long long)rank->recorded);
    bsim__record_flush(rank);
    bsim__volume_write(rank);
    free(rank->text);
    rank->text = NULL;
    rank->text_capacity = 0;
}

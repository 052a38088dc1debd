/* SPDX-License-Identifier: Apache-2.0
 *
 * The trace that an import makes: ranks and communicators as they come, messages numbered in the
 * order of each channel.
 */
#pragma once

#include "analysis/writer/trace_channels.h"
#include "analysis/writer/trace_event.h"
#include "analysis/writer/trace_writer.h"
#include "base/error.h"

/* Of zeroes but for the path. */
struct import_target {
    const char *path;
    struct trace_writer *writer; /* NULL: not open */
    struct trace_channels *channels;
    int32_t ranks, world;
};

/* For so many ranks, and with MPI_COMM_WORLD; `from`: the format. */
int import_target_open(struct import_target *target, int32_t ranks, const char *from,
                       struct error *error);

uint32_t import_target_site(struct import_target *target, int kind, const char *function,
                            const char *file, int32_t line);

/* Its number in the trace; `before`: another one for each with the same members, 0 for the world.
 */
int32_t import_target_communicator(struct import_target *target, const char *name,
                                   const int32_t *members, int32_t size, uint32_t before);

/* Makes it the end of a message; `communicator` -1: the world. */
void import_target_message(struct import_target *target, struct trace_event *event, int direction,
                           int32_t peer, int32_t tag, int64_t bytes, int32_t communicator);

int import_target_add(struct import_target *target, const struct trace_event *event,
                      struct error *error);

/* A call or an execution with these ends of messages (or a collective), whose times are of no
 * account: the first is in its event, the others are its parts. */
int import_target_add_ends(struct import_target *target, const struct trace_event *event,
                           const struct trace_event *ends, size_t count, struct error *error);

/* Closes what is open. -1 only if all was well before and the trace cannot be written. */
int import_target_close(uint64_t *events, struct import_target *target, bool is_fine,
                        struct error *error);

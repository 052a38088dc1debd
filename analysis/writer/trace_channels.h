/* SPDX-License-Identifier: Apache-2.0
 *
 * Which message is which: the messages of a channel (communicator, sender, receiver, tag) are
 * received in the order in which they are sent (MPI 3.1, section 3.5), so that each end counts them
 * for itself. Where all ranks are in one process, sends and receives of a channel meet here, and
 * each end can ask when the other began.
 *
 * Memory is that of messages under way, and of channels; those of which all messages have arrived
 * are forgotten when there are many, if all ranks are here.
 */
#ifndef ANALYSIS_WRITER_TRACE_CHANNELS_H
#define ANALYSIS_WRITER_TRACE_CHANNELS_H

#include <stdbool.h>
#include <stdint.h>

#define TRACE_UNKNOWN_NS INT64_MIN

struct trace_channel_key {
    int32_t communicator, sender, receiver, tag;
};

struct trace_channels;
struct trace_channel;

/* A message: its channel and its number there, from 1; number 0: none. */
struct trace_channel_message {
    struct trace_channel *channel;
    uint64_t number;
};

/* NULL: out of memory. */
struct trace_channels *trace_channels_new(bool all_ranks_are_here);
void trace_channels_free(struct trace_channels *channels);

/* A send that begins; a receive that is posted. Number 0: out of memory. The channel stays as long
 * as an end of the message has not said that it will not ask any more. */
struct trace_channel_message trace_channels_send(struct trace_channels *channels,
                                                 const struct trace_channel_key *key,
                                                 int64_t now_ns, int64_t bytes);
struct trace_channel_message trace_channels_post(struct trace_channels *channels,
                                                 const struct trace_channel_key *key,
                                                 int64_t now_ns);
/* The last receive that was posted will not come (MPI_Cancel). */
void trace_channels_unpost(struct trace_channel_message message);

/* When the other end began, or TRACE_UNKNOWN_NS; `bytes` only if that is known. */
int64_t trace_channels_sent_ns(struct trace_channel_message message, int64_t *bytes);
int64_t trace_channels_posted_ns(struct trace_channel_message message);

/* The message that the next receive of the channel will get. Number 0: there is none under way. */
struct trace_channel_message trace_channels_next(const struct trace_channels *channels,
                                                 const struct trace_channel_key *key);

/* An end that will not ask any more. */
void trace_channels_sent(struct trace_channel_message message);
void trace_channels_received(struct trace_channel_message message);

#endif

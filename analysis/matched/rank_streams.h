/* SPDX-License-Identifier: Apache-2.0
 *
 * The events of all ranks of a trace, as steps in time: each event is a step at its begin and one
 * at its end. At the same time begins come before ends, and an end that can wait for what others do
 * at that time may be put off, so that a message is sent before it is received also on a network
 * that takes no time.
 */
#pragma once

#include "analysis/trace/trace_reader.h"
#include "base/vec.h"

/* An event with its parts, as one step. */
struct rank_step {
    const struct trace_event *events; /* the first is the event, the others its parts */
    size_t count;
    bool is_end;
    bool can_wait; /* others have a step at this time: rank_streams_put_off may be called */
};

struct rank_streams;

/* Of all ranks; without begins there are steps at ends only, which takes half the time. The trace
 * is borrowed. */
int rank_streams_open(struct rank_streams **out, const struct trace *trace, bool with_begins,
                      bool with_lanes, struct error *error);
void rank_streams_close(struct rank_streams *streams);

/* false: there are no more. *out is valid until the next call. */
bool rank_streams_step(struct rank_step *out, struct rank_streams *streams);

/* Done with the step in hand, or it is to come again behind others of the same time. */
int rank_streams_advance(struct rank_streams *streams, struct error *error);
void rank_streams_put_off(struct rank_streams *streams);

/* SPDX-License-Identifier: Apache-2.0
 *
 * Messages on their way through a network, as flows that share the links of their routes.
 *
 * In: from which host to which one so many bytes go, from when on. Out: when flows end. A flow
 * waits for the latency of its route (times SimGrid's factor of latency), then sends at a rate that
 * depends on who else crosses its links: SimGrid's model LV08 with weight-S (Velho et al., "On the
 * validity of flow-level TCP network models for grid and cloud simulations", ACM TOMACS 23(4),
 * 2013), and the factor of bandwidth of its size. Rates are recomputed only where the flows of a
 * link have changed; what would end within SimGrid's precision (surf/precision, 1 ns) ends now. Not
 * handled: links whose bandwidth changes during the run.
 *
 * Time only goes ahead. The order of calls, which is that of SimGrid's kernel:
 *     t = least of one's own next event and flows_next_s();
 *     for (owner = flows_ended(flows, t); owner != NULL; owner = flows_ended(flows, t)) ...
 *     everything of one's own at t, which may start flows;
 * flows_next_s() recomputes rates, so it is asked for when all that happens at t has happened.
 */
#pragma once

#include "engine/network/host_network.h"

#include <stdint.h>

struct flows;

/* The network is borrowed, and its settings no longer change. A setting that cannot be read is an
 * error (-1). */
int flows_new(struct flows **out, const struct host_network *network, struct error *error);
void flows_free(struct flows *flows);

/* From now on flows that end together do so in any order, not in that of SimGrid. */
void flows_forget_ties(struct flows *flows);

/* `buffered` is called for messages that wait for their receiver, by flows_ended, when their sender
 * need no longer wait: the rest is in its connection's buffer. */
void flows_tell_buffered(struct flows *flows, void (*buffered)(void *owner));

/* Starts a flow at now_s; `bytes` as SimGrid's kernel sees it, that is with MPI's envelope of 16
 * bytes. `owner` is what flows_ended gives back, and not NULL. The number may be used again after
 * the flow has ended. */
uint32_t flows_start(struct flows *flows, double now_s, uint32_t from_host, uint32_t to_host,
                     double bytes, void *owner);

/* The same between two ranks. Where the network's property `connections` is `ordered`, messages
 * from one rank to another go one after the other, and one that waits for its receiver is told so
 * behind what its receiver sends at that time (connections.c). */
struct flow_message {
    uint32_t from_rank, to_rank, from_host, to_host;
    double bytes;
    bool waits;      /* for its receiver: it is not eager */
    double posted_s; /* when its sender announced it */
    double
        looked_s; /* when its receiver, which had not expected it, looked for announcements last */
};
uint32_t flows_start_message(struct flows *flows, double now_s, const struct flow_message *message,
                             void *owner);

/* Takes away a flow that has not ended; its owner is not given back. */
void flows_cancel(struct flows *flows, double now_s, uint32_t flow);

/* When flows next want to be asked; INFINITY: nothing is on its way. */
double flows_next_s(struct flows *flows);

/* The owner of a flow that has ended at or before now_s, one at a time, in the order of their ends
 * (of their starts where these are equal); NULL: no more until then. now_s is at most what
 * flows_next_s has said, unless nothing was to be heard from flows before it. */
void *flows_ended(struct flows *flows, double now_s);

/* What each of two flows takes that go both ways at once, in seconds, where nobody else uses their
 * links, and those of the two ways are apart. */
double flows_exchange_s(struct flows *flows, uint32_t from_host, uint32_t to_host, double bytes);

/* The invariants of the flows (README.md, "What always holds"), when rates have been worked out: 0,
 * or -1 with the first thing that does not hold. With MPISKEL_CHECK=1 they are looked at on the
 * way, the more rarely the longer a simulation lasts. */
int flows_check(const struct flows *flows, struct error *error);

/* On their way, and of all times. */
uint64_t flows_count(const struct flows *flows);
uint64_t flows_started(const struct flows *flows);

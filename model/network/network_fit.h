/* SPDX-License-Identifier: Apache-2.0
 *
 * Measured messages -> the parameters of SMPI 3.32 that reproduce them.
 *
 * SMPI takes for a message of s bytes, with t the eager threshold (smpi/async-small-thresh and
 * send-is-detached-thresh alike):
 *   s < t:  the sender os(s), then the transfer, which needs no receiver; a receive ends or(s)
 *           after that
 *   s >= t: nothing before the transfer, which begins when both have come; MPI_Isend ois(s) always
 *   transfer: latency * lat-factor(s + 16) + (s + 16) / (bandwidth * bw-factor(s + 16))
 * os, or and ois are fitted to what was measured of them; the transfer to what round trips leave.
 * Where the overheads alone take nearly as long as a message does, since a receiver that waits has
 * less to do than one that comes late, they are shortened: round trips come first.
 * SMPI has one set of factors and overheads for all pairs of hosts. If both pairs were measured
 * they are those across nodes, the overheads short enough for messages within, and the memory's
 * latency and bandwidth are what comes nearest to the pair within. If only the pair within was
 * measured, the ranks' exchanges tell what both directions share.
 */
#pragma once

#include "base/str.h"
#include "model/network/messages.h"
#include "model/solve/segments.h"

#define SMPI_ENVELOPE_BYTES 16 /* that SMPI adds to each message */

struct network_link {
    bool known;
    double latency_s, bandwidth_bytes_per_s; /* of the whole way between two ranks */
};

struct network_fit {
    struct arena arena;       /* owns everything below */
    enum message_place place; /* what the factors come from */
    double threshold_bytes;
    struct segments send, receive, isend; /* seconds of bytes; items NULL: not measured, 0 */
    struct segments transfer;             /* seconds of bytes + envelope */
    struct network_link links[MESSAGE_PLACE_COUNT];
    /* That all transfers within the node share, where only that pair was measured; 0: no limit. */
    double shared_bandwidth_bytes_per_s;
    /* Messages slow down those that go the other way, by their acknowledgements: a ring of three
     * nodes took longer than two nodes that exchange as much, where these go with the messages. */
    bool acknowledges;
    bool stores_and_forwards; /* small messages: their latency grows with their size */
};

/* 0 or -1; after -1 there is nothing to dispose. */
int network_fit(struct network_fit *out, const struct messages *messages, struct error *error);
void network_fit_dispose(struct network_fit *fit);

/* In SimGrid's syntax: SIZE:SECONDS:SECONDS_PER_BYTE;... and SIZE:FACTOR;... */
void network_fit_overhead(struct str *out, const struct segments *segments);
void network_fit_latency_factor(struct str *out, const struct network_fit *fit);
void network_fit_bandwidth_factor(struct str *out, const struct network_fit *fit);

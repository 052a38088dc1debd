/* SPDX-License-Identifier: Apache-2.0
 *
 * The way of a message through a network that nobody else uses: what a description promises, found
 * without SimGrid (tests/commands/platforms compares the two).
 */
#pragma once

#include "simulator/network/network.h"

struct network_path {
    size_t links; /* that it crosses; within a host 1, the memory */
    double latency_s, bandwidth_bytes_per_s;
};

/* Of a complete network; hosts count from 0. Factors and overheads of MPI are not in it. */
struct network_path network_path(const struct network *network, size_t from, size_t to);

/* The host that is farthest from host 0; if it is no torus and has more than 4,096 hosts, among so
 * many of them and the last. */
size_t network_farthest(const struct network *network);

/* Seconds for a message of so many bytes. */
double network_path_time(const struct network_path *path, double bytes);

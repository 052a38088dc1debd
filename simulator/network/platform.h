/* SPDX-License-Identifier: Apache-2.0
 *
 * The simplest network, and the hostfile for any platform.
 *
 * Out: a SimGrid platform (XML) with `hosts` equal hosts behind one switch without limits of its
 * own, each with one full-duplex link, so that a message between two hosts crosses two links and
 * takes 2 * latency + bytes / bandwidth. Ranks on one host talk over a loopback. For other
 * networks, and for how it is written, see network.h.
 */
#pragma once

#include "base/error.h"
#include "simulator/network/hosts.h"

#include <stddef.h>

struct platform_spec {
    const char *prefix; /* hosts are called prefix0, prefix1, ... */
    size_t hosts, cores_per_host;
    double speed_flops_per_s; /* of one core */
    double bandwidth_bytes_per_s, latency_s;
    double loopback_bandwidth_bytes_per_s, loopback_latency_s;
    const char *storage; /* as a network description has it; NULL: the default */
};

/* 100 Gbit/s, 1 us per link, 1 Gflop/s, 10 GB/s and 0.5 us within a host; one core each. */
struct platform_spec platform_spec_default(size_t hosts);

int platform_write(const char *path, const struct platform_spec *spec, struct error *error);

/* Block: rank r goes to host r / ranks_per_host. Cyclic: to host r modulo the number of hosts that
 * block would use. More ranks than places is an error that says how many hosts there are;
 * `platform` is the name that it uses for them. */
int hostfile_write(const char *path, const char *const *hosts, size_t host_count, size_t ranks,
                   size_t ranks_per_host, bool cyclic, const char *platform, struct error *error);

/* The names in a hostfile, in its order; `name:K` and `name slots=K` count K times, `#` begins a
 * comment. Names that are not among `known` (unless that is empty) are errors with path:line:col.
 */
int hostfile_read(struct host_list *out, const char *path, const struct host_list *known,
                  struct error *error);

/* SPDX-License-Identifier: Apache-2.0
 *
 * The platform that is simulated when the user names none, and the hostfile for any platform.
 *
 * Out: a SimGrid platform (XML) with one `<cluster>`: `hosts` equal hosts behind one switch without
 * limits of its own, each with one full-duplex link, so that a message between two hosts crosses
 * two links and takes 2 * latency + bytes / bandwidth. Ranks on one host talk over a loopback.
 * SMPI's factors, which were measured on Gigabit Ethernet, are set to 1, so that the numbers given
 * here are the numbers that are used. Not handled: other topologies; for them, write a platform.
 */
#ifndef SIMULATOR_PLATFORM_H
#define SIMULATOR_PLATFORM_H

#include "base/error.h"
#include "base/str.h"
#include "simulator/hosts.h"

#include <stddef.h>

struct platform_spec {
    const char *prefix; /* hosts are called prefix0, prefix1, ... */
    size_t hosts, cores_per_host;
    double speed_flops_per_s; /* of one core */
    double bandwidth_bytes_per_s, latency_s;
    double loopback_bandwidth_bytes_per_s, loopback_latency_s;
};

/* 100 Gbit/s, 1 us per link, 1 Gflop/s, 10 GB/s and 0.5 us within a host; one core each. */
struct platform_spec platform_spec_default(size_t hosts);

int platform_write(const char *path, const struct platform_spec *spec, struct error *error);

/* Rank r goes to host r / ranks_per_host. More ranks than places is an error that says how many
 * hosts there are; `platform` is the name that it uses for them. */
int hostfile_write(const char *path, const char *const *hosts, size_t host_count, size_t ranks,
                   size_t ranks_per_host, const char *platform, struct error *error);

/* The names in a hostfile, in its order; `name:K` counts K times. Names that are not among
 * `hosts` (unless host_count is 0) are errors with path:line:col. */
int hostfile_read(struct host_list *out, const char *path, const struct host_list *known,
                  struct error *error);

/* Appends the text with the characters that XML attributes cannot hold replaced by entities. */
void xml_escape(struct str *out, const char *text);

#endif

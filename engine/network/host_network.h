/* SPDX-License-Identifier: Apache-2.0
 *
 * The network that a simulation of the engine's runs on: hosts, links, and the route of a message
 * from one host to another, found when it is asked for and not stored.
 *
 * In: the platform file (SimGrid's XML) and the hostfile that SMPI would be given, and settings
 * as `--cfg=KEY:VALUE` has them. Out: hosts by number, links by number, routes as SimGrid 3.32
 * takes them. Handled are `<cluster>` of all topologies (flat with backbone and limiters, fat tree,
 * torus, dragonfly) as the only zone, and several flat clusters around a router, one uplink each,
 * which is what simulator/network writes. Everything else is a network that the engine does not
 * have: no error, but a reason, and the run is SMPI's.
 */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct host_network;

enum host_network_result {
    NETWORK_COVERED = 0,
    NETWORK_NOT_COVERED = 1, /* the error's text says what the engine lacks; SMPI may have it */
    NETWORK_BROKEN = -1      /* path:line:col: error: ... */
};

/* Reads a platform file. *out is the caller's, and NULL unless the result is NETWORK_COVERED. */
enum host_network_result host_network_load(struct host_network **out, const char *path,
                                           struct error *error);
void host_network_free(struct host_network *network);

/* Settings are SimGrid's (smpi/os, network/weight-S ...): those of the platform's <config>, then
 * those of the command, which count more. A key or value that makes the engine compute something
 * else than SMPI does is NETWORK_NOT_COVERED; keys that say nothing about the network are kept for
 * whoever asks. */
enum host_network_result host_network_set(struct host_network *network, const char *key,
                                          const char *value, struct error *error);
/* The text of a setting; NULL: nobody has set it, and SimGrid's default holds. Borrowed. */
const char *host_network_setting(const struct host_network *network, const char *key);
/* `<prop>` of a zone, such as `storage`; NULL: there is none. Borrowed. */
const char *host_network_property(const struct host_network *network, const char *key);

size_t host_network_hosts(const struct host_network *network);
/* Writes the name of a host; `size` as snprintf's. */
void host_network_name(char *out, size_t size, const struct host_network *network, uint32_t host);

/* Is it one switch, to which each host has a link of its own in each direction, and no other one?
 */
bool host_network_is_switch(const struct host_network *network);

/* The host of each of `ranks` ranks: line by line of the hostfile, from its beginning again where
 * it is shorter (as SMPI). *out is the caller's, freed by free(). */
int host_network_place(uint32_t **out, const struct host_network *network, const char *hostfile,
                       size_t ranks, struct error *error);

/* A route; made with {0}, used again and again, freed by route_dispose. */
struct route {
    uint32_t *links;
    size_t count, capacity;
    double latency_s; /* sum over its links, without factors */
};

/* From a host to another one, or within a host (its loopback). */
void host_network_route(struct route *out, const struct host_network *network, uint32_t from,
                        uint32_t to);
void route_dispose(struct route *route);

/* Links are numbered from 0, without gaps or not. */
uint32_t host_network_links(const struct host_network *network);
double host_network_bandwidth(const struct host_network *network, uint32_t link);
/* True: each message gets the whole bandwidth of the link, whoever else crosses it. */
bool host_network_is_fatpipe(const struct host_network *network, uint32_t link);

/* SPDX-License-Identifier: Apache-2.0
 *
 * A network, described by what one can find in a data sheet: its topology, its size, and bandwidth
 * and latency of its links.
 *
 * In: pairs of key and value, from a description (a text file, a preset) or the command line. Out:
 * a SimGrid platform (network_write), for as many hosts as asked for. docs/reference/network.md is
 * the manual of the keys; the table of them is in network_keys.c. A message from one host to
 * another takes the sum of the latencies of the links that it crosses plus its bytes / the least
 * bandwidth among them, shared with the others that cross at the time. Not handled: networks in
 * which hosts or links of one level differ, adaptive routing.
 */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>

enum network_topology {
    TOPOLOGY_SWITCH,    /* one switch without limits of its own */
    TOPOLOGY_BACKBONE,  /* one medium that all messages share */
    TOPOLOGY_STAR,      /* switches with hosts, each with one uplink to a switch in the middle */
    TOPOLOGY_FAT_TREE,  /* parallel ports generalised fat tree, routed by destination modulo k */
    TOPOLOGY_DRAGONFLY, /* groups of chassis of routers, minimal routes */
    TOPOLOGY_TORUS,     /* dimension by dimension */
    TOPOLOGY_IDEAL,     /* communication takes no time */
    TOPOLOGY_COUNT
};

#define NETWORK_LIST_MAX 8
#define NETWORK_HOSTS_MAX 16777216

/* A list of counts such as the dimensions of a torus; count 0: not given. */
struct network_list {
    size_t count;
    size_t of[NETWORK_LIST_MAX];
};

/* Texts live in the arena that network_set was given. Counts of 0 and texts of NULL: not given. */
struct network {
    const char *title, *prefix; /* hosts are called prefix0, prefix1, ... */
    size_t topology;            /* enum network_topology */
    size_t hosts, cores;        /* hosts: as many as needed if 0 */
    double speed_flops_per_s;   /* of one core */
    double bandwidth_bytes_per_s, latency_s;
    size_t half_duplex; /* 1: both directions of a link share its bandwidth */
    double memory_bandwidth_bytes_per_s, memory_latency_s;     /* between ranks of one host */
    double card_bandwidth_bytes_per_s;                         /* 0: no limit beyond the link's */
    double backbone_bandwidth_bytes_per_s, backbone_latency_s; /* 0 and negative: not given */
    size_t hosts_per_switch;
    double uplink_bandwidth_bytes_per_s, uplink_latency_s;
    size_t radix; /* ports of each switch of a fat tree */
    struct network_list down, up, links;
    size_t groups, chassis, routers, hosts_per_router;
    size_t group_links, chassis_links, router_links;
    struct network_list dimensions;
    const char *send_overhead, *isend_overhead, *receive_overhead;
    const char *bandwidth_factor, *latency_factor; /* all five as SimGrid writes them */
    const char *storage;                           /* file systems (storage.h) */
    size_t eager_threshold_bytes;                  /* SIZE_MAX: SimGrid's own */
    size_t ranks_per_node;                         /* 0: one per core */
    size_t cyclic;                                 /* 1: ranks are dealt out to the hosts in turn */
    const char *technology;                        /* of links (technology.h) */
    size_t mtu;                                    /* 0: its own */
    size_t acknowledges;                           /* 1: as TCP does */
    size_t orders_connections; /* 1: messages between two ranks one after the other */
    double error_percent;      /* of messages' times, a standard deviation; 0: not known */
    unsigned long long given;  /* bit i: key i of network_keys() was set */
};

/* 100 Gbit/s and 1 us per link, 1 Gflop/s, 10 GB/s and 0.5 us within a host, one core each, one
 * switch. */
struct network network_default(void);

/* Where a value was wrong, as an offset into it; for the column of an error. */
struct network_fault {
    size_t offset;
    bool in_key;
};

/* Sets one key. The error tells key and value, not the place. */
int network_set(struct network *network, const char *key, const char *value, struct arena *arena,
                struct network_fault *fault, struct error *error);

/* Reads `key = value` lines; errors carry path:line:col. Keys of *out that the text does not name
 * stay as they are. network_parse changes the text. */
int network_read(struct network *out, const char *path, struct arena *arena, struct error *error);
int network_parse(struct network *out, char *text, const char *path, struct arena *arena,
                  struct error *error);

/* Checks that the keys fit each other, and fills in what they leave open: the shape, for `hosts`
 * hosts (or for `needed` ones if the description names no number). Afterwards network->hosts is the
 * number of hosts that the platform has: at least as many. */
int network_complete(struct network *network, size_t needed, struct error *error);

/* All links but those within a host: their bandwidth, or their latency, times `factor`. */
void network_scale_bandwidth(struct network *network, double factor);
void network_scale_latency(struct network *network, double factor);

/* The time that calls take on top of the links', times `factor`; the texts are in the arena. */
void network_scale_overheads(struct network *network, double factor, struct arena *arena);

/* The platform of a complete network, for SimGrid 3.32. */
int network_write(const char *path, const struct network *network, struct error *error);

/* "fat tree of 1,024 hosts, 12.5 GB/s and 1 us per link": of a complete network. */
const char *network_summary(const struct network *network, struct arena *arena);

const char *network_topology_name(size_t topology);
/* Of the names of topologies; TOPOLOGY_COUNT: it is none. */
size_t network_topology_find(const char *name);

/* The description as a text that network_read reads back: all keys that say something about its
 * topology. The caller disposes of *out. */
void network_to_text(struct str *out, const struct network *network);

enum network_kind {
    KIND_TEXT,
    KIND_TOPOLOGY,
    KIND_COUNT,
    KIND_LIST,
    KIND_BANDWIDTH,
    KIND_LATENCY,
    KIND_SPEED,
    KIND_PERCENT,
    KIND_BYTES,
    KIND_WORD,     /* FIRST|SECOND, as the key's unit has them */
    KIND_OVERHEAD, /* SIZE:BASE:PER_BYTE;... */
    KIND_FACTOR,   /* SIZE:FACTOR;... */
    KIND_TECHNOLOGY,
    KIND_STORAGE /* [DIRECTORY=]BANDWIDTH:LATENCY;... */
};

/* The keys, in the order of the manual. `topologies` has bit 1 << t set if the key is for topology
 * t. NULL ends the table. */
struct network_key {
    const char *name, *unit, *meaning;
    unsigned topologies;
    enum network_kind kind;
    size_t offset;
};
const struct network_key *network_keys(void);

/* SPDX-License-Identifier: Apache-2.0
 *
 * The technologies; see technology.h.
 *
 * Ethernet: a frame has 14 bytes around its MTU, of which TCP and IP take 52 (RFC 793, RFC 791, and
 * the 12 bytes of RFC 7323's time stamps), so 1448 of 1514 bytes are payload. A switch stores a
 * frame before it sends it on (IEEE 802.1D bridges; those that cut through are the exception). Open
 * MPI over TCP sends up to 64 KiB without waiting (btl_tcp_eager_limit). Rates are those of IEEE
 * 802.3.
 * InfiniBand HDR and NDR: 200 and 400 Gbit/s for four lanes (IBTA's roadmap), switches cut through
 * in 130 ns (data sheet of the QM8700). Slingshot: 200 Gbit/s, 350 ns a switch (D. De Sensi et al.,
 * "An in-depth analysis of the Slingshot interconnect", SC 2020). Omni-Path: 100 Gbit/s, 110 ns a
 * switch (M. Birrittella et al., "Intel Omni-Path architecture", HOTI 2015).
 * Assumed: latency of a link (half of a switch and of what both ends' cards and library take), and
 * 8 KiB as the eager limit where cards read memory themselves.
 * Not handled: preamble and gap between frames (20 bytes), other headers, more than two links.
 */
#include "simulator/network/technology.h"

#include <math.h>
#include <string.h>

#define FRAME_HEADER 14
#define PACKET_HEADERS 52
#define DEFAULT_MTU 1500
#define LINKS                                                                                      \
    2 /* between two hosts at one switch; a description of more has about as much a link */
#define STEPS 16    /* of a frame: each is off by a part of 1 / 32 of what a frame takes */
#define ENVELOPE 16 /* SimGrid's */

static const struct technology {
    const char *name;
    double bits_per_s, latency_s;
    size_t eager_bytes;
    bool is_ethernet;
} technologies[] = {
    {"ethernet-10m", 10e6, 50e-6, 65536, true},     {"ethernet-100m", 100e6, 50e-6, 65536, true},
    {"ethernet-1g", 1e9, 15e-6, 65536, true},       {"ethernet-10g", 10e9, 8e-6, 65536, true},
    {"ethernet-25g", 25e9, 8e-6, 65536, true},      {"ethernet-100g", 100e9, 8e-6, 65536, true},
    {"infiniband-hdr", 200e9, 0.5e-6, 8192, false}, {"infiniband-ndr", 400e9, 0.5e-6, 8192, false},
    {"slingshot", 200e9, 0.9e-6, 8192, false},      {"omni-path", 100e9, 0.5e-6, 8192, false},
};

#define COUNT (sizeof technologies / sizeof *technologies)

static const struct technology *find(const char *name) {
    for (size_t i = 0; name != NULL && i < COUNT; i++)
        if (strcmp(technologies[i].name, name) == 0)
            return &technologies[i];
    return NULL;
}

int technology_check(const char *name, struct error *error) {
    if (find(name) != NULL)
        return 0;
    struct str names = {0};
    for (size_t i = 0; i < COUNT; i++)
        str_printf(&names, "%s%s", i > 0 ? ", " : "", technologies[i].name);
    error_set(error, "there is no technology '%s'; there are %s", name, str_text(&names));
    str_dispose(&names);
    return -1;
}

static bool is_given(const struct network *network, const char *name) {
    const struct network_key *keys = network_keys();
    for (const struct network_key *key = keys; key->name != NULL; key++)
        if (strcmp(key->name, name) == 0)
            return (network->given >> (key - keys) & 1) != 0;
    return false;
}

double technology_mtu(const struct network *network) {
    return network->mtu > PACKET_HEADERS ? (double)network->mtu : DEFAULT_MTU;
}

static double payload(const struct network *network) {
    return technology_mtu(network) - PACKET_HEADERS;
}

void technology_fill_in(struct network *network) {
    const struct technology *technology = find(network->technology);
    if (technology == NULL)
        return;
    double share =
        technology->is_ethernet ? payload(network) / (technology_mtu(network) + FRAME_HEADER) : 1;
    if (!is_given(network, "bandwidth"))
        network->bandwidth_bytes_per_s = share * technology->bits_per_s / 8;
    if (!is_given(network, "latency"))
        network->latency_s = technology->latency_s;
    if (!is_given(network, "eager-threshold"))
        network->eager_threshold_bytes = technology->eager_bytes;
    if (!is_given(network, "acknowledgements"))
        network->acknowledges = technology->is_ethernet;
    if (!is_given(network, "connections"))
        network->orders_connections = 1;
}

/* Seconds that a switch stores the last frame of a message: that with `bytes` of it. */
static double stored_s(const struct network *network, double bytes) {
    if (!find(network->technology)->is_ethernet)
        return 0;
    double share = payload(network) / (technology_mtu(network) + FRAME_HEADER);
    double wire_bytes = fmin(bytes, payload(network)) + PACKET_HEADERS + FRAME_HEADER;
    return (LINKS - 1) * wire_bytes * share / network->bandwidth_bytes_per_s;
}

static void add(struct str *out, double above, double factor) {
    str_printf(out, "%s%.0f:%.6g", out->length > 0 ? ";" : "", above, factor);
}

void technology_latency_factor(struct str *out, const struct network *network) {
    double way_s = LINKS * network->latency_s, frame = payload(network);
    double eager = (double)network->eager_threshold_bytes;
    bool stores = find(network->technology)->is_ethernet;
    for (int i = 0; i < STEPS && stores && (i + 1) * frame / STEPS < eager; i++)
        add(out, i * frame / STEPS + (i > 0 ? ENVELOPE : 0),
            1 + stored_s(network, (i + 0.5) * frame / STEPS) / way_s);
    add(out, out->length > 0 ? frame + ENVELOPE : 0, 1 + stored_s(network, frame) / way_s);
    double waits = 1 + stored_s(network, frame) / way_s + 2 * (1 + stored_s(network, 1) / way_s);
    if (eager < 1e15)
        add(out, eager + ENVELOPE - 1, waits);
}

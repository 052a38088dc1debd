/* SPDX-License-Identifier: Apache-2.0
 *
 * From a complete network to platform XML of SimGrid 3.32, in the form that it reads fastest: one
 * `<cluster>` with a range of numbers for all hosts (a star: one per outer switch). Numbers are
 * written with 17 digits, so that SimGrid reads back exactly what was given.
 *
 * SMPI's factors were measured on Gigabit Ethernet; they are set to 1 unless the description gives
 * some. network/TCP-gamma, which bounds bandwidth by TCP's window (4 MiB per round trip: 12.5 GB/s
 * end at 168 us), is set so high that it bounds nothing, and network/crosstraffic, which takes 5 %
 * of the way back for TCP's acknowledgements, is off unless the description has them.
 * The star's outer switches are zones, connected with the one in the middle by routes of a
 * Floyd-Warshall zone, since an XML star zone of 3.32 takes no zones.
 */
#include "simulator/network/network.h"

#include "base/file.h"
#include "base/str.h"
#include "base/xml.h"
#include "simulator/network/storage.h"
#include "simulator/network/technology.h"

#include <stdint.h>
#include <stdio.h>

/* Of TCP. By how many frames connections that share a card are ahead of each other when they end:
 * four ranks that began alltoalls of 65,536 and of 100,000 bytes at the same moment returned 4 of
 * them apart, in the mean of 60 (docs/results/network.md). */
#define TCP_BURST_FRAMES 4
/* Of a frame: Ethernet 14, IP 20, TCP 32, Open MPI 30 (seen in a trace), of which SMPI counts 16.
 */
#define TCP_HEADER_BYTES 80
/* What a connection holds for its sender: sends over 10 Mbit/s and 1 ms of 66,000 to 2,000,000
 * bytes ended when 38 to 58 kB had not arrived. Linux gives faster networks more. */
#define TCP_BUFFER_BYTES 48000

static void add_setting(struct str *out, const char *key, const char *value) {
    str_printf(out, "    <prop id=\"%s\" value=\"", key);
    xml_escape(out, value);
    str_add(out, "\"/>\n");
}

static void add_settings(struct str *out, const struct network *network) {
    const struct {
        const char *key, *value;
    } overheads[] = {{"smpi/os", network->send_overhead},
                     {"smpi/ois", network->isend_overhead},
                     {"smpi/or", network->receive_overhead}};
    const char *bandwidth = network->bandwidth_factor, *latency = network->latency_factor;
    struct str framing = {0};
    if (latency == NULL && network->technology != NULL)
        technology_latency_factor(&framing, network);
    str_add(out, "  <config>\n");
    add_setting(out, "smpi/bw-factor", bandwidth != NULL ? bandwidth : "0:1");
    add_setting(out, "smpi/lat-factor",
                latency != NULL      ? latency
                : framing.length > 0 ? framing.text
                                     : "0:1");
    str_dispose(&framing);
    add_setting(out, "network/TCP-gamma", "1e30");
    add_setting(out, "network/crosstraffic", network->acknowledges ? "1" : "0");
    for (size_t i = 0; i < sizeof overheads / sizeof *overheads; i++)
        if (overheads[i].value != NULL)
            add_setting(out, overheads[i].key, overheads[i].value);
    /* The first one lets the sender go on, the second one the message: both without the receiver.
     */
    if (network->eager_threshold_bytes != SIZE_MAX)
        str_printf(out,
                   "    <prop id=\"smpi/send-is-detached-thresh\" value=\"%zu\"/>\n"
                   "    <prop id=\"smpi/async-small-thresh\" value=\"%zu\"/>\n",
                   network->eager_threshold_bytes, network->eager_threshold_bytes);
    str_add(out, "  </config>\n");
}

/* SimGrid gives the ends of a dimension of length 1 a link with the name of the one before. */
static struct network_list without_ones(const struct network_list *list) {
    struct network_list kept = {0};
    for (size_t i = 0; i < list->count; i++)
        if (list->of[i] > 1)
            kept.of[kept.count++] = list->of[i];
    if (kept.count == 0)
        kept.of[kept.count++] = 1;
    return kept;
}

static void add_list(struct str *out, const struct network_list *list) {
    for (size_t i = 0; i < list->count; i++)
        str_printf(out, "%s%zu", i > 0 ? "," : "", list->of[i]);
}

static void add_topology(struct str *out, const struct network *network) {
    if (network->topology == TOPOLOGY_BACKBONE)
        str_printf(out, "\n             bb_bw=\"%.17gBps\" bb_lat=\"%.17gs\"",
                   network->backbone_bandwidth_bytes_per_s, network->backbone_latency_s);
    if (network->topology == TOPOLOGY_FAT_TREE) {
        str_printf(out, "\n             topology=\"FAT_TREE\" topo_parameters=\"%zu;",
                   network->down.count);
        add_list(out, &network->down);
        str_addc(out, ';');
        add_list(out, &network->up);
        str_addc(out, ';');
        add_list(out, &network->links);
        str_addc(out, '"');
    }
    if (network->topology == TOPOLOGY_TORUS) {
        struct network_list dimensions = without_ones(&network->dimensions);
        str_add(out, "\n             topology=\"TORUS\" topo_parameters=\"");
        add_list(out, &dimensions);
        str_addc(out, '"');
    }
    if (network->topology == TOPOLOGY_DRAGONFLY)
        str_printf(out,
                   "\n             topology=\"DRAGONFLY\" "
                   "topo_parameters=\"%zu,%zu;%zu,%zu;%zu,%zu;%zu\"",
                   network->groups, network->group_links, network->chassis, network->chassis_links,
                   network->routers, network->router_links, network->hosts_per_router);
}

/* Hosts first to last. */
static void add_cluster(struct str *out, const struct network *network, const char *id,
                        size_t first, size_t last) {
    str_printf(out, "    <cluster id=\"%s\" prefix=\"", id);
    xml_escape(out, network->prefix);
    str_printf(out, "\" suffix=\"\" radical=\"%zu-%zu\"\n", first, last);
    str_printf(out, "             speed=\"%.17gf\" core=\"%zu\"\n", network->speed_flops_per_s,
               network->cores);
    str_printf(out, "             bw=\"%.17gBps\" lat=\"%.17gs\"\n", network->bandwidth_bytes_per_s,
               network->latency_s);
    if (network->half_duplex)
        str_add(out, "             sharing_policy=\"SHARED\"\n");
    if (network->card_bandwidth_bytes_per_s > 0)
        str_printf(out, "             limiter_link=\"%.17gBps\"\n",
                   network->card_bandwidth_bytes_per_s);
    str_printf(out, "             loopback_bw=\"%.17gBps\" loopback_lat=\"%.17gs\"",
               network->memory_bandwidth_bytes_per_s, network->memory_latency_s);
    add_topology(out, network);
}

static void add_star(struct str *out, const struct network *network) {
    size_t at_switch = network->hosts_per_switch, switches = network->hosts / at_switch;
    const char *sharing = network->half_duplex ? "SHARED" : "SPLITDUPLEX";
    const char *up = network->half_duplex ? "" : " direction=\"UP\"";
    const char *down = network->half_duplex ? "" : " direction=\"DOWN\"";
    for (size_t i = 0; i < switches; i++) {
        char id[32];
        snprintf(id, sizeof id, "leaf-%zu", i);
        add_cluster(out, network, id, i * at_switch, (i + 1) * at_switch - 1);
        str_printf(out, " router_id=\"leaf-%zu-switch\"/>\n", i);
    }
    str_add(out,
            "    <zone id=\"middle\" routing=\"Full\"><router id=\"middle-switch\"/></zone>\n");
    for (size_t i = 0; i < switches; i++)
        str_printf(out,
                   "    <link id=\"uplink-%zu\" bandwidth=\"%.17gBps\" latency=\"%.17gs\" "
                   "sharing_policy=\"%s\"/>\n",
                   i, network->uplink_bandwidth_bytes_per_s, network->uplink_latency_s, sharing);
    for (size_t i = 0; i < switches; i++)
        str_printf(out,
                   "    <zoneRoute src=\"leaf-%zu\" dst=\"middle\" gw_src=\"leaf-%zu-switch\" "
                   "gw_dst=\"middle-switch\" symmetrical=\"NO\"><link_ctn "
                   "id=\"uplink-%zu\"%s/></zoneRoute>\n"
                   "    <zoneRoute src=\"middle\" dst=\"leaf-%zu\" gw_src=\"middle-switch\" "
                   "gw_dst=\"leaf-%zu-switch\" symmetrical=\"NO\"><link_ctn "
                   "id=\"uplink-%zu\"%s/></zoneRoute>\n",
                   i, i, i, up, i, i, i, down);
}

static void add_bytes(struct str *out, const char *key, double bytes) {
    char text[32];
    snprintf(text, sizeof text, "%.0f", bytes);
    add_setting(out, key, text);
}

/* SimGrid ignores properties that it does not know; the engine reads these, the runtime storage. */
static void add_connections(struct str *out, const struct network *network) {
    if (!network->orders_connections)
        return;
    add_setting(out, "connections", "ordered");
    add_bytes(out, "frame", technology_mtu(network));
    if (!network->acknowledges)
        return;
    add_bytes(out, "headers", TCP_HEADER_BYTES);
    add_bytes(out, "burst", TCP_BURST_FRAMES * technology_mtu(network));
    add_bytes(out, "sender-buffer", TCP_BUFFER_BYTES);
}

static void add_storage(struct str *out, const char *storage) {
    struct str numbers = {0};
    struct error ignored = {0};
    size_t offset;
    if (storage == NULL || storage_parse(&numbers, storage, &offset, &ignored) != 0)
        return;
    add_setting(out, "storage", str_text(&numbers));
    str_dispose(&numbers);
}

int network_write(const char *path, const struct network *network, struct error *error) {
    struct str text = {0};
    bool is_star = network->topology == TOPOLOGY_STAR;
    str_add(&text, "<?xml version='1.0'?>\n"
                   "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                   "<platform version=\"4.1\">\n");
    add_settings(&text, network);
    str_printf(&text, "  <zone id=\"world\" routing=\"%s\">\n", is_star ? "Floyd" : "Full");
    add_storage(&text, network->storage);
    add_connections(&text, network);
    if (is_star) {
        add_star(&text, network);
    } else {
        add_cluster(&text, network, "cluster", 0, network->hosts - 1);
        str_add(&text, "/>\n");
    }
    str_add(&text, "  </zone>\n</platform>\n");
    int result = file_write(path, text.text, text.length, error);
    str_dispose(&text);
    return result;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * From platform XML to a network; see host_network.h for what is handled. expat's events fill in
 * clusters, links and routes between zones; when the file has ended, uplinks are matched with
 * clusters. The first element that the engine does not have ends the reading, with the reason.
 * Nothing external is loaded.
 */
#include "base/file.h"
#include "engine/network/network_parts.h"
#include "engine/network/platform_quantity.h"

#include <expat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HOSTS_MOST 16777216U

struct platform_reading {
    struct host_network *network;
    XML_Parser parser;
    const char *path;
    enum host_network_result result;
    struct error *error;
    size_t depth, zones; /* zones: those that are open */
    bool in_config, in_cluster;
    const char *middle;           /* the zone with the router in the middle */
    struct hash_table clusters;   /* number (size_t) by id */
    struct hash_table links;      /* number (size_t) in network->middle, of the way up, by id */
    struct network_uplink *route; /* the one that is open, or NULL */
    bool route_is_up;
};

static void refuse(struct platform_reading *reading, const char *what, const char *detail) {
    error_set(reading->error, "%s%s%s", what, detail[0] != '\0' ? " " : "", detail);
    reading->result = NETWORK_NOT_COVERED;
    XML_StopParser(reading->parser, XML_FALSE);
}

static void fail(struct platform_reading *reading, const char *what, const char *detail) {
    error_set(reading->error, "%s:%lu:%lu: error: %s%s", reading->path,
              (unsigned long)XML_GetCurrentLineNumber(reading->parser),
              (unsigned long)XML_GetCurrentColumnNumber(reading->parser) + 1, what, detail);
    reading->result = NETWORK_BROKEN;
    XML_StopParser(reading->parser, XML_FALSE);
}

/* "" where the attribute is missing. */
static const char *attribute(const char **list, const char *name) {
    for (; list[0] != NULL; list += 2)
        if (strcmp(list[0], name) == 0)
            return list[1];
    return "";
}

static const char *copy(struct platform_reading *reading, const char *text) {
    return arena_strdup(&reading->network->arena, text);
}

/* "" gives 0, which is what a missing attribute means. */
static double quantity(struct platform_reading *reading, const char **list, const char *name,
                       enum quantity_kind kind) {
    const char *text = attribute(list, name);
    double value = 0;
    if (text[0] != '\0' && !quantity_read(&value, text, kind))
        fail(reading, "this is no number that the platform may have here: ", text);
    return value;
}

/* `A-B` or `A`: other lists are not covered. */
static bool read_radical(struct host_cluster *out, const char *radical) {
    unsigned first, last;
    int used = 0;
    if (sscanf(radical, "%9u-%9u%n", &first, &last, &used) != 2 || radical[used] != '\0') {
        if (sscanf(radical, "%9u%n", &first, &used) != 1 || radical[used] != '\0')
            return false;
        last = first;
    }
    out->first_number = first;
    out->hosts = last - first + 1;
    return strchr("+-", radical[0]) == NULL && last >= first && out->hosts <= HOSTS_MOST;
}

static bool read_kind(struct host_cluster *out, const char *topology) {
    static const char *const names[] = {"FLAT", "FAT_TREE", "TORUS", "DRAGONFLY"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(topology, names[i]) == 0 || (i == 0 && topology[0] == '\0')) {
            out->kind = (enum host_cluster_kind)i;
            return true;
        }
    return false;
}

static void read_numbers(struct platform_reading *reading, struct host_cluster *out,
                         const char **list) {
    quantity(reading, list, "speed", QUANTITY_SPEED); /* has to be one */
    out->bandwidth = quantity(reading, list, "bw", QUANTITY_BANDWIDTH);
    out->latency_s = quantity(reading, list, "lat", QUANTITY_TIME);
    out->card_bandwidth = quantity(reading, list, "limiter_link", QUANTITY_BANDWIDTH);
    out->backbone_bandwidth = quantity(reading, list, "bb_bw", QUANTITY_BANDWIDTH);
    out->backbone_latency_s = quantity(reading, list, "bb_lat", QUANTITY_TIME);
    out->loopback_bandwidth = quantity(reading, list, "loopback_bw", QUANTITY_BANDWIDTH);
    out->loopback_latency_s = quantity(reading, list, "loopback_lat", QUANTITY_TIME);
    out->has_backbone = out->backbone_bandwidth > 0 || out->backbone_latency_s > 0;
    out->has_loopback = out->loopback_bandwidth > 0 || out->loopback_latency_s > 0;
}

/* What the engine has no links for. */
static const char *missing_in(const struct host_cluster *cluster, const char **list) {
    const char *sharing = attribute(list, "sharing_policy");
    const char *backbone = attribute(list, "bb_sharing_policy");
    if (strcmp(sharing, "FATPIPE") == 0)
        return "links of a cluster that nobody shares (FATPIPE)";
    if (strcmp(backbone, "FATPIPE") == 0)
        return "a backbone that nobody shares (FATPIPE)";
    if (cluster->bandwidth <= 0 || (cluster->has_backbone && cluster->backbone_bandwidth <= 0) ||
        (cluster->has_loopback && cluster->loopback_bandwidth <= 0))
        return "a link of a cluster without bandwidth";
    return NULL;
}

static void number_cluster(struct platform_reading *reading, struct host_cluster *cluster,
                           const char *parameters) {
    struct host_network *network = reading->network;
    cluster->first_host = network->hosts;
    cluster->first_link = network->cluster_links;
    if (host_cluster_shape(cluster, parameters, reading->error) != NETWORK_COVERED ||
        (uint64_t)network->hosts + cluster->hosts > HOSTS_MOST) {
        refuse(reading, "so many hosts", "");
        return;
    }
    network->hosts += cluster->hosts;
    network->cluster_links += cluster->links;
    size_t *number = hash_table_add_text(&reading->clusters, cluster->id, sizeof *number);
    *number = network->clusters.count;
    vec_push(&network->clusters, *cluster);
    vec_push(&network->uplinks, (struct network_uplink){0});
}

static void on_cluster(struct platform_reading *reading, const char **list) {
    const char *sharing = attribute(list, "sharing_policy");
    struct host_cluster cluster = {.id = copy(reading, attribute(list, "id")),
                                   .prefix = copy(reading, attribute(list, "prefix")),
                                   .suffix = copy(reading, attribute(list, "suffix")),
                                   .router = copy(reading, attribute(list, "router_id")),
                                   .is_duplex = strcmp(sharing, "SHARED") != 0};
    reading->in_cluster = true;
    read_numbers(reading, &cluster, list);
    const char *missing = missing_in(&cluster, list);
    if (reading->result != NETWORK_COVERED)
        return;
    if (missing != NULL)
        refuse(reading, missing, "");
    else if (!read_radical(&cluster, attribute(list, "radical")))
        refuse(reading, "a cluster whose hosts have these numbers:", attribute(list, "radical"));
    else if (!read_kind(&cluster, attribute(list, "topology")))
        refuse(reading, "a cluster of the topology", attribute(list, "topology"));
    else if (reading->zones > 1)
        refuse(reading, "a cluster in a zone inside of another one", "");
    else
        number_cluster(reading, &cluster, attribute(list, "topo_parameters"));
}

static void on_prop(struct platform_reading *reading, const char **list) {
    struct host_network *network = reading->network;
    const char *id = attribute(list, "id"), *value = attribute(list, "value");
    if (reading->in_cluster)
        return; /* of hosts */
    if (!reading->in_config) {
        char **text = hash_table_add_text(&network->properties, id, sizeof *text);
        *text = arena_strdup(&network->arena, value);
    } else if (host_network_set(network, id, value, reading->error) != NETWORK_COVERED) {
        refuse(reading, "the setting", id);
    }
}

static void on_link(struct platform_reading *reading, const char **list) {
    const char *sharing = attribute(list, "sharing_policy");
    bool is_split = strcmp(sharing, "SPLITDUPLEX") == 0;
    struct middle_link link = {quantity(reading, list, "bandwidth", QUANTITY_BANDWIDTH),
                               quantity(reading, list, "latency", QUANTITY_TIME),
                               strcmp(sharing, "FATPIPE") == 0};
    bool is_plain = sharing[0] == '\0' || is_split || strcmp(sharing, "SHARED") == 0;
    if (!is_plain || link.bandwidth <= 0 || attribute(list, "bandwidth_file")[0] != '\0' ||
        attribute(list, "latency_file")[0] != '\0' || attribute(list, "state_file")[0] != '\0') {
        refuse(reading, "a link that is not shared, or changes with time:", attribute(list, "id"));
        return;
    }
    size_t *number = hash_table_add_text(&reading->links, attribute(list, "id"), sizeof *number);
    *number = reading->network->middle.count;
    vec_push(&reading->network->middle, link);
    vec_push(&reading->network->middle, link); /* the way down, which a shared link does not use */
}

static bool is_middle(struct platform_reading *reading, const char *zone) {
    return reading->middle != NULL && strcmp(reading->middle, zone) == 0;
}

static void on_zone_route(struct platform_reading *reading, const char **list) {
    const char *from = attribute(list, "src"), *to = attribute(list, "dst");
    reading->route_is_up = is_middle(reading, to);
    size_t *number = hash_table_find_text(&reading->clusters, reading->route_is_up ? from : to);
    bool is_one_way = strcmp(attribute(list, "symmetrical"), "NO") == 0 ||
                      strcmp(attribute(list, "symmetrical"), "no") == 0;
    if (number == NULL || !is_one_way || !(reading->route_is_up || is_middle(reading, from)))
        refuse(reading,
               "a route that does not lead from a cluster to a router in the middle, or "
               "back:",
               from);
    else
        reading->route = &reading->network->uplinks.items[*number];
}

static void on_link_of_route(struct platform_reading *reading, const char **list) {
    size_t *number = hash_table_find_text(&reading->links, attribute(list, "id"));
    struct network_uplink *route = reading->route;
    if (route == NULL || number == NULL ||
        (reading->route_is_up ? route->has_up : route->has_down)) {
        refuse(reading,
               "a route of several links, or of one that is not known:", attribute(list, "id"));
        return;
    }
    uint32_t link = (uint32_t)*number + (strcmp(attribute(list, "direction"), "DOWN") == 0);
    *(reading->route_is_up ? &route->up : &route->down) = link;
    *(reading->route_is_up ? &route->has_up : &route->has_down) = true;
}

static void on_zone(struct platform_reading *reading, const char **list) {
    if (reading->zones == 2 || (reading->zones == 1 && reading->middle != NULL))
        refuse(reading, "zones inside of each other:", attribute(list, "id"));
    if (++reading->zones == 2)
        reading->middle = copy(reading, attribute(list, "id"));
}

static void XMLCALL on_start(void *context, const char *element, const char **list) {
    struct platform_reading *reading = context;
    if (reading->depth++ == 0 && strcmp(element, "platform") != 0)
        fail(reading, "this is no SimGrid platform: its first element is ", element);
    else if (strcmp(element, "config") == 0)
        reading->in_config = true;
    else if (strcmp(element, "prop") == 0)
        on_prop(reading, list);
    else if (strcmp(element, "zone") == 0 || strcmp(element, "AS") == 0)
        on_zone(reading, list);
    else if (strcmp(element, "cluster") == 0)
        on_cluster(reading, list);
    else if (strcmp(element, "link") == 0)
        on_link(reading, list);
    else if (strcmp(element, "zoneRoute") == 0 || strcmp(element, "ASroute") == 0)
        on_zone_route(reading, list);
    else if (strcmp(element, "link_ctn") == 0)
        on_link_of_route(reading, list);
    else if (strcmp(element, "platform") != 0 && strcmp(element, "router") != 0)
        refuse(reading, "a platform with the element", element);
}

static void XMLCALL on_end(void *context, const char *element) {
    struct platform_reading *reading = context;
    if (strcmp(element, "config") == 0)
        reading->in_config = false;
    else if (strcmp(element, "zone") == 0 || strcmp(element, "AS") == 0)
        reading->zones--;
    else if (strcmp(element, "cluster") == 0)
        reading->in_cluster = false;
    else if (strcmp(element, "zoneRoute") == 0 || strcmp(element, "ASroute") == 0)
        reading->route = NULL;
}

/* In pieces, since expat's lengths are int. */
static void parse_text(struct platform_reading *reading, const char *text, size_t length) {
    XML_SetUserData(reading->parser, reading);
    XML_SetElementHandler(reading->parser, on_start, on_end);
    enum XML_Status status = XML_STATUS_OK;
    size_t done = 0;
    do {
        size_t piece = length - done < (1U << 20) ? length - done : 1U << 20;
        status = XML_Parse(reading->parser, text + done, (int)piece, done + piece == length);
        done += piece;
    } while (status == XML_STATUS_OK && done < length);
    if (status != XML_STATUS_OK && reading->result == NETWORK_COVERED)
        fail(reading, "not well-formed XML: ", XML_ErrorString(XML_GetErrorCode(reading->parser)));
}

/* Middle links are numbered behind those of all clusters, which are known now. */
static enum host_network_result finish(struct host_network *network, struct error *error) {
    size_t count = network->clusters.count;
    const struct host_cluster *first = network->clusters.items;
    if (count == 0 || network->hosts == 0) {
        error_set(error, "a platform without a cluster");
        return NETWORK_NOT_COVERED;
    }
    network->hosts_each = first->hosts;
    network->links_each = first->links;
    for (size_t i = 0; i < count && count > 1; i++) {
        struct network_uplink *uplink = &network->uplinks.items[i];
        const struct host_cluster *cluster = &network->clusters.items[i];
        if (!uplink->has_up || !uplink->has_down || cluster->kind != CLUSTER_FLAT) {
            error_set(error, "several clusters that do not all lead to one router in the middle");
            return NETWORK_NOT_COVERED;
        }
        uplink->up += network->cluster_links;
        uplink->down += network->cluster_links;
        if (cluster->hosts != first->hosts || cluster->links != first->links)
            network->hosts_each = network->links_each = 0;
    }
    return NETWORK_COVERED;
}

static enum host_network_result read_text(struct platform_reading *reading, const char *text,
                                          size_t length) {
    reading->parser = XML_ParserCreate(NULL);
    if (reading->parser == NULL)
        abort(); /* out of memory */
    parse_text(reading, text, length);
    XML_ParserFree(reading->parser);
    hash_table_dispose(&reading->clusters);
    hash_table_dispose(&reading->links);
    return reading->result == NETWORK_COVERED ? finish(reading->network, reading->error)
                                              : reading->result;
}

static bool is_program(const char *text, size_t length) {
    return length >= 4 && memcmp(text, "\177ELF", 4) == 0;
}

enum host_network_result platform_reader_read(struct host_network *out, const char *path,
                                              struct error *error) {
    char *text = NULL;
    size_t length = 0;
    if (file_read(&text, &length, path, error) != 0)
        return NETWORK_BROKEN;
    struct platform_reading reading = {.network = out, .path = path, .error = error};
    enum host_network_result result = NETWORK_NOT_COVERED;
    if (is_program(text, length))
        error_set(error, "a platform that is a program");
    else
        result = read_text(&reading, text, length);
    free(text);
    return result;
}

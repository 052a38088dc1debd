/* SPDX-License-Identifier: Apache-2.0
 *
 * The keys of network descriptions, as one table: what each is called, which member of struct
 * network it sets, how its value is written. The reader of files, the command line, --help and the
 * checks all read this table.
 */
#include "simulator/network/network.h"

#include "base/str.h"
#include "simulator/network/storage.h"
#include "simulator/network/technology.h"
#include "simulator/network/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ALL 0x7fU
#define ONLY(topology) (1U << (topology))
#define WITH_LINKS (ALL & ~ONLY(TOPOLOGY_IDEAL))
#define WITH_CARDS (ONLY(TOPOLOGY_SWITCH) | ONLY(TOPOLOGY_BACKBONE) | ONLY(TOPOLOGY_STAR))
#define AT(member) offsetof(struct network, member)

static const struct network_key keys[] = {
    {"title", "TEXT", "What it is, for people", ALL, KIND_TEXT, AT(title)},
    {"topology", "NAME", "switch, backbone, star, fat-tree, dragonfly, torus or ideal", ALL,
     KIND_TOPOLOGY, AT(topology)},
    {"hosts", "N", "Number of hosts; default: as many as the ranks need", ALL, KIND_COUNT,
     AT(hosts)},
    {"cores", "N", "Cores of a host (default 1): so many ranks share its network card", ALL,
     KIND_COUNT, AT(cores)},
    {"speed", "SPEED", "Of a core, such as 1Gf (counts only with run --original)", ALL, KIND_SPEED,
     AT(speed_flops_per_s)},
    {"prefix", "TEXT", "Hosts are called PREFIX0, PREFIX1, ... (default node-)", ALL, KIND_TEXT,
     AT(prefix)},
    {"technology", "NAME", "Such as ethernet-10g: what it says of links is the default", WITH_LINKS,
     KIND_TECHNOLOGY, AT(technology)},
    {"mtu", "BYTES", "Of Ethernet's frames (default 1500)", WITH_LINKS, KIND_COUNT, AT(mtu)},
    {"bandwidth", "B", "Of each link, in each direction (default 12.5GBps)", WITH_LINKS,
     KIND_BANDWIDTH, AT(bandwidth_bytes_per_s)},
    {"latency", "T", "Of each link (default 1us)", WITH_LINKS, KIND_LATENCY, AT(latency_s)},
    {"duplex", "full|half", "half: both directions of a link share its bandwidth", WITH_LINKS,
     KIND_WORD, AT(half_duplex)},
    {"memory-bandwidth", "B", "Between two ranks of a host (default 10GBps)", WITH_LINKS,
     KIND_BANDWIDTH, AT(memory_bandwidth_bytes_per_s)},
    {"memory-latency", "T", "Between two ranks of a host (default 0.5us)", WITH_LINKS, KIND_LATENCY,
     AT(memory_latency_s)},
    {"card-bandwidth", "B", "Of a host's network card: in and out together (default: no limit)",
     WITH_CARDS, KIND_BANDWIDTH, AT(card_bandwidth_bytes_per_s)},
    {"backbone-bandwidth", "B", "Of the backbone, which all messages share",
     ONLY(TOPOLOGY_BACKBONE), KIND_BANDWIDTH, AT(backbone_bandwidth_bytes_per_s)},
    {"backbone-latency", "T", "Of the backbone (default: that of a link)", ONLY(TOPOLOGY_BACKBONE),
     KIND_LATENCY, AT(backbone_latency_s)},
    {"hosts-per-switch", "N", "Hosts at each of the outer switches", ONLY(TOPOLOGY_STAR),
     KIND_COUNT, AT(hosts_per_switch)},
    {"uplink-bandwidth", "B", "From an outer switch to the one in the middle", ONLY(TOPOLOGY_STAR),
     KIND_BANDWIDTH, AT(uplink_bandwidth_bytes_per_s)},
    {"uplink-latency", "T", "Of such an uplink (default: that of a link)", ONLY(TOPOLOGY_STAR),
     KIND_LATENCY, AT(uplink_latency_s)},
    {"radix", "N", "Ports of a switch (default 36), where down and up are not given",
     ONLY(TOPOLOGY_FAT_TREE), KIND_COUNT, AT(radix)},
    {"down", "N,N...", "Children of a switch, from the lowest level to the top",
     ONLY(TOPOLOGY_FAT_TREE), KIND_LIST, AT(down)},
    {"up", "N,N...", "Parents of a host, of a lowest switch, and so on (the first: usually 1)",
     ONLY(TOPOLOGY_FAT_TREE), KIND_LIST, AT(up)},
    {"links", "N,N...", "Parallel links between child and parent (default 1,1...)",
     ONLY(TOPOLOGY_FAT_TREE), KIND_LIST, AT(links)},
    {"groups", "N", "Groups, each connected with each other one", ONLY(TOPOLOGY_DRAGONFLY),
     KIND_COUNT, AT(groups)},
    {"chassis", "N", "Chassis of a group (default 1)", ONLY(TOPOLOGY_DRAGONFLY), KIND_COUNT,
     AT(chassis)},
    {"routers", "N", "Routers of a chassis; SimGrid 3.32 wants at least as many as groups",
     ONLY(TOPOLOGY_DRAGONFLY), KIND_COUNT, AT(routers)},
    {"hosts-per-router", "N", "Hosts at a router", ONLY(TOPOLOGY_DRAGONFLY), KIND_COUNT,
     AT(hosts_per_router)},
    {"group-links", "N", "Links between two groups, as one of N times the bandwidth (default 1)",
     ONLY(TOPOLOGY_DRAGONFLY), KIND_COUNT, AT(group_links)},
    {"chassis-links", "N", "Links between two chassis of a group, counted likewise (default 1)",
     ONLY(TOPOLOGY_DRAGONFLY), KIND_COUNT, AT(chassis_links)},
    {"router-links", "N", "Links between two routers of a chassis, counted likewise (default 1)",
     ONLY(TOPOLOGY_DRAGONFLY), KIND_COUNT, AT(router_links)},
    {"dimensions", "N,N...", "Of the torus, such as 8,8,16", ONLY(TOPOLOGY_TORUS), KIND_LIST,
     AT(dimensions)},
    {"send-overhead", "S:B:P;...",
     "Seconds that MPI_Send costs the sender: from S bytes on B + P "
     "* bytes",
     WITH_LINKS, KIND_OVERHEAD, AT(send_overhead)},
    {"isend-overhead", "S:B:P;...", "What MPI_Isend costs the sender, as send-overhead", WITH_LINKS,
     KIND_OVERHEAD, AT(isend_overhead)},
    {"receive-overhead", "S:B:P;...", "What a receive costs, as send-overhead", WITH_LINKS,
     KIND_OVERHEAD, AT(receive_overhead)},
    {"bandwidth-factor", "S:F;...",
     "From S bytes on messages get F times the bandwidth (default 1)", WITH_LINKS, KIND_FACTOR,
     AT(bandwidth_factor)},
    {"latency-factor", "S:F;...", "From S bytes on messages have F times the latency (default 1)",
     WITH_LINKS, KIND_FACTOR, AT(latency_factor)},
    {"eager-threshold", "BYTES", "Messages below it do not wait for the receiver (default 65536)",
     ALL, KIND_BYTES, AT(eager_threshold_bytes)},
    {"storage", "B:T;...",
     "Of the file system that MPI-IO uses, or DIRECTORY=B:T of several (default 5GBps:500us)", ALL,
     KIND_STORAGE, AT(storage)},
    {"ranks-per-node", "N", "Ranks on one host (default: one per core)", ALL, KIND_COUNT,
     AT(ranks_per_node)},
    {"acknowledgements", "none|tcp", "tcp: they take 5 % of a message's bandwidth on the way back",
     WITH_LINKS, KIND_WORD, AT(acknowledges)},
    {"error", "PERCENT", "What messages' times are off by (a standard deviation), for intervals",
     WITH_LINKS, KIND_PERCENT, AT(error_percent)},
    {"connections", "shared|ordered", "ordered: messages between two ranks follow one another",
     WITH_LINKS, KIND_WORD, AT(orders_connections)},
    {"placement", "block|cyclic", "Ranks fill host after host, or are dealt out in turn", ALL,
     KIND_WORD, AT(cyclic)},
    {NULL, NULL, NULL, 0, 0, 0},
};

const struct network_key *network_keys(void) {
    return keys;
}

static const char *const topology_names[] = {"switch",    "backbone", "star", "fat-tree",
                                             "dragonfly", "torus",    "ideal"};

const char *network_topology_name(size_t topology) {
    return topology_names[topology];
}

size_t network_topology_find(const char *name) {
    size_t topology = 0;
    while (topology < TOPOLOGY_COUNT && strcmp(topology_names[topology], name) != 0)
        topology++;
    return topology;
}

/* One of the key's two words; *out is 1 for the second. */
static int word_parse(size_t *out, const char *value, const struct network_key *key,
                      struct error *error) {
    const char *bar = strchr(key->unit, '|');
    size_t first = (size_t)(bar - key->unit);
    *out = strcmp(value, bar + 1) == 0;
    if (*out == 1 || (strlen(value) == first && strncmp(value, key->unit, first) == 0))
        return 0;
    return error_set(error, "%s is %.*s or %s, not '%s'", key->name, (int)first, key->unit, bar + 1,
                     value);
}

static int topology_parse(size_t *out, const char *value, struct error *error) {
    *out = network_topology_find(value);
    return *out < TOPOLOGY_COUNT ? 0
                                 : error_set(error,
                                             "there is no topology '%s': it is switch, backbone, "
                                             "star, fat-tree, dragonfly, torus or ideal",
                                             value);
}

static int list_parse(struct network_list *out, const char *value, const char *key,
                      struct network_fault *fault, struct error *error) {
    const char *rest = value;
    for (out->count = 0; out->count < NETWORK_LIST_MAX; out->count++) {
        char item[32] = {0};
        size_t blanks = strspn(rest, " \t"), length = strcspn(rest + blanks, ", \t");
        fault->offset = (size_t)(rest - value) + blanks;
        if (length < sizeof item)
            memcpy(item, rest + blanks, length);
        if (length >= sizeof item || count_parse(&out->of[out->count], item, key, error) != 0)
            return error_set(error, "%s takes whole numbers such as 8,8,16, not '%s'", key, value);
        rest += blanks + length;
        rest += strspn(rest, " \t");
        if (*rest == '\0') {
            out->count++;
            return 0;
        }
        fault->offset = (size_t)(rest - value);
        if (*rest++ != ',')
            return error_set(error, "%s: a comma belongs between two numbers, as in 8,8,16", key);
    }
    return error_set(error, "%s takes at most %d numbers", key, NETWORK_LIST_MAX);
}

static int bytes_parse(size_t *out, const char *value, const char *key, struct error *error) {
    static const struct {
        const char *name;
        double factor;
    } units[] = {{"", 1},     {"B", 1},        {"kB", 1e3},     {"MB", 1e6},
                 {"GB", 1e9}, {"KiB", 0x1p10}, {"MiB", 0x1p20}, {"GiB", 0x1p30}};
    size_t digits = strspn(value, "0123456789");
    double number = digits > 0 ? strtod(value, NULL) : -1;
    const char *unit = value + digits + strspn(value + digits, " ");
    for (size_t i = 0; number >= 0 && i < sizeof units / sizeof *units; i++)
        if (strcmp(unit, units[i].name) == 0 && number * units[i].factor <= 1e15) {
            *out = (size_t)(number * units[i].factor);
            return 0;
        }
    return error_set(error, "%s takes a number of bytes such as 65536 or 64KiB, not '%s'", key,
                     value);
}

/* Numbers between colons, groups of `width` of them between semicolons; the first of a group is a
 * size, and sizes ascend. */
static int pieces_check(const char *value, size_t width, bool positive, const char *key,
                        struct network_fault *fault, struct error *error) {
    const char *form = width == 3 ? "SIZE:SECONDS:SECONDS_PER_BYTE;..." : "SIZE:FACTOR;...";
    const char *rest = value;
    double size_before = -1;
    while (true) {
        for (size_t i = 0; i < width; i++) {
            char *end = NULL;
            size_t digits = strspn(rest, "0123456789.eE+-");
            double number = digits > 0 ? strtod(rest, &end) : 0;
            fault->offset = (size_t)(rest - value);
            if (end == NULL || end == rest || !isfinite(number) || number < 0)
                return error_set(error, "%s is written %s with numbers from 0 on, not '%s'", key,
                                 form, value);
            if (i == 0 && (number <= size_before || number != floor(number) || number > 1e15))
                return error_set(error,
                                 "%s: sizes are whole numbers that ascend, and %.*s does not", key,
                                 (int)(end - rest), rest);
            if (i == 0)
                size_before = number;
            else if (positive && number == 0)
                return error_set(error, "%s: a factor of 0 is a link without bandwidth", key);
            rest = end;
            fault->offset = (size_t)(rest - value);
            if (i + 1 < width && *rest++ != ':')
                return error_set(error, "%s is written %s, and ':' is missing in '%s'", key, form,
                                 value);
        }
        if (*rest == '\0')
            return 0;
        if (*rest++ != ';')
            return error_set(error, "%s is written %s, and ';' is missing in '%s'", key, form,
                             value);
    }
}

static int text_check(const char *value, const char *key, struct error *error) {
    bool is_prefix = strcmp(key, "prefix") == 0;
    for (const char *c = value; *c != '\0'; c++)
        if ((unsigned char)*c < ' ' || *c == 127 || (is_prefix && (*c == ' ' || *c == ':')))
            return error_set(error, "%s cannot hold the character '%c' (0x%02x)", key,
                             *c < ' ' ? '?' : *c, (unsigned)(unsigned char)*c);
    return 0;
}

/* A quantity may have a blank before its unit. */
static const char *joined(const char *value, struct arena *arena) {
    const char *blank = strchr(value, ' ');
    if (blank == NULL)
        return value;
    return arena_printf(arena, "%.*s%s", (int)(blank - value), value, blank + strspn(blank, " \t"));
}

static int storage_check(const char *value, struct network_fault *fault, struct error *error) {
    struct str ignored = {0};
    int result = storage_parse(&ignored, value, &fault->offset, error);
    str_dispose(&ignored);
    return result;
}

static int set_value(void *member, const struct network_key *key, const char *value,
                     struct arena *arena, struct network_fault *fault, struct error *error) {
    switch (key->kind) {
    case KIND_TOPOLOGY:
        return topology_parse(member, value, error);
    case KIND_COUNT:
        return count_parse(member, value, key->name, error);
    case KIND_LIST:
        return list_parse(member, value, key->name, fault, error);
    case KIND_BANDWIDTH:
        return bandwidth_parse(member, joined(value, arena), key->name, error);
    case KIND_LATENCY:
        return latency_parse(member, joined(value, arena), key->name, error);
    case KIND_SPEED:
        return speed_parse(member, joined(value, arena), key->name, error);
    case KIND_PERCENT:
        return percent_parse(member, joined(value, arena), key->name, error);
    case KIND_BYTES:
        return bytes_parse(member, value, key->name, error);
    case KIND_WORD:
        return word_parse(member, value, key, error);
    default:
        *(const char **)member = arena_strdup(arena, value);
        if (key->kind == KIND_TEXT)
            return text_check(value, key->name, error);
        if (key->kind == KIND_TECHNOLOGY)
            return technology_check(value, error);
        if (key->kind == KIND_STORAGE)
            return storage_check(value, fault, error);
        bool is_overhead = key->kind == KIND_OVERHEAD;
        return pieces_check(value, is_overhead ? 3 : 2, !is_overhead, key->name, fault, error);
    }
}

/* The key that has the most leading letters in common: what may have been meant. */
static const char *nearest_key(const char *name) {
    const char *nearest = NULL;
    size_t most = 2;
    for (const struct network_key *key = keys; key->name != NULL; key++) {
        size_t same = 0;
        while (name[same] != '\0' && name[same] == key->name[same])
            same++;
        if (same > most) {
            most = same;
            nearest = key->name;
        }
    }
    return nearest;
}

int network_set(struct network *network, const char *name, const char *value, struct arena *arena,
                struct network_fault *fault, struct error *error) {
    *fault = (struct network_fault){0};
    for (const struct network_key *key = keys; key->name != NULL; key++)
        if (strcmp(key->name, name) == 0) {
            network->given |= 1ULL << (key - keys);
            return set_value((char *)network + key->offset, key, value, arena, fault, error);
        }
    fault->in_key = true;
    const char *nearest = nearest_key(name);
    if (nearest != NULL)
        return error_set(error, "there is no key '%s'; did you mean %s?", name, nearest);
    return error_set(error, "there is no key '%s'; mpiskel platform --help lists them", name);
}

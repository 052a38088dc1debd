/* SPDX-License-Identifier: Apache-2.0
 *
 * The choice between networks, and the two files that SMPI wants to have; see placement.h.
 */
#include "simulator/run/placement.h"

#include "base/file.h"
#include "base/str.h"
#include "model/store/store_networks.h"
#include "simulator/network/host_speeds.h"
#include "simulator/network/hosts.h"
#include "simulator/network/network.h"
#include "simulator/network/network_presets.h"
#include "simulator/network/platform.h"
#include "simulator/network/scaled_platform.h"

#include <string.h>

struct placement_options placement_options_default(void) {
    static const struct placement_change none = {NULL, NULL, -1, 1};
    return (struct placement_options){
        .bandwidth = none, .latency = none, .overheads = none, .collectives = "tree"};
}

void placement_options_dispose(struct placement_options *options) {
    vec_dispose(&options->settings);
}

bool placement_is_file(const struct placement_options *options) {
    const char *placement = options->placement;
    return placement != NULL && strcmp(placement, "block") != 0 && strcmp(placement, "cyclic") != 0;
}

/* What `mpiskel calibrate --network` put into the bundle's store. */
static int load_machine(struct network *out, const char *machine, const char *bundle,
                        struct arena *arena, struct error *error) {
    const char *path = bundle != NULL ? path_join(arena, bundle, "store.db") : NULL;
    const struct stored_network *stored = NULL;
    struct store *store = NULL;
    if (path == NULL || !file_exists(path))
        return error_set(error, "--network: there is no store with machines; `mpiskel calibrate "
                                "--network --bundle APP.skel` makes one");
    if (store_open_to_read(&store, path, error) != 0)
        return -1;
    int result = store_read_network(&stored, arena, store, machine, error);
    store_close(store);
    if (result == 0 && stored == NULL)
        result = error_set(error,
                           "--network: %s knows no network of machine '%s'; `mpiskel calibrate "
                           "--network --machine %s --bundle %s` measures it",
                           path, machine, machine, bundle);
    if (result != 0)
        return -1;
    return network_parse(out, arena_strdup(arena, stored->description),
                         arena_printf(arena, "machine:%s", machine), arena, error);
}

/* A topology, a preset, a file, or machine:NAME. */
static int load_network(struct network *out, const struct placement_options *options,
                        struct arena *arena, struct error *error) {
    const char *name = options->network;
    if (text_has_prefix(name, "machine:"))
        return load_machine(out, name + strlen("machine:"), options->bundle, arena, error);
    return network_load(out, name, arena, error);
}

static void change_network(struct network *network, const struct placement_options *options,
                           struct arena *arena) {
    network_scale_bandwidth(network, options->bandwidth.factor);
    network_scale_latency(network, options->latency.factor);
    if (options->overheads.factor != 1)
        network_scale_overheads(network, options->overheads.factor, arena);
}

/* A description of its own errors names its file. */
static int complete(struct network *network, const char *name, size_t needed, struct error *error) {
    struct error inner = {0};
    if (network_complete(network, needed, &inner) == 0)
        return 0;
    return name != NULL ? error_set(error, "%s:1:1: error: %s", name, inner.text)
                        : error_set(error, "%s", inner.text);
}

static int prepare_network(struct placement *out, struct network *network,
                           const struct placement_options *options, const char *directory,
                           struct arena *arena, struct error *error) {
    const char *name = options->network;
    *network = network_default();
    if (name == NULL)
        network->cores = options->ranks_per_host > 0 ? options->ranks_per_host : 1;
    else if (load_network(network, options, arena, error) != 0)
        return -1;
    if (network->topology == TOPOLOGY_IDEAL &&
        (options->bandwidth.value >= 0 || options->latency.value >= 0))
        return error_set(error, "an ideal network has neither bandwidth nor latency: leave out "
                                "--bandwidth and --latency");
    if (options->bandwidth.value >= 0)
        network->bandwidth_bytes_per_s = options->bandwidth.value;
    if (options->latency.value >= 0)
        network->latency_s = options->latency.value;
    size_t per_host = options->ranks_per_host;
    if (per_host == 0)
        per_host = network->ranks_per_node > 0 ? network->ranks_per_node : network->cores;
    out->ranks_per_host = per_host;
    size_t needed =
        placement_is_file(options) ? options->ranks : (options->ranks - 1) / per_host + 1;
    if (complete(network, name, needed, error) != 0)
        return -1;
    change_network(network, options, arena);
    out->network_error = network->error_percent / 100;
    out->orders_connections = network->orders_connections;
    out->has_overheads = network->send_overhead != NULL || network->isend_overhead != NULL ||
                         network->receive_overhead != NULL;
    const char *summary = network_summary(network, arena);
    out->network = network->topology == TOPOLOGY_IDEAL
                       ? summary
                       : arena_printf(arena, "%s: %s", name != NULL ? name : "default", summary);
    out->platform_file = path_join(arena, directory, "platform.xml");
    return network_write(out->platform_file, network, error);
}

static int prepare_platform(struct placement *out, const struct placement_options *options,
                            const char *directory, struct arena *arena, struct error *error) {
    out->platform_file = options->platform;
    out->network = options->platform;
    out->ranks_per_host = options->ranks_per_host > 0 ? options->ranks_per_host : 1;
    if (options->bandwidth.factor == 1 && options->latency.factor == 1)
        return 0;
    out->platform_file = path_join(arena, directory, "platform.xml");
    return platform_scale(out->platform_file, options->platform, options->bandwidth.factor,
                          options->latency.factor, error);
}

/* The hosts that may be used, in order: those of the file (--hostfile or --placement), else the
 * platform's, which are known if it is no shared object. */
static int read_hosts(struct host_list *out, struct host_list *known, const char *file,
                      const char *platform_file, struct error *error) {
    bool opaque = platform_is_shared_object(platform_file);
    if (opaque && file == NULL)
        return error_set(error,
                         "%s is a shared object, whose hosts cannot be listed: give "
                         "--hostfile",
                         platform_file);
    if (!opaque && hosts_read(known, platform_file, error) != 0)
        return -1;
    return file != NULL ? hostfile_read(out, file, known, error) : 0;
}

static int write_hosts(struct placement *out, const struct host_list *hosts, bool cyclic,
                       const struct placement_options *options, struct error *error) {
    bool one_each = placement_is_file(options);
    if (one_each && hosts->names.count < options->ranks)
        return error_set(error, "%s places %zu ranks, and there are %zu: it needs a line for each",
                         options->placement, hosts->names.count, options->ranks);
    const char *name = options->hostfile != NULL   ? options->hostfile
                       : options->platform != NULL ? options->platform
                       : options->network != NULL  ? options->network
                                                   : "the default platform";
    out->host_count = hosts->names.count;
    return hostfile_write(out->host_file, hosts->names.items, hosts->names.count, options->ranks,
                          one_each ? 1 : out->ranks_per_host, cyclic, name, error);
}

int placement_prepare(struct placement *out, const struct placement_options *options,
                      const char *directory, struct arena *arena, struct error *error) {
    struct host_list listed = {0}, known = {0};
    struct network *network = ARENA_NEW(arena, struct network);
    const char *placement = options->placement;
    *out = (struct placement){.host_file = path_join(arena, directory, "hostfile")};
    if (options->platform != NULL
            ? prepare_platform(out, options, directory, arena, error) != 0
            : prepare_network(out, network, options, directory, arena, error) != 0)
        return -1;
    out->described = options->platform == NULL ? network : NULL;
    bool cyclic = placement != NULL ? strcmp(placement, "cyclic") == 0 : network->cyclic != 0;
    const char *file = placement_is_file(options) ? placement : options->hostfile;
    int result = read_hosts(&listed, &known, file, out->platform_file, error);
    if (result == 0)
        result = write_hosts(out, file != NULL ? &listed : &known, cyclic, options, error);
    if (result == 0)
        result = host_speeds_write(&out->host_factors, &known, out->host_file,
                                   path_join(arena, directory, "factors"), error);
    host_list_dispose(&listed);
    host_list_dispose(&known);
    return result;
}

void placement_apply(struct launch *launch, const struct placement *placement,
                     const struct placement_options *options) {
    launch->ranks = options->ranks;
    launch->platform_file = placement->platform_file;
    launch->host_file = placement->host_file;
    launch->host_factors = placement->host_factors;
    launch->collectives = options->collectives;
    launch->settings = options->settings.items;
    launch->setting_count = options->settings.count;
}

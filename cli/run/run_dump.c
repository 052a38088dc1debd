/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/run/run_dump.h"

#include "base/str.h"
#include "simulator/choice/engine_choice.h"
#include "simulator/network/collectives.h"
#include "simulator/network/network.h"
#include "simulator/network/network_path.h"
#include "simulator/network/platform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_description(FILE *out, const struct network *network) {
    struct str text = {0};
    network_to_text(&text, network);
    for (char *rest = NULL, *line = strtok_r(text.text, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest))
        fprintf(out, "  %s\n", line);
    str_dispose(&text);
}

static void print_engine(FILE *out, const struct launch *launch, struct arena *arena) {
    bool times = launch->host_speed_flops_per_s > 0;
    const char *lack = launch->engine != ENGINE_SMPI
                           ? engine_lack_before(launch->program, times, arena)
                           : "SMPI was asked for";
    fprintf(out, lack == NULL ? "engine own\n" : "engine smpi: %s\n", lack);
}

static int print_collectives(FILE *out, const struct launch *launch, struct arena *arena,
                             struct error *error) {
    struct collective_settings settings = {0};
    if (collectives_settings(&settings, launch->collectives, arena, error) != 0)
        return -1;
    fprintf(out, "collectives %s\n", launch->collectives);
    for (size_t i = 0; i < settings.of.count; i++)
        fprintf(out, "  %s\n", settings.of.items[i]);
    for (size_t i = 0; i < settings.replaced.count; i++)
        fprintf(out, "  replaced: %s\n", settings.replaced.items[i]);
    for (size_t i = 0; i < launch->setting_count; i++)
        fprintf(out, "setting %s\n", launch->settings[i]);
    vec_dispose(&settings.of);
    vec_dispose(&settings.replaced);
    return 0;
}

static void print_way(FILE *out, const struct network *network, const char *from, const char *to) {
    size_t skipped = strlen(network->prefix);
    struct network_path path =
        network_path(network, strtoul(from + skipped, NULL, 10), strtoul(to + skipped, NULL, 10));
    fprintf(out, "way %s to %s: %zu link%s, %.4g us, %.4g GB/s\n", from, to, path.links,
            text_plural(path.links), path.latency_s * 1e6, path.bandwidth_bytes_per_s / 1e9);
}

static bool is_before(const struct host_list *hosts, size_t at) {
    for (size_t i = 0; i < at; i++)
        if (strcmp(hosts->names.items[i], hosts->names.items[at]) == 0)
            return true;
    return false;
}

/* Ranks, then the way from rank 0's host to each. */
static int print_hosts(FILE *out, const struct placement *placement, struct error *error) {
    struct host_list hosts = {0}, any = {0};
    if (hostfile_read(&hosts, placement->host_file, &any, error) != 0)
        return -1;
    for (size_t i = 0; i < hosts.names.count; i++)
        fprintf(out, "rank %zu %s\n", i, hosts.names.items[i]);
    for (size_t i = 0; i < hosts.names.count && placement->described != NULL; i++)
        if (!is_before(&hosts, i))
            print_way(out, placement->described, hosts.names.items[0], hosts.names.items[i]);
    host_list_dispose(&hosts);
    return 0;
}

int run_dump_network(FILE *out, const struct placement *placement, const struct launch *launch,
                     struct arena *arena, struct error *error) {
    fprintf(out, "network %s\n", placement->network);
    if (placement->described != NULL)
        print_description(out, placement->described);
    print_engine(out, launch, arena);
    return print_collectives(out, launch, arena, error) != 0 ? -1
                                                             : print_hosts(out, placement, error);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * The hostfile, line by line; see host_network_place in host_network.h. Names are taken apart into
 * prefix, number and suffix; the cluster of the line before, and the one after it, are looked at
 * first, for hostfiles go through the hosts in order.
 */
#include "base/file.h"
#include "engine/network/network_parts.h"

#include <stdlib.h>
#include <string.h>

/* The number in the middle of a name; false: the cluster has no such host. */
static bool is_of(uint32_t *out, const struct host_cluster *cluster, const char *name,
                  size_t length) {
    size_t before = strlen(cluster->prefix), behind = strlen(cluster->suffix);
    if (length <= before + behind || memcmp(name, cluster->prefix, before) != 0 ||
        memcmp(name + length - behind, cluster->suffix, behind) != 0)
        return false;
    size_t digits = length - before - behind;
    uint64_t number = 0;
    for (size_t i = 0; i < digits; i++) {
        char digit = name[before + i];
        if (digit < '0' || digit > '9' || (i == 0 && digit == '0' && digits > 1) || i > 9)
            return false;
        number = number * 10 + (uint64_t)(digit - '0');
    }
    *out = (uint32_t)(number - cluster->first_number) + cluster->first_host;
    return number >= cluster->first_number && number - cluster->first_number < cluster->hosts;
}

/* *hint: the cluster to look at first, and then that of the host. */
static bool find(uint32_t *out, size_t *hint, const struct host_network *network, const char *name,
                 size_t length) {
    size_t count = network->clusters.count;
    for (size_t i = 0; i < count; i++) {
        size_t at = (*hint + i) % count;
        if (is_of(out, &network->clusters.items[at], name, length)) {
            *hint = at;
            return true;
        }
    }
    return false;
}

static int read_lines(uint32_t *out, const struct host_network *network, const char *text,
                      const char *path, size_t ranks, struct error *error) {
    size_t rank = 0, hint = 0, number = 0;
    while (rank < ranks) {
        size_t begin = rank;
        number = 0;
        for (const char *line = text; *line != '\0' && rank < ranks;) {
            size_t all = strcspn(line, "\n"), length = strcspn(line, " \t\r\n");
            number++;
            if (length > 0 && !find(&out[rank++], &hint, network, line, length))
                return error_set(error, "%s:%zu:1: error: the platform has no host '%.*s'", path,
                                 number, (int)(length < 200 ? length : 200), line);
            line += all + (line[all] == '\n');
        }
        if (rank == begin)
            return error_set(error, "%s:1:1: error: this hostfile names no host", path);
    }
    return 0;
}

int host_network_place(uint32_t **out, const struct host_network *network, const char *hostfile,
                       size_t ranks, struct error *error) {
    char *text = NULL;
    *out = NULL;
    if (file_read(&text, NULL, hostfile, error) != 0)
        return -1;
    *out = xmalloc((ranks + 1) * sizeof **out);
    int result = read_lines(*out, network, text, hostfile, ranks, error);
    if (result != 0) {
        free(*out);
        *out = NULL;
    }
    free(text);
    return result;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * A platform of links without latency and nearly without end to their bandwidth; see ideal.h.
 */
#include "simulator/run/ideal.h"

#include "base/file.h"
#include "base/str.h"
#include "simulator/network/hosts.h"
#include "simulator/network/platform.h"

#include <stdlib.h>
#include <string.h>

#define BANDWIDTH_BYTES_PER_S 1e30 /* what no message needs time for */

/* The value of a <prop> of the platform's <config>; NULL: it has none. */
static const char *find_setting(const char *platform, const char *key, struct arena *arena) {
    const char *quoted = arena_printf(arena, "\"%s\"", key);
    const char *property = strstr(platform, quoted);
    const char *value = property != NULL ? strstr(property, "value=\"") : NULL;
    if (value == NULL || value > property + strcspn(property, ">"))
        return NULL;
    value += strlen("value=\"");
    return arena_strndup(arena, value, strcspn(value, "\""));
}

/* From which size on senders wait is not a matter of the network's speed. */
static int keep_thresholds(struct launch *launch, struct arena *arena, struct error *error) {
    static const char *const keys[] = {"smpi/send-is-detached-thresh", "smpi/async-small-thresh"};
    size_t most = launch->setting_count + sizeof keys / sizeof *keys, count = 0;
    char *platform = NULL;
    if (platform_is_shared_object(launch->platform_file))
        return 0;
    if (file_read(&platform, NULL, launch->platform_file, error) != 0)
        return -1;
    const char **settings = ARENA_ARRAY(arena, const char *, most);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const char *value = find_setting(platform, keys[i], arena);
        if (value != NULL)
            settings[count++] = arena_printf(arena, "%s:%s", keys[i], value);
    }
    for (size_t i = 0; i < launch->setting_count; i++)
        settings[count++] = launch->settings[i];
    launch->settings = settings;
    launch->setting_count = count;
    free(platform);
    return 0;
}

/* Nor are file systems a part of the network. */
static int find_storage(const char **out, const char *platform_file, struct arena *arena,
                        struct error *error) {
    char *platform = NULL;
    if (platform_is_shared_object(platform_file))
        return 0;
    if (file_read(&platform, NULL, platform_file, error) != 0)
        return -1;
    *out = find_setting(platform, "storage", arena);
    free(platform);
    return 0;
}

static int compare_names(const void *left, const void *right) {
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* Sorted, each once. */
static size_t distinct(const char **names, size_t count) {
    size_t left = 0;
    qsort(names, count, sizeof *names, compare_names);
    for (size_t i = 0; i < count; i++)
        if (left == 0 || strcmp(names[left - 1], names[i]) != 0)
            names[left++] = names[i];
    return left;
}

/* One line for each rank, its host being that of the same number among the sorted names. */
static int write_hostfile(const char *path, const struct platform_spec *spec,
                          const struct host_list *ranks, const char *const *names, size_t count,
                          struct error *error) {
    struct str text = {0};
    for (size_t i = 0; i < ranks->names.count; i++) {
        const char *const *found =
            bsearch(&ranks->names.items[i], names, count, sizeof *names, compare_names);
        str_printf(&text, "%s%zu\n", spec->prefix, (size_t)(found - names));
    }
    int result = file_write(path, text.text, text.length, error);
    str_dispose(&text);
    return result;
}

static struct platform_spec spec_of(size_t hosts) {
    struct platform_spec spec = platform_spec_default(hosts);
    spec.bandwidth_bytes_per_s = spec.loopback_bandwidth_bytes_per_s = BANDWIDTH_BYTES_PER_S;
    spec.latency_s = spec.loopback_latency_s = 0;
    return spec;
}

int ideal_prepare(struct launch *launch, const char *directory, struct arena *arena,
                  struct error *error) {
    struct host_list ranks = {0}, any = {0};
    if (keep_thresholds(launch, arena, error) != 0 ||
        hostfile_read(&ranks, launch->host_file, &any, error) != 0)
        return -1;
    const char **names = ARENA_ARRAY(arena, const char *, ranks.names.count);
    memcpy(names, ranks.names.items, ranks.names.count * sizeof *names);
    size_t count = distinct(names, ranks.names.count);
    struct platform_spec spec = spec_of(count);
    if (find_storage(&spec.storage, launch->platform_file, arena, error) != 0) {
        host_list_dispose(&ranks);
        return -1;
    }
    launch->platform_file = path_join(arena, directory, "ideal.xml");
    launch->host_file = path_join(arena, directory, "ideal-hostfile");
    int result = write_hostfile(launch->host_file, &spec, &ranks, names, count, error);
    if (result == 0)
        result = platform_write(launch->platform_file, &spec, error);
    host_list_dispose(&ranks);
    return result;
}

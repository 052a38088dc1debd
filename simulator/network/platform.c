/* SPDX-License-Identifier: Apache-2.0
 *
 * A switch as a network, and reading and writing hostfiles; see platform.h.
 */
#include "simulator/network/platform.h"

#include "base/file.h"
#include "base/str.h"
#include "simulator/network/network.h"
#include "simulator/network/units.h"

#include <string.h>

struct platform_spec platform_spec_default(size_t hosts) {
    struct network network = network_default();
    return (struct platform_spec){
        .prefix = network.prefix,
        .hosts = hosts,
        .cores_per_host = network.cores,
        .speed_flops_per_s = network.speed_flops_per_s,
        .bandwidth_bytes_per_s = network.bandwidth_bytes_per_s,
        .latency_s = network.latency_s,
        .loopback_bandwidth_bytes_per_s = network.memory_bandwidth_bytes_per_s,
        .loopback_latency_s = network.memory_latency_s,
    };
}

int platform_write(const char *path, const struct platform_spec *spec, struct error *error) {
    if (spec->hosts == 0)
        return error_set(error, "a platform needs at least one host");
    struct network network = network_default();
    network.prefix = spec->prefix;
    network.hosts = spec->hosts;
    network.storage = spec->storage;
    network.cores = spec->cores_per_host;
    network.speed_flops_per_s = spec->speed_flops_per_s;
    network.bandwidth_bytes_per_s = spec->bandwidth_bytes_per_s;
    network.latency_s = spec->latency_s;
    network.memory_bandwidth_bytes_per_s = spec->loopback_bandwidth_bytes_per_s;
    network.memory_latency_s = spec->loopback_latency_s;
    return network_complete(&network, spec->hosts, error) == 0
               ? network_write(path, &network, error)
               : -1;
}

static int too_many_ranks(size_t ranks, size_t host_count, size_t ranks_per_host,
                          const char *platform, struct error *error) {
    size_t needed = (ranks + host_count - 1) / host_count;
    return error_set(error,
                     "%zu ranks do not fit: %s has %zu host%s, with %zu rank%s on each; give "
                     "--ranks-per-node %zu, or fewer ranks",
                     ranks, platform, host_count, text_plural(host_count), ranks_per_host,
                     text_plural(ranks_per_host), needed);
}

int hostfile_write(const char *path, const char *const *hosts, size_t host_count, size_t ranks,
                   size_t ranks_per_host, bool cyclic, const char *platform, struct error *error) {
    if (ranks == 0 || ranks_per_host == 0 || host_count == 0)
        return error_set(error, "a run needs at least one rank, on at least one host");
    if ((ranks - 1) / ranks_per_host >= host_count)
        return too_many_ranks(ranks, host_count, ranks_per_host, platform, error);
    struct str text = {0};
    size_t used = (ranks - 1) / ranks_per_host + 1;
    for (size_t rank = 0; rank < ranks; rank++)
        str_printf(&text, "%s\n", hosts[cyclic ? rank % used : rank / ranks_per_host]);
    int result = file_write(path, text.text, text.length, error);
    str_dispose(&text);
    return result;
}

static int compare_names(const void *left, const void *right) {
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static bool is_known(const struct host_list *sorted, const char *name) {
    return sorted->names.count == 0 ||
           bsearch(&name, sorted->names.items, sorted->names.count, sizeof name, compare_names);
}

/* The words behind a name, as Open MPI's hostfiles have them: `slots=K` is how many ranks go there;
 * how many may (`max_slots`) is for those who ask for more. */
static int read_words(size_t *slots, char *words, const char *line, const char *path, size_t number,
                      struct error *error) {
    struct error inner = {0};
    char *rest;
    for (char *word = strtok_r(words, " \t\r", &rest); word != NULL;
         word = strtok_r(NULL, " \t\r", &rest)) {
        size_t column = (size_t)(word + 1 - line), most;
        char *value = strchr(word, '=');
        bool is_most = text_has_prefix(word, "max_slots=") || text_has_prefix(word, "max-slots=");
        if (!is_most && !text_has_prefix(word, "slots="))
            return error_set(error,
                             "%s:%zu:%zu: error: '%s' is nothing that a hostfile may say of a "
                             "host; write slots=K, or NAME:K, for K ranks",
                             path, number, column, word);
        if (count_parse(is_most ? &most : slots, value + 1, "the number of slots", &inner) != 0)
            return error_set(error, "%s:%zu:%zu: error: %s", path, number,
                             (size_t)(value + 2 - line), inner.text);
    }
    return 0;
}

/* One line: blanks around the name are dropped, `name:K` and `name slots=K` stand for K lines. */
static int add_line(struct host_list *out, char *line, const struct host_list *sorted,
                    const char *path, size_t number, struct error *error) {
    line[strcspn(line, "#")] = '\0';
    char *name = line + strspn(line, " \t\r"), *words = name + strcspn(name, " \t\r");
    size_t repeat = 1;
    if (*words != '\0')
        *words++ = '\0';
    if (read_words(&repeat, words, line, path, number, error) != 0)
        return -1;
    char *colon = strrchr(name, ':');
    struct error inner = {0};
    if (colon != NULL && count_parse(&repeat, colon + 1, "the number after ':'", &inner) != 0)
        return error_set(error, "%s:%zu:%zu: error: %s", path, number, (size_t)(colon + 2 - line),
                         inner.text);
    if (colon != NULL)
        *colon = '\0';
    if (name[0] == '\0')
        return 0;
    if (!is_known(sorted, name))
        return error_set(error, "%s:%zu:%zu: error: the platform has no host '%s'", path, number,
                         (size_t)(name + 1 - line), name);
    if (out->names.count + repeat > HOSTS_MAX)
        return error_set(error, "%s:%zu:1: error: more than %d places for ranks", path, number,
                         HOSTS_MAX);
    name = arena_strdup(&out->arena, name);
    for (size_t copy = 0; copy < repeat; copy++)
        vec_push(&out->names, name);
    return 0;
}

static struct host_list sorted_copy(const struct host_list *hosts) {
    struct host_list copy = {0};
    for (size_t i = 0; i < hosts->names.count; i++)
        vec_push(&copy.names, hosts->names.items[i]);
    if (copy.names.count > 0)
        qsort(copy.names.items, copy.names.count, sizeof *copy.names.items, compare_names);
    return copy;
}

int hostfile_read(struct host_list *out, const char *path, const struct host_list *known,
                  struct error *error) {
    char *text = NULL;
    if (file_read(&text, NULL, path, error) != 0)
        return -1;
    struct host_list sorted = sorted_copy(known);
    int result = 0;
    size_t number = 1;
    for (char *line = text, *next; result == 0 && line != NULL; line = next, number++) {
        next = strchr(line, '\n');
        if (next != NULL)
            *next++ = '\0';
        result = add_line(out, line, &sorted, path, number, error);
    }
    if (result == 0 && out->names.count == 0)
        result = error_set(error, "%s:1:1: error: this hostfile names no host", path);
    host_list_dispose(&sorted);
    free(text);
    if (result != 0)
        host_list_dispose(out);
    return result;
}

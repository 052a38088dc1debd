/* SPDX-License-Identifier: Apache-2.0
 *
 * Networks in the store and as JSON; see store_networks.h.
 */
#include "model/store/store_networks.h"

#include "model/samples/samples_json.h"
#include "model/store/query.h"

int store_replace_network(struct store *store, const char *machine,
                          const struct stored_network *network, struct error *error) {
    long long row = 0;
    if (store_machine_row(&row, store, machine, error) != 0)
        return -1;
    struct query query = query_prepare(
        store,
        "INSERT OR REPLACE INTO networks (machine, made, host, cpu, launcher, description, error, "
        "worst) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        error);
    query_bind_integer(&query, row);
    query_bind_text(&query, network->made);
    query_bind_text(&query, network->host);
    query_bind_text(&query, network->cpu);
    query_bind_text(&query, network->launcher);
    query_bind_text(&query, network->description);
    query_bind_number(&query, network->error);
    query_bind_number(&query, network->worst);
    query_step(&query);
    return query_finish(&query);
}

int store_write_network(struct store *store, const char *machine,
                        const struct stored_network *network, struct error *error) {
    if (store_begin(store, error) != 0)
        return -1;
    return store_end(store, store_replace_network(store, machine, network, error), error);
}

int store_read_network(const struct stored_network **out, struct arena *arena, struct store *store,
                       const char *machine, struct error *error) {
    struct query query = query_prepare(store,
                                       "SELECT made, host, cpu, launcher, description, error, "
                                       "worst FROM networks JOIN machines ON "
                                       "machines.id = networks.machine WHERE name = ?",
                                       error);
    *out = NULL;
    query_bind_text(&query, machine);
    if (query_step(&query)) {
        struct stored_network *network = ARENA_NEW(arena, struct stored_network);
        *network =
            (struct stored_network){.made = arena_strdup(arena, query_text(&query, 0)),
                                    .host = arena_strdup(arena, query_text(&query, 1)),
                                    .cpu = arena_strdup(arena, query_text(&query, 2)),
                                    .launcher = arena_strdup(arena, query_text(&query, 3)),
                                    .description = arena_strdup(arena, query_text(&query, 4)),
                                    .error = query_number(&query, 5),
                                    .worst = query_number(&query, 6)};
        *out = network;
    }
    return query_finish(&query);
}

/* ---- JSON ---- */

json_t *network_to_json(const struct stored_network *network) {
    return json_pack("{s:s, s:s, s:s, s:s, s:f, s:f, s:s}", "made", network->made, "host",
                     network->host, "cpu", network->cpu, "launcher", network->launcher,
                     "median_error", network->error, "largest_error", network->worst, "description",
                     network->description);
}

static int copy_text(const char **out, struct arena *arena, const json_t *value, const char *key,
                     const struct file_place *place, struct error *error) {
    const char *text = json_get_text(value, key);
    *out = arena_strdup(arena, text != NULL ? text : "");
    return text != NULL ? 0 : place_fail(place, error, "a text of the network is missing");
}

int network_from_json(struct stored_network *out, struct arena *arena, const json_t *value,
                      const struct file_place *place, struct error *error) {
    struct {
        const char **to;
        const char *key;
    } texts[] = {{&out->made, "made"},
                 {&out->host, "host"},
                 {&out->cpu, "cpu"},
                 {&out->launcher, "launcher"},
                 {&out->description, "description"}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (copy_text(texts[i].to, arena, value, texts[i].key, place, error) != 0)
            return -1;
    out->error = json_get_number(value, "median_error", -1);
    out->worst = json_get_number(value, "largest_error", -1);
    if (!(out->error >= 0) || !(out->worst >= 0))
        return place_fail(place, error, "an error of the network is missing or below 0");
    return 0;
}

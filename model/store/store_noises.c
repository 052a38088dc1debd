/* SPDX-License-Identifier: Apache-2.0
 *
 * Noise in the store and as JSON; see store_noises.h.
 */
#include "model/store/store_noises.h"

#include "model/samples/samples_json.h"
#include "model/store/query.h"

int store_replace_noise(struct store *store, const char *machine, const struct stored_noise *noise,
                        struct error *error) {
    long long row = 0;
    if (store_machine_row(&row, store, machine, error) != 0)
        return -1;
    struct query query = query_prepare(store,
                                       "INSERT OR REPLACE INTO noises (machine, made, host, cpu, "
                                       "description) VALUES (?, ?, ?, ?, ?)",
                                       error);
    query_bind_integer(&query, row);
    query_bind_text(&query, noise->made);
    query_bind_text(&query, noise->host);
    query_bind_text(&query, noise->cpu);
    query_bind_text(&query, noise->description);
    query_step(&query);
    return query_finish(&query);
}

int store_write_noise(struct store *store, const char *machine, const struct stored_noise *noise,
                      struct error *error) {
    if (store_begin(store, error) != 0)
        return -1;
    return store_end(store, store_replace_noise(store, machine, noise, error), error);
}

int store_read_noise(const struct stored_noise **out, struct arena *arena, struct store *store,
                     const char *machine, struct error *error) {
    struct query query =
        query_prepare(store,
                      "SELECT made, host, cpu, description FROM noises JOIN machines ON "
                      "machines.id = noises.machine WHERE name = ?",
                      error);
    *out = NULL;
    query_bind_text(&query, machine);
    if (query_step(&query)) {
        struct stored_noise *noise = ARENA_NEW(arena, struct stored_noise);
        *noise = (struct stored_noise){.made = arena_strdup(arena, query_text(&query, 0)),
                                       .host = arena_strdup(arena, query_text(&query, 1)),
                                       .cpu = arena_strdup(arena, query_text(&query, 2)),
                                       .description = arena_strdup(arena, query_text(&query, 3))};
        *out = noise;
    }
    return query_finish(&query);
}

/* ---- JSON ---- */

json_t *noise_to_json(const struct stored_noise *noise) {
    return json_pack("{s:s, s:s, s:s, s:s}", "made", noise->made, "host", noise->host, "cpu",
                     noise->cpu, "description", noise->description);
}

int noise_from_json(struct stored_noise *out, struct arena *arena, const json_t *value,
                    const struct file_place *place, struct error *error) {
    const char *made = json_get_text(value, "made"), *host = json_get_text(value, "host");
    const char *cpu = json_get_text(value, "cpu");
    const char *description = json_get_text(value, "description");
    if (made == NULL || host == NULL || cpu == NULL || description == NULL)
        return place_fail(place, error,
                          "'made', 'host', 'cpu' or 'description' of the noise is missing");
    *out = (struct stored_noise){arena_strdup(arena, made), arena_strdup(arena, host),
                                 arena_strdup(arena, cpu), arena_strdup(arena, description)};
    return 0;
}

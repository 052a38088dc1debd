/* SPDX-License-Identifier: Apache-2.0
 *
 * Profiles of machines in the store; see store_profiles.h.
 */
#include "model/store/store_profiles.h"

#include "model/store/query.h"

static int replace(struct store *store, const char *machine, const char *description,
                   struct error *error) {
    long long row = 0;
    if (store_machine_row(&row, store, machine, error) != 0)
        return -1;
    struct query query = query_prepare(
        store, "INSERT OR REPLACE INTO profiles (machine, description) VALUES (?, ?)", error);
    query_bind_integer(&query, row);
    query_bind_text(&query, description);
    query_step(&query);
    return query_finish(&query);
}

int store_write_profile(struct store *store, const char *machine, const char *description,
                        struct error *error) {
    if (store_begin(store, error) != 0)
        return -1;
    return store_end(store, replace(store, machine, description, error), error);
}

int store_read_profile(const char **out, struct arena *arena, struct store *store,
                       const char *machine, struct error *error) {
    struct query query = query_prepare(store,
                                       "SELECT description FROM profiles JOIN machines ON "
                                       "machines.id = profiles.machine WHERE name = ?",
                                       error);
    *out = NULL;
    query_bind_text(&query, machine);
    if (query_step(&query))
        *out = arena_strdup(arena, query_text(&query, 0));
    return query_finish(&query);
}

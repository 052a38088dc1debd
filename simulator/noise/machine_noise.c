/* SPDX-License-Identifier: Apache-2.0 */
#include "simulator/noise/machine_noise.h"

#include "base/file.h"
#include "model/store/store_noises.h"

#include <string.h>

#define OF_MACHINE "machine:"

/* No noise where there is no store, or none of that machine: `from` stays NULL. */
static int find_stored(struct machine_noise *out, const char *machine, const char *bundle,
                       struct arena *arena, struct error *error) {
    const char *path = path_join(arena, bundle, "store.db");
    const struct stored_noise *stored = NULL;
    struct store *store = NULL;
    if (!file_exists(path))
        return 0;
    if (store_open_to_read(&store, path, error) != 0)
        return -1;
    int result = store_read_noise(&stored, arena, store, machine, error);
    store_close(store);
    if (result != 0 || stored == NULL)
        return result;
    out->from = arena_printf(arena, OF_MACHINE "%s", machine);
    return interruptions_parse(&out->interruptions, arena_strdup(arena, stored->description),
                               out->from, error);
}

static int find_machine(struct machine_noise *out, const char *machine, const char *bundle,
                        struct arena *arena, struct error *error) {
    if (find_stored(out, machine, bundle, arena, error) != 0)
        return -1;
    if (out->from != NULL)
        return 0;
    return error_set(error,
                     "--noise-of: %s/store.db knows no noise of machine '%s'; `mpiskel calibrate "
                     "--noise --machine %s --bundle %s` measures it there",
                     bundle, machine, machine, bundle);
}

/* Of the machine whose latencies are taken. */
static struct machine_noise find_own(const char *machine, const char *bundle, struct arena *arena) {
    static const struct machine_noise none;
    struct machine_noise own = none;
    struct error error = {0};
    if (machine == NULL || find_stored(&own, machine, bundle, arena, &error) == 0)
        return own;
    note("warning: the noise of machine '%s' is left out: %s", machine, error.text);
    return none;
}

static int find_other(struct machine_noise *out, const char *of, const char *bundle,
                      struct arena *arena, struct error *error) {
    if (strncmp(of, OF_MACHINE, strlen(OF_MACHINE)) == 0)
        return find_machine(out, of + strlen(OF_MACHINE), bundle, arena, error);
    out->from = of;
    return interruptions_read(&out->interruptions, of, error);
}

int machine_noise_find(struct machine_noise *out, const char *of, const char *machine,
                       const char *bundle, struct arena *arena, struct error *error) {
    struct machine_noise other = {.from = NULL};
    *out = find_own(machine, bundle, arena);
    if (of == NULL)
        return 0;
    if (find_other(&other, of, bundle, arena, error) != 0)
        return -1;
    other.interruptions.held = out->interruptions.held;
    *out = other;
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * See unexplained_note.h. A bundle that cannot be read tells so where it is used; a store, here.
 */
#include "cli/common/unexplained_note.h"

#include "base/file.h"
#include "model/eval/eval.h"
#include "model/store/store.h"
#include "simulator/run/bundle.h"

static const char *machine_of(struct arena *arena, const char *directory) {
    struct bundle bundle;
    struct error ignored = {0};
    const char *machine = NULL;
    if (bundle_open(&bundle, directory, &ignored) != 0)
        return NULL;
    if (file_exists(bundle.model_file) && bundle_load_model(&bundle, &ignored) == 0 &&
        bundle.model != NULL && bsim_model_machine(bundle.model) != NULL)
        machine = arena_strdup(arena, bsim_model_machine(bundle.model));
    bundle_close(&bundle);
    return machine;
}

static void tell(const struct unexplained *unexplained, const struct regions *regions) {
    struct findings findings = {0};
    unexplained_add_finding(&findings, unexplained, regions);
    for (size_t i = 0; i < findings.items.count; i++)
        note("warning: %s; %s", findings.items.items[i].text, findings.items.items[i].remedy);
    findings_dispose(&findings);
}

static struct unexplained look(const char *path, const char *directory, const char *machine) {
    struct unexplained out = {0};
    struct regions regions = {0};
    struct samples runs = {0};
    struct store *store = NULL;
    struct error error = {0};
    bool is_read = regions_read_bundle(&regions, directory, &error) == 0;
    if (is_read && store_open_to_read(&store, path, &error) == 0 &&
        store_runs(&runs, store, &regions, machine, &error) == 0) {
        unexplained_add_runs(&out, &runs);
        tell(&out, &regions);
    } else if (is_read) {
        note("warning: what nothing explains of profiled runs is not known: %s", error.text);
    }
    out.site = NULL;
    if (store != NULL)
        store_close(store);
    samples_dispose(&runs);
    regions_dispose(&regions);
    return out;
}

struct unexplained unexplained_note(const char *bundle, const char *machine) {
    struct arena arena = {0};
    struct unexplained out = {0};
    const char *path = path_join(&arena, bundle, "store.db");
    if (machine == NULL)
        machine = machine_of(&arena, bundle);
    if (machine != NULL && file_exists(path))
        out = look(path, bundle, machine);
    arena_dispose(&arena);
    return out;
}

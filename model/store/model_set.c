/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of sets of models, and what there is instead of one that is not there; see model_set.h.
 */
#include "model/store/model_set.h"

#include "base/str.h"
#include "model/store/machine_name.h"
#include "model/store/store_machines.h"

#include <string.h>

struct model_set {
    char machine[256];
    bool has_statistic;
    enum statistic statistic;
};

static int parse_set(struct model_set *out, const char *name, struct error *error) {
    const char *colon = strchr(name, ':');
    size_t length = colon != NULL ? (size_t)(colon - name) : strlen(name);
    *out = (struct model_set){.has_statistic = colon != NULL};
    if (length < sizeof out->machine)
        memcpy(out->machine, name, length);
    if (!machine_is_name(out->machine))
        return error_set(error, "'%.*s' is no name of a machine", (int)length, name);
    if (colon != NULL && !statistic_parse(&out->statistic, colon + 1))
        return error_set(error, "'%s': behind the colon stands median, minimum or mean, not '%s'",
                         name, colon + 1);
    return 0;
}

static void add_set(struct str *out, const struct machine *machine) {
    const char *at = machine->statistics;
    while (*at != '\0') {
        size_t length = strcspn(at, " ");
        str_printf(out, "%s%s:%.*s", out->length > 0 ? ", " : "", machine->name, (int)length, at);
        at += length + strspn(at + length, " ");
    }
}

/* There is no such set; tells which there are. */
static int fail_without(const struct model_set *set, struct store *store,
                        const struct regions *regions, const char *bundle, struct error *error) {
    struct machines machines;
    struct str sets = {0}, fit = {0};
    if (machines_read(&machines, store, regions, error) != 0)
        return -1;
    for (int i = 0; i < machines.count; i++)
        add_set(&sets, &machines.items[i]);
    str_printf(&fit, "mpiskel fit %s --machine %s%s%s", bundle, set->machine,
               set->has_statistic ? " --statistic " : "",
               set->has_statistic ? statistic_name(set->statistic) : "");
    if (machine_find(&machines, set->machine) != NULL)
        error_set(error, "there are no such models of machine '%s'; `%s` makes them", set->machine,
                  fit.text);
    else
        error_set(error, "there is no run of machine '%s'%s%s", set->machine,
                  sets.length > 0 ? "; there are models of " : "", str_text(&sets));
    str_dispose(&sets);
    str_dispose(&fit);
    machines_dispose(&machines);
    return -1;
}

static bool has_models(const struct models *models) {
    for (int i = 0; i < models->count; i++)
        if (models->items[i].fitted)
            return true;
    return false;
}

int model_set_read(struct models *out, struct store *store, const struct regions *regions,
                   const char *bundle, const char *name, struct error *error) {
    struct model_set set;
    if (parse_set(&set, name, error) != 0)
        return -1;
    int result = set.has_statistic
                     ? store_models_of(out, store, regions, set.machine, set.statistic, error)
                     : store_models(out, store, regions, set.machine, error);
    if (result == 0 && !has_models(out)) {
        models_dispose(out);
        return fail_without(&set, store, regions, bundle, error);
    }
    return result;
}

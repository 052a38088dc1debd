/* SPDX-License-Identifier: Apache-2.0
 *
 * Bundles and what is printed about them; see opened.h.
 */
#include "cli/opened.h"

#include "base/file.h"

#include <stdio.h>
#include <string.h>

int opened_open(struct opened *out, const char *bundle, bool make, struct error *error) {
    *out = (struct opened){.bundle = bundle};
    arena_init(&out->arena);
    const char *regions = path_join(&out->arena, bundle, "regions.json");
    const char *store = path_join(&out->arena, bundle, "store.db");
    if (!file_exists(regions))
        return error_set(error,
                         "%s is not a bundle: it has no regions.json; make one with `mpiskel "
                         "generate -o %s`",
                         bundle, bundle);
    if (!make && !file_exists(store))
        return error_set(
            error,
            "%s has no store: run `mpirun -np 2 %s/profile ARGUMENTS` and `mpiskel fit "
            "%s` first",
            bundle, bundle, bundle);
    if (regions_read(&out->regions, regions, error) != 0)
        return -1;
    return store_open(&out->store, store, error);
}

void opened_close(struct opened *opened) {
    store_close(opened->store);
    regions_dispose(&opened->regions);
    arena_dispose(&opened->arena);
}

int output_finish(struct error *error) {
    if (fflush(stdout) != 0 || ferror(stdout))
        return error_set(error, "cannot write the report on the standard output");
    return 0;
}

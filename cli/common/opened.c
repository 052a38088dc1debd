/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/common/opened.h"

#include "base/file.h"

#include <stdio.h>

int opened_open(struct opened *out, const char *bundle, bool make, struct error *error) {
    *out = (struct opened){.bundle = bundle};
    arena_init(&out->arena);
    const char *store = path_join(&out->arena, bundle, "store.db");
    if (regions_read_bundle(&out->regions, bundle, error) != 0)
        return -1;
    if (!make && !file_exists(store))
        return error_set(error,
                         "%s has no store: run `%s%s/profile ARGUMENTS` and `mpiskel fit "
                         "%s` first",
                         bundle, regions_launcher(&out->regions), bundle, bundle);
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

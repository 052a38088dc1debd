/* SPDX-License-Identifier: Apache-2.0
 *
 * See other_processor.h. As `mpiskel fit` does it, regions that call one function share a model.
 */
#include "simulator/changes/other_processor.h"

#include "base/file.h"
#include "model/fit.h"
#include "model/kernel.h"
#include "model/samples/told_again.h"
#include "model/store/store.h"

#include <string.h>

int other_processor_read(struct processor *out, const char *file, struct error *error) {
    char message[PROCESSOR_TEXT];
    return processor_read(out, file, message, sizeof message) == 0
               ? 0
               : error_set(error, "%s", message);
}

static int read_samples(struct samples *out, const struct bundle *bundle, const char *machine,
                        const char *file, struct error *error) {
    struct arena arena = {0};
    struct store *store = NULL;
    const char *path = path_join(&arena, bundle->directory, "store.db");
    int result = file_exists(path)
                     ? store_open(&store, path, error)
                     : error_set(error,
                                 "--processor %s: %s has no store: `mpiskel fit` makes it of the "
                                 "samples",
                                 file, bundle->directory);
    if (result == 0)
        result = store_samples(out, store, &bundle->regions, machine, error);
    store_close(store);
    arena_dispose(&arena);
    return result;
}

int other_processor_fit(struct models *out, const struct bundle *bundle, const char *machine,
                        const char *file, struct error *error) {
    struct processor processor;
    struct samples samples;
    if (regions_need_source(&bundle->regions,
                            "what was counted in its regions is not kept; record it with "
                            "--clock=counted:FILE of that processor",
                            error) != 0 ||
        other_processor_read(&processor, file, error) != 0 ||
        read_samples(&samples, bundle, machine, file, error) != 0)
        return -1;
    int result = samples_tell_again(&samples, &processor, file, error);
    if (result == 0) {
        models_fit(out, &samples, &bundle->regions, machine);
        kernels_share(out, &samples, &bundle->regions, NULL);
    }
    samples_dispose(&samples);
    return result;
}

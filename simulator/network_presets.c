/* SPDX-License-Identifier: Apache-2.0
 *
 * The presets; see network_presets.h.
 */
#include "simulator/network_presets.h"

#include <stddef.h>
#include <string.h>

static const struct network_preset presets[] = {
    {"ideal", "communication takes no time: what is left of MPI is waiting",
     "title = no latency, no limit of bandwidth\n"
     "topology = ideal\n"},
    {NULL, NULL, NULL},
};

const struct network_preset *network_presets(void) {
    return presets;
}

const struct network_preset *network_preset_find(const char *name) {
    for (const struct network_preset *preset = presets; preset->name != NULL; preset++)
        if (strcmp(preset->name, name) == 0)
            return preset;
    return NULL;
}

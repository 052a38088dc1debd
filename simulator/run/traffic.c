/* SPDX-License-Identifier: Apache-2.0 */
#include "simulator/run/traffic.h"

#include "base/file.h"
#include "runtime/formats/messages_page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *messages_library(struct arena *arena) {
    const char *path = path_of_library(arena, "libbsim_messages.so");
    return file_exists(path) ? path : NULL;
}

const char *traffic_preloaded(struct arena *arena, bool is_counted) {
    const char *library = messages_library(arena), *others = getenv("LD_PRELOAD");
    if (library == NULL || strpbrk(library, " :") != NULL)
        return NULL;
    if (is_counted)
        library =
            arena_printf(arena, "%s:%s", library, path_of_library(arena, "libbsim_counted.so"));
    return others != NULL ? arena_printf(arena, "%s:%s", library, others) : library;
}

void traffic_read(struct traffic *out, const char *path) {
    struct messages_page page;
    FILE *file = fopen(path, "rb");
    *out = (struct traffic){0};
    if (file == NULL)
        return;
    if (fread(&page, sizeof page, 1, file) == 1)
        *out = (struct traffic){true,
                                (double)page.count,
                                page.bytes,
                                page.reference_s,
                                page.bursts.computed_s,
                                page.bursts.disturbed_s,
                                page.bursts.replaced_s};
    fclose(file);
}

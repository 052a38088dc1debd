/* SPDX-License-Identifier: Apache-2.0
 *
 * Assumptions by their names (docs/reference/assumptions.md).
 */
#include "skeletonizer/slice/slice.h"

#include <string.h>

const struct assumptions assumptions_default = {
    .type_classes = true, .aligned_collectives = true, .files_apart = true};

int assumptions_set(struct assumptions *a, const char *name) {
    bool value = strncmp(name, "no:", 3) != 0;
    if (!value)
        name += 3;
    if (strcmp(name, "none") == 0)
        *a = (struct assumptions){0};
    else if (strcmp(name, "no-abnormal-exit") == 0)
        a->no_abnormal_exit = value;
    else if (strcmp(name, "cuts") == 0)
        a->cuts = value;
    else if (strcmp(name, "type-classes") == 0)
        a->type_classes_asked = true, a->type_classes = value;
    else if (strcmp(name, "aligned-collectives") == 0)
        a->aligned_collectives = value;
    else if (strcmp(name, "files-apart") == 0)
        a->files_apart = value;
    else
        return -1;
    return 0;
}

char *assumptions_text(struct arena *arena, const struct assumptions *a) {
    char *text = arena_printf(
        arena, "%s%s%s%s%s", a->type_classes ? "type-classes " : "",
        a->aligned_collectives ? "aligned-collectives " : "", a->files_apart ? "files-apart " : "",
        a->no_abnormal_exit ? "no-abnormal-exit " : "", a->cuts ? "cuts " : "");
    size_t length = strlen(text);
    if (length > 0)
        text[length - 1] = '\0';
    return text;
}

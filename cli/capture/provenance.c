/* SPDX-License-Identifier: Apache-2.0
 *
 * See provenance.h. A list that is gone through: builds have some thousand objects.
 */
#include "cli/capture/provenance.h"

#include "base/file.h"

#include <string.h>

void provenance_dispose(struct provenance *provenance) {
    vec_dispose(&provenance->items);
    arena_dispose(&provenance->arena);
}

static bool same(const char *one, const char *other) {
    return one != NULL && other != NULL && strcmp(one, other) == 0;
}

static struct build_product *last_at(struct provenance *provenance, const char *path) {
    for (size_t i = provenance->items.count; i-- > 0;)
        if (same(provenance->items.items[i].path, path))
            return &provenance->items.items[i];
    return NULL;
}

static bool is_name(const struct provenance *provenance, const char *name) {
    for (size_t i = 0; i < provenance->items.count; i++)
        if (same(provenance->items.items[i].name, name))
            return true;
    return false;
}

/* With the suffix of the path, which tells what it is. */
static const char *unlike_others(struct provenance *provenance, const char *path) {
    const char *suffix = strchr(path_base(path), '.');
    const char *name = path;
    for (int number = 2; is_name(provenance, name); number++)
        name =
            arena_printf(&provenance->arena, "%s.%d%s", path, number, suffix != NULL ? suffix : "");
    return name;
}

const char *provenance_add(struct provenance *provenance, const char *path, const char *contents,
                           bool *out_replaces) {
    struct arena *arena = &provenance->arena;
    struct build_product *before = last_at(provenance, path);
    contents = contents != NULL ? arena_strdup(arena, contents) : NULL;
    *out_replaces = before != NULL && (!before->is_used || same(before->contents, contents));
    if (*out_replaces) {
        before->contents = contents;
        return before->name;
    }
    struct build_product product = {.path = arena_strdup(arena, path),
                                    .contents = contents,
                                    .name = unlike_others(provenance, path)};
    product.name = arena_strdup(arena, product.name);
    vec_push(&provenance->items, product);
    return product.name;
}

void provenance_alias(struct provenance *provenance, const char *path, const char *contents,
                      const char *name) {
    struct arena *arena = &provenance->arena;
    vec_push(&provenance->items, (struct build_product){.path = arena_strdup(arena, path),
                                                        .contents = arena_strdup(arena, contents),
                                                        .name = arena_strdup(arena, name),
                                                        .is_used = true});
}

static const char *use(struct provenance *provenance, const char *name) {
    for (size_t i = 0; i < provenance->items.count; i++)
        if (same(provenance->items.items[i].name, name))
            provenance->items.items[i].is_used = true;
    return name;
}

const char *provenance_find(struct provenance *provenance, const char *path, const char *contents) {
    const struct build_product *found = NULL;
    int best = -1;
    for (size_t i = 0; i < provenance->items.count; i++) {
        const struct build_product *product = &provenance->items.items[i];
        if (!same(product->contents, contents))
            continue;
        int fit = same(product->path, path) ? 2 : same(path_base(product->path), path_base(path));
        if (fit >= best) {
            found = product;
            best = fit;
        }
    }
    return found != NULL ? use(provenance, found->name) : NULL;
}

const char *provenance_made_at(struct provenance *provenance, const char *path) {
    const struct build_product *found = last_at(provenance, path);
    return found != NULL ? use(provenance, found->name) : NULL;
}

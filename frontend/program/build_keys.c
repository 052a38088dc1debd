/* SPDX-License-Identifier: Apache-2.0
 *
 * Keys of what several units define in one text: a static function or variable of a header. Where
 * macros make something else of the text than in the units before, it gets a key of its own, and
 * with it what refers to it.
 *
 * What is equal in all units stays one function, whose text is rewritten once, or one variable,
 * though each unit has its own: what is written to one of them is taken for written to each.
 * Static variables of functions are always taken so.
 */
#include "frontend/program/build.h"

#include <stdlib.h>
#include <string.h>

/* What a text was in one of the units before; in a list, by the key that its place gives. */
struct version {
    const struct definition *definition;
    struct version *next;
};

static bool is_same_text(const char *left, const char *right) {
    return left == right || (left != NULL && right != NULL && strcmp(left, right) == 0);
}

/* The name of a type without one has the path of its file, which units may spell differently. */
static bool is_same_type(const struct type *left, const struct type *right) {
    if (left == NULL || right == NULL)
        return left == right;
    return left->kind == right->kind && left->size_bytes == right->size_bytes &&
           left->field_count == right->field_count &&
           (strstr(left->name, " at ") != NULL || strcmp(left->name, right->name) == 0);
}

static bool is_same_declaration(const struct declaration *left, const struct declaration *right) {
    if (left == NULL || right == NULL)
        return left == right;
    return strcmp(left->key, right->key) == 0;
}

static bool is_same(const struct ast *left, const struct ast *right) {
    if (left == NULL || right == NULL)
        return left == right;
    if (left->kind != right->kind || left->range.file != right->range.file ||
        left->range.begin != right->range.begin || left->range.end != right->range.end ||
        left->has_value != right->has_value || left->value != right->value ||
        left->member_offset_bytes != right->member_offset_bytes ||
        left->kid_count != right->kid_count || !is_same_text(left->op, right->op) ||
        !is_same_text(left->name, right->name) || !is_same_type(left->type, right->type) ||
        !is_same_declaration(left->declaration, right->declaration))
        return false;
    for (int i = 0; i < left->kid_count; i++)
        if (!is_same(left->kids[i], right->kids[i]))
            return false;
    return true;
}

bool build_is_same(const struct definition *left, const struct definition *right) {
    if (left->parameter_count != right->parameter_count || !is_same(left->body, right->body) ||
        !is_same(left->variable, right->variable) || !is_same_type(left->result, right->result))
        return false;
    for (int i = 0; i < left->parameter_count; i++)
        if (!is_same(left->parameter_variables[i], right->parameter_variables[i]))
            return false;
    return true;
}

static const char *find_key(const struct builder *b, const struct definition *definition,
                            const char *key_of_place, int unit) {
    const struct version *versions = names_get(b->program->names, "versions", key_of_place);
    const struct version *version = versions;
    while (version != NULL && !build_is_same(version->definition, definition))
        version = version->next;
    if (version != NULL)
        return version->definition->declaration->key;
    return versions == NULL ? key_of_place
                            : arena_printf(&b->program->arena, "%s@%d", key_of_place, unit);
}

static void note_version(struct builder *b, const struct definition *definition,
                         const char *key_of_place) {
    struct version *first = names_get(b->program->names, "versions", key_of_place);
    for (const struct version *other = first; other != NULL; other = other->next)
        if (build_is_same(other->definition, definition))
            return;
    struct version *version = ARENA_NEW(&b->program->arena, struct version);
    version->definition = definition;
    if (first == NULL) {
        names_put(b->program->names, "versions", key_of_place, version);
    } else {
        version->next = first->next;
        first->next = version;
    }
}

static bool may_have_versions(const struct definition *definition) {
    return !definition->declaration->external_linkage &&
           (definition->body != NULL || definition->variable != NULL);
}

void build_keys(struct builder *b, const struct unit *unit, int index) {
    size_t count = (size_t)unit->definition_count;
    const char **keys = xmalloc((count + 1) * sizeof *keys);
    bool changed = true;
    for (size_t i = 0; i < count; i++)
        keys[i] = unit->definitions[i].declaration->key;
    /* What refers to one with a key of its own is another one as well. */
    for (size_t round = 0; changed && round <= count; round++) {
        changed = false;
        for (size_t i = 0; i < count; i++) {
            struct definition *definition = &unit->definitions[i];
            if (!may_have_versions(definition))
                continue;
            const char *key = find_key(b, definition, keys[i], index);
            changed |= strcmp(key, definition->declaration->key) != 0;
            definition->declaration->key = key;
        }
    }
    for (size_t i = 0; i < count; i++)
        if (may_have_versions(&unit->definitions[i]))
            note_version(b, &unit->definitions[i], keys[i]);
    free(keys);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * The file is read as samples of the old bundle first (sample.c checks everything there is to
 * check); then its lines are written again: the first with the new bundle's id, each sample with
 * the new number of its region, the last with their number.
 */
#include "model/samples/translate.h"

#include "base/file.h"
#include "base/json.h"
#include "base/str.h"
#include "model/samples/sample.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Behind a number or a character constant; `at` if there is none. */
static const char *skip_constant(const char *begin, const char *at) {
    bool in_name = at > begin && (isalnum((unsigned char)at[-1]) || at[-1] == '_');
    if (*at == '\'') {
        size_t escape = at[1] == '\\' && at[2] != '\0';
        const char *end = at[1] != '\0' ? strchr(at + 2 + escape, '\'') : NULL;
        return end != NULL ? end + 1 : at;
    }
    if (in_name || !isdigit((unsigned char)*at))
        return at;
    char *end = NULL;
    strtod(at, &end);
    while (isalnum((unsigned char)*end)) /* u, L, f */
        end++;
    return end;
}

/* Where one has a constant the other one may have another. */
static bool same_but_constants(const char *one, const char *other) {
    const char *left = one, *right = other;
    while (*left != '\0' && *right != '\0') {
        const char *left_end = skip_constant(one, left);
        const char *right_end = skip_constant(other, right);
        bool constants = left_end > left && right_end > right;
        if (!constants && *left != *right)
            return false;
        left = constants ? left_end : left + 1;
        right = constants ? right_end : right + 1;
    }
    return *left == *right;
}

bool regions_have_same_features(const struct region *one, const struct region *other,
                                enum sameness sameness) {
    if (one->feature_count != other->feature_count)
        return false;
    for (int i = 0; i < one->feature_count; i++) {
        const char *left = one->features[i].expression, *right = other->features[i].expression;
        if (strcmp(one->features[i].name, other->features[i].name) != 0 ||
            !(sameness == SAME_CODE ? strcmp(left, right) == 0 : same_but_constants(left, right)))
            return false;
    }
    return true;
}

/* "main-82d07aac.2": values are counted if they are spelled alike, and another build may have
 * others of them. Which one it is code and family tell; and --with wants builds of one source,
 * where it is on one line. */
static bool same_value(const struct region *one, const struct region *other,
                       enum sameness sameness) {
    const char *left = strrchr(one->id, '-'), *right = strrchr(other->id, '-');
    size_t length = left != NULL ? strcspn(left, ".") : 0;
    return left != NULL && right != NULL && strcspn(right, ".") == length &&
           strncmp(left, right, length) == 0 &&
           (sameness == SAME_CODE ||
            (one->line == other->line && strcmp(one->file, other->file) == 0));
}

static bool same_region(const struct region *one, const struct region *other,
                        enum sameness sameness) {
    const char *left = sameness == SAME_CODE ? one->code : one->family;
    const char *right = sameness == SAME_CODE ? other->code : other->family;
    return left[0] != '\0' && strcmp(left, right) == 0 && one->value == other->value &&
           (one->value != VALUE_NONE ? same_value(one, other, sameness)
                                     : strcmp(one->id, other->id) == 0) &&
           regions_have_same_features(one, other, sameness);
}

int regions_map(int *out, const struct regions *old, const struct regions *now,
                enum sameness sameness) {
    int found = 0;
    for (int i = 0; i < old->count; i++) {
        out[i] = -1;
        for (int k = 0; k < now->count && out[i] < 0; k++)
            if (same_region(&old->items[i], &now->items[k], sameness))
                out[i] = k;
        found += out[i] >= 0;
    }
    return found;
}

static void add_line(struct str *out, const json_t *value) {
    char *text = json_dumps(value, JSON_COMPACT | JSON_PRESERVE_ORDER);
    str_add(out, text != NULL ? text : "{}");
    str_addc(out, '\n');
    free(text);
}

/* The regions before have new numbers as well; one that is not there any more is none of them. */
static void translate_contexts(json_t *contexts, const int *map, int region_count) {
    for (size_t i = CONTEXT_BEFORE; i < json_array_size(contexts); i += CONTEXT_NUMBERS) {
        long long before = json_integer_value(json_array_get(contexts, i));
        if (before < 0)
            continue;
        bool found = before < region_count && map[before] >= 0;
        json_array_set_new(contexts, i, json_integer(found ? map[before] : CONTEXT_LOST));
    }
}

/* Counts of calls are of the build that made them: of this one they would be taken for a promise.
 */
static void translate_line(struct str *out, size_t *count, json_t *value, const struct regions *now,
                           const int *map, int region_count) {
    long long region = json_get_integer(value, "region", -1);
    if (json_object_get(value, "bundle") != NULL) {
        json_object_set_new(value, "bundle", json_string(now->bundle));
        add_line(out, value);
    } else if (region >= 0 && map[region] >= 0) {
        json_object_set_new(value, "region", json_integer(map[region]));
        translate_contexts(json_object_get(value, "contexts"), map, region_count);
        add_line(out, value);
        ++*count;
    } else if (json_is_true(json_object_get(value, "end"))) {
        json_object_set_new(value, "lines", json_integer((json_int_t)*count));
        add_line(out, value);
    }
}

int samples_translate(size_t *out_count, const char *to, const char *from,
                      const struct regions *old, const struct regions *now, const int *map,
                      struct error *error) {
    struct samples samples;
    struct str out = {0};
    char *text = NULL;
    *out_count = 0;
    if (samples_read(&samples, from, old, error) != 0)
        return -1;
    samples_dispose(&samples);
    if (file_read(&text, NULL, from, error) != 0)
        return -1;
    for (char *line = text, *next; *line != '\0'; line = next) {
        json_error_t ignored;
        size_t length = strcspn(line, "\n");
        json_t *value = json_loadb(line, length, 0, &ignored);
        translate_line(&out, out_count, value, now, map, old->count);
        json_decref(value);
        next = line + length + (line[length] == '\n');
    }
    free(text);
    int result = *out_count > 0 ? file_write(to, out.text, out.length, error) : 0;
    str_dispose(&out);
    return result;
}

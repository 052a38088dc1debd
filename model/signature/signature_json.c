/* SPDX-License-Identifier: Apache-2.0
 *
 * signature.json, read and written; docs/reference/signature.md has its form. All numbers are
 * checked here, so that whoever gets a signature need not check again.
 */
#include "model/signature/signature.h"

#include <math.h>
#include <string.h>

#define FORMAT "mpiskel-signature"
#define VERSION 1
#define COUNT_MOST 1e15 /* of operations as written: beyond it, a file is damaged */

static const char *const kinds[] = {"region", "loop", "branch", "kernel"};

/* ---- Writing ---- */

static json_t *operations_to_json(const double *operations) {
    json_t *object = json_object();
    for (int i = 0; i < OPERATION_COUNT; i++)
        if (operations[i] != 0)
            json_object_set_new(object, operation_name((enum signature_operation)i),
                                json_real(operations[i]));
    return object;
}

static json_t *access_to_json(const struct signature_access *access) {
    json_t *steps = json_array();
    for (int i = 0; i < access->step_count; i++)
        json_array_append_new(steps, json_pack("{s:i, s:f}", "block", access->steps[i].block,
                                               "stride", access->steps[i].stride_bytes));
    return json_pack("{s:o, s:i, s:f, s:f, s:s, s:o, s:o}", "array", json_any_text(access->array),
                     "bytes", access->element_bytes, "loads", access->loads, "stores",
                     access->stores, "class", stride_class_name(access->class), "steps", steps,
                     "offset", json_any_text(access->offset));
}

static json_t *call_to_json(const struct signature_call *call) {
    json_t *object =
        json_pack("{s:o, s:f}", "name", json_any_text(call->name), "count", call->count);
    if (call->feature >= 0)
        json_object_set_new(object, "feature", json_integer(call->feature + 1));
    if (call->is_opaque)
        json_object_set_new(object, "opaque", json_true());
    return object;
}

static json_t *block_to_json(const struct signature_block *block) {
    json_t *accesses = json_array(), *calls = json_array();
    for (int i = 0; i < block->access_count; i++)
        json_array_append_new(accesses, access_to_json(&block->accesses[i]));
    for (int i = 0; i < block->call_count; i++)
        json_array_append_new(calls, call_to_json(&block->calls[i]));
    json_t *object =
        json_pack("{s:s, s:i, s:i, s:o}", "kind", kinds[block->kind], "parent", block->parent,
                  "line", block->line, "variable", json_any_text(block->variable));
    if (block->feature >= 0)
        json_object_set_new(object, "feature", json_integer(block->feature + 1));
    if (isfinite(block->factor))
        json_object_set_new(object, "factor", json_real(block->factor));
    if (block->is_guess)
        json_object_set_new(object, "guess", json_true());
    json_object_set_new(object, "operations", operations_to_json(block->operations));
    json_object_set_new(object, "accesses", accesses);
    json_object_set_new(object, "calls", calls);
    return object;
}

json_t *signature_region_to_json(const struct signature_region *region) {
    json_t *blocks = json_array(), *unknowns = json_array();
    for (int i = 0; i < region->block_count; i++)
        json_array_append_new(blocks, block_to_json(&region->blocks[i]));
    for (int i = 0; i < region->unknown_count; i++)
        json_array_append_new(unknowns, json_pack("{s:o, s:i}", "what",
                                                  json_any_text(region->unknowns[i].what), "line",
                                                  region->unknowns[i].line));
    return json_pack("{s:i, s:s, s:i, s:o, s:o}", "index", region->index, "id", region->id,
                     "features", region->feature_count, "blocks", blocks, "unknown", unknowns);
}

static json_t *next_region(void *context, size_t index) {
    const struct signature *signature = context;
    return index < (size_t)signature->count ? signature_region_to_json(&signature->regions[index])
                                            : NULL;
}

int signature_write(const struct signature *signature, const char *path, struct error *error) {
    json_t *root = json_pack("{s:s, s:i, s:s, s:[]}", "format", FORMAT, "version", VERSION,
                             "bundle", signature->bundle, "regions");
    int result = json_write_list(root, "regions", next_region, (void *)signature, path, error);
    json_decref(root);
    return result;
}

/* ---- Reading: -1 is anything that is not as it was written ---- */

static int read_count(double *out, const json_t *object, const char *key, double fallback) {
    *out = json_get_number(object, key, fallback);
    return isnan(*out) || (*out >= 0 && *out <= COUNT_MOST) ? 0 : -1;
}

static int read_index(int *out, const json_t *object, const char *key, long long fallback,
                      long long least, long long end) {
    long long value = json_get_integer(object, key, fallback);
    *out = (int)value;
    return value >= least && value < end ? 0 : -1;
}

static int read_name(int *out, const json_t *object, const char *key, const char *(*name)(int),
                     int count) {
    const char *text = json_get_text(object, key);
    for (*out = 0; *out < count; ++*out)
        if (text != NULL && strcmp(text, name(*out)) == 0)
            return 0;
    return -1;
}

static const char *name_of_kind(int kind) {
    return kinds[kind];
}

static const char *name_of_class(int class) {
    return stride_class_name((enum stride_class) class);
}

static const char *read_text(struct arena *arena, const json_t *object, const char *key) {
    const char *text = json_get_text(object, key);
    return text != NULL ? arena_strdup(arena, text) : NULL;
}

/* The blocks around, of which `steps` may speak, are those before `end`. */
static int read_access(struct signature_access *out, struct arena *arena, const json_t *value,
                       int end) {
    const json_t *list = json_object_get(value, "steps");
    size_t count = json_array_size(list);
    struct signature_step *steps = ARENA_ARRAY(arena, struct signature_step, count + 1);
    int class;
    *out = (struct signature_access){.steps = steps, .step_count = (int)count};
    out->array = read_text(arena, value, "array");
    out->offset = read_text(arena, value, "offset");
    if (out->array == NULL || out->offset == NULL || !json_is_array(list) ||
        read_index(&out->element_bytes, value, "bytes", -1, 1, 1 << 20) != 0 ||
        read_count(&out->loads, value, "loads", -1) != 0 ||
        read_count(&out->stores, value, "stores", -1) != 0 ||
        read_name(&class, value, "class", name_of_class, STRIDE_CLASSES) != 0)
        return -1;
    out->class = (enum stride_class) class;
    for (size_t i = 0; i < count; i++) {
        const json_t *step = json_array_get(list, i);
        steps[i].stride_bytes = json_get_number(step, "stride", NAN);
        if (read_index(&steps[i].block, step, "block", -1, 0, end) != 0 ||
            !isfinite(steps[i].stride_bytes))
            return -1;
    }
    return 0;
}

static int read_call(struct signature_call *out, struct arena *arena, const json_t *value,
                     int feature_count) {
    out->name = read_text(arena, value, "name");
    out->is_opaque = json_is_true(json_object_get(value, "opaque"));
    if (out->name == NULL || read_count(&out->count, value, "count", -1) != 0 ||
        read_index(&out->feature, value, "feature", 0, 0, feature_count + 1) != 0)
        return -1;
    out->feature--;
    return 0;
}

static int read_lists(struct signature_block *out, struct arena *arena, const json_t *value, int at,
                      int feature_count) {
    const json_t *accesses = json_object_get(value, "accesses");
    const json_t *calls = json_object_get(value, "calls");
    size_t access_count = json_array_size(accesses), call_count = json_array_size(calls);
    struct signature_access *read = ARENA_ARRAY(arena, struct signature_access, access_count + 1);
    struct signature_call *made = ARENA_ARRAY(arena, struct signature_call, call_count + 1);
    for (size_t i = 0; i < access_count; i++)
        if (read_access(&read[i], arena, json_array_get(accesses, i), at + 1) != 0)
            return -1;
    for (size_t i = 0; i < call_count; i++)
        if (read_call(&made[i], arena, json_array_get(calls, i), feature_count) != 0)
            return -1;
    out->accesses = read;
    out->access_count = (int)access_count;
    out->calls = made;
    out->call_count = (int)call_count;
    return 0;
}

static int read_block(struct signature_block *out, struct arena *arena, const json_t *value, int at,
                      int feature_count) {
    const json_t *operations = json_object_get(value, "operations");
    int kind;
    for (int i = 0; i < OPERATION_COUNT; i++)
        if (read_count(&out->operations[i], operations, operation_name((enum signature_operation)i),
                       0) != 0)
            return -1;
    out->variable = read_text(arena, value, "variable");
    out->is_guess = json_is_true(json_object_get(value, "guess"));
    if (out->variable == NULL || read_name(&kind, value, "kind", name_of_kind, 4) != 0 ||
        read_index(&out->parent, value, "parent", -2, at == 0 ? -1 : 0, at == 0 ? 0 : at) != 0 ||
        read_index(&out->line, value, "line", -1, 0, 1 << 30) != 0 ||
        read_index(&out->feature, value, "feature", 0, 0, feature_count + 1) != 0 ||
        read_count(&out->factor, value, "factor", NAN) != 0)
        return -1;
    out->kind = (enum block_kind)kind;
    out->feature--;
    if (out->feature >= 0 && isnan(out->factor))
        return -1;
    return read_lists(out, arena, value, at, feature_count);
}

static int read_region(struct signature_region *out, struct arena *arena, const json_t *value) {
    const json_t *blocks = json_object_get(value, "blocks");
    const json_t *unknowns = json_object_get(value, "unknown");
    size_t count = json_array_size(blocks), unknown_count = json_array_size(unknowns);
    struct signature_block *read = ARENA_ARRAY(arena, struct signature_block, count + 1);
    struct signature_unknown *names =
        ARENA_ARRAY(arena, struct signature_unknown, unknown_count + 1);
    *out = (struct signature_region){.blocks = read, .unknowns = names};
    out->id = read_text(arena, value, "id");
    if (out->id == NULL || count == 0 ||
        read_index(&out->index, value, "index", -1, 0, 1 << 30) != 0 ||
        read_index(&out->feature_count, value, "features", -1, 0, 1 << 20) != 0)
        return -1;
    for (size_t i = 0; i < count; i++)
        if (read_block(&read[i], arena, json_array_get(blocks, i), (int)i, out->feature_count) != 0)
            return -1;
    for (size_t i = 0; i < unknown_count; i++) {
        const json_t *unknown = json_array_get(unknowns, i);
        names[i].what = read_text(arena, unknown, "what");
        names[i].line = (int)json_get_integer(unknown, "line", 0);
        if (names[i].what == NULL)
            return -1;
    }
    out->block_count = (int)count;
    out->unknown_count = (int)unknown_count;
    return 0;
}

static int read_root(struct signature *out, const json_t *root, struct error *error) {
    const json_t *list = json_object_get(root, "regions");
    const char *format = json_get_text(root, "format");
    size_t count = json_array_size(list);
    if (format == NULL || strcmp(format, FORMAT) != 0 || !json_is_array(list))
        return error_set(error, "%s:1:1: error: this is no signature; generate the bundle again",
                         out->path);
    if (json_get_integer(root, "version", 0) != VERSION)
        return error_set(error,
                         "%s:1:1: error: a signature of another version of mpiskel; generate the "
                         "bundle again",
                         out->path);
    out->bundle = read_text(&out->arena, root, "bundle");
    struct signature_region *regions = ARENA_ARRAY(&out->arena, struct signature_region, count + 1);
    if (out->bundle == NULL)
        return error_set(error, "%s:1:1: error: 'bundle' is missing; generate the bundle again",
                         out->path);
    for (size_t i = 0; i < count; i++)
        if (read_region(&regions[i], &out->arena, json_array_get(list, i)) != 0)
            return json_fail_at(error, out->path, "regions", i,
                                "this is no region's signature; generate the bundle again");
    out->regions = regions;
    out->count = (int)count;
    return 0;
}

int signature_read(struct signature *out, const char *path, struct error *error) {
    json_t *root = NULL;
    *out = (struct signature){0};
    if (json_read(&root, path, error) != 0)
        return -1;
    arena_init(&out->arena);
    out->path = arena_strdup(&out->arena, path);
    int result = read_root(out, root, error);
    json_decref(root);
    if (result != 0)
        signature_dispose(out);
    return result;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels that were measured alone, as JSON; see calibration.h.
 */
#include "model/latency/calibration.h"

#include "base/json.h"

#include <math.h>
#include <string.h>

#define LARGEST_NUMBER 1e100

struct calibration_reader {
    const char *path;
    struct arena *arena;
    struct error *error;
};

static int fail(struct calibration_reader *reader, const char *what) {
    return error_set(reader->error,
                     "%s: error: %s; measure the kernels again with `mpiskel calibrate`",
                     reader->path, what);
}

static const char *copy_text(struct calibration_reader *reader, const json_t *value,
                             const char *key) {
    const char *text = json_get_text(value, key);
    return arena_strdup(reader->arena, text != NULL ? text : "");
}

static int read_positive(double *out, struct calibration_reader *reader, const json_t *value) {
    *out = json_is_number(value) ? json_number_value(value) : 0;
    return *out > 0 && *out <= LARGEST_NUMBER
               ? 0
               : fail(reader, "a number of a call is missing or not above 0");
}

static int read_call(struct calibrated_call *out, struct calibration_reader *reader,
                     const json_t *list, int size_count) {
    double numbers[CALIBRATION_SIZES_MAX + 3] = {0};
    size_t count = (size_t)size_count + 3;
    if (!json_is_array(list) || json_array_size(list) != count)
        return fail(reader, "a call has not as many numbers as its kernel has sizes, and three");
    for (size_t i = 0; i < count; i++)
        if (read_positive(&numbers[i], reader, json_array_get(list, i)) != 0)
            return -1;
    for (int i = 0; i < size_count; i++)
        out->sizes[i] = numbers[i];
    out->operations = numbers[size_count];
    out->warm_s = numbers[size_count + 1];
    out->cold_s = numbers[size_count + 2];
    return 0;
}

static int read_sizes(struct calibrated_kernel *out, struct calibration_reader *reader,
                      const json_t *list) {
    size_t count = json_array_size(list);
    if (count < 1 || count > CALIBRATION_SIZES_MAX)
        return fail(reader, "'sizes' of a kernel are not one to three names");
    for (size_t i = 0; i < count; i++) {
        const char *name = json_string_value(json_array_get(list, i));
        if (name == NULL)
            return fail(reader, "'sizes' of a kernel are not one to three names");
        out->size_names[i] = arena_strdup(reader->arena, name);
    }
    out->size_count = (int)count;
    return 0;
}

static int read_kernel(struct calibrated_kernel *out, struct calibration_reader *reader,
                       const json_t *value) {
    const json_t *calls = json_object_get(value, "calls");
    *out = (struct calibrated_kernel){.name = copy_text(reader, value, "name")};
    if (out->name[0] == '\0')
        return fail(reader, "a kernel has no name");
    if (read_sizes(out, reader, json_object_get(value, "sizes")) != 0)
        return -1;
    if (json_array_size(calls) == 0)
        return fail(reader, "a kernel has no calls");
    out->call_count = json_array_size(calls);
    out->calls = ARENA_ARRAY(reader->arena, struct calibrated_call, out->call_count);
    for (size_t i = 0; i < out->call_count; i++)
        if (read_call(&out->calls[i], reader, json_array_get(calls, i), out->size_count) != 0)
            return -1;
    return 0;
}

static int read_calibration(struct calibration *out, struct calibration_reader *reader,
                            const json_t *root) {
    const char *format = json_get_text(root, "format");
    const char *cache = json_get_text(root, "cache");
    const json_t *kernels = json_object_get(root, "kernels");
    if (format == NULL || strcmp(format, "mpiskel-kernels") != 0)
        return fail(reader, "this is no file of kernels ('format' is not mpiskel-kernels)");
    if (json_get_integer(root, "version", -1) != 1)
        return fail(reader, "this version of the format is unknown, known is only 1");
    if (cache == NULL || (strcmp(cache, "warm") != 0 && strcmp(cache, "cold") != 0))
        return fail(reader, "'cache' is neither warm nor cold");
    if (json_array_size(kernels) == 0)
        return fail(reader, "there is no kernel in it");
    out->machine = copy_text(reader, root, "machine");
    out->host = copy_text(reader, root, "host");
    out->cpu = copy_text(reader, root, "cpu");
    out->compiler = copy_text(reader, root, "compiler");
    out->library = copy_text(reader, root, "library");
    out->cold = strcmp(cache, "cold") == 0;
    out->kernel_count = json_array_size(kernels);
    out->kernels = ARENA_ARRAY(reader->arena, struct calibrated_kernel, out->kernel_count);
    for (size_t i = 0; i < out->kernel_count; i++)
        if (read_kernel(&out->kernels[i], reader, json_array_get(kernels, i)) != 0)
            return -1;
    return 0;
}

int calibration_read(struct calibration *out, const char *path, struct error *error) {
    json_t *root = NULL;
    *out = (struct calibration){0};
    if (json_read(&root, path, error) != 0)
        return -1;
    arena_init(&out->arena);
    struct calibration_reader reader = {path, &out->arena, error};
    int result = read_calibration(out, &reader, root);
    json_decref(root);
    if (result != 0)
        calibration_dispose(out);
    return result;
}

/* ---- Writing ---- */

static json_t *call_to_json(const struct calibrated_call *call, int size_count) {
    json_t *list = json_array();
    for (int i = 0; i < size_count; i++)
        json_array_append_new(list, json_integer((json_int_t)call->sizes[i]));
    json_array_append_new(list, json_real(call->operations));
    json_array_append_new(list, json_real(call->warm_s));
    json_array_append_new(list, json_real(call->cold_s));
    return list;
}

static json_t *kernel_to_json(const struct calibrated_kernel *kernel) {
    json_t *sizes = json_array(), *calls = json_array();
    for (int i = 0; i < kernel->size_count; i++)
        json_array_append_new(sizes, json_string(kernel->size_names[i]));
    for (size_t i = 0; i < kernel->call_count; i++)
        json_array_append_new(calls, call_to_json(&kernel->calls[i], kernel->size_count));
    return json_pack("{s:s, s:o, s:o}", "name", kernel->name, "sizes", sizes, "calls", calls);
}

int calibration_write(const struct calibration *calibration, const char *path,
                      struct error *error) {
    json_t *kernels = json_array();
    for (size_t i = 0; i < calibration->kernel_count; i++)
        json_array_append_new(kernels, kernel_to_json(&calibration->kernels[i]));
    json_t *root = json_pack("{s:s, s:i, s:s, s:s, s:s, s:s, s:s, s:s, s:o}", "format",
                             "mpiskel-kernels", "version", 1, "machine", calibration->machine,
                             "host", calibration->host, "cpu", calibration->cpu, "compiler",
                             calibration->compiler, "library", calibration->library, "cache",
                             calibration->cold ? "cold" : "warm", "kernels", kernels);
    int result = json_write(root, path, error);
    json_decref(root);
    return result;
}

void calibration_dispose(struct calibration *calibration) {
    arena_dispose(&calibration->arena);
    *calibration = (struct calibration){0};
}

const struct calibrated_kernel *calibration_find(const struct calibration *calibration,
                                                 const char *function) {
    const char *name = strncmp(function, "cblas_", 6) == 0 ? function + 6 : function;
    size_t length = strlen(name);
    if (name == function && length > 1 && name[length - 1] == '_')
        length--;
    for (size_t i = 0; calibration != NULL && i < calibration->kernel_count; i++) {
        const char *known = calibration->kernels[i].name;
        if (strlen(known) == length && strncmp(known, name, length) == 0)
            return &calibration->kernels[i];
    }
    return NULL;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Profiles of machines as JSON, and their curves; see machine_profile.h. Between two working sets
 * a curve is a line in the logarithm of the bytes; beyond the ends it is level.
 */
#include "model/convolution/machine_profile.h"

#include <math.h>
#include <string.h>

#define FORMAT "mpiskel-profile"
#define VERSION 1
#define NS_MOST 1e12

static const char *const curve_names[CURVE_COUNT] = {"stream", "stride", "random", "chase",
                                                     "store"};

const char *machine_rate_name(int rate) {
    return rate < OPERATION_COUNT ? operation_name((enum signature_operation)rate)
           : rate == RATE_LOAD    ? "load"
           : rate == RATE_STORE   ? "store"
                                  : "page";
}

const char *memory_curve_name(enum memory_curve curve) {
    return curve_names[curve];
}

void machine_profile_dispose(struct machine_profile *profile) {
    arena_dispose(&profile->arena);
}

/* ---- Reading ---- */

static bool is_time(double ns) {
    return ns >= 0 && ns <= NS_MOST;
}

static int fail(struct error *error, const char *path, const char *what) {
    return error_set(error, "%s:1:1: error: %s; docs/reference/profile.md has the form", path,
                     what);
}

static double at(const json_t *list, size_t index) {
    const json_t *value = json_array_get(list, index);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static int read_curve(struct measured_curve *out, struct arena *arena, const json_t *list) {
    size_t count = json_array_size(list);
    struct curve_level *levels = ARENA_ARRAY(arena, struct curve_level, count + 1);
    for (size_t i = 0; i < count; i++) {
        const json_t *pair = json_array_get(list, i);
        levels[i] = (struct curve_level){at(pair, 0), at(pair, 1)};
        bool ascends = i == 0 ? levels[i].bytes > 0 : levels[i].bytes > levels[i - 1].bytes;
        if (!ascends || !isfinite(levels[i].bytes) || !is_time(levels[i].ns))
            return -1;
    }
    *out = (struct measured_curve){levels, (int)count};
    return count > 0 ? 0 : -1;
}

static int read_curves(struct machine_profile *out, const json_t *root, const char *path,
                       struct error *error) {
    const json_t *memory = json_object_get(root, "memory_ns");
    for (int i = 0; i < CURVE_COUNT; i++) {
        const json_t *list = json_object_get(memory, curve_names[i]);
        if (read_curve(&out->curves[i], &out->arena, list) != 0)
            return fail(error, path,
                        arena_printf(&out->arena,
                                     "'memory_ns' needs '%s', a list of [bytes, nanoseconds] with "
                                     "ascending bytes",
                                     curve_names[i]));
    }
    return 0;
}

static int read_rates(struct machine_profile *out, const json_t *root, const char *path,
                      struct error *error) {
    const json_t *rates = json_object_get(root, "rates_ns");
    out->has_rates = json_is_object(rates);
    for (int i = 0; i < RATE_COUNT && out->has_rates; i++) {
        out->rates_ns[i] =
            json_get_number(rates, machine_rate_name(i), i == OPERATION_FUSED ? 0 : NAN);
        if (!is_time(out->rates_ns[i]))
            return fail(error, path,
                        arena_printf(&out->arena, "'rates_ns' needs '%s', in nanoseconds",
                                     machine_rate_name(i)));
    }
    return 0;
}

static int read_kernel(struct measured_kernel *out, struct arena *arena, const json_t *value) {
    const json_t *features = json_object_get(value, "features");
    const char *name = json_get_text(value, "kernel");
    size_t count = json_array_size(features);
    double *numbers = ARENA_ARRAY(arena, double, count + 1);
    for (size_t i = 0; i < count; i++) {
        numbers[i] = at(features, i);
        if (!(numbers[i] >= 0 && numbers[i] < 1e18))
            return -1;
    }
    *out = (struct measured_kernel){.name = name != NULL ? arena_strdup(arena, name) : NULL,
                                    .size = (int)json_get_integer(value, "size", 0),
                                    .feature_count = (int)count,
                                    .features = numbers,
                                    .seconds = json_get_number(value, "seconds", NAN)};
    return name != NULL && count > 0 && out->seconds > 0 && isfinite(out->seconds) ? 0 : -1;
}

static int read_kernels(struct machine_profile *out, const json_t *root, const char *path,
                        struct error *error) {
    const json_t *list = json_object_get(root, "kernels");
    size_t count = json_array_size(list);
    struct measured_kernel *kernels = ARENA_ARRAY(&out->arena, struct measured_kernel, count + 1);
    for (size_t i = 0; i < count; i++)
        if (read_kernel(&kernels[i], &out->arena, json_array_get(list, i)) != 0)
            return json_fail_at(error, path, "kernels", i,
                                "a kernel needs 'kernel', 'size', 'features' and 'seconds'");
    out->kernels = kernels;
    out->kernel_count = (int)count;
    if (count == 0 && !out->has_rates)
        return fail(error, path, "there are neither 'rates_ns' nor 'kernels' to fit them to");
    return 0;
}

static const char *text_of(struct machine_profile *out, const json_t *root, const char *key) {
    const char *text = json_get_text(root, key);
    return arena_strdup(&out->arena, text != NULL ? text : "");
}

static int read_root(struct machine_profile *out, json_t *root, const char *path,
                     struct error *error) {
    const char *format = json_get_text(root, "format");
    if (format == NULL || strcmp(format, FORMAT) != 0 ||
        json_get_integer(root, "version", 0) != VERSION)
        return fail(error, path, "this is no profile of a machine of this version");
    out->made = text_of(out, root, "made");
    out->host = text_of(out, root, "host");
    out->cpu = text_of(out, root, "cpu");
    out->compiler = text_of(out, root, "compiler");
    out->overlap = json_get_number(root, "overlap", 0);
    out->prior_weight = json_get_number(root, "prior_weight", 1);
    out->sharing = json_get_number(root, "sharing", 1);
    if (!(out->overlap >= 0 && out->overlap <= 1))
        return fail(error, path, "'overlap' is a number from 0 to 1");
    if (!(out->prior_weight > 0 && out->prior_weight <= 1e6))
        return fail(error, path, "'prior_weight' is a number above 0");
    if (!(out->sharing >= 1 && out->sharing <= 1e6))
        return fail(error, path, "'sharing' is a number from 1 on");
    return read_curves(out, root, path, error) != 0 || read_rates(out, root, path, error) != 0 ||
                   read_kernels(out, root, path, error) != 0
               ? -1
               : 0;
}

static int take_root(struct machine_profile *out, json_t *root, const char *path,
                     struct error *error) {
    *out = (struct machine_profile){0};
    arena_init(&out->arena);
    int result = read_root(out, root, path, error);
    json_decref(root);
    if (result != 0)
        machine_profile_dispose(out);
    return result;
}

int machine_profile_read(struct machine_profile *out, const char *path, struct error *error) {
    json_t *root = NULL;
    return json_read(&root, path, error) == 0 ? take_root(out, root, path, error) : -1;
}

int machine_profile_parse(struct machine_profile *out, const char *text, const char *path,
                          struct error *error) {
    json_t *root = json_loads(text, 0, NULL);
    return root != NULL ? take_root(out, root, path, error) : fail(error, path, "this is no JSON");
}

/* ---- Writing ---- */

static json_t *curve_to_json(const struct measured_curve *curve) {
    json_t *list = json_array();
    for (int i = 0; i < curve->count; i++)
        json_array_append_new(list,
                              json_pack("[f, f]", curve->levels[i].bytes, curve->levels[i].ns));
    return list;
}

static json_t *kernel_to_json(const struct measured_kernel *kernel) {
    json_t *features = json_array();
    for (int i = 0; i < kernel->feature_count; i++)
        json_array_append_new(features, json_real(kernel->features[i]));
    return json_pack("{s:s, s:i, s:o, s:f}", "kernel", kernel->name, "size", kernel->size,
                     "features", features, "seconds", kernel->seconds);
}

json_t *machine_profile_to_json(const struct machine_profile *profile) {
    json_t *rates = json_object(), *memory = json_object(), *kernels = json_array();
    for (int i = 0; i < RATE_COUNT; i++)
        json_object_set_new(rates, machine_rate_name(i), json_real(profile->rates_ns[i]));
    for (int i = 0; i < CURVE_COUNT; i++)
        json_object_set_new(memory, curve_names[i], curve_to_json(&profile->curves[i]));
    for (int i = 0; i < profile->kernel_count; i++)
        json_array_append_new(kernels, kernel_to_json(&profile->kernels[i]));
    return json_pack("{s:s, s:i, s:s, s:o, s:s, s:s, s:o, s:f, s:f, s:f, s:o, s:o}", "format",
                     FORMAT, "version", VERSION, "made", profile->made, "host",
                     json_any_text(profile->host), "cpu", profile->cpu, "compiler",
                     profile->compiler, "rates_ns", rates, "overlap", profile->overlap,
                     "prior_weight", profile->prior_weight, "sharing", profile->sharing,
                     "memory_ns", memory, "kernels", kernels);
}

/* ---- Curves ---- */

static double curve_at(const struct measured_curve *curve, double bytes) {
    const struct curve_level *levels = curve->levels;
    int i = 0;
    while (i < curve->count && levels[i].bytes < bytes)
        i++;
    if (i == 0 || i == curve->count)
        return levels[i == 0 ? 0 : curve->count - 1].ns;
    double part = log(bytes / levels[i - 1].bytes) / log(levels[i].bytes / levels[i - 1].bytes);
    return levels[i - 1].ns + part * (levels[i].ns - levels[i - 1].ns);
}

double machine_profile_memory_ns(const struct machine_profile *profile, enum memory_curve curve,
                                 double bytes) {
    const struct measured_curve *measured = &profile->curves[curve];
    double least = measured->levels[0].ns, cost = curve_at(measured, bytes);
    for (int i = 0; i < measured->count; i++) {
        least = fmin(least, measured->levels[i].ns);
        if (measured->levels[i].bytes > bytes) /* a loop of few iterations has its own overhead */
            cost = fmin(cost, measured->levels[i].ns);
    }
    return fmax(cost - least, 0);
}

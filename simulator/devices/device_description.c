/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading goes by lines: comments are cut off, each other line is a key and a value. Each key is
 * there once.
 */
#include "simulator/devices/device_description.h"

#include "base/file.h"
#include "simulator/network/units.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define BLANKS " \t\r"

/* What no device is; beyond, times of a simulation are no numbers any more. */
#define SECONDS_MOST 1000.0
#define BANDWIDTH_LEAST 1.0
#define BANDWIDTH_MOST 1e15
#define BYTES_MOST (1 << 20) /* so that a file named by mistake is not read into memory */

static const char *const names[DEVICE_PARTS] = {
    "enqueue", "launch", "gap", "wake", "long wake", "copy to", "copy from",
};

struct device_reading {
    struct device_description *out;
    const char *path;
    size_t line;
    const char *line_begin; /* for columns: messages are at `at`, in it */
    bool has[DEVICE_PARTS + 1];
    struct error *error;
};

const char *device_part_name(enum device_part part) {
    return names[part];
}

static int fail(const struct device_reading *reading, const char *at, const char *what) {
    return error_set(reading->error, "%s:%zu:%zu: error: %s", reading->path, reading->line,
                     (size_t)(at - reading->line_begin) + 1, what);
}

static void trim_end(char *text) {
    size_t length = strlen(text);
    while (length > 0 && strchr(BLANKS, text[length - 1]) != NULL)
        text[--length] = '\0';
}

static int take_engines(struct device_reading *reading, const char *value) {
    char *end;
    long number = strtol(value, &end, 10);
    if (end == value || *end != '\0' || number < 1 || number > 3)
        return fail(reading, value, "a device has 1, 2 or 3 engines, such as engines = 2");
    reading->out->engines = (int)number;
    return 0;
}

static int take_bandwidth(struct device_reading *reading, double *out_s_per_byte,
                          const char *text) {
    struct error error = {0};
    double bytes_per_s = 0;
    if (bandwidth_parse(&bytes_per_s, text, "the bandwidth", &error) != 0)
        return fail(reading, text, error.text);
    if (bytes_per_s < BANDWIDTH_LEAST || bytes_per_s > BANDWIDTH_MOST)
        return fail(reading, text, "no device copies as slowly or as fast: give 1B/s to 1000TB/s");
    *out_s_per_byte = 1 / bytes_per_s;
    return 0;
}

static int take_part(struct device_reading *reading, enum device_part part, char *value) {
    struct error error = {0};
    char *rest = NULL, *begin = value;
    double *seconds = &reading->out->parts[part].seconds;
    const char *latency = strtok_r(value, BLANKS, &rest);
    const char *bandwidth = latency != NULL ? strtok_r(NULL, BLANKS, &rest) : NULL;
    bool is_copy = part == DEVICE_COPY_TO || part == DEVICE_COPY_FROM;
    if (latency == NULL || (bandwidth != NULL) != is_copy ||
        (bandwidth != NULL && strtok_r(NULL, BLANKS, &rest) != NULL))
        return fail(reading, begin,
                    is_copy ? "a copy takes a latency and a bandwidth, such as 5us 10GB/s"
                            : "this is one time, such as 20us");
    if (latency_parse(seconds, latency, "the time", &error) != 0)
        return fail(reading, latency, error.text);
    if (*seconds > SECONDS_MOST)
        return fail(reading, latency, "no device takes as long: give a time of at most 1000s");
    reading->out->parts[part].is_known = true;
    return is_copy ? take_bandwidth(reading, &reading->out->parts[part].seconds_per_byte, bandwidth)
                   : 0;
}

/* DEVICE_PARTS: engines; more: there is no such key. */
static int find_key(const char *key) {
    int part = 0;
    while (part < DEVICE_PARTS && strcmp(key, names[part]) != 0)
        part++;
    return part == DEVICE_PARTS && strcmp(key, "engines") != 0 ? DEVICE_PARTS + 1 : part;
}

static int read_line(struct device_reading *reading, char *line) {
    line[strcspn(line, "#")] = '\0';
    char *key = line + strspn(line, BLANKS), *equals = strchr(key, '=');
    if (*key == '\0')
        return 0;
    if (equals == NULL)
        return fail(reading, key, "a line is written KEY = VALUE, such as launch = 20us");
    *equals = '\0';
    trim_end(key);
    char *value = equals + 1 + strspn(equals + 1, BLANKS);
    trim_end(value);
    int part = find_key(key);
    if (part > DEVICE_PARTS)
        return fail(reading, key,
                    "a device has the keys engines, enqueue, launch, gap, wake, long wake, copy to "
                    "and copy from only");
    if (reading->has[part])
        return fail(reading, key, "this key is here a second time: keep one of the lines");
    reading->has[part] = true;
    return part == DEVICE_PARTS ? take_engines(reading, value)
                                : take_part(reading, (enum device_part)part, value);
}

static int read_lines(struct device_reading *reading, char *text, size_t length) {
    char *end = text + length;
    bool has_any = false;
    int result = 0;
    for (char *line = text, *rest = text; result == 0 && rest != NULL; line = rest) {
        rest = memchr(line, '\n', (size_t)(end - line));
        char *line_end = rest != NULL ? rest++ : end;
        *line_end = '\0';
        reading->line++;
        reading->line_begin = line;
        result = strlen(line) < (size_t)(line_end - line)
                     ? fail(reading, line + strlen(line),
                            "a byte that is zero: this is no description of a device")
                     : read_line(reading, line);
    }
    for (int i = 0; i <= DEVICE_PARTS; i++)
        has_any |= reading->has[i];
    return result != 0 || has_any
               ? result
               : error_set(reading->error,
                           "%s:1:1: error: nothing of a device is in it; `mpiskel calibrate "
                           "--device` writes such a file",
                           reading->path);
}

static int check_size(const char *path, struct error *error) {
    struct stat info;
    return stat(path, &info) != 0 || info.st_size <= BYTES_MOST
               ? 0
               : error_set(error,
                           "%s:1:1: error: a description of a device has a line for each key, and "
                           "this has %lld bytes",
                           path, (long long)info.st_size);
}

int device_description_read(struct device_description *out, const char *path, struct error *error) {
    char *text = NULL;
    size_t length;
    struct device_reading reading = {.out = out, .path = path, .error = error};
    *out = (struct device_description){0};
    if (check_size(path, error) != 0 || file_read(&text, &length, path, error) != 0)
        return -1;
    int result = read_lines(&reading, text, length);
    free(text);
    return result;
}

void device_description_write(struct str *out, const struct device_description *description) {
    if (description->engines > 0)
        str_printf(out, "engines = %d\n", description->engines);
    for (int i = 0; i < DEVICE_PARTS; i++) {
        if (!description->parts[i].is_known)
            continue;
        str_printf(out, "%s = %.4gus", names[i], 1e6 * description->parts[i].seconds);
        if (i == DEVICE_COPY_TO || i == DEVICE_COPY_FROM)
            str_printf(out, " %.4gGB/s", 1e-9 / description->parts[i].seconds_per_byte);
        str_add(out, "\n");
    }
}

const char *device_description_setting(struct arena *arena,
                                       const struct device_description *description) {
    struct str out = {0};
    for (int i = 0; i < DEVICE_PARTS; i++)
        if (description->parts[i].is_known)
            str_printf(&out, "%s%s=%.9g %.9g", out.length > 0 ? ";" : "", names[i],
                       description->parts[i].seconds, description->parts[i].seconds_per_byte);
    return str_into(arena, &out);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading goes by lines: comments are cut off, each other line is a key and a value.
 */
#include "simulator/devices/device_description.h"

#include "base/file.h"
#include "simulator/network/units.h"

#include <stdlib.h>
#include <string.h>

#define BLANKS " \t\r"

static const char *const names[DEVICE_PARTS] = {
    "enqueue", "launch", "gap", "wake", "long wake", "copy to", "copy from",
};

struct device_reading {
    struct device_description *out;
    const char *path;
    size_t line;
    struct error *error;
};

const char *device_part_name(enum device_part part) {
    return names[part];
}

static int fail(const struct device_reading *reading, const char *what) {
    return error_set(reading->error, "%s:%zu:1: error: %s", reading->path, reading->line, what);
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
        return fail(reading, "a device has 1, 2 or 3 engines, such as engines = 2");
    reading->out->engines = (int)number;
    return 0;
}

static int take_part(struct device_reading *reading, enum device_part part, char *value) {
    struct error error = {0};
    double bytes_per_s = 0;
    char *rest = NULL;
    const char *latency = strtok_r(value, BLANKS, &rest);
    const char *bandwidth = latency != NULL ? strtok_r(NULL, BLANKS, &rest) : NULL;
    bool is_copy = part == DEVICE_COPY_TO || part == DEVICE_COPY_FROM;
    if (latency == NULL || (bandwidth != NULL) != is_copy ||
        (bandwidth != NULL && strtok_r(NULL, BLANKS, &rest) != NULL))
        return fail(reading, is_copy ? "a copy takes a latency and a bandwidth, such as 5us 10GB/s"
                                     : "this is one time, such as 20us");
    if (latency_parse(&reading->out->parts[part].seconds, latency, "the time", &error) != 0 ||
        (is_copy && bandwidth_parse(&bytes_per_s, bandwidth, "the bandwidth", &error) != 0))
        return fail(reading, error.text);
    reading->out->parts[part].seconds_per_byte = is_copy ? 1 / bytes_per_s : 0;
    reading->out->parts[part].is_known = true;
    return 0;
}

static int read_line(struct device_reading *reading, char *line) {
    line[strcspn(line, "#")] = '\0';
    char *key = line + strspn(line, BLANKS), *equals = strchr(key, '=');
    if (*key == '\0')
        return 0;
    if (equals == NULL)
        return fail(reading, "a line is written KEY = VALUE, such as launch = 20us");
    *equals = '\0';
    trim_end(key);
    char *value = equals + 1 + strspn(equals + 1, BLANKS);
    trim_end(value);
    if (strcmp(key, "engines") == 0)
        return take_engines(reading, value);
    for (int i = 0; i < DEVICE_PARTS; i++)
        if (strcmp(key, names[i]) == 0)
            return take_part(reading, (enum device_part)i, value);
    return fail(reading, "a device has the keys engines, enqueue, launch, gap, wake, long wake, "
                         "copy to and copy from only");
}

int device_description_read(struct device_description *out, const char *path, struct error *error) {
    char *text = NULL, *rest = NULL;
    size_t length;
    struct device_reading reading = {out, path, 0, error};
    *out = (struct device_description){0};
    if (file_read(&text, &length, path, error) != 0)
        return -1;
    int result = 0;
    for (char *line = text; result == 0 && line != NULL; line = rest) {
        rest = strchr(line, '\n');
        if (rest != NULL)
            *rest++ = '\0';
        reading.line++;
        result = read_line(&reading, line);
    }
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
    const char *text = arena_strdup(arena, str_text(&out));
    str_dispose(&out);
    return text;
}

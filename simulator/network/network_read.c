/* SPDX-License-Identifier: Apache-2.0
 *
 * The reader of description files: `key = value` lines, `#` begins a comment, blank lines are
 * nothing; see network.h. A key that is given twice, or that says nothing about the topology at
 * hand, is an error with its place: it would be quietly ignored otherwise.
 */
#include "simulator/network/network.h"

#include "base/file.h"
#include "base/str.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEYS_MAX 64

struct network_read_place {
    size_t line, column;
};

struct network_read_reading {
    struct network *network;
    const char *path;
    struct arena *arena;
    struct error *error;
    struct network_read_place places[KEYS_MAX]; /* by key; line 0: not given in this text */
};

static int fail(const struct network_read_reading *reading, struct network_read_place place,
                const char *what) {
    return error_set(reading->error, "%s:%zu:%zu: error: %s", reading->path, place.line,
                     place.column, what);
}

static size_t key_index(const char *name) {
    size_t i = 0;
    for (const struct network_key *key = network_keys(); key[i].name != NULL; i++)
        if (strcmp(key[i].name, name) == 0)
            break;
    return i;
}

static int set_pair(struct network_read_reading *reading, const char *key, const char *value,
                    struct network_read_place key_place, struct network_read_place value_place) {
    struct error error = {0};
    struct network_fault fault;
    size_t index = key_index(key);
    if (network_set(reading->network, key, value, reading->arena, &fault, &error) != 0) {
        value_place.column += fault.offset;
        return fail(reading, fault.in_key ? key_place : value_place, error.text);
    }
    if (reading->places[index].line != 0) {
        error_set(&error, "%s is given in line %zu already", key, reading->places[index].line);
        return fail(reading, key_place, error.text);
    }
    reading->places[index] = key_place;
    return 0;
}

static void trim_end(char *text) {
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t\r", text[length - 1]) != NULL)
        text[--length] = '\0';
}

static int read_line(struct network_read_reading *reading, char *line, size_t number) {
    line[strcspn(line, "#")] = '\0';
    trim_end(line);
    char *key = line + strspn(line, " \t");
    struct network_read_place key_place = {number, (size_t)(key - line) + 1};
    if (*key == '\0')
        return 0;
    char *equals = strchr(key, '=');
    if (equals == NULL || equals == key)
        return fail(reading, key_place,
                    "a line is written KEY = VALUE, such as bandwidth = 12.5GBps");
    *equals = '\0';
    trim_end(key);
    char *value = equals + 1 + strspn(equals + 1, " \t");
    struct network_read_place value_place = {number, (size_t)(value - line) + 1};
    if (*value == '\0') {
        struct error error = {0};
        error_set(&error, "%s has no value", key);
        return fail(reading, value_place, error.text);
    }
    return set_pair(reading, key, value, key_place, value_place);
}

static int check_topology(const struct network_read_reading *reading) {
    struct error error = {0};
    size_t topology = reading->network->topology;
    const struct network_key *keys = network_keys();
    for (size_t i = 0; keys[i].name != NULL; i++)
        if (reading->places[i].line != 0 && (keys[i].topologies & 1U << topology) == 0) {
            error_set(&error, "%s says nothing about the topology %s: leave it out", keys[i].name,
                      network_topology_name(topology));
            return fail(reading, reading->places[i], error.text);
        }
    return 0;
}

int network_parse(struct network *out, char *text, const char *path, struct arena *arena,
                  struct error *error) {
    struct network_read_reading reading = {
        .network = out, .path = path, .arena = arena, .error = error};
    size_t number = 1;
    for (char *line = text, *next; line != NULL; line = next, number++) {
        next = strchr(line, '\n');
        if (next != NULL)
            *next++ = '\0';
        if (read_line(&reading, line, number) != 0)
            return -1;
    }
    return check_topology(&reading);
}

int network_read(struct network *out, const char *path, struct arena *arena, struct error *error) {
    char *text = NULL;
    size_t length = 0;
    if (file_read(&text, &length, path, error) != 0)
        return -1;
    const char *start = text + strspn(text, " \t\r\n");
    int result = 0;
    if (strlen(text) != length)
        result = error_set(error,
                           "%s:1:1: error: this is no text: a network description has lines "
                           "KEY = VALUE",
                           path);
    else if (*start == '<')
        result = error_set(error,
                           "%s:1:1: error: this looks like a SimGrid platform, not like a "
                           "description: give it with --platform",
                           path);
    else if (*start == '\0')
        result = error_set(error, "%s:1:1: error: this description is empty", path);
    else
        result = network_parse(out, text, path, arena, error);
    free(text);
    return result;
}

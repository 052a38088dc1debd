/* SPDX-License-Identifier: Apache-2.0
 *
 * expat's start-element events, nothing else; see hosts.h. (scaled_platform.c includes its header,
 * too.) expat itself bounds entity expansion ("billion laughs") and loads nothing external.
 */
#include "simulator/network/hosts.h"

#include "base/file.h"
#include "base/str.h"
#include "simulator/network/units.h"

#include <expat.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct hosts_reading {
    struct host_list *hosts;
    const char *path;
    XML_Parser parser;
    struct error *error;
    size_t depth;
};

void host_list_dispose(struct host_list *hosts) {
    vec_dispose(&hosts->names);
    vec_dispose(&hosts->speeds);
    arena_dispose(&hosts->arena);
}

static void fail(struct hosts_reading *reading, const char *what, const char *detail) {
    error_set(reading->error, "%s:%lu:%lu: error: %s%s", reading->path,
              (unsigned long)XML_GetCurrentLineNumber(reading->parser),
              (unsigned long)XML_GetCurrentColumnNumber(reading->parser) + 1, what, detail);
    XML_StopParser(reading->parser, XML_FALSE);
}

static const char *attribute(const char **attributes, const char *name) {
    for (; attributes[0] != NULL; attributes += 2)
        if (strcmp(attributes[0], name) == 0)
            return attributes[1];
    return NULL;
}

/* `1Gf,0.5Gf`: one for each state of the processor, of which `pstate` names the first. SimGrid
 * refuses what is no speed. */
static double speed_of(const char **attributes) {
    const char *speeds = attribute(attributes, "speed"), *state = attribute(attributes, "pstate");
    char text[64];
    double speed = 0;
    struct error ignored = {0};
    for (long skipped = state != NULL ? strtol(state, NULL, 10) : 0; skipped > 0; skipped--) {
        const char *comma = speeds != NULL ? strchr(speeds, ',') : NULL;
        speeds = comma != NULL ? comma + 1 : NULL;
    }
    if (speeds == NULL)
        return 0;
    speeds += strspn(speeds, " \t\n");
    snprintf(text, sizeof text, "%.*s", (int)strcspn(speeds, ", \t\n"), speeds);
    char *end = NULL;
    double plain = strtod(text, &end);
    if (end != text && (*end == '\0' || strcmp(end, "flops") == 0))
        speed = plain;
    else if (speed_parse(&speed, text, "speed", &ignored) != 0)
        return 0;
    return speed > 0 && isfinite(speed) ? speed : 0;
}

static bool add_name(struct hosts_reading *reading, const char *name, double speed) {
    struct host_list *hosts = reading->hosts;
    if (name[0] == '\0' || strpbrk(name, "\r\n\t :") != NULL)
        fail(reading, "a hostfile cannot hold this host's name; give --hostfile: ", name);
    else if (hosts->names.count >= HOSTS_MAX)
        fail(reading, "more than 16,777,216 hosts", "");
    else {
        vec_push(&hosts->names, arena_strdup(&hosts->arena, name));
        vec_push(&hosts->speeds, speed);
        return true;
    }
    return false;
}

static bool add_range(struct hosts_reading *reading, const char *prefix, const char *suffix,
                      unsigned first, unsigned last, double speed) {
    struct str name = {0};
    bool added = last - first < HOSTS_MAX;
    if (!added)
        fail(reading, "more than 16,777,216 hosts", "");
    for (unsigned number = first; added && number <= last; number++) {
        name.length = 0;
        str_printf(&name, "%s%u%s", prefix, number, suffix);
        added = add_name(reading, name.text, speed);
    }
    str_dispose(&name);
    return added;
}

/* `0-15,20`: the bounds have at most nine digits, so that they cannot wrap around. */
static void add_cluster(struct hosts_reading *reading, const char *prefix, const char *radical,
                        const char *suffix, double speed) {
    const char *rest = radical;
    while (true) {
        unsigned first, last;
        int used = 0, more = 0;
        if (sscanf(rest, "%9u%n", &first, &used) != 1 || strchr("+-", rest[0]) != NULL) {
            fail(reading, "the radical has to be a list such as 0-15,20, not ", radical);
            return;
        }
        last = first;
        rest += used;
        if (rest[0] == '-' && sscanf(rest + 1, "%9u%n", &last, &more) == 1)
            rest += 1 + more;
        if ((rest[0] != ',' && rest[0] != '\0') || last < first) {
            fail(reading, "the radical has to be a list such as 0-15,20, not ", radical);
            return;
        }
        if (!add_range(reading, prefix, suffix, first, last, speed) || rest[0] == '\0')
            return;
        rest++;
    }
}

static void on_cluster(struct hosts_reading *reading, const char *element,
                       const char **attributes) {
    const char *prefix = attribute(attributes, "prefix");
    const char *suffix = attribute(attributes, "suffix");
    const char *radical = attribute(attributes, "radical");
    if (prefix == NULL || radical == NULL)
        fail(reading, "this element needs a prefix and a radical: ", element);
    else
        add_cluster(reading, prefix, radical, suffix != NULL ? suffix : "", speed_of(attributes));
}

static void XMLCALL on_element(void *context, const char *element, const char **attributes) {
    struct hosts_reading *reading = context;
    const char *id = attribute(attributes, "id");
    if (reading->depth++ == 0 && strcmp(element, "platform") != 0)
        fail(reading, "this is no SimGrid platform: its first element is ", element);
    else if (strcmp(element, "include") == 0)
        fail(reading, "<include> is not followed: give the hosts' names with --hostfile", "");
    else if (strcmp(element, "cluster") == 0 || strcmp(element, "cabinet") == 0)
        on_cluster(reading, element, attributes);
    else if ((strcmp(element, "host") == 0 || strcmp(element, "peer") == 0) && id == NULL)
        fail(reading, "this element has no id: ", element);
    else if (strcmp(element, "host") == 0 || strcmp(element, "peer") == 0)
        add_name(reading, id, speed_of(attributes));
}

static int parse_text(struct hosts_reading *reading, const char *text, size_t length) {
    XML_SetUserData(reading->parser, reading);
    XML_SetStartElementHandler(reading->parser, on_element);
    enum XML_Status status = XML_STATUS_OK;
    size_t done = 0;
    do { /* in pieces, since expat's lengths are int */
        size_t piece = length - done < (1U << 20) ? length - done : 1U << 20;
        status = XML_Parse(reading->parser, text + done, (int)piece, done + piece == length);
        done += piece;
    } while (status == XML_STATUS_OK && done < length);
    if (status == XML_STATUS_OK)
        return 0;
    fail(reading, "not well-formed XML: ", XML_ErrorString(XML_GetErrorCode(reading->parser)));
    return -1;
}

int hosts_read(struct host_list *out, const char *path, struct error *error) {
    char *text = NULL;
    size_t length = 0;
    if (file_read(&text, &length, path, error) != 0)
        return -1;
    struct hosts_reading reading = {out, path, XML_ParserCreate(NULL), error, 0};
    if (reading.parser == NULL)
        abort(); /* out of memory */
    int result = parse_text(&reading, text, length);
    XML_ParserFree(reading.parser);
    free(text);
    if (result == 0 && out->names.count == 0)
        result = error_set(error, "%s:1:1: error: this platform has no hosts", path);
    if (result != 0)
        host_list_dispose(out);
    return result;
}

bool platform_is_shared_object(const char *path) {
    FILE *file = fopen(path, "rb");
    char magic[4] = {0};
    bool elf = file != NULL && fread(magic, 1, 4, file) == 4 && memcmp(magic, "\177ELF", 4) == 0;
    if (file != NULL)
        fclose(file);
    return elf;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * expat finds the tags and says where they are, in two passes: the first collects the links of
 * routes, the second copies the text and changes values on the way; see scaled_platform.h. Within a
 * tag that expat has accepted, attributes are found by a scan for NAME = "VALUE".
 */
#include "simulator/network/scaled_platform.h"

#include "base/arena.h"
#include "base/file.h"
#include "base/str.h"
#include "base/vec.h"
#include "base/xml.h"
#include "simulator/network/hosts.h"

#include <ctype.h>
#include <errno.h>
#include <expat.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* 'b': bandwidth, 'l': latency, '!': refused, B and L: refused if that is to change. */
static const struct {
    const char *element, *attribute;
    char what;
} attributes[] = {
    {"link", "bandwidth", 'b'},       {"link", "latency", 'l'},
    {"link", "bandwidth_file", 'B'},  {"link", "latency_file", 'L'},
    {"backbone", "bandwidth", 'b'},   {"backbone", "latency", 'l'},
    {"cluster", "bw", 'b'},           {"cluster", "lat", 'l'},
    {"cluster", "bb_bw", 'b'},        {"cluster", "bb_lat", 'l'},
    {"cluster", "limiter_link", 'b'}, {"cabinet", "bw", 'b'},
    {"cabinet", "lat", 'l'},          {"peer", "bw_in", 'b'},
    {"peer", "bw_out", 'b'},          {"peer", "coordinates", 'L'},
    {"host", "coordinates", 'L'},     {"router", "coordinates", 'L'},
    {"include", "file", '!'},
};

struct scaled_platform_scaling {
    XML_Parser parser;
    const char *out_path, *path, *text;
    size_t copied;
    struct str out;
    double bandwidth, latency;
    struct arena arena;
    VEC(const char *) memory_links, other_links; /* sorted before the second pass */
    bool in_memory_route;
    struct error *error;
};

static void fail(struct scaled_platform_scaling *scaling, const char *what, const char *detail) {
    error_set(scaling->error, "%s:%lu:%lu: error: %s%s", scaling->path,
              (unsigned long)XML_GetCurrentLineNumber(scaling->parser),
              (unsigned long)XML_GetCurrentColumnNumber(scaling->parser) + 1, what, detail);
    XML_StopParser(scaling->parser, XML_FALSE);
}

static const char *attribute_of(const char **list, const char *name) {
    for (; list[0] != NULL; list += 2)
        if (strcmp(list[0], name) == 0)
            return list[1];
    return "";
}

static void XMLCALL on_route(void *context, const char *element, const char **list) {
    struct scaled_platform_scaling *scaling = context;
    if (strcmp(element, "link_ctn") != 0)
        scaling->in_memory_route =
            strcmp(element, "route") == 0 &&
            strcmp(attribute_of(list, "src"), attribute_of(list, "dst")) == 0;
    const char *id = attribute_of(list, "id");
    if (strcmp(element, "link_ctn") == 0 && scaling->in_memory_route)
        vec_push(&scaling->memory_links, arena_strdup(&scaling->arena, id));
    else if (strcmp(element, "link_ctn") == 0)
        vec_push(&scaling->other_links, arena_strdup(&scaling->arena, id));
}

static int compare_names(const void *left, const void *right) {
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static bool is_memory(const struct scaled_platform_scaling *scaling, const char *id) {
    return scaling->memory_links.count > 0 &&
           bsearch(&id, scaling->memory_links.items, scaling->memory_links.count, sizeof id,
                   compare_names) != NULL &&
           (scaling->other_links.count == 0 ||
            bsearch(&id, scaling->other_links.items, scaling->other_links.count, sizeof id,
                    compare_names) == NULL);
}

/* The number in front of the unit, times the factor. */
static void add_scaled(struct scaled_platform_scaling *scaling, const char *value, size_t length,
                       double factor) {
    char *end = NULL;
    double number = isdigit((unsigned char)value[0]) || value[0] == '.' ? strtod(value, &end) : -1;
    double scaled = number * factor;
    size_t unit = end != NULL ? (size_t)(end - value) : length;
    for (size_t i = unit; i < length; i++)
        if (!isalpha((unsigned char)value[i]))
            unit = length + 1;
    if (end == NULL || unit > length || !isfinite(scaled))
        fail(scaling, "a link's number that cannot be scaled; it has to be a number and a unit",
             "");
    str_printf(&scaling->out, "%.17g", scaled);
    str_addn(&scaling->out, value + unit, unit <= length ? length - unit : 0);
}

static char what_of(const char *element, const char *name, size_t length) {
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
        if (strcmp(attributes[i].element, element) == 0 &&
            strlen(attributes[i].attribute) == length &&
            memcmp(attributes[i].attribute, name, length) == 0)
            return attributes[i].what;
    return ' ';
}

static void scale_attribute(struct scaled_platform_scaling *scaling, char what, const char *value,
                            size_t length) {
    if (length == 0)
        return;
    if (what == '!')
        fail(scaling, "links in included files cannot be scaled: include them by hand", "");
    else if ((what == 'B' && scaling->bandwidth != 1) || (what == 'L' && scaling->latency != 1))
        fail(scaling, "numbers that come from a file or from coordinates cannot be scaled", "");
    if (what != 'b' && what != 'l')
        return;
    str_addn(&scaling->out, scaling->text + scaling->copied,
             (size_t)(value - scaling->text) - scaling->copied);
    scaling->copied = (size_t)(value - scaling->text) + length;
    add_scaled(scaling, value, length, what == 'b' ? scaling->bandwidth : scaling->latency);
}

/* `rest` is behind the element's name. */
static void scan_tag(struct scaled_platform_scaling *scaling, const char *element, const char *rest,
                     const char *end) {
    while (rest < end) {
        rest += strspn(rest, " \t\r\n");
        size_t name_length = strcspn(rest, " \t\r\n=>/");
        const char *name = rest, *equals = rest + name_length;
        equals += strspn(equals, " \t\r\n");
        if (name_length == 0 || *equals != '=')
            return;
        const char *quote = equals + 1 + strspn(equals + 1, " \t\r\n");
        const char *close = strchr(quote + 1, *quote);
        if (close == NULL || close >= end)
            return;
        scale_attribute(scaling, what_of(element, name, name_length), quote + 1,
                        (size_t)(close - quote - 1));
        rest = close + 1;
    }
}

/* Files that the platform names are looked for where it lies: a setting behind its first tag. It
 * names a link, since SimGrid takes no path with a blank in it. */
static void add_search_path(struct scaled_platform_scaling *scaling, const char *end) {
    const char *current = path_current(&scaling->arena);
    const char *path = path_absolute(&scaling->arena, current, scaling->path);
    const char *link = arena_printf(&scaling->arena, "%s.files", scaling->out_path);
    if (end[-2] == '/')
        return;
    unlink(link);
    if (symlink(path_directory(&scaling->arena, path), link) != 0) {
        fail(scaling, "its directory cannot be linked to: ", strerror(errno));
        return;
    }
    str_addn(&scaling->out, scaling->text + scaling->copied,
             (size_t)(end - scaling->text) - scaling->copied);
    scaling->copied = (size_t)(end - scaling->text);
    str_add(&scaling->out, "<config><prop id=\"path\" value=\"");
    xml_escape(&scaling->out, link);
    str_add(&scaling->out, "\"/></config>");
}

static void XMLCALL on_element(void *context, const char *element, const char **list) {
    struct scaled_platform_scaling *scaling = context;
    if (strcmp(element, "trace_connect") == 0 &&
        (strcmp(attribute_of(list, "kind"), "BANDWIDTH") == 0 ||
         strcmp(attribute_of(list, "kind"), "LATENCY") == 0))
        fail(scaling, "a link that changes with time cannot be scaled", "");
    if (strcmp(element, "link") == 0 && is_memory(scaling, attribute_of(list, "id")))
        return;
    XML_Index start = XML_GetCurrentByteIndex(scaling->parser);
    int length = XML_GetCurrentByteCount(scaling->parser);
    if (start < 0 || length <= 0)
        fail(scaling, "an element that comes out of an entity cannot be scaled: ", element);
    else if (strcmp(element, "platform") == 0)
        add_search_path(scaling, scaling->text + start + length);
    else
        scan_tag(scaling, element, scaling->text + start + 1 + strlen(element),
                 scaling->text + start + length);
}

static int pass(struct scaled_platform_scaling *scaling, XML_StartElementHandler handler,
                size_t length) {
    scaling->parser = XML_ParserCreate(NULL);
    if (scaling->parser == NULL)
        abort(); /* out of memory */
    XML_SetUserData(scaling->parser, scaling);
    XML_SetStartElementHandler(scaling->parser, handler);
    /* file_read takes no file over 1 GiB, so the length fits an int. */
    enum XML_Status status = XML_Parse(scaling->parser, scaling->text, (int)length, 1);
    if (status != XML_STATUS_OK)
        fail(scaling, "not well-formed XML: ", XML_ErrorString(XML_GetErrorCode(scaling->parser)));
    XML_ParserFree(scaling->parser);
    return status == XML_STATUS_OK ? 0 : -1;
}

static int scale_text(struct scaled_platform_scaling *scaling, size_t length) {
    if (strlen(scaling->text) != length)
        return error_set(scaling->error,
                         "%s:1:1: error: only platforms in UTF-8 or ASCII can be scaled",
                         scaling->path);
    if (pass(scaling, on_route, length) != 0)
        return -1;
    if (scaling->memory_links.count > 0)
        qsort(scaling->memory_links.items, scaling->memory_links.count, sizeof(char *),
              compare_names);
    if (scaling->other_links.count > 0)
        qsort(scaling->other_links.items, scaling->other_links.count, sizeof(char *),
              compare_names);
    if (pass(scaling, on_element, length) != 0)
        return -1;
    str_addn(&scaling->out, scaling->text + scaling->copied, length - scaling->copied);
    return 0;
}

int platform_scale(const char *out_path, const char *path, double bandwidth_factor,
                   double latency_factor, struct error *error) {
    char *text = NULL;
    size_t length = 0;
    if (platform_is_shared_object(path))
        return error_set(error,
                         "%s is a program: its links cannot be scaled from outside; change "
                         "their numbers in its source",
                         path);
    if (file_read(&text, &length, path, error) != 0)
        return -1;
    struct scaled_platform_scaling scaling = {.out_path = out_path,
                                              .path = path,
                                              .text = text,
                                              .bandwidth = bandwidth_factor,
                                              .latency = latency_factor,
                                              .error = error};
    int result = scale_text(&scaling, length);
    if (result == 0)
        result = file_write(out_path, scaling.out.text, scaling.out.length, error);
    str_dispose(&scaling.out);
    vec_dispose(&scaling.memory_links);
    vec_dispose(&scaling.other_links);
    arena_dispose(&scaling.arena);
    free(text);
    return result;
}

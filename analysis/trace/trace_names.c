/* SPDX-License-Identifier: Apache-2.0
 *
 * From what runtimes know to what people know. Rewritten sources have other lines than the
 * application's: regions.json, of which the header has a copy, gives for each source file a sorted
 * list of [its line, the application's line]; from there on both count alike, or nothing is there
 * (0). A region is told by its number, whose function and place are there as well.
 */
#include "analysis/trace/trace_parts.h"

#include <stdio.h>
#include <string.h>

static int32_t integer(const json_t *value) {
    json_int_t number = json_integer_value(value);
    return number > 0 && number <= INT32_MAX ? (int32_t)number : 0;
}

static void name_region(struct trace_site *site, const json_t *bundle) {
    const json_t *region;
    size_t i;
    json_array_foreach(json_object_get(bundle, "regions"), i, region) {
        const char *function = json_get_text(region, "function");
        const char *file = json_get_text(region, "file");
        const json_t *index = json_object_get(region, "index");
        if (!json_is_integer(index) || json_integer_value(index) != site->region ||
            function == NULL || file == NULL)
            continue;
        site->function = function;
        site->file = file;
        site->line = integer(json_object_get(region, "line"));
        return;
    }
}

/* 0: it is not known. */
static int32_t find_line(const json_t *pairs, int32_t line) {
    int32_t found = 0;
    const json_t *pair;
    size_t i;
    json_array_foreach(pairs, i, pair) {
        int32_t from = integer(json_array_get(pair, 0)), to = integer(json_array_get(pair, 1));
        if (from > line)
            break;
        found = to > 0 ? to + (line - from) : 0;
    }
    return found;
}

/* Profiling builds are compiled with absolute names. */
static const char *below_root(const char *file, const json_t *bundle) {
    const char *root = json_get_text(bundle, "root");
    size_t length = root != NULL ? strlen(root) : 0;
    bool below = length > 0 && strncmp(file, root, length) == 0 && file[length] == '/';
    return below ? file + length + 1 : file;
}

static void name_call(struct trace_site *site, const json_t *bundle, bool is_simulated) {
    site->file = below_root(site->file, bundle);
    const json_t *lines = json_object_get(bundle, is_simulated ? "lines" : "profile_lines");
    int32_t line = find_line(json_object_get(lines, site->file), site->line);
    if (line > 0)
        site->line = line;
}

void trace_name_site(struct trace_site *site, const json_t *header) {
    const json_t *bundle = json_object_get(header, "bundle");
    const char *source = json_get_text(header, "source");
    if (site->kind == TRACE_REGION)
        name_region(site, bundle);
    else
        name_call(site, bundle, source != NULL && strcmp(source, "simulated") == 0);
}

char *trace_lane_name(const struct trace *trace, int32_t number) {
    const struct trace_lane *lane = trace_lane(trace, number);
    const char *source = json_get_text(trace_header(trace), "source");
    bool is_simulated = source != NULL && strcmp(source, "simulated") == 0;
    char *name = xmalloc(64);
    snprintf(name, 64, is_simulated ? "device %d, engine %d" : "rank %d, queue %d", lane->device,
             lane->number);
    return name;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * A file, line by line:
 *   kept cN   a statement of the skeleton; N is the number of its criterion in the list at the end
 *   stub rN   the first line of region N, for which a stub stands; `gone rN` are its other lines
 *   gone      not in the skeleton, and no region either
 * Lines without a mark are in the skeleton: declarations, braces, comments. What survives is read
 * from the map of lines in regions.json, up to the end of the rewritten file in the bundle.
 */
#include "cli/explain/explain.h"

#include "base/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct listing {
    struct log *log;
    const char *file, *path;
    char *text;
    VEC(char *) lines;
    bool *survives;    /* by line */
    int *region;       /* by line: its index, -1: none */
    int *statement;    /* by line: a demand, -1: none */
    VEC(int) criteria; /* in the order of their first line */
};

static void split(struct listing *l) {
    for (char *line = l->text; line != NULL && *line != '\0';) {
        char *end = strchr(line, '\n');
        vec_push(&l->lines, line);
        if (end == NULL)
            return;
        *end = '\0';
        if (end > line && end[-1] == '\r')
            end[-1] = '\0';
        line = end + 1;
    }
}

static int rewritten_lines(struct listing *l, const char *bundle) {
    struct arena *arena = &l->log->arena;
    struct error ignored = {0};
    char *text = NULL;
    int count = 1;
    if (file_read(&text, NULL, path_join(arena, path_join(arena, bundle, "src"), l->file),
                  &ignored) != 0)
        return -1;
    for (const char *at = text; *at != '\0'; at++)
        count += *at == '\n';
    free(text);
    return count;
}

/* Lines [first, first + count) of the application are in the skeleton. */
static void mark_survivors(struct listing *l, json_int_t first, json_int_t count) {
    for (json_int_t i = 0; i < count; i++)
        if (first + i >= 1 && first + i <= (json_int_t)l->lines.count)
            l->survives[first + i - 1] = true;
}

static void read_map(struct listing *l, const char *bundle) {
    const json_t *pairs = json_object_get(json_object_get(l->log->regions_json, "lines"), l->file);
    json_int_t end = rewritten_lines(l, bundle), most = (json_int_t)l->lines.count;
    size_t count = json_array_size(pairs);
    for (size_t i = 0; i < count; i++) {
        const json_t *pair = json_array_get(pairs, i), *next = json_array_get(pairs, i + 1);
        json_int_t rewritten = json_integer_value(json_array_get(pair, 0));
        json_int_t original = json_integer_value(json_array_get(pair, 1));
        json_int_t stop = next != NULL ? json_integer_value(json_array_get(next, 0))
                                       : (end >= 0 ? end + 1 : rewritten + most);
        if (original < 1 || original > most || rewritten < 0 || stop < rewritten)
            continue;
        mark_survivors(l, original, stop - rewritten < most ? stop - rewritten : most);
    }
}

static bool is_kept_region(const struct log *log, int region) {
    for (size_t i = 0; i < log->kept.count; i++)
        if (log->kept.items[i].region == region)
            return true;
    return false;
}

static void find_fates(struct listing *l) {
    for (size_t i = 0; i < l->lines.count; i++) {
        int number = (int)i + 1;
        const struct region *region = log_find_region(l->log, l->file, number);
        bool removed = region != NULL && !is_kept_region(l->log, region->index);
        l->region[i] = removed ? region->index : -1;
        l->statement[i] = log_find_statement(l->log, l->file, number);
        if (l->statement[i] < 0)
            continue;
        const struct explained_demand *demand = &l->log->demands.items[l->statement[i]];
        /* A whole loop out of a macro covers what is removed inside. */
        if (removed && demand->end_line - demand->line > region->end_line - region->line)
            l->statement[i] = -1;
        else
            l->region[i] = -1;
    }
}

static int criterion_number(struct listing *l, int statement) {
    int criterion = log_criterion(l->log, statement);
    for (size_t i = 0; i < l->criteria.count; i++)
        if (l->criteria.items[i] == criterion)
            return (int)i + 1;
    vec_push(&l->criteria, criterion);
    return (int)l->criteria.count;
}

static bool is_blank(const char *text) {
    return text[strspn(text, " \t\r")] == '\0';
}

static const char *fate_of(const struct listing *l, size_t i) {
    if (l->statement[i] >= 0)
        return "kept";
    if (l->region[i] >= 0)
        return l->log->regions.items[l->region[i]].line == (int)i + 1 ? "stub" : "gone";
    return l->survives[i] || is_blank(l->lines.items[i]) ? "" : "gone";
}

static void print_line(struct listing *l, size_t i) {
    char id[24] = "";
    if (l->statement[i] >= 0)
        snprintf(id, sizeof id, "c%d", criterion_number(l, l->statement[i]));
    else if (l->region[i] >= 0)
        snprintf(id, sizeof id, "r%d", l->region[i]);
    printf("%5zu  %-4s %-5s| %s\n", i + 1, fate_of(l, i), id, l->lines.items[i]);
}

static void print_text(struct listing *l) {
    const struct log *log = l->log;
    for (size_t i = 0; i < l->lines.count; i++)
        print_line(l, i);
    for (size_t i = 0; i < l->criteria.count; i++) {
        struct str text = {0};
        explain_criterion(&text, log, l->criteria.items[i], -1);
        printf("%sc%zu: %s\n", i == 0 ? "\n" : "", i + 1, str_text(&text));
        str_dispose(&text);
    }
    for (int i = 0; i < log->regions.count; i++) {
        const struct region *region = &log->regions.items[i];
        if (strcmp(region->file, l->file) == 0 && !is_kept_region(log, i))
            printf("r%d: region %s, lines %d-%d: %s\n", i, region->id, region->line,
                   region->end_line, region->summary);
    }
}

static json_t *line_json(const struct listing *l, size_t i) {
    const char *fate = fate_of(l, i);
    json_t *line =
        json_pack("{s:i, s:s}", "line", (int)i + 1, "fate", fate[0] != '\0' ? fate : "present");
    if (l->region[i] >= 0)
        json_object_set_new(line, "region", json_integer(l->region[i]));
    if (l->statement[i] < 0)
        return line;
    struct str text = {0};
    int criterion = log_criterion(l->log, l->statement[i]);
    explain_criterion(&text, l->log, criterion, l->statement[i]);
    json_object_set_new(line, "demand", json_integer(l->statement[i]));
    json_object_set_new(line, "criterion", json_integer(criterion));
    json_object_set_new(line, "needed_for", json_string(str_text(&text)));
    str_dispose(&text);
    return line;
}

static void print_json(const struct listing *l) {
    json_t *lines = json_array();
    for (size_t i = 0; i < l->lines.count; i++)
        json_array_append_new(lines, line_json(l, i));
    explain_print_json(json_pack("{s:s, s:o}", "file", l->file, "lines", lines));
}

int explain_file(struct log *log, const struct explain_options *options, const char *file,
                 struct error *error) {
    struct listing l = {.log = log, .file = file};
    l.path = path_absolute(&log->arena, log->regions.root, file);
    if (file_read(&l.text, NULL, l.path, error) != 0)
        return -1;
    split(&l);
    l.survives = ARENA_ARRAY(&log->arena, bool, l.lines.count + 1);
    l.region = ARENA_ARRAY(&log->arena, int, l.lines.count + 1);
    l.statement = ARENA_ARRAY(&log->arena, int, l.lines.count + 1);
    read_map(&l, options->bundle);
    find_fates(&l);
    if (options->format == OUTPUT_JSON)
        print_json(&l);
    else
        print_text(&l);
    vec_dispose(&l.lines);
    vec_dispose(&l.criteria);
    free(l.text);
    return 0;
}

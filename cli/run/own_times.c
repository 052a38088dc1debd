/* SPDX-License-Identifier: Apache-2.0
 *
 * See own_times.h. A place is at the innermost region of which a line is that line, else at the MPI
 * calls of that line: a clock that is gone from the skeleton is in a region.
 */
#include "cli/run/own_times.h"

#include "analysis/trace/trace_stretch.h"

#include <stdlib.h>
#include <string.h>

/* With its trace a simulation takes up to 2.7 times as long: 2.2 s instead of 0.8 s where 1,024
 * ranks send two messages in each of 400 steps. Up to so many ranks that is a fraction of a second;
 * beyond, users ask for it. */
#define OWN_TIMES_RANKS 256

/* ---- What is asked for ---- */

static int parse_place(const char **file, int *line, char *text) {
    char *colon = strrchr(text, ':'), *end;
    if (colon == NULL || colon == text)
        return -1;
    long number = strtol(colon + 1, &end, 10);
    if (end == colon + 1 || *end != '\0' || number < 1 || number > INT32_MAX)
        return -1;
    *colon = '\0';
    *file = text;
    *line = (int)number;
    return 0;
}

int own_times_parse(struct named_region *out, const char *text, struct arena *arena,
                    struct error *error) {
    char *begin = arena_strdup(arena, text);
    char *dots = strstr(begin, "..");
    *out = (struct named_region){.text = text};
    while (dots != NULL && strchr("./", dots[2]) != NULL && dots[2] != '\0')
        dots = strstr(dots + 1, ".."); /* a path has them, too: ../a.c:3 */
    if (dots == begin || dots == NULL)
        return error_set(error,
                         "--region takes FILE:LINE..FILE:LINE, such as "
                         "main.c:45..main.c:55, not '%s'",
                         text);
    *dots = '\0';
    if (parse_place(&out->begin_file, &out->begin_line, begin) != 0 ||
        parse_place(&out->end_file, &out->end_line, dots + 2) != 0)
        return error_set(error,
                         "--region takes FILE:LINE..FILE:LINE, such as "
                         "main.c:45..main.c:55, not '%s'",
                         text);
    return 0;
}

static void ask_for_clocks(named_regions *out, const struct regions *regions) {
    for (size_t i = 0; i < regions->clock_count; i++) {
        const struct clock_pair *pair = &regions->clocks[i];
        if (pair->is_kept)
            continue;
        struct named_region own = {.own = pair->text,
                                   .begin_file = pair->file,
                                   .end_file = pair->file,
                                   .begin_line = pair->begin_line,
                                   .end_line = pair->end_line};
        vec_push(out, own);
    }
}

int own_times_ask(named_regions *out, const struct run_options *options,
                  const struct regions *regions, struct arena *arena, struct error *error) {
    for (size_t i = 0; i < options->regions.count; i++) {
        struct named_region region;
        if (own_times_parse(&region, options->regions.items[i], arena, error) != 0)
            return -1;
        vec_push(out, region);
    }
    if (options->regions.count == 0 && !options->original && options->format == OUTPUT_TEXT &&
        options->placement.ranks <= OWN_TIMES_RANKS && !asked_trace_is_partial(&options->trace))
        ask_for_clocks(out, regions);
    return 0;
}

/* ---- Places in a trace ---- */

/* The same file, or its last components. */
static bool is_file(const char *file, const char *named) {
    size_t length = strlen(file), tail = strlen(named);
    return tail <= length && strcmp(file + length - tail, named) == 0 &&
           (tail == length || file[length - tail - 1] == '/');
}

static const struct region *region_at(const struct regions *regions, const char *file, int line) {
    const struct region *found = NULL;
    for (int i = 0; i < regions->count; i++) {
        const struct region *region = &regions->items[i];
        if (region->value == VALUE_NONE && is_file(region->file, file) && region->line <= line &&
            line <= region->end_line &&
            (found == NULL || region->end_line - region->line < found->end_line - found->line))
            found = region;
    }
    return found;
}

struct place_finder {
    const struct trace *trace;
    const struct regions *regions;
    struct trace_stretch_places *places;
};

static bool is_at(const struct place_finder *finder, const struct trace_site *site,
                  const char *file, int line, const struct region *region) {
    const struct region *own = site->kind == TRACE_REGION && site->region < finder->regions->count
                                   ? &finder->regions->items[site->region]
                                   : NULL;
    if (own != NULL) /* copies of a function are one to the user */
        return region != NULL && own->value == VALUE_NONE && own->line == region->line &&
               own->end_line == region->end_line && strcmp(own->file, region->file) == 0;
    return region == NULL && site->kind == TRACE_CALL && site->line == line &&
           is_file(site->file, file);
}

/* 0: nothing of the trace is there. */
static size_t mark(const struct place_finder *finder, const char *file, int line, bool is_end) {
    const struct region *region = region_at(finder->regions, file, line);
    size_t count = 0;
    for (uint32_t i = 0; i < trace_site_count(finder->trace); i++) {
        if (!is_at(finder, trace_site(finder->trace, i), file, line, region))
            continue;
        count++;
        if (is_end)
            finder->places[i].ends = true;
        else
            finder->places[i].begins = true;
    }
    return count;
}

/* The clock that stays in the skeleton and is read there; NULL: none is. */
static const struct clock_pair *kept_clock_at(const struct regions *regions, const char *file,
                                              int line) {
    for (size_t i = 0; i < regions->clock_count; i++) {
        const struct clock_pair *pair = &regions->clocks[i];
        if (pair->is_kept && is_file(pair->file, file) &&
            (pair->begin_line == line || pair->end_line == line))
            return pair;
    }
    return NULL;
}

/* The event of that file whose line is nearest, for those who named none. */
static int say_nothing_there(const struct place_finder *finder, const char *text, const char *file,
                             int line, struct error *error) {
    const struct trace_site *nearest = NULL;
    for (uint32_t i = 0; i < trace_site_count(finder->trace); i++) {
        const struct trace_site *site = trace_site(finder->trace, i);
        if (is_file(site->file, file) &&
            (nearest == NULL || abs(site->line - line) < abs(nearest->line - line)))
            nearest = site;
    }
    if (nearest == NULL)
        return error_set(error,
                         "--region %s: no file %s has an MPI call or a region in this run; "
                         "`mpiskel run --top 100` lists where there are some",
                         text, file);
    return error_set(
        error,
        "--region %s: the run had no MPI call and no region at %s:%d%s; the nearest one "
        "is at %s:%d",
        text, file, line,
        kept_clock_at(finder->regions, file, line) != NULL
            ? ", but a clock that stays in the skeleton: what the program itself "
              "prints of it is this time, simulated"
            : "",
        nearest->file, (int)nearest->line);
}

static int measure(struct own_time *out, const struct place_finder *finder,
                   const struct named_region *named, struct error *error) {
    struct trace_stretch sum;
    bool is_asked = named->text != NULL;
    memset(finder->places, 0, (trace_site_count(finder->trace) + 1) * sizeof *finder->places);
    size_t begins = mark(finder, named->begin_file, named->begin_line, false);
    size_t ends = mark(finder, named->end_file, named->end_line, true);
    if (is_asked && begins == 0)
        return say_nothing_there(finder, named->text, named->begin_file, named->begin_line, error);
    if (is_asked && ends == 0)
        return say_nothing_there(finder, named->text, named->end_file, named->end_line, error);
    if (begins == 0 || ends == 0)
        return 0;
    if (trace_stretch_make(&sum, finder->trace, finder->places, error) != 0)
        return -1;
    out->executions = (double)sum.executions;
    out->least_s = sum.least_s;
    out->mean_s = sum.mean_s;
    out->most_s = sum.most_s;
    return is_asked && sum.ranks == 0
               ? error_set(error, "--region %s: no rank comes from the first place to the second",
                           named->text)
               : 0;
}

/* ---- All of them ---- */

static int compare(const void *left, const void *right) {
    const struct own_time *a = left, *b = right;
    return (a->most_s < b->most_s) - (a->most_s > b->most_s);
}

static int read_open(struct own_times *out, const struct place_finder *finder,
                     const named_regions *named, struct arena *arena, struct error *error) {
    struct own_time *items = ARENA_ARRAY(arena, struct own_time, named->count + 1);
    size_t count = 0;
    for (size_t i = 0; i < named->count; i++) {
        const struct named_region *one = &named->items[i];
        items[count] = (struct own_time){
            .text = one->own,
            .begin = arena_printf(arena, "%s:%d", one->begin_file, one->begin_line),
            .end = arena_printf(arena, "%s:%d", one->end_file, one->end_line)};
        if (measure(&items[count], finder, one, error) != 0)
            return -1;
        count += items[count].executions > 0;
    }
    qsort(items, count, sizeof *items, compare);
    *out = (struct own_times){items, count};
    return 0;
}

int own_times_read(struct own_times *out, const char *trace_file, const struct regions *regions,
                   const named_regions *named, struct arena *arena, struct error *error) {
    struct trace *trace = NULL;
    *out = (struct own_times){0};
    if (trace_open(&trace, trace_file, error) != 0)
        return -1;
    struct place_finder finder = {
        trace, regions,
        ARENA_ARRAY(arena, struct trace_stretch_places, trace_site_count(trace) + 1)};
    int result = read_open(out, &finder, named, arena, error);
    trace_close(trace);
    return result;
}

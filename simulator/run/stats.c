/* SPDX-License-Identifier: Apache-2.0
 *
 * One reader per kind of row; see stats.h. The first thing that is wrong is kept in the error and
 * the readers go on with zeroes, so that they need no check after each member.
 */
#include "simulator/run/stats.h"

#include "base/json.h"
#include "model/samples/line_map.h"

#include <math.h>
#include <string.h>

struct stats_reading {
    struct arena *arena;
    const char *path;
    struct error *error;
};

static void wrong(struct stats_reading *reading, const char *where, const char *key,
                  const char *what) {
    error_set(reading->error, "%s:1:1: error: %s.%s %s: not a summary that the runtime wrote",
              reading->path, where, key, what);
}

static double number_of(struct stats_reading *reading, const json_t *value, const char *where,
                        const char *key) {
    double number = json_number_value(value);
    if (!json_is_number(value))
        wrong(reading, where, key, "is missing or no number");
    else if (!isfinite(number) || number < 0)
        wrong(reading, where, key, "is negative or too large");
    return number;
}

static double number(struct stats_reading *reading, const json_t *row, const char *where,
                     const char *key) {
    return number_of(reading, json_object_get(row, key), where, key);
}

static size_t whole(struct stats_reading *reading, const json_t *row, const char *where,
                    const char *key) {
    const json_t *value = json_object_get(row, key);
    if (!json_is_integer(value) || json_integer_value(value) < 0) {
        wrong(reading, where, key, "is missing or no whole number");
        return 0;
    }
    return (size_t)json_integer_value(value);
}

static const char *text(struct stats_reading *reading, const json_t *row, const char *where,
                        const char *key) {
    const char *value = json_get_text(row, key);
    if (value == NULL)
        wrong(reading, where, key, "is missing or no text");
    return arena_strdup(reading->arena, value != NULL ? value : "");
}

static const json_t *rows(struct stats_reading *reading, const json_t *root, const char *key) {
    const json_t *array = json_object_get(root, key);
    if (!json_is_array(array))
        wrong(reading, "summary", key, "is missing or no list");
    return array;
}

static const double *numbers(struct stats_reading *reading, const json_t *row, const char *key,
                             size_t *out_count) {
    const json_t *array = json_object_get(row, key);
    if (!json_is_array(array))
        wrong(reading, "regions", key, "is missing or no list");
    *out_count = json_array_size(array);
    double *out = ARENA_ARRAY(reading->arena, double, *out_count + 1);
    for (size_t i = 0; i < *out_count; i++) {
        const json_t *value = json_array_get(array, i);
        if (!json_is_number(value))
            wrong(reading, "regions", key, "holds something else than numbers");
        out[i] = json_number_value(value);
    }
    return out;
}

static struct call_stats *read_calls(size_t *out_count, struct stats_reading *reading,
                                     const json_t *root, const char *key) {
    const json_t *array = rows(reading, root, key);
    bool with_place = strcmp(key, "sites") == 0;
    *out_count = json_array_size(array);
    struct call_stats *out = ARENA_ARRAY(reading->arena, struct call_stats, *out_count + 1);
    for (size_t i = 0; i < *out_count; i++) {
        const json_t *row = json_array_get(array, i);
        out[i] = (struct call_stats){
            .name = text(reading, row, key, "name"),
            .file = with_place ? text(reading, row, key, "file") : NULL,
            .line = with_place ? whole(reading, row, key, "line") : 0,
            .count = number(reading, row, key, "count"),
            .seconds = number(reading, row, key, "seconds"),
            .bytes = number(reading, row, key, "bytes"),
        };
    }
    return out;
}

static void read_ranks(struct run_stats *out, struct stats_reading *reading, const json_t *root) {
    const json_t *array = rows(reading, root, "per_rank");
    size_t count = json_array_size(array);
    if (count != out->ranks)
        wrong(reading, "summary", "per_rank", "does not have one entry per rank");
    out->per_rank = ARENA_ARRAY(reading->arena, struct rank_stats, count + 1);
    for (size_t i = 0; i < count; i++) {
        const json_t *row = json_array_get(array, i);
        out->per_rank[i] = (struct rank_stats){
            .end_s = number(reading, row, "per_rank", "end_s"),
            .compute_s = number(reading, row, "per_rank", "compute_s"),
            .mpi_s = number(reading, row, "per_rank", "mpi_s"),
            .calls = number(reading, row, "per_rank", "calls"),
        };
        if (json_object_get(row, "device_s") != NULL)
            out->per_rank[i].device_s = number(reading, row, "per_rank", "device_s");
        if (json_object_get(row, "interrupted_s") != NULL)
            out->per_rank[i].interrupted_s = number(reading, row, "per_rank", "interrupted_s");
        if (json_object_get(row, "functions") != NULL)
            out->per_rank[i].functions =
                read_calls(&out->per_rank[i].function_count, reading, row, "functions");
    }
}

static void read_regions(struct run_stats *out, struct stats_reading *reading, const json_t *root) {
    const json_t *array = rows(reading, root, "regions");
    out->region_count = json_array_size(array);
    out->regions = ARENA_ARRAY(reading->arena, struct region_stats, out->region_count + 1);
    for (size_t i = 0; i < out->region_count; i++) {
        const json_t *row = json_array_get(array, i);
        struct region_stats *region = &out->regions[i];
        size_t maxima = 0;
        region->index = whole(reading, row, "regions", "index");
        region->executions = number(reading, row, "regions", "executions");
        region->seconds = number(reading, row, "regions", "seconds");
        if (json_object_get(row, "most_seconds") != NULL)
            region->most_seconds = number(reading, row, "regions", "most_seconds");
        if (json_object_get(row, "unseen_seconds") != NULL)
            region->unseen_seconds = number(reading, row, "regions", "unseen_seconds");
        if (json_object_get(row, "others_max") != NULL) {
            region->others_min = number(reading, row, "regions", "others_min");
            region->others_max = number(reading, row, "regions", "others_max");
        }
        region->features_min = numbers(reading, row, "features_min", &region->feature_count);
        region->features_max = numbers(reading, row, "features_max", &maxima);
        if (maxima != region->feature_count)
            wrong(reading, "regions", "features_max", "is not as long as features_min");
        if (json_object_get(row, "run_numbers_min") == NULL)
            continue;
        region->run_numbers_min =
            numbers(reading, row, "run_numbers_min", &region->run_number_count);
        region->run_numbers_max = numbers(reading, row, "run_numbers_max", &maxima);
        if (maxima != region->run_number_count)
            wrong(reading, "regions", "run_numbers_max", "is not as long as run_numbers_min");
    }
}

/* Of skeletons; those of older bundles do not tell. */
static void read_doubtful_loops(struct run_stats *out, struct stats_reading *reading,
                                const json_t *root) {
    if (json_object_get(root, "doubtful_loops") == NULL)
        return;
    const json_t *array = rows(reading, root, "doubtful_loops");
    out->doubtful_loop_count = json_array_size(array);
    out->doubtful_loops =
        ARENA_ARRAY(reading->arena, struct doubtful_loop, out->doubtful_loop_count + 1);
    for (size_t i = 0; i < out->doubtful_loop_count; i++) {
        const json_t *row = json_array_get(array, i);
        out->doubtful_loops[i] = (struct doubtful_loop){
            .index = whole(reading, row, "doubtful_loops", "index"),
            .seconds = number(reading, row, "doubtful_loops", "seconds"),
            .factor = number(reading, row, "doubtful_loops", "factor"),
        };
    }
}

/* Likewise. */
static void read_untold_values(struct run_stats *out, struct stats_reading *reading,
                               const json_t *root) {
    if (json_object_get(root, "untold_values") == NULL)
        return;
    const json_t *array = rows(reading, root, "untold_values");
    out->untold_count = json_array_size(array);
    out->untold_values = ARENA_ARRAY(reading->arena, struct untold_count, out->untold_count + 1);
    for (size_t i = 0; i < out->untold_count; i++) {
        const json_t *row = json_array_get(array, i);
        out->untold_values[i] =
            (struct untold_count){.index = whole(reading, row, "untold_values", "index"),
                                  .count = number(reading, row, "untold_values", "count")};
    }
}

/* Likewise. */
static void read_unvaried_values(struct run_stats *out, struct stats_reading *reading,
                                 const json_t *root) {
    if (json_object_get(root, "unvaried_values") == NULL)
        return;
    const json_t *array = rows(reading, root, "unvaried_values");
    size_t count = out->unvaried_count = json_array_size(array);
    out->unvaried_values = ARENA_ARRAY(reading->arena, struct unvaried_value, count + 1);
    for (size_t i = 0; i < count; i++) {
        const json_t *row = json_array_get(array, i);
        out->unvaried_values[i] = (struct unvaried_value){
            .index = whole(reading, row, "unvaried_values", "index"),
            .place = whole(reading, row, "unvaried_values", "place"),
            .profiled = number(reading, row, "unvaried_values", "profiled"),
            .seen = number(reading, row, "unvaried_values", "seen"),
        };
    }
}

static void read_summary(struct run_stats *out, struct stats_reading *reading, const json_t *root) {
    const char *format = json_get_text(root, "format");
    if (format == NULL || strcmp(format, "mpiskel-stats") != 0)
        wrong(reading, "summary", "format", "is not \"mpiskel-stats\"");
    if (json_get_integer(root, "version", 0) != 1)
        wrong(reading, "summary", "version", "is not 1");
    out->ranks = whole(reading, root, "summary", "ranks");
    out->finalized = whole(reading, root, "summary", "finalized");
    out->makespan_s = number(reading, root, "summary", "makespan_s");
    read_ranks(out, reading, root);
    read_regions(out, reading, root);
    read_doubtful_loops(out, reading, root);
    read_untold_values(out, reading, root);
    read_unvaried_values(out, reading, root);
    out->calls = read_calls(&out->call_count, reading, root, "calls");
    out->sites = read_calls(&out->site_count, reading, root, "sites");
}

double run_stats_region_seconds(const struct run_stats *stats) {
    double sum_s = 0;
    for (size_t i = 0; i < stats->region_count; i++)
        sum_s += stats->regions[i].seconds;
    return sum_s;
}

int run_stats_read(struct run_stats *out, const char *path, struct error *error) {
    json_t *root = NULL;
    if (json_read(&root, path, error) != 0)
        return -1;
    struct error inner = {0};
    *out = (struct run_stats){0};
    arena_init(&out->arena);
    struct stats_reading reading = {&out->arena, path, &inner};
    read_summary(out, &reading, root);
    json_decref(root);
    if (!inner.set)
        return 0;
    run_stats_dispose(out);
    return error_set(error, "%s", inner.text);
}

void run_stats_dispose(struct run_stats *stats) {
    arena_dispose(&stats->arena);
}

/* Adds a site to an earlier one at the same place: copies of a function are one to the user. */
static void merge_sites(struct run_stats *stats) {
    size_t left = 0;
    for (size_t i = 0; i < stats->site_count; i++) {
        const struct call_stats *site = &stats->sites[i];
        size_t same = 0;
        while (same < left && (stats->sites[same].line != site->line ||
                               strcmp(stats->sites[same].name, site->name) != 0 ||
                               strcmp(stats->sites[same].file, site->file) != 0))
            same++;
        if (same == left) {
            stats->sites[left++] = *site;
            continue;
        }
        stats->sites[same].count += site->count;
        stats->sites[same].seconds += site->seconds;
        stats->sites[same].bytes += site->bytes;
        stats->sites[same].waiting_s += site->waiting_s;
    }
    stats->site_count = left;
}

int run_stats_tell_lines(struct run_stats *stats, const char *regions_file, struct error *error) {
    struct line_map *map = NULL;
    if (line_map_read(&map, regions_file, error) != 0)
        return -1;
    for (size_t i = 0; i < stats->site_count; i++) {
        struct call_stats *site = &stats->sites[i];
        const char *file = NULL;
        long line =
            site->file != NULL ? line_map_find(&file, map, site->file, (long)site->line) : 0;
        if (line > 0)
            site->line = (size_t)line;
    }
    line_map_free(map);
    merge_sites(stats);
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * What a rank takes before its first call at a site is the mean of ranks and runs; before any other
 * one there, the mean of those calls. Lines of the profiling build become those of the original,
 * and these become lines of the skeleton (line_map.h).
 */
#include "model/samples/call_gaps.h"

#include "base/str.h"
#include "base/vec.h"
#include "model/samples/line_map.h"

#include <string.h>

#define COPIES_MOST 64 /* of a function in the skeleton, one for each of its variants */

struct call_gap {
    const char *name, *file;
    long line; /* of the original; later of the skeleton */
    double ranks, first_s, calls, again_s;
};

typedef VEC(struct call_gap) gap_list;

static struct call_gap *find(gap_list *gaps, const char *name, const char *file, long line) {
    for (size_t i = 0; i < gaps->count; i++)
        if (gaps->items[i].line == line && strcmp(gaps->items[i].name, name) == 0 &&
            strcmp(gaps->items[i].file, file) == 0)
            return &gaps->items[i];
    return NULL;
}

static const char *in_tree(const char *file, const char *root) {
    size_t length = root != NULL ? strlen(root) : 0;
    return length > 0 && strncmp(file, root, length) == 0 && file[length] == '/' ? file + length + 1
                                                                                 : file;
}

static void add_site(gap_list *gaps, const struct call_count *site, const struct line_map *map,
                     const char *root) {
    const char *file;
    long line = line_map_find_profile(&file, map, in_tree(site->file, root), site->line);
    if (line == 0)
        return;
    struct call_gap *gap = find(gaps, site->name, file, line);
    if (gap == NULL) {
        vec_push(gaps, (struct call_gap){.name = site->name, .file = file, .line = line});
        gap = &gaps->items[gaps->count - 1];
    }
    gap->ranks++;
    gap->first_s += site->first_s;
    if (site->count > 1) {
        gap->calls += site->count - 1;
        gap->again_s += site->kept_s - site->first_s;
    }
}

static void add_lines(struct str *out, gap_list *told, const struct call_gap *gap,
                      const struct line_map *map) {
    long lines[COPIES_MOST];
    size_t count = line_map_skeleton_lines(lines, COPIES_MOST, map, gap->file, gap->line);
    for (size_t i = 0; i < count; i++) {
        if (find(told, gap->name, gap->file, lines[i]) != NULL)
            continue;
        vec_push(told, *gap);
        told->items[told->count - 1].line = lines[i];
        str_printf(out, "gap %s %ld %.17g %.17g %s\n", gap->name, lines[i],
                   gap->first_s / gap->ranks, gap->calls > 0 ? gap->again_s / gap->calls : 0,
                   gap->file);
    }
}

static void add_runs(struct str *out, const struct run *runs, size_t count,
                     const struct line_map *map, const char *root) {
    gap_list gaps = {0}, told = {0};
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; run_is_counted(&runs[i]) && k < runs[i].calls.count; k++)
            if (runs[i].calls.items[k].kept_s >= 0)
                add_site(&gaps, &runs[i].calls.items[k], map, root);
    for (size_t i = 0; i < gaps.count; i++)
        add_lines(out, &told, &gaps.items[i], map);
    vec_dispose(&gaps);
    vec_dispose(&told);
}

const char *call_gaps_lines(struct arena *arena, const struct run *runs, size_t count,
                            const struct regions *regions) {
    struct str out = {0};
    struct line_map *map = NULL;
    struct error error = {0};
    bool is_counted = count > 0 && run_is_counted(&runs[0]);
    if (is_counted && regions->path != NULL && line_map_read(&map, regions->path, &error) == 0)
        add_runs(&out, runs, count, map, regions->root);
    line_map_free(map);
    return str_into(arena, &out);
}

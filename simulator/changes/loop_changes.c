/* SPDX-License-Identifier: Apache-2.0 */
#include "simulator/changes/loop_changes.h"

#include "base/file.h"
#include "base/json.h"
#include "base/str.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define NEAREST 3 /* loops that are proposed */

/* ---- Reading ---- */

struct loop_changes_reader {
    struct arena *arena;
    bool wrong;
};

static int number(struct loop_changes_reader *r, const json_t *row, const char *key) {
    long long value = json_get_integer(row, key, -1);
    r->wrong |= value < 0 || value > INT_MAX;
    return (int)value;
}

static const char *text(struct loop_changes_reader *r, const json_t *row, const char *key) {
    const char *value = json_get_text(row, key);
    r->wrong |= value == NULL;
    return arena_strdup(r->arena, value != NULL ? value : "");
}

static bool flag(struct loop_changes_reader *r, const json_t *row, const char *key) {
    const json_t *value = json_object_get(row, key);
    r->wrong |= !json_is_boolean(value);
    return json_is_true(value);
}

static int *numbers(size_t *out_count, struct loop_changes_reader *r, const json_t *row,
                    const char *key) {
    const json_t *list = json_object_get(row, key);
    *out_count = json_array_size(list);
    r->wrong |= !json_is_array(list);
    int *out = ARENA_ARRAY(r->arena, int, *out_count + 1);
    for (size_t i = 0; i < *out_count; i++) {
        const json_t *value = json_array_get(list, i);
        long long integer = json_is_integer(value) ? json_integer_value(value) : -1;
        r->wrong |= integer < 0 || integer > INT_MAX;
        out[i] = (int)integer;
    }
    return out;
}

static void read_calls(struct loop_info *out, struct loop_changes_reader *r, const json_t *list) {
    r->wrong |= !json_is_array(list);
    out->call_count = json_array_size(list);
    out->calls = ARENA_ARRAY(r->arena, struct call_place, out->call_count + 1);
    for (size_t i = 0; i < out->call_count; i++) {
        const json_t *pair = json_array_get(list, i), *line = json_array_get(pair, 1);
        const char *file = json_string_value(json_array_get(pair, 0));
        r->wrong |= file == NULL || !json_is_integer(line);
        out->calls[i] = (struct call_place){arena_strdup(r->arena, file != NULL ? file : ""),
                                            (int)json_integer_value(line)};
    }
}

static struct loop_info read_loop(struct loop_changes_reader *r, const json_t *row) {
    struct loop_info loop = {
        .number = number(r, row, "number"),
        .file = text(r, row, "file"),
        .function = text(r, row, "function"),
        .kind = text(r, row, "kind"),
        .variable = text(r, row, "variable"),
        .line = number(r, row, "line"),
        .column = number(r, row, "column"),
        .exit_line = number(r, row, "exit_line"),
        .stays = flag(r, row, "stays"),
        .single = flag(r, row, "single"),
        .given = json_is_true(json_object_get(row, "given")),
        .is_old = json_object_get(row, "given") == NULL,
        .talks = flag(r, row, "talks"),
        .outermost = flag(r, row, "outermost"),
        .left = text(r, row, "left"),
        .no_longer = text(r, row, "no_longer"),
        .obstacle = text(r, row, "obstacle"),
    };
    loop.regions = numbers(&loop.region_count, r, row, "regions");
    read_calls(&loop, r, json_object_get(row, "calls"));
    loop.together = numbers(&loop.together_count, r, row, "together");
    return loop;
}

static const char *wrong_with(struct loop_list *out, const json_t *root, const char *bundle) {
    struct loop_changes_reader r = {.arena = &out->arena};
    const json_t *list = json_object_get(root, "loops");
    const char *format = json_get_text(root, "format"), *of = json_get_text(root, "bundle");
    if (format == NULL || strcmp(format, "mpiskel-loops") != 0)
        return "this is no list of loops (\"format\" is not \"mpiskel-loops\")";
    if (json_get_integer(root, "version", 0) != 1)
        return "it was written by a newer mpiskel";
    if (of == NULL || strcmp(of, bundle) != 0)
        return "it belongs to another bundle; run mpiskel generate again";
    if (!json_is_array(list))
        return "'loops' is missing or no list";
    out->items = ARENA_ARRAY(&out->arena, struct loop_info, json_array_size(list) + 1);
    for (out->count = 0; out->count < json_array_size(list) && !r.wrong; out->count++)
        out->items[out->count] = read_loop(&r, json_array_get(list, out->count));
    return r.wrong ? "a loop's entry is damaged; run mpiskel generate again" : NULL;
}

int loops_read(struct loop_list *out, const struct bundle *bundle, struct error *error) {
    json_t *root = NULL;
    *out = (struct loop_list){0};
    arena_init(&out->arena);
    const char *path = path_join(&out->arena, bundle->directory, "loops.json");
    int result = -1;
    if (!file_exists(path))
        error_set(error, "%s has no loops.json: run mpiskel generate again", bundle->directory);
    else if (json_read(&root, path, error) == 0) {
        const char *wrong = wrong_with(out, root, bundle->regions.bundle);
        result = wrong == NULL ? 0 : error_set(error, "%s:1:1: error: %s", path, wrong);
        json_decref(root);
    }
    if (result != 0)
        loops_dispose(out);
    return result;
}

void loops_dispose(struct loop_list *loops) {
    arena_dispose(&loops->arena);
}

/* ---- Finding ---- */

const struct loop_info *loops_of_number(const struct loop_list *loops, int wanted) {
    for (size_t i = 0; i < loops->count; i++)
        if (loops->items[i].number == wanted)
            return &loops->items[i];
    return NULL;
}

bool loops_is_file(const char *path, const char *name, size_t length) {
    size_t path_length = strlen(path);
    return length > 0 && path_length >= length &&
           strncmp(path + path_length - length, name, length) == 0 &&
           (path_length == length || path[path_length - length - 1] == '/');
}

const char *loops_ends_sooner(const struct loop_info *loop, struct arena *arena) {
    if (loop->exit_line > 0)
        return arena_printf(arena, "line %d leaves it", loop->exit_line);
    return loop->stays && !loop->single ? "its condition has another part" : NULL;
}

bool loops_tells_trips(const struct loop_info *loop, struct arena *arena) {
    return loop->given ? loop->exit_line == 0
                       : loop->left[0] != '\0' && loops_ends_sooner(loop, arena) == NULL;
}

const char *loops_label(const struct loop_list *loops, const struct loop_info *loop,
                        struct arena *arena) {
    for (size_t i = 0; i < loops->count; i++)
        if (loops->items[i].number != loop->number && loops->items[i].line == loop->line &&
            strcmp(loops->items[i].file, loop->file) == 0)
            return arena_printf(arena, "%s:%d:%d", loop->file, loop->line, loop->column);
    return arena_printf(arena, "%s:%d", loop->file, loop->line);
}

struct loop_changes_place {
    const char *name;
    size_t file_length;
    long line;
    const char *more; /* behind the line; "": nothing */
};

/* FILE:LINE or FILE:LINE:MORE. */
static int split(struct loop_changes_place *out, const char *name, struct error *error) {
    for (const char *colon = strchr(name, ':'); colon != NULL; colon = strchr(colon + 1, ':')) {
        char *end = NULL;
        long line = strtol(colon + 1, &end, 10);
        if (colon[1] < '0' || colon[1] > '9' || (*end != '\0' && *end != ':') || line <= 0)
            continue;
        *out = (struct loop_changes_place){name, (size_t)(colon - name), line,
                                           *end == ':' ? end + 1 : end};
        return 0;
    }
    return error_set(error, "'%s' is no place of a loop: give FILE:LINE (mpiskel loops lists them)",
                     name);
}

static bool is_meant(const struct loop_info *loop, const struct loop_changes_place *place) {
    char *end = NULL;
    if (loop->line != place->line || !loops_is_file(loop->file, place->name, place->file_length))
        return false;
    long column = strtol(place->more, &end, 10);
    return place->more[0] == '\0' || strcmp(loop->variable, place->more) == 0 ||
           (end != place->more && *end == '\0' && column == loop->column);
}

static int compare_distances(const void *left, const void *right) {
    const long *a = left, *b = right;
    return a[0] != b[0] ? (a[0] > b[0]) - (a[0] < b[0]) : (a[1] > b[1]) - (a[1] < b[1]);
}

static int fail_with_nearest(const struct loop_list *loops, const struct loop_changes_place *place,
                             struct error *error) {
    long(*order)[2] = xmalloc((loops->count + 1) * sizeof *order);
    struct str list = {0};
    size_t count = 0;
    for (size_t i = 0; i < loops->count; i++)
        if (loops_is_file(loops->items[i].file, place->name, place->file_length)) {
            order[count][0] = labs((long)loops->items[i].line - place->line);
            order[count++][1] = (long)i;
        }
    if (count > 1)
        qsort(order, count, sizeof *order, compare_distances);
    for (size_t i = 0; i < count && i < NEAREST; i++) {
        const struct loop_info *loop = &loops->items[order[i][1]];
        str_printf(&list, "%s%s:%d:%d (%s %s)", i > 0 ? ", " : "", loop->file, loop->line,
                   loop->column, loop->kind, loop->variable);
    }
    if (count == 0)
        error_set(error, "%s: there is no file '%.*s' with loops; mpiskel loops lists them",
                  place->name, (int)place->file_length, place->name);
    else
        error_set(error, "%s: there is no such loop; the nearest are %s", place->name,
                  str_text(&list));
    str_dispose(&list);
    free(order);
    return -1;
}

static void fail_with_all(const struct loop_list *loops, const struct loop_changes_place *place,
                          struct error *error) {
    struct str list = {0};
    for (size_t i = 0; i < loops->count; i++)
        if (is_meant(&loops->items[i], place))
            str_printf(&list, "%s%s:%d:%d (%s %s)", list.length > 0 ? ", " : "",
                       loops->items[i].file, loops->items[i].line, loops->items[i].column,
                       loops->items[i].kind, loops->items[i].variable);
    error_set(error, "%s: several loops are meant: %s", place->name, str_text(&list));
    str_dispose(&list);
}

const struct loop_info *loops_find(const struct loop_list *loops, const char *name,
                                   struct error *error) {
    const struct loop_info *found = NULL;
    struct loop_changes_place place = {0};
    size_t count = 0;
    if (split(&place, name, error) != 0)
        return NULL;
    for (size_t i = 0; i < loops->count; i++)
        if (is_meant(&loops->items[i], &place)) {
            found = &loops->items[i];
            count++;
        }
    if (count == 1)
        return found;
    if (count == 0)
        fail_with_nearest(loops, &place, error);
    else
        fail_with_all(loops, &place, error);
    return NULL;
}

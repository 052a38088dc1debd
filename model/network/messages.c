/* SPDX-License-Identifier: Apache-2.0
 *
 * Measurements of messages: the lines of the benchmark, and the JSON file; see messages.h.
 */
#include "model/network/messages.h"

#include "base/json.h"
#include "base/numbers.h"
#include "base/vec.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST_S 1e6
#define LEAST_SIZES 3

static const char *const kind_names[MESSAGE_KIND_COUNT] = {"pingpong", "send",   "receive", "isend",
                                                           "exchange", "stream", "ring"};
static const char *const place_names[MESSAGE_PLACE_COUNT] = {"within", "across"};

const char *message_kind_name(enum message_kind kind) {
    return kind_names[kind];
}

const char *message_place_name(enum message_place place) {
    return place_names[place];
}

static int find_name(const char *const *names, int count, const char *name) {
    int i = 0;
    while (i < count && strcmp(names[i], name) != 0)
        i++;
    return i < count ? i : -1;
}

/* ---- Checks ---- */

static bool is_time(double seconds) {
    return seconds >= 0 && seconds <= LONGEST_S;
}

static bool is_size(double bytes) {
    return bytes >= 1 && bytes <= MESSAGE_BYTES_MAX && bytes == floor(bytes);
}

static bool is_point(const struct message_point *point) {
    return is_size(point->bytes) && is_time(point->median_s) && is_time(point->low_s) &&
           is_time(point->high_s) && point->samples >= 1 && point->samples <= 1e9;
}

/* Adds a point behind those that are there; false: it is none, or not larger. */
static bool add_point(struct message_points *points, struct arena *arena,
                      const struct message_point *point) {
    if (points->items == NULL)
        points->items = ARENA_ARRAY(arena, struct message_point, MESSAGE_POINTS_MAX);
    if (!is_point(point) || points->count == MESSAGE_POINTS_MAX ||
        (points->count > 0 && points->items[points->count - 1].bytes >= point->bytes))
        return false;
    points->items[points->count++] = *point;
    return true;
}

/* NULL, or what is wrong. */
static const char *check(const struct messages *messages) {
    bool measured = false;
    for (int place = 0; place < MESSAGE_PLACE_COUNT; place++) {
        const struct message_pair *pair = &messages->pairs[place];
        const struct message_points *trips = &pair->kinds[MESSAGE_PINGPONG];
        measured = measured || pair->measured;
        if (pair->measured && trips->count < LEAST_SIZES)
            return "there are round trips of fewer than three sizes";
        for (size_t i = 0; i < trips->count; i++)
            if (trips->items[i].median_s <= 0)
                return "a round trip takes no time";
    }
    return measured ? NULL : "nothing was measured";
}

const struct message_point *messages_find(const struct message_points *points, double bytes) {
    for (size_t i = 0; i < points->count; i++)
        if (points->items[i].bytes == bytes)
            return &points->items[i];
    return NULL;
}

void messages_dispose(struct messages *messages) {
    arena_dispose(&messages->arena);
    *messages = (struct messages){0};
}

/* ---- Several measurements ---- */

static struct message_point merge_point(const struct messages *all, size_t count, int place,
                                        int kind, double bytes) {
    VEC(double) medians = {0}, lows = {0}, highs = {0};
    struct message_point merged = {.bytes = bytes};
    for (size_t i = 0; i < count; i++) {
        const struct message_point *point = messages_find(&all[i].pairs[place].kinds[kind], bytes);
        if (point == NULL)
            continue;
        vec_push(&medians, point->median_s);
        vec_push(&lows, point->low_s);
        vec_push(&highs, point->high_s);
        merged.samples += point->samples;
    }
    merged.median_s = numbers_median(medians.items, medians.count);
    merged.low_s = numbers_median(lows.items, lows.count);
    merged.high_s = numbers_median(highs.items, highs.count);
    vec_dispose(&medians);
    vec_dispose(&lows);
    vec_dispose(&highs);
    return merged;
}

void messages_merge(struct messages *out, const struct messages *all, size_t count) {
    *out = (struct messages){.machine = "", .host = "", .cpu = "", .launcher = "", .made = ""};
    arena_init(&out->arena);
    for (int place = 0; place < MESSAGE_PLACE_COUNT; place++) {
        out->pairs[place].measured = all[0].pairs[place].measured;
        out->pairs[place].threshold_bytes = all[0].pairs[place].threshold_bytes;
        for (int kind = 0; kind < MESSAGE_KIND_COUNT; kind++) {
            const struct message_points *first = &all[0].pairs[place].kinds[kind];
            struct message_points *points = &out->pairs[place].kinds[kind];
            points->items = ARENA_ARRAY(&out->arena, struct message_point, first->count);
            for (; points->count < first->count; points->count++)
                points->items[points->count] =
                    merge_point(all, count, place, kind, first->items[points->count].bytes);
        }
    }
}

/* ---- What the program printed ---- */

static bool parse_threshold(struct messages *out, const char *line) {
    char place_name[16];
    double threshold = 0;
    if (sscanf(line, "threshold %15s %lf", place_name, &threshold) != 2)
        return false;
    int place = find_name(place_names, MESSAGE_PLACE_COUNT, place_name);
    if (place < 0 || !is_size(threshold))
        return false;
    out->pairs[place].threshold_bytes = threshold;
    out->pairs[place].measured = true;
    return true;
}

static bool parse_point(struct messages *out, const char *line) {
    char place_name[16], kind_name[16];
    struct message_point point;
    if (sscanf(line, "point %15s %15s %lf %lf %lf %lf %lf", place_name, kind_name, &point.bytes,
               &point.median_s, &point.low_s, &point.high_s, &point.samples) != 7)
        return false;
    int place = find_name(place_names, MESSAGE_PLACE_COUNT, place_name);
    int kind = find_name(kind_names, MESSAGE_KIND_COUNT, kind_name);
    return place >= 0 && kind >= 0 &&
           add_point(&out->pairs[place].kinds[kind], &out->arena, &point);
}

/* Launchers print lines of their own in between: those are left out. */
static int parse_lines(struct messages *out, char *text, struct error *error) {
    bool ended = false;
    char *rest = NULL;
    for (char *line = strtok_r(text, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        bool fine = true;
        if (strncmp(line, "point ", 6) == 0)
            fine = parse_point(out, line);
        else if (strncmp(line, "threshold ", 10) == 0)
            fine = parse_threshold(out, line);
        ended = ended || strcmp(line, "end") == 0;
        if (!fine)
            return error_set(error, "the benchmark printed what is no measurement: %.100s", line);
    }
    const char *wrong = ended ? check(out) : "it ended early";
    return wrong == NULL ? 0 : error_set(error, "the benchmark measured too little: %s", wrong);
}

int messages_parse(struct messages *out, const char *output, struct error *error) {
    *out = (struct messages){0};
    arena_init(&out->arena);
    out->machine = out->host = out->cpu = out->launcher = out->made = "";
    int result = parse_lines(out, arena_strdup(&out->arena, output), error);
    if (result != 0)
        messages_dispose(out);
    return result;
}

/* ---- The file ---- */

struct messages_reader {
    const char *path;
    struct messages *messages;
    struct error *error;
};

static int fail(struct messages_reader *reader, const char *what) {
    return error_set(reader->error,
                     "%s: error: %s; measure again with `mpiskel calibrate --network`",
                     reader->path, what);
}

static int read_point(struct messages_reader *reader, struct message_points *points,
                      const json_t *list) {
    double numbers[5] = {0};
    if (json_array_size(list) != 5)
        return fail(reader, "a point has not five numbers");
    for (size_t i = 0; i < 5; i++) {
        const json_t *number = json_array_get(list, i);
        numbers[i] = json_is_number(number) ? json_number_value(number) : -1;
    }
    struct message_point point = {numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]};
    if (add_point(points, &reader->messages->arena, &point))
        return 0;
    return fail(reader, "a point is no measurement, or sizes do not ascend");
}

static int read_pair(struct messages_reader *reader, enum message_place place,
                     const json_t *object) {
    struct message_pair *pair = &reader->messages->pairs[place];
    pair->threshold_bytes = json_get_number(object, "threshold_bytes", 0);
    pair->measured = true;
    if (!is_size(pair->threshold_bytes))
        return fail(reader, "'threshold_bytes' of a pair is missing or no size");
    for (int kind = 0; kind < MESSAGE_KIND_COUNT; kind++) {
        const json_t *list = json_object_get(object, kind_names[kind]);
        for (size_t i = 0; i < json_array_size(list); i++)
            if (read_point(reader, &pair->kinds[kind], json_array_get(list, i)) != 0)
                return -1;
    }
    return 0;
}

static const char *copy_text(struct messages_reader *reader, const json_t *root, const char *key) {
    const char *text = json_get_text(root, key);
    return arena_strdup(&reader->messages->arena, text != NULL ? text : "");
}

static int read_messages(struct messages_reader *reader, const json_t *root) {
    struct messages *out = reader->messages;
    const char *format = json_get_text(root, "format");
    if (format == NULL || strcmp(format, "mpiskel-messages") != 0)
        return fail(reader, "this is no file of measured messages ('format' is not "
                            "mpiskel-messages)");
    if (json_get_integer(root, "version", -1) != 1)
        return fail(reader, "this version of the format is unknown, known is only 1");
    out->machine = copy_text(reader, root, "machine");
    out->host = copy_text(reader, root, "host");
    out->cpu = copy_text(reader, root, "cpu");
    out->launcher = copy_text(reader, root, "launcher");
    out->made = copy_text(reader, root, "made");
    double cores = json_get_number(root, "cores", 1);
    out->cores = cores >= 1 && cores <= 1e6 ? (int)cores : 1;
    for (int place = 0; place < MESSAGE_PLACE_COUNT; place++) {
        const json_t *pair = json_object_get(root, place_names[place]);
        if (pair != NULL && read_pair(reader, (enum message_place)place, pair) != 0)
            return -1;
    }
    const char *wrong = check(out);
    return wrong == NULL ? 0 : fail(reader, wrong);
}

int messages_read(struct messages *out, const char *path, struct error *error) {
    json_t *root = NULL;
    *out = (struct messages){0};
    if (json_read(&root, path, error) != 0)
        return -1;
    arena_init(&out->arena);
    struct messages_reader reader = {path, out, error};
    int result = read_messages(&reader, root);
    json_decref(root);
    if (result != 0)
        messages_dispose(out);
    return result;
}

static json_t *points_to_json(const struct message_points *points) {
    json_t *list = json_array();
    for (size_t i = 0; i < points->count; i++) {
        const struct message_point *point = &points->items[i];
        json_array_append_new(list, json_pack("[I, f, f, f, I]", (json_int_t)point->bytes,
                                              point->median_s, point->low_s, point->high_s,
                                              (json_int_t)point->samples));
    }
    return list;
}

static json_t *pair_to_json(const struct message_pair *pair) {
    json_t *object = json_pack("{s:I}", "threshold_bytes", (json_int_t)pair->threshold_bytes);
    for (int kind = 0; kind < MESSAGE_KIND_COUNT; kind++)
        json_object_set_new(object, kind_names[kind], points_to_json(&pair->kinds[kind]));
    return object;
}

int messages_write(const struct messages *messages, const char *path, struct error *error) {
    json_t *root = json_pack("{s:s, s:i, s:s, s:s, s:s, s:i, s:s, s:s}", "format",
                             "mpiskel-messages", "version", 1, "machine", messages->machine, "host",
                             messages->host, "cpu", messages->cpu, "cores", messages->cores,
                             "launcher", messages->launcher, "made", messages->made);
    for (int place = 0; place < MESSAGE_PLACE_COUNT; place++)
        if (messages->pairs[place].measured)
            json_object_set_new(root, place_names[place], pair_to_json(&messages->pairs[place]));
    int result = json_write(root, path, error);
    json_decref(root);
    return result;
}

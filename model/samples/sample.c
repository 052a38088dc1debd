/* SPDX-License-Identifier: Apache-2.0
 *
 * Samples files -> struct samples; see sample.h.
 *
 * The file is split at line ends and each line is one JSON value. The first line says which run
 * and bundle it is, the last line how many lines lie between; a file without a last line is
 * truncated and nothing of it is used. Numbers are checked against the regions file and against
 * each other, so that whoever reads a sample later need not.
 */
#include "model/samples/sample.h"

#include "model/samples/told_again.h"

#include "base/file.h"
#include "base/str.h"
#include "base/vec.h"
#include "model/eval/context.h"
#include "model/eval/eval.h"
#include "model/samples/samples_json.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST_RANK_COUNT 100000000
#define EXECUTIONS_MAX 0x1p62
#define OVERHEAD_MOST_S 1.0  /* of reading a clock twice: a system call, traced or virtualised */
#define WAITED_SLACK_S 2e-9  /* of each execution: the clock that gives the seconds has whole ns */
#define OVERHEAD_SLACK 1.001 /* it is written with nine digits */

struct sample_reader {
    struct file_place place;
    const char *rest, *end;
    const struct regions *regions;
    struct arena *arena;
    struct error *error;
};

static int fail(struct sample_reader *reader, const char *what) {
    return place_fail(&reader->place, reader->error, what);
}

/* *out is the caller's (json_decref). */
static int read_line(json_t **out, struct sample_reader *reader) {
    if (reader->rest == reader->end) {
        reader->place.line++;
        return fail(reader, "the file is truncated: it has no end line");
    }
    const char *start = reader->rest;
    const char *stop = memchr(start, '\n', (size_t)(reader->end - start));
    size_t length = stop != NULL ? (size_t)(stop - start) : (size_t)(reader->end - start);
    reader->rest = stop != NULL ? stop + 1 : reader->end;
    reader->place.line++;
    json_error_t place;
    *out = json_loadb(start, length, JSON_REJECT_DUPLICATES, &place);
    if (*out == NULL && stop == NULL)
        return fail(reader, "the file is truncated: it ends within a line");
    if (*out == NULL)
        return error_set(reader->error, "%s:%ld:%d: error: not valid JSON: %s; remove the file",
                         reader->place.path, reader->place.line, place.column, place.text);
    return 0;
}

/* ---- The first line ---- */

static int copy_text(const char **out, struct sample_reader *reader, const json_t *value,
                     const char *key) {
    const char *text = json_get_text(value, key);
    if (text == NULL)
        return fail(reader, "a member of the first line is missing or no text");
    *out = arena_strdup(reader->arena, text);
    return 0;
}

static const char *copy_arguments(struct sample_reader *reader, const json_t *value) {
    const json_t *arguments = json_object_get(value, "args");
    char *text = json_is_array(arguments) ? json_dumps(arguments, JSON_COMPACT) : NULL;
    const char *copy = arena_strdup(reader->arena, text != NULL ? text : "[]");
    free(text);
    return copy;
}

static int check_origin(struct sample_reader *reader, const json_t *value) {
    const char *format = json_get_text(value, "format");
    if (format == NULL || strcmp(format, "mpiskel-samples") != 0)
        return fail(reader, "this is not a samples file ('format' is not mpiskel-samples)");
    if (json_get_integer(value, "version", -1) != 1)
        return fail(reader, "this version of the format is unknown, known is only 1");
    const char *bundle = json_get_text(value, "bundle");
    if (bundle == NULL || strcmp(bundle, reader->regions->bundle) != 0)
        return error_set(reader->error,
                         "%s:1: error: these samples are foreign: they are of bundle %.40s, not of "
                         "%s; remove the file and run this bundle's profiling build",
                         reader->place.path, bundle != NULL ? bundle : "(none)",
                         reader->regions->bundle);
    return 0;
}

/* Each rank of a run that ended early writes a file under a name of its own: RUN-rank3. */
static const char *without_rank(struct arena *arena, const char *id) {
    const char *suffix = strrchr(id, '-');
    if (suffix == NULL || suffix == id || strncmp(suffix, "-rank", 5) != 0 || suffix[5] == '\0' ||
        suffix[5 + strspn(suffix + 5, "0123456789")] != '\0')
        return id;
    return arena_strndup(arena, id, (size_t)(suffix - id));
}

/* A samples file has them in lines of their own, a machine file with the run. */
static int read_calls(struct run *out, struct sample_reader *reader, const json_t *value,
                      int rank) {
    const json_t *list = json_object_get(value, "calls");
    const char *wrong =
        list != NULL ? call_counts_add(&out->calls, reader->arena, list, rank, out->ranks) : NULL;
    return wrong == NULL ? 0 : fail(reader, wrong);
}

static int read_calls_of_rank(struct run *out, struct sample_reader *reader, const json_t *value) {
    long long rank = json_get_integer(value, "rank", -1);
    if (rank < 0 || rank >= out->ranks)
        return fail(reader, "the calls are of no rank of the run");
    return read_calls(out, reader, value, (int)rank);
}

/* What is not there is 0. */
static int read_time(double *out, struct sample_reader *reader, const json_t *value,
                     const char *key, double most) {
    const json_t *member = json_object_get(value, key);
    *out = json_is_number(member) ? json_number_value(member) : 0;
    if (member == NULL || (json_is_number(member) && *out >= 0 && *out <= most))
        return 0;
    return error_set(reader->error, "%s:%ld: error: '%s' is out of range; %s", reader->place.path,
                     reader->place.line, key, reader->place.advice);
}

/* What is behind the origin. */
static int read_run(struct run *out, struct sample_reader *reader, const json_t *value) {
    if (copy_text(&out->id, reader, value, "run") != 0 ||
        copy_text(&out->host, reader, value, "host") != 0 ||
        copy_text(&out->cpu, reader, value, "cpu") != 0)
        return -1;
    const char *clock = json_get_text(value, "clock"), *cache = json_get_text(value, "cache");
    if (out->id[0] == '\0')
        return fail(reader, "the run has no id");
    out->clock = arena_strdup(reader->arena, clock != NULL ? clock : "");
    out->cache = arena_strdup(reader->arena, cache != NULL ? cache : "");
    long long ranks = json_get_integer(value, "ranks", 0);
    if (ranks < 1 || ranks > LARGEST_RANK_COUNT)
        return fail(reader, "'ranks' is missing or out of range");
    out->ranks = (int)ranks;
    out->arguments = copy_arguments(reader, value);
    const char *directory = json_get_text(value, "directory");
    out->directory = arena_strdup(reader->arena, directory != NULL ? directory : "");
    if (read_time(&out->timer_overhead_s, reader, value, "timer_overhead_s", OVERHEAD_MOST_S) !=
            0 ||
        read_time(&out->elapsed_s, reader, value, "elapsed_s", SAMPLE_NUMBER_MAX) != 0 ||
        read_time(&out->reference_s, reader, value, "reference_s", SAMPLE_NUMBER_MAX) != 0)
        return -1;
    out->complete = json_is_true(json_object_get(value, "complete"));
    if (!out->complete)
        out->id = without_rank(reader->arena, out->id);
    return read_calls(out, reader, value, -1);
}

/* ---- One sample ---- */

static int read_number(double *out, struct sample_reader *reader, const json_t *value) {
    if (!json_is_number(value))
        return fail(reader, "a number of the sample is missing or no number");
    *out = json_number_value(value);
    if (!(fabs(*out) <= SAMPLE_NUMBER_MAX))
        return fail(reader, "a number is too large to be a measurement");
    return 0;
}

static int read_member(double *out, struct sample_reader *reader, const json_t *value,
                       const char *key) {
    return read_number(out, reader, json_object_get(value, key));
}

static int read_features(struct sample *out, struct sample_reader *reader, const json_t *list) {
    int wanted = reader->regions->items[out->region].feature_count;
    if (!json_is_array(list) || json_array_size(list) != (size_t)wanted)
        return fail(reader, "'features' has not as many numbers as the region has features");
    double *features = ARENA_ARRAY(reader->arena, double, (size_t)wanted);
    for (int i = 0; i < wanted; i++)
        if (read_number(&features[i], reader, json_array_get(list, (size_t)i)) != 0)
            return -1;
    out->features = features;
    out->feature_count = wanted;
    return 0;
}

int repeats_make(const struct repeat **out, size_t *out_count, struct arena *arena,
                 const double *numbers, size_t count) {
    struct repeat *items = ARENA_ARRAY(arena, struct repeat, count / 2);
    for (size_t i = 0; i + 1 < count; i += 2) {
        items[i / 2] = (struct repeat){numbers[i], numbers[i + 1]};
        if (!(numbers[i + 1] >= 1 && numbers[i + 1] <= SAMPLE_NUMBER_MAX &&
              fabs(numbers[i]) <= SAMPLE_NUMBER_MAX))
            return -1;
    }
    *out = items;
    *out_count = count / 2;
    return count % 2 == 0 ? 0 : -1;
}

static bool is_whole(double number, double smallest, double largest) {
    return number >= smallest && number <= largest && floor(number) == number;
}

static bool is_context(const double *numbers) {
    return is_whole(numbers[0], 1, EXECUTIONS_MAX) && is_whole(numbers[1], 1, numbers[0]) &&
           is_whole(numbers[CONTEXT_BEFORE], CONTEXT_LOST, BSIM_REGIONS_MAX) &&
           is_whole(numbers[3], 1, EXECUTIONS_MAX) && numbers[4] >= 0 &&
           numbers[4] <= SAMPLE_NUMBER_MAX;
}

int contexts_make(const struct sample_context **out, size_t *out_count, struct arena *arena,
                  const double *numbers, size_t count) {
    size_t wanted = count / CONTEXT_NUMBERS;
    struct sample_context *items = ARENA_ARRAY(arena, struct sample_context, wanted);
    for (size_t i = 0; i < wanted; i++, numbers += CONTEXT_NUMBERS) {
        if (!is_context(numbers))
            return -1;
        items[i] = (struct sample_context){.execution = bsim_bucket((unsigned long)numbers[0]),
                                           .unchanged = bsim_bucket((unsigned long)numbers[1]),
                                           .before = (int)numbers[CONTEXT_BEFORE],
                                           .timed = numbers[3],
                                           .seconds = numbers[4]};
    }
    *out = items;
    *out_count = wanted;
    return count % CONTEXT_NUMBERS == 0 ? 0 : -1;
}

static int read_numbers(double **out, size_t *out_count, struct sample_reader *reader,
                        const json_t *list) {
    *out_count = json_array_size(list);
    *out = ARENA_ARRAY(reader->arena, double, *out_count);
    for (size_t i = 0; i < *out_count; i++)
        if (read_number(&(*out)[i], reader, json_array_get(list, i)) != 0)
            return -1;
    return 0;
}

static int read_contexts(struct sample *out, struct sample_reader *reader, const json_t *list) {
    size_t count = 0;
    double *numbers = NULL;
    if (read_numbers(&numbers, &count, reader, list) != 0)
        return -1;
    if (contexts_make(&out->contexts, &out->context_count, reader->arena, numbers, count) != 0)
        return fail(reader, "'contexts' is no list of contexts with five numbers each");
    return 0;
}

static int read_counted(struct sample *out, struct sample_reader *reader, const json_t *list) {
    double *numbers = NULL;
    if (read_numbers(&numbers, &out->counted_count, reader, list) != 0)
        return -1;
    out->counted = numbers;
    if (!counts_are_valid(numbers, out->counted_count))
        return fail(reader, "'counted' is no list of three numbers and two for each cache");
    return 0;
}

static int read_sequence(struct sample *out, struct sample_reader *reader, const json_t *list) {
    size_t count = 0;
    double *numbers = NULL;
    if (read_numbers(&numbers, &count, reader, list) != 0)
        return -1;
    if (repeats_make(&out->sequence, &out->repeat_count, reader->arena, numbers, count) != 0)
        return fail(reader, "'sequence' is no list of numbers, each with its repetitions");
    return 0;
}

/* What a measurement costs is subtracted, so a region without work may come out that far below 0.
 */
static int check_times(struct sample_reader *reader, const struct sample *sample,
                       const struct run *run) {
    double least = -OVERHEAD_SLACK * run->timer_overhead_s;
    if (reader->regions->items[sample->region].value != VALUE_NONE)
        return 0;
    if (sample->seconds < least * sample->timed || sample->min < least || sample->max < least ||
        sample->squares < 0)
        return fail(reader, "a time is negative: a clock that the run read went back");
    if (sample->waited < 0 || sample->waited > sample->seconds + WAITED_SLACK_S * sample->timed)
        return fail(reader, "'waited' is negative or larger than 'seconds'");
    return sample->min <= sample->max ? 0 : fail(reader, "'min' is larger than 'max'");
}

static int read_sample(struct sample *out, struct sample_reader *reader, const json_t *value,
                       const struct run *run) {
    *out = (struct sample){0};
    long long region = json_get_integer(value, "region", -1);
    long long rank = json_get_integer(value, "rank", -1);
    if (region < 0 || region >= reader->regions->count)
        return fail(reader, "'region' is missing or the bundle has no such region");
    if (rank < 0 || rank >= run->ranks)
        return fail(reader, "'rank' is missing or the run had no such rank");
    out->region = (int)region;
    out->rank = (int)rank;
    if (read_features(out, reader, json_object_get(value, "features")) != 0 ||
        read_member(&out->count, reader, value, "count") != 0 ||
        read_member(&out->timed, reader, value, "timed") != 0 ||
        read_member(&out->seconds, reader, value, "seconds") != 0 ||
        read_member(&out->squares, reader, value, "squares") != 0 ||
        read_member(&out->min, reader, value, "min") != 0 ||
        read_member(&out->max, reader, value, "max") != 0 ||
        (json_object_get(value, "waited") != NULL &&
         read_member(&out->waited, reader, value, "waited") != 0) ||
        read_counted(out, reader, json_object_get(value, "counted")) != 0 ||
        read_sequence(out, reader, json_object_get(value, "sequence")) != 0 ||
        read_contexts(out, reader, json_object_get(value, "contexts")) != 0)
        return -1;
    if (out->timed < 0 || out->timed > out->count)
        return fail(reader, "'timed' is negative or larger than 'count'");
    return check_times(reader, out, run);
}

/* ---- Runs and samples of other files ---- */

int run_from_json(struct run *out, struct arena *arena, const json_t *value,
                  const struct file_place *place, struct error *error) {
    struct sample_reader reader = {.place = *place, .arena = arena, .error = error};
    *out = (struct run){0};
    return read_run(out, &reader, value);
}

int sample_from_json(struct sample *out, struct arena *arena, const json_t *value,
                     const struct regions *regions, const struct run *run,
                     const struct file_place *place, struct error *error) {
    struct sample_reader reader = {
        .place = *place, .regions = regions, .arena = arena, .error = error};
    return read_sample(out, &reader, value, run);
}

/* ---- The whole file ---- */

static int check_end(struct sample_reader *reader, const json_t *value, size_t found) {
    if (json_get_integer(value, "lines", -1) != (long long)found)
        return error_set(reader->error,
                         "%s:%ld: error: the end line does not tell the %zu lines before it: "
                         "lines were lost; remove the file and run the profiling build again",
                         reader->place.path, reader->place.line, found);
    if (reader->rest != reader->end)
        return fail(reader, "there is something after the end line");
    return 0;
}

static int read_first_line(struct samples *out, struct sample_reader *reader) {
    json_t *value = NULL;
    if (reader->rest == reader->end) {
        reader->place.line = 1;
        return fail(reader, "the file is empty");
    }
    if (read_line(&value, reader) != 0)
        return -1;
    out->runs = ARENA_NEW(reader->arena, struct run);
    out->run_count = 1;
    int result = check_origin(reader, value);
    if (result == 0)
        result = read_run(&out->runs[0], reader, value);
    json_decref(value);
    return result;
}

static int read_lines(struct samples *out, struct sample_reader *reader) {
    VEC(struct sample) items = {0};
    size_t lines = 0;
    bool end = false;
    int result = read_first_line(out, reader);
    while (result == 0 && !end) {
        json_t *value = NULL;
        struct sample sample = {0};
        result = read_line(&value, reader);
        end = result == 0 && json_is_true(json_object_get(value, "end"));
        bool calls = result == 0 && json_object_get(value, "calls") != NULL;
        if (end)
            result = check_end(reader, value, lines);
        else if (calls)
            result = read_calls_of_rank(&out->runs[0], reader, value);
        else if (result == 0)
            result = read_sample(&sample, reader, value, &out->runs[0]);
        if (!end && !calls && result == 0)
            vec_push(&items, sample);
        lines++;
        json_decref(value);
    }
    if (result == 0 && items.count > 0) {
        out->items = ARENA_ARRAY(reader->arena, struct sample, items.count);
        memcpy(out->items, items.items, items.count * sizeof *items.items);
        out->count = items.count;
    }
    vec_dispose(&items);
    return result;
}

int samples_read(struct samples *out, const char *path, const struct regions *regions,
                 struct error *error) {
    char *text = NULL;
    size_t length = 0;
    *out = (struct samples){0};
    if (file_read(&text, &length, path, error) != 0)
        return -1;
    arena_init(&out->arena);
    struct sample_reader reader = {
        .place = {.path = path, .advice = "remove the file and run the profiling build again"},
        .rest = text,
        .end = text + length,
        .regions = regions,
        .arena = &out->arena,
        .error = error};
    int result = read_lines(out, &reader);
    free(text);
    if (result != 0)
        samples_dispose(out);
    return result;
}

static const char *const statistic_names[] = {"median", "minimum", "mean"};

const char *statistic_name(enum statistic statistic) {
    return statistic_names[statistic];
}

bool run_has_input_of(const struct run *run, const char *arguments, const char *directory) {
    return strcmp(run->arguments, arguments) == 0 && strcmp(run->directory, directory) == 0;
}

bool statistic_parse(enum statistic *out, const char *name) {
    for (int i = STATISTIC_MEDIAN; i <= STATISTIC_MEAN; i++)
        if (strcmp(name, statistic_names[i]) == 0) {
            *out = (enum statistic)i;
            return true;
        }
    return false;
}

double sample_latency_s(const struct sample *sample) {
    return fmax(sample->seconds / sample->timed, 0);
}

double sample_ratio(const struct sample *sample) {
    return sample->ratio > 0 ? sample->ratio : 1;
}

void samples_dispose(struct samples *samples) {
    arena_dispose(&samples->arena);
    *samples = (struct samples){0};
}

char *samples_pattern(struct arena *arena, const char *bundle) {
    struct str pattern = {0};
    for (const char *at = bundle; *at != '\0'; at++) {
        if (strchr("*?[\\", *at) != NULL)
            str_addc(&pattern, '\\');
        str_addc(&pattern, *at);
    }
    str_add(&pattern, "/samples/*.samples");
    char *copy = arena_strdup(arena, pattern.text);
    str_dispose(&pattern);
    return copy;
}

/* A machine has runs of one clock (model/store), so that the first one stands for all. */
bool run_is_counted(const struct run *run) {
    return run->clock != NULL && text_has_prefix(run->clock, "counted");
}

bool samples_are_counted(const struct samples *samples) {
    return samples->run_count > 0 && samples->runs != NULL && run_is_counted(&samples->runs[0]);
}

bool samples_have_caches(const struct samples *samples) {
    return !samples_are_counted(samples) || strstr(samples->runs[0].clock, "cache ") != NULL ||
           strstr(samples->runs[0].clock, "memory ") != NULL;
}

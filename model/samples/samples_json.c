/* SPDX-License-Identifier: Apache-2.0
 *
 * Values -> JSON; see records.h. Numbers of samples are written as reals with 17 digits, so that
 * reading and writing them again gives the same bytes.
 */
#include "model/samples/samples_json.h"

#include "model/eval/context.h"

#include <stdlib.h>
#include <string.h>

/* A text of whatever bytes: what is no UTF-8 becomes '?'. */
static json_t *text_to_json(const char *text) {
    json_t *value = json_string(text);
    if (value != NULL)
        return value;
    char *ascii = xstrdup(text);
    for (char *at = ascii; *at != '\0'; at++)
        if ((unsigned char)*at >= 128)
            *at = '?';
    value = json_string(ascii);
    free(ascii);
    return value;
}

static void set_text(json_t *object, const char *key, const char *text) {
    json_object_set_new(object, key, text_to_json(text));
}

static void set_integer(json_t *object, const char *key, long long value) {
    json_object_set_new(object, key, json_integer(value));
}

static void set_number(json_t *object, const char *key, double value) {
    json_object_set_new(object, key, json_real(value));
}

/* ---- Regions ---- */

static void set_kind(json_t *object, enum value_kind value) {
    set_text(object, "kind", value == VALUE_NONE ? "computation" : "value");
    if (value != VALUE_NONE)
        set_text(object, "value", value_kind_name(value));
}

static json_t *features_to_json(const struct region *region) {
    json_t *list = json_array();
    for (int j = 0; j < region->feature_count; j++) {
        const struct feature *feature = &region->features[j];
        json_t *object = json_object();
        set_text(object, "name", feature->name);
        set_text(object, "expression", feature->expression);
        set_text(object, "meaning", feature->meaning);
        if (feature->is_category)
            json_object_set_new(object, "category", json_true());
        json_array_append_new(list, object);
    }
    return list;
}

json_t *region_to_json(const struct region *region) {
    json_t *object = json_object();
    set_integer(object, "index", region->index);
    set_text(object, "id", region->id);
    set_kind(object, region->value);
    if (region->adds_up)
        json_object_set_new(object, "adds_up", json_true());
    set_text(object, "function", region->function);
    set_text(object, "file", region->file);
    set_integer(object, "line", region->line);
    set_integer(object, "end_line", region->end_line);
    set_text(object, "summary", region->summary);
    set_text(object, "code", region->code);
    if (region->kernel != NULL && region->kernel[0] != '\0')
        set_text(object, "kernel", region->kernel);
    json_object_set_new(object, "features", features_to_json(region));
    return object;
}

/* ---- Runs and samples ---- */

json_t *run_to_json(const struct run *run) {
    json_t *object = json_object();
    json_t *arguments = json_loads(run->arguments, 0, NULL);
    set_text(object, "run", run->id);
    set_integer(object, "ranks", run->ranks);
    set_text(object, "host", run->host);
    set_text(object, "cpu", run->cpu);
    json_object_set_new(object, "args", arguments != NULL ? arguments : json_array());
    set_text(object, "clock", run->clock);
    set_text(object, "cache", run->cache);
    set_number(object, "timer_overhead_s", run->timer_overhead_s);
    set_number(object, "elapsed_s", run->elapsed_s);
    set_number(object, "reference_s", run->reference_s);
    json_object_set_new(object, "complete", json_boolean(run->complete));
    if (run->directory != NULL && run->directory[0] != '\0')
        set_text(object, "directory", run->directory);
    if (run->calls.count > 0)
        json_object_set_new(object, "calls", call_counts_to_json(&run->calls));
    return object;
}

static json_t *sequence_to_json(const struct sample *sample) {
    json_t *list = json_array();
    for (size_t i = 0; i < sample->repeat_count; i++) {
        json_array_append_new(list, json_real(sample->sequence[i].number));
        json_array_append_new(list, json_real(sample->sequence[i].times));
    }
    return list;
}

static json_t *contexts_to_json(const struct sample *sample) {
    json_t *list = json_array();
    for (size_t i = 0; i < sample->context_count; i++) {
        const struct sample_context *context = &sample->contexts[i];
        json_array_append_new(list,
                              json_integer((json_int_t)bsim_bucket_first(context->execution)));
        json_array_append_new(list,
                              json_integer((json_int_t)bsim_bucket_first(context->unchanged)));
        json_array_append_new(list, json_integer(context->before));
        json_array_append_new(list, json_real(context->timed));
        json_array_append_new(list, json_real(context->seconds));
    }
    return list;
}

static json_t *counted_to_json(const struct sample *sample) {
    json_t *list = json_array();
    for (size_t i = 0; i < sample->counted_count; i++)
        json_array_append_new(list, json_real(sample->counted[i]));
    return list;
}

json_t *sample_to_json(const struct sample *sample) {
    json_t *object = json_object(), *features = json_array();
    for (int j = 0; j < sample->feature_count; j++)
        json_array_append_new(features, json_real(sample->features[j]));
    set_integer(object, "region", sample->region);
    set_integer(object, "rank", sample->rank);
    json_object_set_new(object, "features", features);
    set_number(object, "count", sample->count);
    set_number(object, "timed", sample->timed);
    set_number(object, "seconds", sample->seconds);
    set_number(object, "squares", sample->squares);
    set_number(object, "min", sample->min);
    set_number(object, "max", sample->max);
    if (sample->waited > 0)
        set_number(object, "waited", sample->waited);
    if (sample->counted_count > 0)
        json_object_set_new(object, "counted", counted_to_json(sample));
    if (sample->repeat_count > 0)
        json_object_set_new(object, "sequence", sequence_to_json(sample));
    if (sample->context_count > 0)
        json_object_set_new(object, "contexts", contexts_to_json(sample));
    return object;
}

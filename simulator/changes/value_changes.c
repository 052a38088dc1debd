/* SPDX-License-Identifier: Apache-2.0 */
#include "simulator/changes/value_changes.h"

#include "base/str.h"
#include "simulator/changes/loop_changes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST 1e9 /* as of iterations */

/* Whether the text is FILE:LINE=NUMBER, and the place of the region. */
static bool is_of(double *out, const char *text, const struct region *region) {
    char *end = NULL;
    const char *equals = strchr(text, '='), *colon = strchr(text, ':');
    if (equals == NULL || colon == NULL || colon > equals ||
        !loops_is_file(region->file, text, (size_t)(colon - text)) ||
        strtol(colon + 1, &end, 10) != region->line || end != equals)
        return false;
    *out = strtod(equals + 1, &end);
    return end != equals + 1 && *end == '\0';
}

static bool is_possible(const struct region *region, double number) {
    bool is_whole =
        number == floor(number) || region->value == VALUE_FLOATING || region->value == VALUE_BRANCH;
    bool is_in_range = region->value == VALUE_TRIPS    ? number >= 0
                       : region->value == VALUE_BRANCH ? number >= 0 && number <= 1
                                                       : true;
    return is_whole && is_in_range && fabs(number) <= LARGEST;
}

static int add(struct change_options *options, const char *text, const struct region *region,
               double number, struct error *error) {
    if (!is_possible(region, number))
        return error_set(error, "--set %s: %s is %s", text, region->text,
                         region->value == VALUE_BRANCH
                             ? "a branch: give the share in which it is taken, from 0 to 1"
                             : "counted: give a whole number from 0 to 1e9");
    for (size_t i = 0; i < options->values.count; i++)
        if (options->values.items[i].region == region->index)
            return error_set(error, "--set %s: it is set twice", text);
    vec_push(&options->values, (struct value_change){region->index, number, text});
    return 0;
}

/* *out_count: how many values there are, of which all that say how often a loop iterates are set,
 * or the only one. */
static int take(size_t *out_count, struct change_options *options, const char *text,
                const struct regions *regions, struct error *error) {
    double number;
    const struct region *last = NULL;
    size_t loops = 0;
    *out_count = 0;
    for (int i = 0; i < regions->count; i++) {
        const struct region *region = &regions->items[i];
        if (region->value == VALUE_NONE || !is_of(&number, text, region))
            continue;
        last = region;
        ++*out_count;
        loops += region->value == VALUE_TRIPS;
        if (region->value == VALUE_TRIPS && add(options, text, region, number, error) != 0)
            return -1;
    }
    if (*out_count == 0 || loops > 0)
        return 0;
    if (*out_count > 1)
        return error_set(error,
                         "--set %s: %zu values are given there, and none says how often a "
                         "loop iterates: which one is meant cannot be told",
                         text, *out_count);
    is_of(&number, text, last);
    return add(options, text, last, number, error);
}

int value_changes_take(struct change_options *options, const struct regions *regions,
                       struct error *error) {
    size_t kept = 0;
    for (size_t i = 0; i < options->sets.count; i++) {
        size_t values;
        if (take(&values, options, options->sets.items[i], regions, error) != 0)
            return -1;
        if (values == 0)
            options->sets.items[kept++] = options->sets.items[i];
    }
    options->sets.count = kept;
    return 0;
}

const bool *value_changes_regions(struct arena *arena, const struct change_options *options,
                                  const struct regions *regions) {
    bool *out = ARENA_ARRAY(arena, bool, (size_t)regions->count + 1);
    for (size_t i = 0; i < options->values.count; i++)
        out[options->values.items[i].region] = true;
    return out;
}

/* One vector that all are found by, and its mean. */
static const char *lines_of(struct arena *arena, const struct region *region, double number) {
    struct str text = {0};
    str_printf(&text,
               "value %d %s %s features %d context 0 answers 3 key 0\nround %.17g\nerror 0\n"
               "recall 1\nseen",
               region->index, region->id, value_kind_name(region->value), region->feature_count,
               fmin(number, 0));
    for (int i = 0; i < region->feature_count; i++)
        str_add(&text, " 0");
    str_printf(&text, " mean %.17g pattern 0\n", number);
    return str_into(arena, &text);
}

void value_changes_apply(struct model_text *text, const struct change_options *options,
                         const struct regions *regions, struct scenario *scenario) {
    for (size_t i = 0; i < options->values.count; i++) {
        const struct value_change *change = &options->values.items[i];
        const struct region *region = &regions->items[change->region];
        model_text_put(text, region->index, true, lines_of(&text->arena, region, change->number));
        const char *effect =
            region->value == VALUE_TRIPS
                ? arena_printf(&text->arena,
                               "%.9g iterations, instead of what the model of `%s` says",
                               change->number, region->text)
                : arena_printf(&text->arena,
                               "%.9g each time, instead of what the model of `%s` says",
                               change->number, region->text);
        scenario_add(scenario, "--set", change->text, effect);
    }
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * See run_context.h.
 */
#include "model/run_context.h"

#include "base/json.h"
#include "model/arguments.h"
#include "model/points.h"

#include <string.h>

struct named {
    struct bsim_argument items[BSIM_ARGUMENTS_MAX + 1];
    int count;
};

static void read_named(struct named *out, const struct run *run) {
    json_t *list = run->arguments != NULL ? json_loads(run->arguments, 0, NULL) : NULL;
    const char *words[4 * BSIM_ARGUMENTS_MAX];
    int count = 0;
    for (size_t i = 0; i < json_array_size(list) && count < 4 * BSIM_ARGUMENTS_MAX; i++) {
        const char *word = json_string_value(json_array_get(list, i));
        words[count++] = word != NULL ? word : "";
    }
    out->items[0].number = run->ranks;
    strcpy(out->items[0].name, "ranks");
    out->count = 1 + bsim_arguments_find(out->items + 1, BSIM_ARGUMENTS_MAX, words, count);
    json_decref(list);
}

static const struct bsim_argument *find_named(const struct named *named, const char *name) {
    for (int i = 0; i < named->count; i++)
        if (strcmp(named->items[i].name, name) == 0)
            return &named->items[i];
    return NULL;
}

/* All runs have it, and not all the same. */
static bool varies(const struct named *runs, int run_count, const char *name) {
    bool different = false;
    const struct bsim_argument *first = find_named(&runs[0], name);
    for (int i = 0; i < run_count; i++) {
        const struct bsim_argument *other = find_named(&runs[i], name);
        if (other == NULL)
            return false;
        different = different || other->number != first->number;
    }
    return different;
}

void run_context_make(struct run_context *out, struct arena *arena, const struct samples *samples) {
    int run_count = samples->run_count;
    struct named *runs = xmalloc((size_t)run_count * sizeof *runs);
    const char **names = ARENA_ARRAY(arena, const char *, BSIM_ARGUMENTS_MAX + 1);
    double **numbers = ARENA_ARRAY(arena, double *, (size_t)run_count);
    *out = (struct run_context){.names = names, .numbers = numbers};
    for (int i = 0; i < run_count; i++)
        read_named(&runs[i], &samples->runs[i]);
    for (int k = 0; k < runs[0].count; k++)
        if (varies(runs, run_count, runs[0].items[k].name))
            names[out->count++] = arena_strdup(arena, runs[0].items[k].name);
    out->ranks_vary = out->count > 0 && strcmp(names[0], "ranks") == 0;
    for (int i = 0; i < run_count; i++) {
        numbers[i] = ARENA_ARRAY(arena, double, (size_t)out->count);
        for (int k = 0; k < out->count; k++)
            numbers[i][k] = find_named(&runs[i], names[k])->number;
    }
    free(runs);
}

bool run_context_same(const struct run_context *context, int left, int right) {
    return features_compare(context->numbers[left], context->numbers[right], context->count) == 0;
}

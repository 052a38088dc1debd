/* SPDX-License-Identifier: Apache-2.0 */
#include "simulator/guard/blame.h"

#include "base/file.h"
#include "base/str.h"

#include <string.h>

struct blame_search {
    const struct blame_question *question;
    struct arena *arena;
    const char *values_directory;
    struct call_sums original; /* what it makes in simulation */
    struct blame *out;
};

static bool has_time(const struct blame_search *search) {
    return search->out->seconds < search->question->budget_s;
}

static int record(struct blame_search *search, bool *out_fine, struct error *error) {
    const struct blame_question *question = search->question;
    struct simulated simulated;
    struct guard_simulation simulation = {.networks = question->networks,
                                          .bundle = question->bundle,
                                          .original = true,
                                          .values_directory = search->values_directory,
                                          .run = question->run,
                                          .limits = question->limits};
    if (guard_simulate(&simulated, search->arena, &simulation, error) != 0)
        return -1;
    search->out->seconds += simulated.seconds;
    *out_fine = simulated.end == SIMULATED_TO_THE_END;
    search->original = simulated.sums;
    return 0;
}

/* Without the items from `begin` to `end`. */
static char *list_without(struct arena *arena, const struct blame *blame, size_t begin,
                          size_t end) {
    struct str list = {0};
    str_addc(&list, ' ');
    for (size_t i = 0; i < blame->count; i++)
        if (i < begin || i >= end)
            str_printf(&list, "%d ", blame->values[i]);
    char *copy = arena_strdup(arena, list.text);
    str_dispose(&list);
    return copy;
}

/* *out_right: the calls are as in the program when all but these are replayed. */
static int try_without(bool *out_right, struct blame_search *search, size_t begin, size_t end,
                       struct error *error) {
    const struct blame_question *question = search->question;
    struct simulated simulated;
    struct call_difference difference;
    struct guard_simulation simulation = {.networks = question->networks,
                                          .bundle = question->bundle,
                                          .model_file = question->model_file,
                                          .values_directory = search->values_directory,
                                          .values_of =
                                              list_without(search->arena, search->out, begin, end),
                                          .run = question->run,
                                          .limits = question->limits};
    if (guard_simulate(&simulated, search->arena, &simulation, error) != 0)
        return -1;
    search->out->seconds += simulated.seconds;
    call_sums_compare(&difference, &simulated.sums, &search->original);
    *out_right = simulated.end == SIMULATED_TO_THE_END &&
                 call_difference_percent(&difference) <= question->allowed_percent;
    return 0;
}

static void leave_out(struct blame *blame, size_t begin, size_t end) {
    memmove(blame->values + begin, blame->values + end,
            (blame->count - end) * sizeof *blame->values);
    blame->count -= end - begin;
}

/* Parts of that many values, one after the other. */
static int reduce(struct blame_search *search, size_t part, struct error *error) {
    for (size_t begin = 0; begin < search->out->count && has_time(search);) {
        size_t end = begin + part < search->out->count ? begin + part : search->out->count;
        bool is_right = false;
        if (try_without(&is_right, search, begin, end, error) != 0)
            return -1;
        if (is_right)
            leave_out(search->out, begin, end);
        else
            begin = end;
    }
    return 0;
}

/* The user answers for those that hints give. */
static void take_values(struct blame *out, struct arena *arena, const struct regions *regions) {
    out->values = ARENA_ARRAY(arena, int, (size_t)regions->count + 1);
    for (int i = 0; i < regions->count; i++)
        if (regions->items[i].value != VALUE_NONE && regions->items[i].hint == NULL)
            out->values[out->count++] = i;
}

static int find_none(struct blame *out, const char *why) {
    out->count = 0;
    out->why = why;
    return 0;
}

static int search_values(struct blame_search *search, struct error *error) {
    struct blame *out = search->out;
    bool is_recorded = false, is_right = false;
    if (record(search, &is_recorded, error) != 0)
        return -1;
    if (!is_recorded)
        return find_none(out, "the original could not be simulated");
    if (try_without(&is_right, search, 0, 0, error) != 0)
        return -1;
    if (!is_right)
        return find_none(out, "with the program's own values the calls differ as well");
    if (try_without(&is_right, search, 0, out->count, error) != 0)
        return -1;
    if (is_right)
        return find_none(out, "the program itself makes other calls now: the runs were of another "
                              "version of it, or it depends on time or chance");
    for (size_t part = (out->count + 1) / 2; part > 1; part = (part + 1) / 2)
        if (reduce(search, part, error) != 0)
            return -1;
    return out->count > 1 ? reduce(search, 1, error) : 0;
}

int guard_blame(struct blame *out, struct arena *arena, const struct blame_question *question,
                struct error *error) {
    struct blame_search search = {.question = question,
                                  .arena = arena,
                                  .values_directory =
                                      path_join(arena, question->directory, "values"),
                                  .out = out};
    *out = (struct blame){.why = ""};
    take_values(out, arena, &question->bundle->regions);
    if (!question->has_original)
        return find_none(out, "the bundle has no original");
    return directory_make(search.values_directory, error) != 0 ? -1 : search_values(&search, error);
}

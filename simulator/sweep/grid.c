/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists, ranges and their combinations; see grid.h.
 */
#include "simulator/sweep/grid.h"

#include "base/str.h"
#include "base/vec.h"
#include "simulator/network/units.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef VEC(const char *) text_vec;

static const char *const *texts_keep(text_vec *texts, struct arena *arena) {
    const char **copy = ARENA_ARRAY(arena, const char *, texts->count + 1);
    for (size_t i = 0; i < texts->count; i++)
        copy[i] = texts->items[i];
    vec_dispose(texts);
    return copy;
}

/* Splits at each `separator`; empty parts are parts. */
static void split(text_vec *out, struct arena *arena, const char *text, char separator) {
    for (;;) {
        const char *end = strchr(text, separator);
        vec_push(out, end != NULL ? arena_strndup(arena, text, (size_t)(end - text))
                                  : arena_strdup(arena, text));
        if (end == NULL)
            return;
        text = end + 1;
    }
}

/* ---- Ranges ---- */

struct grid_range {
    double first, last, step;
    int power; /* 2: squares of whole numbers, as square grids of ranks need them; 3: cubes; else 0
                */
    bool multiplies, whole; /* whole: the ends are written as whole numbers, so all are */
};

static bool take_number(double *out, bool *whole, const char **at, const char *until) {
    char *end = NULL;
    size_t length = (size_t)(until - *at);
    char copy[64];
    if (length == 0 || length >= sizeof copy)
        return false;
    memcpy(copy, *at, length);
    copy[length] = '\0';
    *out = strtod(copy, &end);
    if (*end != '\0' || isspace((unsigned char)copy[0]) || !isfinite(*out))
        return false;
    *whole = *whole && strspn(copy, "+-0123456789") == length && fabs(*out) < 1e15;
    *at = until;
    return true;
}

/* False: it is no range, but a text. */
static bool range_parse(struct grid_range *out, const char *text) {
    const char *dots = strstr(text, "..");
    *out = (struct grid_range){.step = 1, .whole = true};
    if (dots == NULL || !take_number(&out->first, &out->whole, &text, dots))
        return false;
    text = dots + 2;
    const char *colon = strchr(text, ':');
    if (!take_number(&out->last, &out->whole, &text, colon != NULL ? colon : text + strlen(text)))
        return false;
    if (colon == NULL)
        return true;
    bool step_is_whole = true;
    text = colon + 1;
    out->power = strcmp(text, "square") == 0 ? 2 : strcmp(text, "cube") == 0 ? 3 : 0;
    if (out->power > 0)
        return true;
    out->multiplies = *text == 'x' || *text == '*';
    if (!out->multiplies && *text != '+')
        return false;
    text++;
    if (!take_number(&out->step, &step_is_whole, &text, text + strlen(text)))
        return false;
    out->whole = out->whole && (step_is_whole || out->multiplies);
    return true;
}

/* The first whole number whose power lies in the range, or behind it. */
static double first_root(const struct grid_range *range) {
    double root = floor(pow(fmax(range->first, 0), 1.0 / range->power));
    while (pow(root, range->power) < range->first)
        root++;
    return root;
}

static int check_powers(const struct grid_range *range, const char *text, struct error *error) {
    if (range->last > 1e12)
        return error_set(error, "'%s': too many values", text);
    if (pow(first_root(range), range->power) > range->last)
        return error_set(error, "'%s': there is no %s number in it", text,
                         range->power == 2 ? "square" : "cube");
    return 0;
}

static int range_check(const struct grid_range *range, const char *text, struct error *error) {
    if (range->last < range->first)
        return error_set(error, "'%s': a range goes upwards", text);
    if (range->multiplies && (!(range->step > 1) || !(range->first > 0)))
        return error_set(error,
                         "'%s': a range that multiplies needs a factor above 1 and begins "
                         "above 0",
                         text);
    if (!(range->step > 0))
        return error_set(error, "'%s': the step is not above 0", text);
    if (range->power > 0)
        return check_powers(range, text, error);
    double steps = range->multiplies ? log(range->last / range->first) / log(range->step)
                                     : (range->last - range->first) / range->step;
    if (!(steps < GRID_LARGEST))
        return error_set(error, "'%s': that is more than %d values", text, GRID_LARGEST);
    return 0;
}

static void add_powers(text_vec *out, struct arena *arena, const struct grid_range *range) {
    for (double root = first_root(range); pow(root, range->power) <= range->last; root++)
        vec_push(out, arena_printf(arena, "%.0f", pow(root, range->power)));
}

/* The last value may be short of its end by rounding only. */
static void range_add(text_vec *out, struct arena *arena, const struct grid_range *range) {
    const char *before = "";
    if (range->power > 0) {
        add_powers(out, arena, range);
        return;
    }
    for (size_t i = 0;; i++) {
        double value = range->multiplies ? range->first * pow(range->step, (double)i)
                                         : range->first + (double)i * range->step;
        if (value > range->last + 1e-9 * fabs(range->last) || i > GRID_LARGEST)
            return;
        const char *text = range->whole ? arena_printf(arena, "%.0f", round(value))
                                        : arena_printf(arena, "%.12g", value);
        if (strcmp(text, before) != 0)
            vec_push(out, text);
        before = text;
    }
}

/* ---- Dimensions ---- */

static bool is_name(const char *text) {
    if (!isalpha((unsigned char)text[0]) && text[0] != '_')
        return false;
    for (; *text != '\0'; text++)
        if (!isalnum((unsigned char)*text) && *text != '_')
            return false;
    return true;
}

static int check_names(const text_vec *names, struct error *error) {
    for (size_t i = 0; i < names->count; i++)
        if (!is_name(names->items[i]))
            return error_set(error, "'%s' is no name: letters, digits and _", names->items[i]);
    return 0;
}

static int add_item(text_vec *out, struct arena *arena, const char *item, size_t name_count,
                    struct error *error) {
    struct grid_range range;
    if (item[0] == '\0')
        return error_set(error, "a value is missing between commas");
    if (name_count > 1) {
        size_t before = out->count;
        split(out, arena, item, ':');
        return out->count - before == name_count
                   ? 0
                   : error_set(error, "'%s': %zu values separated by : are needed, one per name",
                               item, name_count);
    }
    if (!range_parse(&range, item)) {
        vec_push(out, item);
        return 0;
    }
    if (range_check(&range, item, error) != 0)
        return -1;
    range_add(out, arena, &range);
    return 0;
}

int dimension_parse(struct dimension *out, struct arena *arena, const char *names,
                    const char *values, struct error *error) {
    text_vec name_list = {0}, items = {0}, list = {0};
    split(&name_list, arena, names, ',');
    split(&items, arena, values, ',');
    int result = check_names(&name_list, error);
    for (size_t i = 0; i < items.count && result == 0; i++)
        result = add_item(&list, arena, items.items[i], name_list.count, error);
    *out = (struct dimension){.name_count = name_list.count,
                              .row_count = list.count / name_list.count};
    vec_dispose(&items);
    out->names = texts_keep(&name_list, arena);
    out->values = texts_keep(&list, arena);
    return result;
}

/* ---- Points ---- */

struct expansion {
    const struct grid *grid;
    struct arena *arena;
    size_t *rows; /* the present one of each dimension */
    struct error *error;
};

/* NULL: there is none of that name. */
static const char *value_of(const struct expansion *expansion, const char *name, size_t length) {
    if (length == 5 && strncmp(name, "ranks", 5) == 0)
        return value_of(expansion, "np", 2);
    for (size_t i = 0; i < expansion->grid->dimension_count; i++) {
        const struct dimension *dimension = &expansion->grid->dimensions[i];
        for (size_t k = 0; k < dimension->name_count; k++)
            if (strlen(dimension->names[k]) == length &&
                strncmp(dimension->names[k], name, length) == 0)
                return dimension->values[expansion->rows[i] * dimension->name_count + k];
    }
    return NULL;
}

/* Adds what the brace at *at stands for and moves behind it. What is no name in braces stays. */
static int add_braced(struct str *out, const struct expansion *expansion, const char **at) {
    const char *name = *at + 1;
    size_t length = strcspn(name, "{}");
    char *copy = arena_strndup(expansion->arena, name, length);
    if ((*at)[1] == (*at)[0]) {
        str_addc(out, (*at)[0]);
        *at += 2;
        return 0;
    }
    if ((*at)[0] == '}' || name[length] != '}' || !is_name(copy)) {
        str_addc(out, *(*at)++);
        return 0;
    }
    const char *value = value_of(expansion, name, length);
    if (value == NULL)
        return error_set(expansion->error,
                         "{%s}: nothing says what it stands for; add --vary %s=VALUES, or write "
                         "{{%s}} if the braces are meant",
                         copy, copy, copy);
    str_add(out, value);
    *at = name + length + 1;
    return 0;
}

static const char *substitute(const struct expansion *expansion, const char *word) {
    struct str text = {0};
    int result = 0;
    while (*word != '\0' && result == 0) {
        if (*word == '{' || *word == '}')
            result = add_braced(&text, expansion, &word);
        else
            str_addc(&text, *word++);
    }
    return str_into(expansion->arena, &text);
}

static struct word_list substitute_all(const struct expansion *expansion,
                                       const struct word_list *first,
                                       const struct word_list *second) {
    text_vec words = {0};
    for (size_t i = 0; i < first->count; i++)
        vec_push(&words, substitute(expansion, first->words[i]));
    for (size_t i = 0; second != NULL && i < second->count; i++)
        vec_push(&words, substitute(expansion, second->words[i]));
    size_t count = words.count;
    return (struct word_list){.words = texts_keep(&words, expansion->arena), .count = count};
}

static const char *const *present_values(const struct expansion *expansion) {
    text_vec values = {0};
    for (size_t i = 0; i < expansion->grid->dimension_count; i++) {
        const struct dimension *dimension = &expansion->grid->dimensions[i];
        for (size_t k = 0; k < dimension->name_count; k++)
            vec_push(&values, dimension->values[expansion->rows[i] * dimension->name_count + k]);
    }
    return texts_keep(&values, expansion->arena);
}

static void make_point(struct grid_point *out, const struct expansion *expansion,
                       size_t try_number) {
    const struct grid *grid = expansion->grid;
    const char *ranks = value_of(expansion, "np", 2);
    *out = (struct grid_point){
        .options = substitute_all(expansion, &grid->options, &grid->tries[try_number]),
        .arguments = substitute_all(expansion, &grid->arguments, NULL),
        .values = present_values(expansion),
        .try_number = try_number};
    if (ranks == NULL)
        error_set(expansion->error, "how many ranks? Give -np N, or a list or range of N");
    else
        count_parse(&out->ranks, ranks, "-np", expansion->error);
}

/* To the next combination, the last dimension first; false: that was the last one. */
static bool advance(struct expansion *expansion) {
    for (size_t i = expansion->grid->dimension_count; i-- > 0;) {
        if (++expansion->rows[i] < expansion->grid->dimensions[i].row_count)
            return true;
        expansion->rows[i] = 0;
    }
    return false;
}

static bool is_used_in(const struct word_list *list, const char *braced) {
    for (size_t i = 0; i < list->count; i++)
        if (strstr(list->words[i], braced) != NULL)
            return true;
    return false;
}

static bool is_used(const struct grid *grid, struct arena *arena, const char *name) {
    const char *braced = arena_printf(arena, "{%s}", name);
    bool used = strcmp(name, "np") == 0 || is_used_in(&grid->options, braced) ||
                is_used_in(&grid->arguments, braced);
    for (size_t i = 0; i < grid->try_count && !used; i++)
        used = is_used_in(&grid->tries[i], braced);
    return used;
}

/* A name that is given twice, or that stands nowhere: its points would all be the same. */
static int check_variables(const struct grid *grid, struct arena *arena, struct error *error) {
    text_vec seen = {0};
    for (size_t i = 0; i < grid->dimension_count; i++)
        for (size_t k = 0; k < grid->dimensions[i].name_count; k++) {
            const char *name = grid->dimensions[i].names[k];
            for (size_t j = 0; j < seen.count; j++)
                if (strcmp(seen.items[j], name) == 0)
                    error_set(error, "%s is varied twice; one list has to do", name);
            if (!is_used(grid, arena, name))
                error_set(error, "--vary %s: {%s} stands neither in the arguments nor in an option",
                          name, name);
            vec_push(&seen, name);
        }
    vec_dispose(&seen);
    return error->set ? -1 : 0;
}

int grid_expand(struct grid_point **out, size_t *out_count, struct arena *arena,
                const struct grid *grid, struct error *error) {
    struct expansion expansion = {.grid = grid,
                                  .arena = arena,
                                  .rows = ARENA_ARRAY(arena, size_t, grid->dimension_count + 1),
                                  .error = error};
    double count = (double)grid->try_count;
    *out_count = 0;
    for (size_t i = 0; i < grid->dimension_count; i++)
        count *= (double)grid->dimensions[i].row_count;
    if (count > GRID_LARGEST)
        return error_set(error, "that makes %.0f points, more than %d", count, GRID_LARGEST);
    if (check_variables(grid, arena, error) != 0)
        return -1;
    *out = ARENA_ARRAY(arena, struct grid_point, (size_t)count + 1);
    for (size_t i = 0; i < grid->try_count; i++)
        do
            make_point(&(*out)[(*out_count)++], &expansion, i);
        while (advance(&expansion) && !error->set);
    return error->set ? -1 : 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * From variables to results. Keys are in order (numbers rise, texts go by letters), but those of
 * top, which go by value.
 */
#include "analysis/events/result.h"

#include "analysis/events/check_expression.h"
#include "analysis/events/compile_value.h"
#include "base/text/suggestion.h"

#include <math.h>
#include <string.h>

static const char *const view_names[] = {"bar", "line", "table", "matrix"};

/* -1: there is no such view. */
static int parse_view(enum result_view *out, const char *name) {
    for (size_t i = 0; i < sizeof view_names / sizeof *view_names; i++)
        if (strcmp(view_names[i], name) == 0) {
            *out = (enum result_view)i;
            return 0;
        }
    return -1;
}

static int compare_ints(const void *a, const void *b) {
    long long x = ((const union event_value *)a)->i, y = ((const union event_value *)b)->i;
    return x < y ? -1 : x > y;
}

static int compare_texts(const void *a, const void *b) {
    return strcmp(((const union event_value *)a)->s, ((const union event_value *)b)->s);
}

static void take_keys(struct events_result *result, struct arena *arena,
                      const struct events_variable *variable) {
    const struct events_keys *keys = &variable->array->keys;
    result->keys = ARENA_ARRAY(arena, union event_value, keys->used + 1);
    for (size_t i = 0; i < keys->by_number.count; i++)
        if (keys->is_used.items[i])
            result->keys[result->rows++] = keys->by_number.items[i];
    if (!variable->is_ranked)
        qsort(result->keys, (size_t)result->rows, sizeof *result->keys,
              result->key_type == EVENT_STRING ? compare_texts : compare_ints);
}

static void take_rows(struct events_result *result, struct arena *arena,
                      const struct events_array *array) {
    result->row_values = ARENA_ARRAY(arena, const union event_value *, (size_t)result->rows + 1);
    for (long i = 0; i < result->rows; i++) {
        long row = result->keyed ? events_keys_find(&array->keys, result->keys[i]) : i;
        result->row_values[i] = array->values + row * array->row_length;
    }
}

static struct events_result take(struct arena *arena, const struct events_variable *variable) {
    struct events_result result = {.name = variable->name,
                                   .unit = variable->unit,
                                   .type = variable->type,
                                   .dimension_count = variable->shape.dimension_count,
                                   .keyed = variable->shape.keyed,
                                   .key_type = variable->shape.key_type,
                                   .row_length = 1};
    if (variable->array == NULL) {
        result.rows = 1;
        result.is_nothing = variable->changed == 0 && (variable->declaration == NULL ||
                                                       variable->declaration->initial == NULL);
        result.row_values = ARENA_ARRAY(arena, const union event_value *, 1);
        result.row_values[0] = &variable->value;
        return result;
    }
    result.row_length = variable->array->row_length;
    if (result.keyed)
        take_keys(&result, arena, variable);
    else
        result.rows = variable->array->rows;
    take_rows(&result, arena, variable->array);
    return result;
}

#define VALUES_MOST 32 /* as many as a line of a terminal has room for, if they are short */

static void choose_view(struct events_result *result) {
    if (result->dimension_count > 1)
        result->view = RESULT_MATRIX;
    else if (result->dimension_count == 0 || (!result->keyed && result->rows <= VALUES_MOST))
        result->view = RESULT_VALUES;
    else
        result->view = result->keyed ? RESULT_BAR : RESULT_LINE;
}

static int evaluate_option(union event_value *out, struct events_program *program,
                           const struct syntax_option *option, enum event_type type) {
    if (check_expression(program, option->value) != 0)
        return -1;
    if ((option->value->result == EVENT_STRING) != (type == EVENT_STRING) ||
        option->value->shape.dimension_count > 0)
        return script_fail(program->script, option->value->place, "'%s' needs a %s", option->name,
                           type == EVENT_STRING ? "text" : "number");
    return compile_evaluate(out, program, option->value, type);
}

static int set_labels(struct events_result *result, struct events_program *program,
                      struct syntax *value) {
    if (check_expression(program, value) != 0)
        return -1;
    if (value->type != SYNTAX_NAME || value->variable == NULL || value->result != EVENT_STRING ||
        value->shape.dimension_count != 1 || value->shape.keyed)
        return script_fail(program->script, value->place,
                           "'labels' needs an array of texts, such as string name[8]");
    result->labels = value->variable->array;
    return 0;
}

struct result_option {
    const char *name;
    enum event_type type;
};

static int set_option(struct events_result *result, struct events_program *program,
                      const struct syntax_option *option) {
    static const struct result_option known[] = {
        {"title", EVENT_STRING}, {"unit", EVENT_STRING},    {"axis", EVENT_STRING},
        {"rows", EVENT_STRING},  {"columns", EVENT_STRING}, {"top", EVENT_INT},
        {"from", EVENT_FLOAT},   {"to", EVENT_FLOAT},
    };
    const char **texts[] = {&result->title, &result->unit, &result->axis_unit, &result->row_title,
                            &result->column_title};
    union event_value value;
    size_t i = 0, count = sizeof known / sizeof *known;
    if (strcmp(option->name, "labels") == 0)
        return set_labels(result, program, option->value);
    while (i < count && strcmp(known[i].name, option->name) != 0)
        i++;
    if (i == count)
        return script_fail(program->script, option->place,
                           "a view has no '%s'; it has title, unit, axis, rows, columns, labels, "
                           "top, from and to",
                           option->name);
    if (evaluate_option(&value, program, option, known[i].type) != 0)
        return -1;
    if (known[i].type == EVENT_STRING)
        *texts[i] = value.s;
    else if (known[i].type == EVENT_INT)
        result->top = value.i > 0 && value.i < MOST_ELEMENTS ? (long)value.i : 0;
    else if (strcmp(option->name, "from") == 0)
        result->from = value.f;
    else
        result->to = value.f;
    result->has_axis |= known[i].type == EVENT_FLOAT;
    return 0;
}

static int fail_variable(struct events_program *program, const struct syntax_view *view) {
    struct suggestion suggestion = {.word = view->variable};
    for (size_t i = 0; i < program->variables.count; i++)
        suggestion_offer(&suggestion, program->variables.items[i]->name);
    return script_fail(program->script, view->variable_place, "'%s' is no variable%s%s%s",
                       view->variable, suggestion.name != NULL ? "; did you mean '" : "",
                       suggestion.name != NULL ? suggestion.name : "; declare it",
                       suggestion.name != NULL ? "'?" : "");
}

static int apply_view(result_list *results, struct events_program *program,
                      const struct syntax_view *view) {
    const struct events_variable *variable = events_program_variable(program, view->variable);
    if (variable == NULL)
        return fail_variable(program, view);
    size_t i = 0;
    while (i < results->count && results->items[i].name != variable->name)
        i++;
    if (i == results->count)
        vec_push(results, take(program->arena, variable));
    struct events_result *result = &results->items[i];
    if (parse_view(&result->view, view->view) != 0)
        return script_fail(program->script, view->place,
                           "there is no view '%s'; write bar, line, table or matrix", view->view);
    for (size_t k = 0; k < view->options.count; k++)
        if (set_option(result, program, &view->options.items[k]) != 0)
            return -1;
    return 0;
}

static bool has_outputs(const struct events_program *program) {
    for (size_t i = 0; i < program->variables.count; i++)
        if (program->variables.items[i]->role == ROLE_OUTPUT)
            return true;
    return false;
}

int results_collect(result_list *out, struct events_program *program) {
    bool declared = has_outputs(program);
    *out = (result_list){0};
    for (size_t i = 0; i < program->variables.count; i++) {
        const struct events_variable *variable = program->variables.items[i];
        if (declared ? variable->role != ROLE_OUTPUT : variable->is_operand)
            continue;
        vec_push(out, take(program->arena, variable));
        choose_view(&out->items[out->count - 1]);
    }
    for (size_t i = 0; i < program->syntax.views.count; i++)
        if (apply_view(out, program, &program->syntax.views.items[i]) != 0)
            return -1;
    return 0;
}

double result_number(const struct events_result *result, long row, long column) {
    const union event_value *value = &result->row_values[row][column];
    if (result->type == EVENT_STRING)
        return 0;
    return result->type == EVENT_FLOAT ? value->f : (double)value->i;
}

double result_largest(const struct events_result *result, long row, long row_end, long column,
                      long column_end) {
    double most = result_number(result, row, column);
    for (long i = row; i < row_end; i++)
        for (long k = column; k < column_end; k++)
            most = fmax(most, result_number(result, i, k));
    return most;
}

void result_range(double *out_least, double *out_most, const struct events_result *result) {
    *out_least = *out_most = 0;
    for (long i = 0; i < result->rows; i++)
        for (long k = 0; k < result->row_length; k++) {
            double value = result_number(result, i, k);
            if (!isfinite(value))
                continue;
            *out_least = fmin(*out_least, value);
            *out_most = fmax(*out_most, value);
        }
}

double result_part(double value, double from, double to) {
    double part = to > from ? (value / 2 - from / 2) / (to / 2 - from / 2) : 0;
    return part >= 0 ? fmin(part, 1) : 0;
}

void result_label(struct str *out, const struct events_result *result, long row) {
    if (result->labels != NULL && row < result->labels->rows &&
        result->labels->values[row].s[0] != '\0')
        str_add(out, result->labels->values[row].s);
    else if (!result->keyed)
        str_printf(out, "%ld", row);
    else if (result->key_type == EVENT_STRING)
        str_add(out, result->keys[row].s);
    else
        str_printf(out, "%lld", result->keys[row].i);
}

void result_value(struct str *out, const struct events_result *result, long row, long column) {
    const union event_value *value = &result->row_values[row][column];
    if (result->is_nothing)
        return;
    if (result->type == EVENT_INT)
        str_printf(out, "%lld", value->i);
    else if (result->type == EVENT_FLOAT)
        str_printf(out, "%.15g", value->f);
    else
        str_add(out, value->s);
}

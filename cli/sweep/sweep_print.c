/* SPDX-License-Identifier: Apache-2.0
 *
 * Points as rows; see sweep_print.h. In text the columns are those that tell points apart: ranks,
 * what is varied, and the options of each --try if there are several.
 */
#include "cli/sweep/sweep_print.h"

#include "base/json.h"
#include "base/words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *status_of(const struct sweep_point *point) {
    if (point->state != STATE_FINISHED)
        return point->state == STATE_MISSING ? "missing" : "at work";
    return point->result.failed ? "failed" : "done";
}

static const char *spelled(struct arena *arena, const struct word_list *words) {
    struct str text = {0};
    for (size_t i = 0; i < words->count; i++)
        words_add(&text, words->words[i]);
    const char *copy = arena_strdup(arena, str_text(&text));
    str_dispose(&text);
    return copy;
}

/* Calls `each` for every variable but np, with its value at the point. */
typedef void variable_visitor(void *context, const char *name, const char *value);

static void visit_variables(const struct grid *grid, const struct sweep_point *point,
                            variable_visitor *each, void *context) {
    size_t number = 0;
    for (size_t i = 0; i < grid->dimension_count; i++)
        for (size_t k = 0; k < grid->dimensions[i].name_count; k++, number++) {
            const char *name = grid->dimensions[i].names[k];
            if (strcmp(name, "np") != 0)
                each(context, name, point->what.values[number]);
        }
}

/* ---- Text ---- */

struct text_table {
    const struct sweep *sweep;
    const struct sweep_options *options;
    struct arena arena;
    size_t *widths; /* of the variables */
    size_t variable_count, at;
    int try_width;
};

static void widen(void *context, const char *name, const char *value) {
    struct text_table *table = context;
    size_t *width = &table->widths[table->at++];
    if (*width < strlen(name))
        *width = strlen(name);
    if (*width < strlen(value))
        *width = strlen(value);
}

static void text_value(void *context, const char *name, const char *value) {
    struct text_table *table = context;
    (void)name;
    printf("  %*s", (int)table->widths[table->at++], value);
}

static void text_name(void *context, const char *name, const char *value) {
    (void)value;
    text_value(context, name, name);
}

static const char *try_of(struct text_table *table, const struct sweep_point *point) {
    const char *text = table->options->tries.items[point->what.try_number];
    return text[0] != '\0' ? text : "(none)";
}

static void measure(struct text_table *table) {
    const struct sweep *sweep = table->sweep;
    table->widths = ARENA_ARRAY(&table->arena, size_t, table->variable_count + 1);
    for (size_t i = 0; i < sweep->count; i++) {
        table->at = 0;
        visit_variables(&table->options->grid, &sweep->points[i], widen, table);
        int width = (int)strlen(try_of(table, &sweep->points[i]));
        if (width > table->try_width)
            table->try_width = width;
    }
}

static void text_time(double seconds) {
    if (isfinite(seconds))
        printf("  %12.6g", seconds);
    else
        printf("  %12s", "");
}

static void text_row(struct text_table *table, const struct sweep_point *point) {
    const struct point_result *result = &point->result;
    bool done = point->state == STATE_FINISHED && !result->failed;
    printf("%7zu", point->what.ranks);
    table->at = 0;
    visit_variables(&table->options->grid, point, text_value, table);
    if (table->options->tries.count > 1)
        printf("  %-*s", table->try_width, try_of(table, point));
    if (!done) {
        bool failed = point->state == STATE_FINISHED;
        printf("  %s%s%.*s\n", status_of(point), failed ? ": " : "",
               failed ? (int)strcspn(result->message, "\n") : 0, failed ? result->message : "");
        return;
    }
    const double times_s[] = {result->predicted_s, result->low_s, result->high_s, result->compute_s,
                              result->mpi_s};
    for (size_t i = 0; i < sizeof times_s / sizeof *times_s; i++)
        text_time(times_s[i]);
    printf("%s%s\n", result->message[0] != '\0' ? "  " : "", result->message);
}

static void count_variable(void *context, const char *name, const char *value) {
    (void)name, (void)value;
    ++*(size_t *)context;
}

static void print_text(const struct sweep *sweep, const struct sweep_options *options) {
    struct text_table table = {.sweep = sweep, .options = options};
    if (sweep->count == 0)
        return;
    visit_variables(&options->grid, &sweep->points[0], count_variable, &table.variable_count);
    measure(&table);
    printf("%7s", "np");
    visit_variables(&options->grid, &sweep->points[0], (table.at = 0, text_name), &table);
    if (options->tries.count > 1)
        printf("  %-*s", table.try_width, "options");
    printf("  %12s  %12s  %12s  %12s  %12s\n", "predicted, s", "95 % from", "to", "computation",
           "MPI");
    for (size_t i = 0; i < sweep->count; i++)
        text_row(&table, &sweep->points[i]);
    arena_dispose(&table.arena);
}

/* ---- JSON ---- */

static json_t *json_known(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

static void json_variable(void *context, const char *name, const char *value) {
    char *end = NULL;
    double number = strtod(value, &end);
    json_t *json = json_string(value);
    if (value[0] != '\0' && *end == '\0' && isfinite(number)) {
        json_decref(json);
        bool is_whole = fabs(number) < 1e15 && floor(number) == number;
        json = is_whole ? json_integer((json_int_t)number) : json_real(number);
    }
    json_object_set_new(context, name, json);
}

static json_t *json_words(const struct word_list *words) {
    json_t *list = json_array();
    for (size_t i = 0; i < words->count; i++)
        json_array_append_new(list, json_string(words->words[i]));
    return list;
}

static void add_result(json_t *row, const struct point_result *result) {
    const struct {
        const char *name;
        double value;
    } numbers[] = {
        {"predicted_s", result->predicted_s}, {"low_s", result->low_s}, {"high_s", result->high_s},
        {"compute_s", result->compute_s},     {"mpi_s", result->mpi_s}, {"wall_s", result->wall_s}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        json_object_set_new(row, numbers[i].name, json_known(numbers[i].value));
    json_object_set_new(row, "memory_kib", json_integer(result->memory_kib));
    json_object_set_new(row, "attempts", json_integer(result->attempts));
    json_object_set_new(row, "host", json_string(result->host));
    json_object_set_new(row, "finished", json_string(result->finished));
    json_object_set_new(row, "message", json_string(result->message));
}

static json_t *json_point(const struct sweep_point *point, const struct grid *grid) {
    json_t *row =
        json_pack("{s:s, s:s, s:I, s:o, s:o}", "point", point->key.id, "status", status_of(point),
                  "ranks", (json_int_t)point->what.ranks, "arguments",
                  json_words(&point->what.arguments), "options", json_words(&point->what.options));
    visit_variables(grid, point, json_variable, row);
    if (point->state == STATE_FINISHED)
        add_result(row, &point->result);
    return row;
}

static void print_json(const struct sweep *sweep, const struct sweep_options *options,
                       const char *program) {
    struct sweep_counts counts = sweep_count(sweep);
    json_t *points = json_array();
    for (size_t i = 0; i < sweep->count; i++)
        json_array_append_new(points, json_point(&sweep->points[i], &options->grid));
    json_t *root = json_pack("{s:s, s:i, s:s, s:s, s:I, s:I, s:I, s:I, s:o}", "format",
                             "mpiskel-sweep", "version", 1, "program", program, "bundle",
                             options->bundle, "finished", (json_int_t)counts.finished, "failed",
                             (json_int_t)counts.failed, "were_there", (json_int_t)counts.were_there,
                             "finished_here", (json_int_t)sweep->done_here, "points", points);
    json_dumpf(root, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(root);
}

/* ---- CSV ---- */

/* RFC 4180: quoted where it has to be. */
static void csv_text(const char *text) {
    if (strpbrk(text, ",\"\r\n") == NULL) {
        fputs(text, stdout);
        return;
    }
    putchar('"');
    for (; *text != '\0'; text++)
        printf(*text == '"' ? "\"\"" : "%c", *text);
    putchar('"');
}

static void csv_name(void *context, const char *name, const char *value) {
    (void)context, (void)value;
    printf(",%s", name);
}

static void csv_value(void *context, const char *name, const char *value) {
    (void)context, (void)name;
    putchar(',');
    csv_text(value);
}

static void csv_number(double value) {
    if (isfinite(value))
        printf(",%.17g", value);
    else
        putchar(',');
}

static void csv_result(const struct point_result *result) {
    const double numbers[] = {result->predicted_s, result->low_s, result->high_s,
                              result->compute_s,   result->mpi_s, result->wall_s};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        csv_number(numbers[i]);
    printf(",%lld,%d,", result->memory_kib, result->attempts);
    csv_text(result->message);
}

static void print_csv(const struct sweep *sweep, const struct sweep_options *options) {
    struct arena arena = {0};
    fputs("ranks", stdout);
    if (sweep->count > 0)
        visit_variables(&options->grid, &sweep->points[0], csv_name, NULL);
    puts(",status,predicted_s,low_s,high_s,compute_s,mpi_s,wall_s,memory_kib,attempts,message,"
         "arguments,options,point");
    for (size_t i = 0; i < sweep->count; i++) {
        const struct sweep_point *point = &sweep->points[i];
        printf("%zu", point->what.ranks);
        visit_variables(&options->grid, point, csv_value, NULL);
        printf(",%s", status_of(point));
        if (point->state == STATE_FINISHED)
            csv_result(&point->result);
        else
            fputs(",,,,,,,,,", stdout);
        putchar(',');
        csv_text(spelled(&arena, &point->what.arguments));
        putchar(',');
        csv_text(spelled(&arena, &point->what.options));
        printf(",%s\n", point->key.id);
    }
    arena_dispose(&arena);
}

void sweep_print(const struct sweep *sweep, const struct sweep_options *options,
                 const char *program) {
    if (options->format == OUTPUT_JSON)
        print_json(sweep, options, program);
    else if (options->format == OUTPUT_CSV)
        print_csv(sweep, options);
    else
        print_text(sweep, options);
}

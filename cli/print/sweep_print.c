/* SPDX-License-Identifier: Apache-2.0
 *
 * Points as rows; see sweep_print.h. In text the columns are those that tell points apart: ranks,
 * what is varied, and the options of each --try if there are several.
 */
#include "cli/print/sweep_print.h"

#include "base/str.h"
#include "base/words.h"
#include "cli/print/field/report_csv.h"
#include "cli/print/field/report_json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *status_of(const struct sweep_point *point) {
    if (point->state != STATE_FINISHED)
        return point->state == STATE_MISSING ? "missing" : "at work";
    return point->result.failed ? "failed" : "done";
}

/* One that is varied, but np. */
struct sweep_variable {
    const char *name;
    size_t number; /* of its value among those of a point */
    size_t width;  /* of its column in text */
};

struct sweep_table {
    const struct sweep_report *of;
    struct arena arena;
    struct sweep_variable *variables;
    size_t variable_count;
    struct report_field *fields; /* of JSON and CSV */
};

static void add_variable(struct sweep_table *table, const char *name, size_t number) {
    const struct sweep *sweep = table->of->sweep;
    size_t width = strlen(name);
    for (size_t i = 0; i < sweep->count; i++) {
        size_t length = strlen(sweep->points[i].what.values[number]);
        width = length > width ? length : width;
    }
    table->variables[table->variable_count++] = (struct sweep_variable){name, number, width};
}

static void find_variables(struct sweep_table *table) {
    const struct grid *grid = table->of->grid;
    size_t count = 0, number = 0;
    for (size_t i = 0; i < grid->dimension_count; i++)
        count += grid->dimensions[i].name_count;
    table->variables = ARENA_ARRAY(&table->arena, struct sweep_variable, count + 1);
    for (size_t i = 0; i < grid->dimension_count && table->of->sweep->count > 0; i++)
        for (size_t k = 0; k < grid->dimensions[i].name_count; k++, number++)
            if (strcmp(grid->dimensions[i].names[k], "np") != 0)
                add_variable(table, grid->dimensions[i].names[k], number);
}

/* ---- Text ---- */

static const char *try_of(const struct sweep_table *table, const struct sweep_point *point) {
    const char *text = table->of->tries[point->what.try_number];
    return text[0] != '\0' ? text : "(none)";
}

static int try_width(const struct sweep_table *table) {
    const struct sweep *sweep = table->of->sweep;
    size_t width = 0;
    for (size_t i = 0; i < sweep->count; i++) {
        size_t length = strlen(try_of(table, &sweep->points[i]));
        width = length > width ? length : width;
    }
    return (int)width;
}

static void text_time(double seconds) {
    if (isfinite(seconds))
        printf("  %12.6g", seconds);
    else
        printf("  %12s", "");
}

static void text_row(const struct sweep_table *table, const struct sweep_point *point,
                     int options_width) {
    const struct point_result *result = &point->result;
    bool done = point->state == STATE_FINISHED && !result->failed;
    printf("%7zu", point->what.ranks);
    for (size_t i = 0; i < table->variable_count; i++)
        printf("  %*s", (int)table->variables[i].width,
               point->what.values[table->variables[i].number]);
    if (table->of->grid->try_count > 1)
        printf("  %-*s", options_width, try_of(table, point));
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

static void print_text(const struct sweep_table *table) {
    const struct sweep *sweep = table->of->sweep;
    int options_width = try_width(table);
    if (sweep->count == 0)
        return;
    printf("%7s", "np");
    for (size_t i = 0; i < table->variable_count; i++)
        printf("  %*s", (int)table->variables[i].width, table->variables[i].name);
    if (table->of->grid->try_count > 1)
        printf("  %-*s", options_width, "options");
    printf("  %12s  %12s  %12s  %12s  %12s\n", "predicted, s", "95 % from", "to", "computation",
           "MPI");
    for (size_t i = 0; i < sweep->count; i++)
        text_row(table, &sweep->points[i], options_width);
}

/* ---- JSON and CSV ---- */

/* Behind the members there is room for the value of each variable. */
struct sweep_row {
    const struct sweep_point *point;
    const struct point_result *result; /* NULL: it has not finished */
    const char *status;
    const char *arguments, *options; /* as a shell reads them */
    const char *values[];
};

#define POINT(member) REPORT_AT(struct sweep_point, member)
#define RESULT(member) REPORT_AT(struct point_result, member)

static const struct report_field id_fields[] = {
    {"point", POINT(key.id)},
    {0},
};

static const struct report_field what_fields[] = {
    {"ranks", "ranks", POINT(what.ranks)},
    {"arguments", REPORT_ITEMS_AT(struct sweep_point, what.arguments.words, what.arguments.count)},
    {"options", REPORT_ITEMS_AT(struct sweep_point, what.options.words, what.options.count)},
    {0},
};

static const struct report_field result_fields[] = {
    {"predicted_s", "predicted_s", RESULT(predicted_s)},
    {"low_s", "low_s", RESULT(low_s)},
    {"high_s", "high_s", RESULT(high_s)},
    {"compute_s", "compute_s", RESULT(compute_s)},
    {"mpi_s", "mpi_s", RESULT(mpi_s)},
    {"wall_s", "wall_s", RESULT(wall_s)},
    {"memory_kib", "memory_kib", RESULT(memory_kib)},
    {"attempts", "attempts", RESULT(attempts)},
    {"host", RESULT(host)},
    {"finished", RESULT(finished)},
    {"message", "message", RESULT(message)},
    {0},
};

static const struct report_field last_fields[] = {
    {.csv = "point", POINT(key.id)},
    {0},
};

/* In front of the variables, and behind them. */
static const struct report_field front_fields[] = {
    {REPORT_PART_POINTER_AT(struct sweep_row, point, id_fields)},
    {"status", REPORT_AT(struct sweep_row, status)},
    {REPORT_PART_POINTER_AT(struct sweep_row, point, what_fields)},
    {0},
};

static const struct report_field back_fields[] = {
    {.csv = "status", REPORT_AT(struct sweep_row, status)},
    {REPORT_PART_POINTER_AT(struct sweep_row, result, result_fields)},
    {.csv = "arguments", REPORT_AT(struct sweep_row, arguments)},
    {.csv = "options", REPORT_AT(struct sweep_row, options)},
    {REPORT_PART_POINTER_AT(struct sweep_row, point, last_fields)},
    {0},
};

/* The fields depend on the variables, so that they are made with the rows. */
static void make_fields(struct sweep_table *table) {
    struct report_field *variables =
        ARENA_ARRAY(&table->arena, struct report_field, table->variable_count + 1);
    for (size_t i = 0; i < table->variable_count; i++)
        variables[i] = (struct report_field){
            .json = table->variables[i].name,
            .csv = table->variables[i].name,
            .kind = REPORT_NUMERAL,
            .offset = offsetof(struct sweep_row, values) + i * sizeof(const char *),
        };
    table->fields = ARENA_ARRAY(&table->arena, struct report_field, 4);
    table->fields[0] = (struct report_field){REPORT_FIELDS(front_fields)};
    table->fields[1] = (struct report_field){REPORT_FIELDS(variables)};
    table->fields[2] = (struct report_field){REPORT_FIELDS(back_fields)};
}

static struct sweep_row *make_row(struct sweep_table *table, const struct sweep_point *point) {
    struct arena *arena = &table->arena;
    struct sweep_row *row =
        arena_alloc(arena, sizeof *row + table->variable_count * sizeof(const char *));
    row->point = point;
    row->result = point->state == STATE_FINISHED ? &point->result : NULL;
    row->status = status_of(point);
    row->arguments = words_text(arena, point->what.arguments.words, point->what.arguments.count);
    row->options = words_text(arena, point->what.options.words, point->what.options.count);
    for (size_t i = 0; i < table->variable_count; i++)
        row->values[i] = point->what.values[table->variables[i].number];
    return row;
}

/* The sweep as a whole. */
struct sweep_summary {
    const char *program, *bundle;
    struct sweep_counts counts;
    size_t finished_here;
    json_t *points;
};

static const struct report_field summary_fields[] = {
    {"program", REPORT_AT(struct sweep_summary, program)},
    {"bundle", REPORT_AT(struct sweep_summary, bundle)},
    {"finished", REPORT_AT(struct sweep_summary, counts.finished)},
    {"failed", REPORT_AT(struct sweep_summary, counts.failed)},
    {"were_there", REPORT_AT(struct sweep_summary, counts.were_there)},
    {"finished_here", REPORT_AT(struct sweep_summary, finished_here)},
    {"points", REPORT_AT(struct sweep_summary, points)},
    {0},
};

static void print_json(struct sweep_table *table) {
    const struct sweep_report *report = table->of;
    const struct sweep *sweep = report->sweep;
    const struct sweep_summary summary = {
        .program = report->program,
        .bundle = report->bundle,
        .counts = sweep_count(sweep),
        .finished_here = sweep->done_here,
        .points = json_array(),
    };
    for (size_t i = 0; i < sweep->count; i++)
        json_array_append_new(summary.points,
                              report_json(table->fields, make_row(table, &sweep->points[i])));
    report_json_print(stdout, "mpiskel-sweep", 2, summary_fields, &summary);
    json_decref(summary.points);
}

static void print_csv(struct sweep_table *table) {
    const struct sweep *sweep = table->of->sweep;
    report_csv_header(stdout, table->fields);
    for (size_t i = 0; i < sweep->count; i++)
        report_csv_row(stdout, table->fields, make_row(table, &sweep->points[i]));
}

/* ---- All forms ---- */

void sweep_print(const struct sweep_report *report, enum output_format format) {
    struct sweep_table table = {.of = report};
    find_variables(&table);
    make_fields(&table);
    if (format == OUTPUT_JSON)
        print_json(&table);
    else if (format == OUTPUT_CSV)
        print_csv(&table);
    else
        print_text(&table);
    arena_dispose(&table.arena);
}

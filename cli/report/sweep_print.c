/* SPDX-License-Identifier: Apache-2.0
 *
 * Points as rows; see sweep_print.h. In text the columns are those that tell points apart: ranks,
 * what is varied, and the options of each --try if there are several.
 */
#include "cli/report/sweep_print.h"

#include "base/str.h"
#include "base/words.h"
#include "cli/report/field/report_csv.h"
#include "cli/report/field/report_json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *status_of(const struct sweep_point *point) {
    if (point->state != STATE_FINISHED)
        return point->state == STATE_MISSING ? "missing" : "at work";
    return point->result.failed ? "failed" : "done";
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
    const struct sweep_report *of;
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
    const char *text = table->of->tries[point->what.try_number];
    return text[0] != '\0' ? text : "(none)";
}

static void measure(struct text_table *table) {
    const struct sweep *sweep = table->of->sweep;
    table->widths = ARENA_ARRAY(&table->arena, size_t, table->variable_count + 1);
    for (size_t i = 0; i < sweep->count; i++) {
        table->at = 0;
        visit_variables(table->of->grid, &sweep->points[i], widen, table);
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
    visit_variables(table->of->grid, point, text_value, table);
    if (table->of->grid->try_count > 1)
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

static void print_text(const struct sweep_report *report) {
    const struct sweep *sweep = report->sweep;
    struct text_table table = {.of = report};
    if (sweep->count == 0)
        return;
    visit_variables(report->grid, &sweep->points[0], count_variable, &table.variable_count);
    measure(&table);
    printf("%7s", "np");
    visit_variables(report->grid, &sweep->points[0], (table.at = 0, text_name), &table);
    if (report->grid->try_count > 1)
        printf("  %-*s", table.try_width, "options");
    printf("  %12s  %12s  %12s  %12s  %12s\n", "predicted, s", "95 % from", "to", "computation",
           "MPI");
    for (size_t i = 0; i < sweep->count; i++)
        text_row(&table, &sweep->points[i]);
    arena_dispose(&table.arena);
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
struct sweep_table {
    struct arena arena;
    struct report_field *fields, *variables;
    size_t variable_count, at;
    struct sweep_row *row; /* that is being made */
};

static void add_variable(void *context, const char *name, const char *value) {
    struct sweep_table *table = context;
    (void)value;
    table->variables[table->at] = (struct report_field){
        .json = name,
        .csv = name,
        .kind = REPORT_NUMERAL,
        .offset = offsetof(struct sweep_row, values) + table->at * sizeof(const char *),
    };
    table->at++;
}

static void add_variable_value(void *context, const char *name, const char *value) {
    struct sweep_table *table = context;
    (void)name;
    table->row->values[table->at++] = value;
}

static void make_fields(struct sweep_table *out, const struct sweep_report *report) {
    const struct sweep *sweep = report->sweep;
    *out = (struct sweep_table){0};
    if (sweep->count > 0)
        visit_variables(report->grid, &sweep->points[0], count_variable, &out->variable_count);
    out->variables = ARENA_ARRAY(&out->arena, struct report_field, out->variable_count + 1);
    if (sweep->count > 0)
        visit_variables(report->grid, &sweep->points[0], add_variable, out);
    out->fields = ARENA_ARRAY(&out->arena, struct report_field, 4);
    out->fields[0] = (struct report_field){REPORT_FIELDS(front_fields)};
    out->fields[1] = (struct report_field){REPORT_FIELDS(out->variables)};
    out->fields[2] = (struct report_field){REPORT_FIELDS(back_fields)};
}

static struct sweep_row *make_row(struct sweep_table *table, const struct sweep_report *report,
                                  const struct sweep_point *point) {
    size_t size = sizeof *table->row + table->variable_count * sizeof(const char *);
    struct arena *arena = &table->arena;
    table->row = arena_alloc(arena, size);
    table->row->point = point;
    table->row->result = point->state == STATE_FINISHED ? &point->result : NULL;
    table->row->status = status_of(point);
    table->row->arguments =
        words_text(arena, point->what.arguments.words, point->what.arguments.count);
    table->row->options = words_text(arena, point->what.options.words, point->what.options.count);
    table->at = 0;
    visit_variables(report->grid, point, add_variable_value, table);
    return table->row;
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

static void print_json(const struct sweep_report *report, struct sweep_table *table) {
    const struct sweep *sweep = report->sweep;
    const struct sweep_summary summary = {
        .program = report->program,
        .bundle = report->bundle,
        .counts = sweep_count(sweep),
        .finished_here = sweep->done_here,
        .points = json_array(),
    };
    for (size_t i = 0; i < sweep->count; i++)
        json_array_append_new(
            summary.points, report_json(table->fields, make_row(table, report, &sweep->points[i])));
    report_json_print(stdout, "mpiskel-sweep", 2, summary_fields, &summary);
    json_decref(summary.points);
}

static void print_csv(const struct sweep_report *report, struct sweep_table *table) {
    report_csv_header(stdout, table->fields);
    for (size_t i = 0; i < report->sweep->count; i++)
        report_csv_row(stdout, table->fields, make_row(table, report, &report->sweep->points[i]));
}

/* ---- All forms ---- */

void sweep_print(const struct sweep_report *report, enum output_format format) {
    struct sweep_table table;
    make_fields(&table, report);
    if (format == OUTPUT_JSON)
        print_json(report, &table);
    else if (format == OUTPUT_CSV)
        print_csv(report, &table);
    else
        print_text(report);
    arena_dispose(&table.arena);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * One scale for all values of a result, so that they can be compared by eye. What has more rows or
 * columns than there is room is shown by its largest, or by the largest of neighbours.
 */
#include "analysis/events/view/text_view.h"

#include "analysis/events/unit.h"

#include <math.h>
#include <string.h>

#define PLOT_LINES 8  /* of a line plot: eighths of blocks make 64 levels of them */
#define BARS_MOST 50  /* more are cut to BARS_CUT and told */
#define BARS_CUT 20   /* a screen */
#define LABEL_MOST 40 /* columns of a label; the rest is cut */

struct text_view_job {
    struct str *out;
    const struct events_result *result;
    size_t width;
    double least, most; /* of all values, and 0 */
    struct unit_scale scale;
};

static void measure(struct text_view_job *job) {
    result_range(&job->least, &job->most, job->result);
    job->scale = unit_scale(job->result->unit, fmax(job->most, -job->least));
}

static void add_number(struct str *out, const struct text_view_job *job, long row, long column) {
    if (job->result->is_nothing) {
        str_add(out, "nothing");
        return;
    }
    if (job->result->type == EVENT_STRING ||
        (job->result->type == EVENT_INT && job->scale.factor == 1))
        result_value(out, job->result, row, column);
    else
        str_printf(out, "%.6g", result_number(job->result, row, column) / job->scale.factor);
}

static void add_title(const struct text_view_job *job) {
    const struct events_result *result = job->result;
    str_add(job->out, result->title != NULL ? result->title : result->name);
    if (job->scale.name[0] != '\0')
        str_printf(job->out, " (%s)", job->scale.name);
    str_addc(job->out, '\n');
}

static void add_cell(struct str *out, const char *text, size_t width, bool right) {
    size_t columns = text_columns(text);
    for (size_t i = columns; right && i < width; i++)
        str_addc(out, ' ');
    str_add(out, text);
    for (size_t i = columns; !right && i < width; i++)
        str_addc(out, ' ');
}

static bool is_numbered(const struct events_result *result) {
    return result->labels == NULL && (!result->keyed || result->key_type == EVENT_INT);
}

static void label_of(struct str *out, const struct events_result *result, long row) {
    out->length = 0;
    result_label(out, result, row);
    if (out->length > LABEL_MOST) {
        while ((out->text[LABEL_MOST - 3] & 0xc0) == 0x80)
            out->text[LABEL_MOST - 3] = '.';
        out->length = LABEL_MOST - 3;
        str_add(out, "...");
    }
}

static size_t label_width(const struct events_result *result, const long *rows, long count) {
    struct str label = {0};
    size_t width = 1;
    for (long i = 0; i < count; i++) {
        label_of(&label, result, rows[i]);
        width = text_columns(label.text) > width ? text_columns(label.text) : width;
    }
    str_dispose(&label);
    return width;
}

static void view_values(const struct text_view_job *job) {
    const struct events_result *result = job->result;
    str_printf(job->out, "%s =", result->title != NULL ? result->title : result->name);
    for (long i = 0; i < result->rows; i++)
        for (long k = 0; k < result->row_length; k++) {
            str_addc(job->out, ' ');
            add_number(job->out, job, i, k);
        }
    bool has_unit = job->scale.name[0] != '\0' && !result->is_nothing;
    str_printf(job->out, "%s%s\n", has_unit ? " " : "", has_unit ? job->scale.name : "");
}

/* The row with the largest value of those not taken yet. */
static long largest_row(const struct events_result *result, const bool *is_taken) {
    long best = -1;
    for (long i = 0; i < result->rows; i++)
        if (!is_taken[i] &&
            (best < 0 || result_number(result, i, 0) > result_number(result, best, 0)))
            best = i;
    return best;
}

/* Rows of zero at either end of an array say nothing. */
static void trim(long *from, long *to, const struct events_result *result) {
    *from = 0;
    *to = result->rows;
    if (result->keyed)
        return;
    while (*from < *to && result_number(result, *from, 0) == 0)
        ++*from;
    while (*from < *to && result_number(result, *to - 1, 0) == 0)
        --*to;
}

/* All rows in their order, or the largest ones. */
static long *choose_rows(long *out_count, const struct events_result *result) {
    long from, to;
    trim(&from, &to, result);
    long most = result->top > 0 ? result->top : to - from > BARS_MOST ? BARS_CUT : 0;
    long count = most > 0 && most < to - from ? most : to - from;
    long *rows = xmalloc(((size_t)count + 1) * sizeof *rows);
    bool *is_taken = xmalloc((size_t)result->rows + 1);
    memset(is_taken, 0, (size_t)result->rows + 1);
    for (long i = 0; i < count; i++) {
        rows[i] = most > 0 ? largest_row(result, is_taken) : from + i;
        is_taken[rows[i]] = true;
    }
    free(is_taken);
    *out_count = count;
    return rows;
}

static void add_bar(const struct text_view_job *job, double value, size_t room) {
    static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    double most = fmax(job->most, -job->least);
    size_t parts = (size_t)llround(result_part(fabs(value), 0, most) * (double)room * 8);
    str_addc(job->out, value < 0 ? '-' : ' ');
    for (size_t i = 0; i < parts / 8; i++)
        str_add(job->out, "█");
    str_printf(job->out, "%s\n", eighths[parts % 8]);
}

static void view_bar(const struct text_view_job *job) {
    const struct events_result *result = job->result;
    long count;
    long *rows = choose_rows(&count, result);
    size_t labels = label_width(result, rows, count), numbers = 12;
    size_t room = job->width > labels + numbers + 8 ? job->width - labels - numbers - 6 : 8;
    struct str cell = {0};
    add_title(job);
    for (long i = 0; i < count; i++) {
        label_of(&cell, result, rows[i]);
        str_add(job->out, "  ");
        add_cell(job->out, cell.text, labels, is_numbered(result));
        cell.length = 0;
        add_number(&cell, job, rows[i], 0);
        add_cell(job->out, cell.text, numbers + 1, true);
        add_bar(job, result_number(result, rows[i], 0), room);
    }
    bool is_cut = count < result->rows && (result->top > 0 || count == BARS_CUT);
    if (is_cut && count > 0)
        str_printf(job->out, "  ... and %ld more that are smaller\n", result->rows - count);
    if (count == 0)
        str_add(job->out, "  0 everywhere\n");
    str_dispose(&cell);
    free(rows);
}

/* The largest of the rows that share a column of the plot. */
static double column_value(const struct events_result *result, size_t columns, size_t column) {
    long from = (long)((double)column * (double)result->rows / (double)columns);
    long to = (long)((double)(column + 1) * (double)result->rows / (double)columns);
    return result_largest(result, from, to, 0, 1);
}

static void add_axis(const struct text_view_job *job, size_t margin, size_t columns) {
    const struct events_result *result = job->result;
    double from = result->has_axis ? result->from : 0;
    double to = result->has_axis ? result->to : (double)result->rows;
    struct unit_scale scale = unit_scale(result->axis_unit, fmax(fabs(from), fabs(to)));
    struct str left = {0}, right = {0};
    str_printf(&left, "%.6g", from / scale.factor);
    str_printf(&right, "%.6g%s%s", to / scale.factor, scale.name[0] != '\0' ? " " : "", scale.name);
    add_cell(job->out, "", margin, false);
    str_add(job->out, str_text(&left));
    add_cell(job->out, right.text, columns > left.length ? columns - left.length : 1, true);
    str_addc(job->out, '\n');
    str_dispose(&left);
    str_dispose(&right);
}

static void view_line(const struct text_view_job *job) {
    static const char *const eighths[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    const struct events_result *result = job->result;
    size_t margin = 14, room = job->width > margin + 10 ? job->width - margin - 1 : 10;
    size_t columns = (size_t)result->rows < room ? (size_t)result->rows : room;
    struct str label = {0};
    add_title(job);
    for (int line = PLOT_LINES - 1; line >= 0; line--) {
        double high = job->least + (job->most - job->least) * (line + 1) / PLOT_LINES;
        label.length = 0;
        str_printf(&label, "%.5g", high / job->scale.factor);
        add_cell(job->out, line % 2 != 0 ? label.text : "", margin - 2, true);
        str_add(job->out, " |");
        for (size_t i = 0; i < columns; i++) {
            double value = column_value(result, columns, i);
            double part = result_part(value, job->least, job->most) * PLOT_LINES - line;
            str_add(job->out, eighths[part <= 0 ? 0 : part >= 1 ? 8 : (int)(part * 8)]);
        }
        str_addc(job->out, '\n');
    }
    add_axis(job, margin, columns);
    str_dispose(&label);
}

static size_t number_width(const struct text_view_job *job) {
    struct str cell = {0};
    size_t width = 1;
    for (long i = 0; i < job->result->rows; i++)
        for (long k = 0; k < job->result->row_length; k++) {
            cell.length = 0;
            add_number(&cell, job, i, k);
            width = cell.length > width ? cell.length : width;
        }
    str_dispose(&cell);
    return width;
}

static void view_table(const struct text_view_job *job) {
    const struct events_result *result = job->result;
    long count = result->rows, *rows = xmalloc(((size_t)count + 1) * sizeof *rows);
    size_t numbers = number_width(job);
    struct str cell = {0};
    for (long i = 0; i < count; i++)
        rows[i] = i;
    size_t labels = label_width(result, rows, count);
    add_title(job);
    for (long i = 0; i < count; i++) {
        label_of(&cell, result, i);
        str_add(job->out, "  ");
        add_cell(job->out, cell.text, labels, is_numbered(result));
        for (long k = 0; k < result->row_length; k++) {
            cell.length = 0;
            add_number(&cell, job, i, k);
            add_cell(job->out, str_text(&cell), numbers + 2, true);
        }
        str_addc(job->out, '\n');
    }
    str_dispose(&cell);
    free(rows);
}

static void view_shades(const struct text_view_job *job, size_t lines, size_t columns) {
    static const char *const shades[] = {" ", "·", "░", "▒", "▓", "█"};
    const struct events_result *result = job->result;
    for (size_t i = 0; i < lines; i++) {
        str_add(job->out, "  |");
        for (size_t k = 0; k < columns; k++) {
            double value = result_largest(result, (long)(i * (size_t)result->rows / lines),
                                          (long)((i + 1) * (size_t)result->rows / lines),
                                          (long)(k * (size_t)result->row_length / columns),
                                          (long)((k + 1) * (size_t)result->row_length / columns));
            double part = result_part(value, job->least, job->most);
            str_add(job->out, shades[value == job->least ? 0 : 1 + (int)fmin(part * 5, 4)]);
        }
        str_add(job->out, "|\n");
    }
}

static void view_matrix(const struct text_view_job *job) {
    const struct events_result *result = job->result;
    size_t columns = (size_t)result->row_length, lines = (size_t)result->rows;
    if (columns * 3 <= job->width && lines <= BARS_MOST &&
        columns * (number_width(job) + 2) + 10 <= job->width) {
        view_table(job);
        return;
    }
    columns = columns > job->width - 4 ? job->width - 4 : columns;
    lines = lines > columns / 2 && lines > 24 ? (columns / 2 > 24 ? columns / 2 : 24) : lines;
    lines = lines > (size_t)result->rows ? (size_t)result->rows : lines;
    add_title(job);
    view_shades(job, lines, columns);
    str_printf(
        job->out, "  %ld %s x %ld %s, each character the largest of its cells, up to %.6g%s%s\n",
        result->rows, result->row_title != NULL ? result->row_title : "rows", result->row_length,
        result->column_title != NULL ? result->column_title : "columns",
        job->most / job->scale.factor, job->scale.name[0] != '\0' ? " " : "", job->scale.name);
}

void text_view(struct str *out, const struct events_result *result, size_t width) {
    struct text_view_job job = {.out = out, .result = result, .width = width < 24 ? 24 : width};
    measure(&job);
    bool is_empty = result->rows == 0 || result->row_length == 0;
    bool is_plain = result->dimension_count == 0 || result->type == EVENT_STRING;
    if (is_empty || result->view == RESULT_VALUES || (is_plain && result->view != RESULT_TABLE))
        view_values(&job);
    else if (result->view == RESULT_TABLE)
        view_table(&job);
    else if (result->row_length > 1)
        view_matrix(&job);
    else if (result->view == RESULT_LINE)
        view_line(&job);
    else
        view_bar(&job);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * One table of fields, written as JSON, CSV and text.
 */
#include "cli/print/field/report_csv.h"
#include "cli/print/field/report_json.h"
#include "cli/print/field/report_text.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct place {
    const char *file;
    int line;
};

struct row {
    const char *name;
    char note[8];
    bool is_kept;
    enum report_answer inside;
    size_t count;
    double share, time_s;
    const struct place *place;
    double range[2];
    const double *times_s;
    int time_count;
};

static const struct report_field place_fields[] = {
    {"file", "file", REPORT_AT(struct place, file), .is_quoted = true},
    {"line", NULL, REPORT_AT(struct place, line)},
    {0},
};

static const struct report_field fields[] = {
    {"name", "name", REPORT_AT(struct row, name), REPORT_COLUMN("name", 0, -6)},
    {"note", NULL, REPORT_AT(struct row, note)},
    {"kept", "kept", REPORT_AT(struct row, is_kept)},
    {"inside", "inside", REPORT_AT(struct row, inside)},
    {NULL, NULL, REPORT_AT(struct row, count), REPORT_COLUMN("count", 1, 6)},
    {"share", "share", REPORT_AT(struct row, share), REPORT_COLUMN("share", 1, 7), .format = "%.1f",
     .is_percent = true, .missing = "?"},
    {"time_s", "time_s", REPORT_AT(struct row, time_s), .is_optional = true, .csv_format = "%.3g",
     REPORT_COLUMN("time, s", 1, 8)},
    {REPORT_PART_POINTER_AT(struct row, place, place_fields)},
    {"range", REPORT_ARRAY_AT(struct row, range)},
    {"times_s", REPORT_ITEMS_AT(struct row, times_s, time_count)},
    {0},
};

static const struct place place = {"a,b.c", 7};
static const double times_s[] = {1, 2.5};

static const struct row full = {.name = "say \"a\"",
                                .note = "short",
                                .is_kept = true,
                                .inside = REPORT_ANSWER_NO,
                                .count = 12,
                                .share = 0.25,
                                .time_s = INFINITY,
                                .place = &place,
                                .range = {1, 2},
                                .times_s = times_s,
                                .time_count = 2};

static const struct row bare = {.share = NAN, .time_s = NAN};

static void json_is(const struct row *row, const char *expected) {
    json_t *object = report_json(fields, row);
    char *text = json_dumps(object, JSON_COMPACT | JSON_PRESERVE_ORDER);
    assert_string_equal(text, expected);
    free(text);
    json_decref(object);
}

TEST(members_are_in_order_and_missing_ones_null) {
    json_is(&full, "{\"name\":\"say \\\"a\\\"\",\"note\":\"short\",\"kept\":true,\"inside\":false,"
                   "\"share\":0.25,\"time_s\":null,\"file\":\"a,b.c\",\"line\":7,"
                   "\"range\":[1.0,2.0],\"times_s\":[1.0,2.5]}");
    json_is(&bare, "{\"name\":null,\"note\":\"\",\"kept\":false,\"inside\":null,\"share\":null,"
                   "\"range\":[0.0,0.0],\"times_s\":[]}");
}

typedef void writer(FILE *out, const struct row *rows, size_t count);

static void text_is(writer *write, const struct row *rows, size_t count, const char *expected) {
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    write(stream, rows, count);
    fclose(stream);
    assert_string_equal(text, expected);
    free(text);
}

static void write_csv(FILE *out, const struct row *rows, size_t count) {
    report_csv_table(out, fields, rows, count, sizeof *rows);
}

TEST(csv_quotes_what_has_to_be) {
    const struct row rows[] = {full, bare};
    text_is(write_csv, rows, 2,
            "name,kept,inside,share,time_s,file\n"
            "\"say \"\"a\"\"\",1,no,0.25,inf,\"a,b.c\"\n"
            ",0,,,,\n");
}

static void write_kinds(FILE *out, const struct row *rows, size_t count) {
    static const char *const columns[] = {"kind", "file", "name", "value", NULL};
    report_csv_kind_header(out, columns);
    for (size_t i = 0; i < count; i++)
        report_csv_kind_row(out, columns, "row", fields, &rows[i]);
    report_csv_value_rows(out, columns, "all", fields, rows);
}

TEST(kinds_of_rows_share_their_columns) {
    const struct row row = {.name = "x", .share = 0.5, .time_s = NAN, .place = &place};
    text_is(
        write_kinds, &row, 1,
        "kind,file,name,value\nrow,\"a,b.c\",x,\nall_name,,,x\nall_kept,,,0\nall_share,,,0.5\n");
}

static void write_top(FILE *out, const struct row *rows, size_t count) {
    report_text_table(out, fields, rows, count, sizeof *rows, 1);
}

TEST(text_has_columns_and_is_cut) {
    const struct row rows[] = {full, bare};
    text_is(write_top, rows, 2,
            "name    count   share  time, s\n"
            "say \"a\"     12   25.0%      inf\n"
            "                      and 1 more\n");
    /* A column that is optional and missing is left out; another one says what is missing. */
    text_is(write_top, &rows[1], 1,
            "name    count   share\n"
            "            0       ?\n");
}

TEST(measured_numbers_have_three_digits_and_counted_ones_all) {
    const struct row rows[] = {
        {.time_s = 0.000112964929}, {.time_s = 327680.4}, {.time_s = 123456}};
    text_is(write_top, &rows[0], 1,
            "name    count   share  time, s\n"
            "            0    0.0% 0.000113\n");
    text_is(write_top, &rows[1], 1,
            "name    count   share  time, s\n"
            "            0    0.0%   327680\n");
    text_is(write_top, &rows[2], 1,
            "name    count   share  time, s\n"
            "            0    0.0%   123456\n");
}

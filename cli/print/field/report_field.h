/* SPDX-License-Identifier: Apache-2.0
 *
 * The description of a record that reports print: one line for each field, which says what it is
 * called in JSON, CSV and text, where it lies in the struct and how it is written.
 *
 * A table of fields ends with {0}. A record is a struct; NULL is a record all of whose fields are
 * missing. The type of a field is that of the struct's member (REPORT_AT). The same table serves
 * report_json.h (an object, or one for each row), report_csv.h (a header line and rows) and
 * report_text.h (a table with headings); a field is left out of a form in which it has no name.
 */
#pragma once

#include "base/json.h"

#include <stdbool.h>
#include <stddef.h>

enum report_answer { REPORT_ANSWER_UNKNOWN, REPORT_ANSWER_NO, REPORT_ANSWER_YES };

enum report_kind {
    REPORT_END,
    REPORT_TEXT,    /* const char *; NULL: missing */
    REPORT_CHARS,   /* an array of char */
    REPORT_NUMERAL, /* const char *; a number in JSON where it reads as one */
    REPORT_BOOL,
    REPORT_ANSWER, /* enum report_answer */
    REPORT_INT,
    REPORT_SIZE,
    REPORT_LONG,  /* long long */
    REPORT_COUNT, /* unsigned long long */
    REPORT_REAL,  /* double; NaN: missing; infinite: null in JSON, inf in text and CSV */
    REPORT_JSON,  /* json_t *, borrowed; NULL: missing */
    REPORT_OBJECT,
    REPORT_LIST,
    REPORT_PART, /* a struct whose fields are fields of this record */
};

struct report_field {
    const char *json, *csv; /* names; NULL: not there */
    enum report_kind kind;
    size_t offset;
    bool is_optional; /* where it is missing: left out of JSON (else null) */

    /* OBJECT, PART, LIST. */
    const struct report_field *fields; /* of a list: NULL, its items are no records */
    bool is_pointer; /* the member points to the struct; NULL: missing. Lists: to the first item */
    enum report_kind item_kind;
    size_t item_size, item_offset;
    size_t item_count, count_offset; /* count_offset where item_count is 0 */
    bool is_int_count;

    /* CSV. */
    const char *csv_format; /* of a real number; NULL: %.17g */
    bool is_quoted;         /* always, not only where it has to be */

    /* Text. */
    const char *heading; /* of its column; NULL: it has none */
    int gap, width;      /* spaces in front, and as in printf's %*s */
    const char *format;  /* of a real number; NULL: three digits, counts in full */
    bool is_percent;     /* a part of 1 is written in percent */
    const char *missing; /* what stands for it; NULL: nothing */
};

/* By the address, for an array of char would decay. */
#define REPORT_KIND_OF(object)                                                                     \
    _Generic(&(object),                                                                            \
        const char **: REPORT_TEXT,                                                                \
        const char *const *: REPORT_TEXT,                                                          \
        char **: REPORT_TEXT,                                                                      \
        bool *: REPORT_BOOL,                                                                       \
        const bool *: REPORT_BOOL,                                                                 \
        enum report_answer *: REPORT_ANSWER,                                                       \
        int *: REPORT_INT,                                                                         \
        const int *: REPORT_INT,                                                                   \
        size_t *: REPORT_SIZE,                                                                     \
        const size_t *: REPORT_SIZE,                                                               \
        long long *: REPORT_LONG,                                                                  \
        unsigned long long *: REPORT_COUNT,                                                        \
        const unsigned long long *: REPORT_COUNT,                                                  \
        double *: REPORT_REAL,                                                                     \
        const double *: REPORT_REAL,                                                               \
        json_t **: REPORT_JSON,                                                                    \
        default: REPORT_CHARS)

#define REPORT_MEMBER(type, member) (((type *)0)->member)

/* A number, a text, or an answer. */
#define REPORT_AT(type, member)                                                                    \
    .kind = REPORT_KIND_OF(REPORT_MEMBER(type, member)), .offset = offsetof(type, member)

/* A struct within the record, and one that a member points to. */
#define REPORT_OBJECT_AT(type, member, table)                                                      \
    .kind = REPORT_OBJECT, .offset = offsetof(type, member), .fields = (table)
#define REPORT_POINTER_AT(type, member, table)                                                     \
    REPORT_OBJECT_AT(type, member, table), .is_pointer = true

/* Likewise; its fields become fields of the record. */
#define REPORT_PART_AT(type, member, table)                                                        \
    .kind = REPORT_PART, .offset = offsetof(type, member), .fields = (table)
#define REPORT_PART_POINTER_AT(type, member, table)                                                \
    REPORT_PART_AT(type, member, table), .is_pointer = true

/* Fields of the record itself, in an object or as another table. */
#define REPORT_GROUP(table) .kind = REPORT_OBJECT, .fields = (table)
#define REPORT_FIELDS(table) .kind = REPORT_PART, .fields = (table)

/* Items that a member points to, and another one counts. */
#define REPORT_COUNTED_AT(type, member, count)                                                     \
    .kind = REPORT_LIST, .offset = offsetof(type, member), .is_pointer = true,                     \
    .item_size = sizeof *REPORT_MEMBER(type, member), .count_offset = offsetof(type, count),       \
    .is_int_count = _Generic(REPORT_MEMBER(type, count), int: true, default: false)
#define REPORT_LIST_AT(type, member, count, table)                                                 \
    REPORT_COUNTED_AT(type, member, count), .fields = (table)
#define REPORT_ITEMS_AT(type, member, count)                                                       \
    REPORT_COUNTED_AT(type, member, count),                                                        \
        .item_kind = REPORT_KIND_OF(*REPORT_MEMBER(type, member))

/* Likewise, of structs of which one member is told. */
#define REPORT_MEMBERS_AT(type, member, count, item)                                               \
    REPORT_COUNTED_AT(type, member, count),                                                        \
        .item_kind = REPORT_KIND_OF(REPORT_MEMBER(type, member)->item),                            \
        .item_offset = offsetof(__typeof__(*REPORT_MEMBER(type, member)), item)

/* An array within the record. */
#define REPORT_ARRAY_AT(type, member)                                                              \
    .kind = REPORT_LIST, .offset = offsetof(type, member),                                         \
    .item_kind = REPORT_KIND_OF(*REPORT_MEMBER(type, member)),                                     \
    .item_size = sizeof *REPORT_MEMBER(type, member),                                              \
    .item_count = sizeof REPORT_MEMBER(type, member) / sizeof *REPORT_MEMBER(type, member)

/* The column of text. */
#define REPORT_COLUMN(title, spaces, wide) .heading = (title), .gap = (spaces), .width = (wide)

/* Where the field lies, behind a pointer if it has one; NULL: it is missing. */
const void *report_field_address(const struct report_field *field, const void *record);

/* How many items a list of the record has. */
size_t report_field_count(const struct report_field *field, const void *record);

/* Of the kinds with one value: not there (see the kinds). `at`: NULL, or its address. */
bool report_is_missing(enum report_kind kind, const void *at);

/* SPDX-License-Identifier: Apache-2.0
 *
 * The verdict of verify as text and JSON; see verify_print.h. A place of the skeleton is followed
 * by the line of the original that it came from, where regions.json tells.
 */
#include "cli/print/verify_print.h"

#include "base/str.h"
#include "cli/print/field/report_json.h"
#include "cli/print/given_print.h"
#include "cli/print/real_print.h"
#include "cli/print/volume_print.h"

#include <stdlib.h>
#include <string.h>

typedef long find_line(const char **out_file, const struct line_map *map, const char *file,
                       long line);

static find_line *finder_of(const struct comparison *comparison, enum verify_side side) {
    return side == SIDE_ORIGINAL                    ? line_map_find_original
           : comparison->names == verify_side_names ? line_map_find
                                                    : line_map_find_profile;
}

/* `src/heat3d.c:91 (heat3d.c:88)`; of the original and its real run the application's line alone.
 */
static void describe_place(struct str *out, const struct comparison *comparison,
                           enum verify_side side, const char *place, const struct line_map *map) {
    const char *colon = strrchr(place, ':'), *file = NULL;
    if (map == NULL || colon == NULL) {
        str_add(out, place);
        return;
    }
    find_line *find = finder_of(comparison, side);
    char *name = xstrdup(place);
    name[colon - place] = '\0';
    long line = find(&file, map, name, atol(colon + 1));
    if (line > 0 && find != line_map_find)
        str_printf(out, "%s:%ld", file, line);
    else if (find == line_map_find_profile && atol(colon + 1) == 0)
        str_add(out, name); /* a function and an offset */
    else
        str_add(out, place);
    if (line > 0 && find == line_map_find)
        str_printf(out, " (%s:%ld)", file, line);
    free(name);
}

static void print_call(FILE *out, const struct comparison *comparison, enum verify_side side,
                       const struct line_map *map) {
    const struct side_call *call = &comparison->first.sides[side];
    struct str place = {0};
    fprintf(out, "  %-10s", comparison->names[side]);
    switch (call->state) {
    case CALL_RECORD_CALL:
        describe_place(&place, comparison, side, call->place, map);
        fprintf(out, "%s\n  %-10s  at %s\n", call->text, "", place.text);
        break;
    case CALL_RECORD_END:
        fputs("no further call: the rank finalized\n", out);
        break;
    case CALL_RECORD_TRUNCATED:
        fputs("the record stops here: the rank did not reach MPI_Finalize\n", out);
        break;
    case CALL_RECORD_MISSING:
        fputs(comparison->crashed[side]
                  ? "there is no record of this rank: it was lost in the crash\n"
                  : "there is no record of this rank: it made no call\n",
              out);
        break;
    case CALL_RECORD_MALFORMED:
        fprintf(out, "%s\n", call->problem);
        break;
    }
    str_dispose(&place);
}

static void print_before(FILE *out, const struct comparison *comparison,
                         const struct line_map *map) {
    const struct difference *first = &comparison->first;
    for (size_t i = 0; i < first->before_count; i++) {
        struct str places[SIDE_COUNT] = {0};
        for (int side = 0; side < SIDE_COUNT; side++)
            describe_place(&places[side], comparison, side, first->before[i][side].place, map);
        fprintf(out, "  %-10s%s\n  %-10s  at %s and %s\n", "both",
                first->before[i][SIDE_ORIGINAL].text, "", places[SIDE_ORIGINAL].text,
                places[SIDE_SKELETON].text);
        str_dispose(&places[SIDE_ORIGINAL]);
        str_dispose(&places[SIDE_SKELETON]);
    }
}

static void print_counts(FILE *out, const struct comparison *comparison,
                         const struct line_map *map) {
    const struct difference *first = &comparison->first;
    size_t shown = first->count_count < VERIFY_COUNTS ? first->count_count : VERIFY_COUNTS;
    for (size_t i = 0; i < shown; i++) {
        const struct count_difference *row = &first->counts[i];
        fprintf(out, "  %s\n", row->text);
        for (int side = 0; side < SIDE_COUNT; side++) {
            struct str place = {0};
            if (row->places[side] != NULL)
                describe_place(&place, comparison, side, row->places[side], map);
            fprintf(out, "    %s: %llu times%s%s\n", comparison->names[side], row->counts[side],
                    place.length > 0 ? ", first at " : "", str_text(&place));
            str_dispose(&place);
        }
    }
    if (first->count_count > shown)
        fprintf(out, "  and %zu more\n", first->count_count - shown);
}

/* With multisets, the ends are worth a word only where they are what differs. */
static bool ends_matter(const struct comparison *comparison) {
    return !comparison->multiset || comparison->first.sides[0].state == CALL_RECORD_MALFORMED ||
           comparison->first.sides[1].state == CALL_RECORD_MALFORMED ||
           comparison->first.sides[0].state != comparison->first.sides[1].state;
}

static void print_identical(FILE *out, const struct comparison *comparison) {
    const unsigned long long *polls = comparison->empty_polls;
    fprintf(out, "identical%s: %llu calls on %zu ranks",
            comparison->multiset ? " as multisets" : "", comparison->calls - polls[SIDE_ORIGINAL],
            comparison->ranks);
    if (polls[SIDE_ORIGINAL] + polls[SIDE_SKELETON] > 0)
        fprintf(out, ", without polls that found nothing (original %llu, skeleton %llu)",
                polls[SIDE_ORIGINAL], polls[SIDE_SKELETON]);
    fputs("\n", out);
}

void comparison_print_first(FILE *out, const struct comparison *comparison,
                            const struct line_map *map) {
    print_before(out, comparison, map);
    print_counts(out, comparison, map);
    for (int side = 0; side < SIDE_COUNT && ends_matter(comparison); side++)
        print_call(out, comparison, side, map);
}

void comparison_print(FILE *out, const struct comparison *comparison, const struct line_map *map,
                      const struct verify_sums *sums) {
    const struct difference *first = &comparison->first;
    if (comparison->ranks_different == 0 && comparison->failed) {
        fputs("not verified: ", out);
        if (comparison->calls == 0)
            fputs("no call was recorded\n", out);
        else
            fprintf(out, "the %llu calls on %zu ranks that were recorded before it failed agree\n",
                    comparison->calls, comparison->ranks);
        return;
    }
    if (comparison->ranks_different == 0) {
        print_identical(out, comparison);
        return;
    }
    if (comparison->crashed[SIDE_ORIGINAL]) {
        fputs("not verified: what the original recorded before it crashed is incomplete\n", out);
        return;
    }
    fprintf(out, "different: %zu of %zu ranks; the lowest is rank %zu", comparison->ranks_different,
            comparison->ranks, first->rank);
    if (!comparison->multiset)
        fprintf(out, ", at its call %llu", first->position);
    fputs("\n", out);
    comparison_print_first(out, comparison, map);
    if (sums->values != NULL)
        given_difference_print(out, sums->values);
    if (sums->volumes != NULL)
        volume_difference_print(out, sums->volumes);
}

/* ---- JSON ---- */

struct verify_call_row {
    const char *state;
    const char *call, *place; /* NULL: there is no call */
};

struct verify_first {
    size_t rank;
    unsigned long long position;
    const struct count_difference *counts;
    size_t count_count;
    struct verify_call_row original, skeleton;
};

struct verify_report {
    bool is_identical, has_failed, is_multiset;
    size_t ranks, ranks_different;
    unsigned long long calls;
    const struct comparison *multiset; /* NULL: calls were compared in order */
    struct verify_first first_row;
    const struct verify_first *first; /* NULL: no rank differs */
    json_t *values, *volume, *real;   /* NULL: not known, or none */
};

static const struct report_field poll_fields[] = {
    {"original", REPORT_AT(struct comparison, empty_polls[SIDE_ORIGINAL])},
    {"skeleton", REPORT_AT(struct comparison, empty_polls[SIDE_SKELETON])},
    {0},
};

static const struct report_field count_fields[] = {
    {"call", REPORT_AT(struct count_difference, text)},
    {"original", REPORT_AT(struct count_difference, counts[SIDE_ORIGINAL])},
    {"skeleton", REPORT_AT(struct count_difference, counts[SIDE_SKELETON])},
    {0},
};

static const struct report_field call_fields[] = {
    {"state", REPORT_AT(struct verify_call_row, state)},
    {"call", REPORT_AT(struct verify_call_row, call), .is_optional = true},
    {"place", REPORT_AT(struct verify_call_row, place), .is_optional = true},
    {0},
};

static const struct report_field first_fields[] = {
    {"rank", REPORT_AT(struct verify_first, rank)},
    {"call", REPORT_AT(struct verify_first, position)},
    {"counts", REPORT_LIST_AT(struct verify_first, counts, count_count, count_fields)},
    {"original", REPORT_OBJECT_AT(struct verify_first, original, call_fields)},
    {"skeleton", REPORT_OBJECT_AT(struct verify_first, skeleton, call_fields)},
    {0},
};

static const struct report_field verify_fields[] = {
    {"identical", REPORT_AT(struct verify_report, is_identical)},
    {"failed", REPORT_AT(struct verify_report, has_failed)},
    {"multiset", REPORT_AT(struct verify_report, is_multiset)},
    {"ranks", REPORT_AT(struct verify_report, ranks)},
    {"ranks_different", REPORT_AT(struct verify_report, ranks_different)},
    {"calls", REPORT_AT(struct verify_report, calls)},
    {"empty_polls", REPORT_POINTER_AT(struct verify_report, multiset, poll_fields),
     .is_optional = true},
    {"first", REPORT_POINTER_AT(struct verify_report, first, first_fields), .is_optional = true},
    {"values", REPORT_AT(struct verify_report, values), .is_optional = true},
    {"volume", REPORT_AT(struct verify_report, volume), .is_optional = true},
    {"real", REPORT_AT(struct verify_report, real), .is_optional = true},
    {0},
};

static struct verify_call_row call_row_of(struct arena *arena, const struct comparison *comparison,
                                          enum verify_side side, const struct line_map *map) {
    const struct side_call *call = &comparison->first.sides[side];
    static const char *const states[] = {"call", "end", "truncated", "missing", "malformed"};
    struct verify_call_row row = {.state = states[call->state]};
    if (call->state == CALL_RECORD_CALL) {
        struct str place = {0};
        describe_place(&place, comparison, side, call->place, map);
        row.call = call->text;
        row.place = str_into(arena, &place);
    }
    return row;
}

static struct verify_first first_of(struct arena *arena, const struct comparison *comparison,
                                    const struct line_map *map) {
    const struct difference *first = &comparison->first;
    return (struct verify_first){
        .rank = first->rank,
        .position = first->position,
        .counts = first->counts,
        .count_count = first->count_count < VERIFY_COUNTS ? first->count_count : VERIFY_COUNTS,
        .original = call_row_of(arena, comparison, SIDE_ORIGINAL, map),
        .skeleton = call_row_of(arena, comparison, SIDE_SKELETON, map),
    };
}

json_t *comparison_call_json(const struct comparison *comparison, enum verify_side side,
                             const struct line_map *map) {
    struct arena arena = {0};
    struct verify_call_row row = call_row_of(&arena, comparison, side, map);
    json_t *out = report_json(call_fields, &row);
    arena_dispose(&arena);
    return out;
}

void comparison_print_json(FILE *out, const struct comparison *comparison,
                           const struct line_map *map, const struct verify_sums *sums) {
    struct arena arena = {0};
    struct verify_report report = {
        .is_identical = comparison->ranks_different == 0 && !comparison->failed,
        .has_failed = comparison->failed,
        .is_multiset = comparison->multiset,
        .ranks = comparison->ranks,
        .ranks_different = comparison->ranks_different,
        .calls = comparison->calls,
        .multiset = comparison->multiset ? comparison : NULL,
        .values = sums->values != NULL ? given_difference_json(sums->values) : NULL,
        .volume = sums->volumes != NULL ? volume_difference_json(sums->volumes) : NULL,
        .real = sums->real != NULL ? real_verdict_json(sums->real, map) : NULL,
    };
    if (comparison->ranks_different > 0) {
        report.first_row = first_of(&arena, comparison, map);
        report.first = &report.first_row;
    }
    report_json_print(out, "mpiskel-verify", 2, verify_fields, &report);
    json_decref(report.values);
    json_decref(report.volume);
    json_decref(report.real);
    arena_dispose(&arena);
}

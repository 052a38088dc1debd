/* SPDX-License-Identifier: Apache-2.0
 *
 * Differences of volumes as a table and as JSON; see volume_print.h.
 */
#include "cli/report/volume_print.h"

#include "base/str.h"

#include <math.h>

static const struct {
    const char *name, *key;
    bool has_pairs, is_always_shown;
} kinds[VOLUME_KINDS] = {
    [VOLUME_CALLS] = {"calls", "calls", false, true},
    [VOLUME_MESSAGES] = {"messages", "messages", true, true},
    [VOLUME_BYTES] = {"bytes", "bytes", true, true},
    [VOLUME_COLLECTIVES] = {"collectives", "collectives", false, false},
    [VOLUME_COLLECTIVE_BYTES] = {"  their bytes", "collective_bytes", false, false},
    [VOLUME_RECEIVED_BYTES] = {"  received", "received_bytes", false, false},
    [VOLUME_ACCESSES] = {"accesses", "accesses", false, false},
    [VOLUME_ACCESS_BYTES] = {"  their bytes", "access_bytes", false, false},
};

/* ---- Text ---- */

static void add_percent(struct str *out, double percent) {
    if (isinf(percent))
        str_add(out, "from 0");
    else
        str_printf(out, percent == 0 ? "0 %%" : "%+.4g %%", percent);
}

static void add_extreme(struct str *out, const struct volume_extreme *largest, bool is_pair) {
    add_percent(out, largest->percent);
    if (largest->percent == 0)
        return;
    if (is_pair)
        str_printf(out, " (%zu -> %zu)", largest->from, largest->to);
    else
        str_printf(out, " (rank %zu)", largest->from);
}

static void print_columns(FILE *out, const char *name, const char *original, const char *skeleton,
                          const char *total, const char *rank, const char *pair) {
    bool has_pair = pair[0] != '\0';
    fprintf(out, "  %-13s  %15s  %15s  %10s  %*s%s%s\n", name, original, skeleton, total,
            has_pair ? -22 : 0, rank, has_pair ? "  " : "", pair);
}

static void print_kind(FILE *out, const struct volume_difference *difference,
                       enum volume_kind kind) {
    unsigned long long original = difference->total.of[SIDE_ORIGINAL][kind];
    unsigned long long skeleton = difference->total.of[SIDE_SKELETON][kind];
    struct str left = {0}, right = {0}, total = {0}, rank = {0}, pair = {0};
    if (original + skeleton == 0 && !kinds[kind].is_always_shown)
        return;
    str_printf(&left, "%llu", original);
    str_printf(&right, "%llu", skeleton);
    add_percent(&total, volume_sums_percent(&difference->total, kind));
    add_extreme(&rank, &difference->ranks_largest[kind], false);
    if (kinds[kind].has_pairs)
        add_extreme(&pair, &difference->pairs_largest[kind], true);
    print_columns(out, kinds[kind].name, left.text, right.text, total.text, rank.text,
                  str_text(&pair));
    str_dispose(&left);
    str_dispose(&right);
    str_dispose(&total);
    str_dispose(&rank);
    str_dispose(&pair);
}

/* ---- Tolerance ---- */

static double percent_of(const struct volume_difference *difference, enum volume_kind kind,
                         bool of_ranks) {
    return of_ranks ? difference->ranks_largest[kind].percent
                    : volume_sums_percent(&difference->total, kind);
}

static enum volume_kind worst_kind(const struct volume_difference *difference, bool of_ranks) {
    enum volume_kind worst = VOLUME_CALLS;
    for (int kind = 0; kind < VOLUME_KINDS; kind++)
        if (fabs(percent_of(difference, kind, of_ranks)) >
            fabs(percent_of(difference, worst, of_ranks)))
            worst = kind;
    return worst;
}

/* Ranks first: with one tolerance for both it is one of them that is above it. */
static void print_above(FILE *out, const struct volume_difference *difference) {
    enum volume_kind of_ranks = worst_kind(difference, true);
    enum volume_kind of_totals = worst_kind(difference, false);
    const struct volume_extreme *rank = &difference->ranks_largest[of_ranks];
    bool is_rank = fabs(rank->percent) > difference->rank_tolerance;
    struct str text = {0};
    if (is_rank) {
        add_extreme(&text, rank, false);
    } else {
        add_percent(&text, volume_sums_percent(&difference->total, of_totals));
        str_add(&text, " in total");
    }
    fprintf(out, "above the tolerance of %g %%: %s, %s\n",
            is_rank ? difference->rank_tolerance : difference->tolerance,
            kinds[is_rank ? of_ranks : of_totals].key, text.text);
    str_dispose(&text);
}

static void print_tolerance(FILE *out, const struct volume_difference *difference) {
    if (!volume_difference_within(difference) && !difference->complete)
        fprintf(out, "not within the tolerance: not every rank reached MPI_Finalize\n");
    else if (!volume_difference_within(difference))
        print_above(out, difference);
    else if (difference->rank_tolerance == difference->tolerance)
        fprintf(out, "within the tolerance of %g %%, in total and on each rank\n",
                difference->tolerance);
    else
        fprintf(out, "within the tolerance of %g %% in total, and of %g %% on each rank\n",
                difference->tolerance, difference->rank_tolerance);
}

void volume_difference_print(FILE *out, const struct volume_difference *difference) {
    print_columns(out, "", verify_side_names[SIDE_ORIGINAL], verify_side_names[SIDE_SKELETON],
                  "difference", "largest of a rank", "largest of a pair");
    for (int kind = 0; kind < VOLUME_KINDS; kind++)
        print_kind(out, difference, kind);
    if (difference->tolerance >= 0)
        print_tolerance(out, difference);
}

/* ---- JSON ---- */

/* JSON has no infinity. */
static json_t *json_percent(double percent) {
    return isinf(percent) ? json_null() : json_real(percent);
}

static json_t *json_sides(unsigned long long original, unsigned long long skeleton) {
    return json_pack("{s:I, s:I, s:o}", verify_side_names[SIDE_ORIGINAL], (json_int_t)original,
                     verify_side_names[SIDE_SKELETON], (json_int_t)skeleton, "percent",
                     json_percent(verify_percent((double)original, (double)skeleton)));
}

static json_t *json_place(const struct volume_extreme *largest, bool is_pair) {
    json_t *place = json_pack("{s:o}", "percent", json_percent(largest->percent));
    json_object_set_new(place, is_pair ? "from" : "rank", json_integer((json_int_t)largest->from));
    if (is_pair)
        json_object_set_new(place, "to", json_integer((json_int_t)largest->to));
    return place;
}

static json_t *json_ranks(const struct volume_difference *difference, enum volume_kind kind) {
    json_t *sides = json_object();
    for (int side = 0; side < SIDE_COUNT; side++) {
        json_t *array = json_array();
        for (size_t rank = 0; rank < difference->ranks; rank++)
            json_array_append_new(
                array, json_integer((json_int_t)difference->per_rank[rank].of[side][kind]));
        json_object_set_new(sides, verify_side_names[side], array);
    }
    return sides;
}

static json_t *json_kind(const struct volume_difference *difference, enum volume_kind kind) {
    const struct volume_extreme *rank = &difference->ranks_largest[kind];
    const struct volume_extreme *pair = &difference->pairs_largest[kind];
    json_t *row = json_sides(difference->total.of[SIDE_ORIGINAL][kind],
                             difference->total.of[SIDE_SKELETON][kind]);
    if (rank->percent != 0)
        json_object_set_new(row, "largest_rank", json_place(rank, false));
    if (pair->percent != 0)
        json_object_set_new(row, "largest_pair", json_place(pair, true));
    json_object_set_new(row, "per_rank", json_ranks(difference, kind));
    return row;
}

static json_t *json_pairs(const struct volume_difference *difference) {
    json_t *array = json_array();
    for (size_t i = 0; i < difference->pairs.count; i++) {
        const struct volume_pair *pair = &difference->pairs.items[i];
        json_array_append_new(
            array,
            json_pack("{s:I, s:I, s:o, s:o}", "from", (json_int_t)pair->from, "to",
                      (json_int_t)pair->to, "messages",
                      json_sides(pair->messages[SIDE_ORIGINAL], pair->messages[SIDE_SKELETON]),
                      "bytes", json_sides(pair->bytes[SIDE_ORIGINAL], pair->bytes[SIDE_SKELETON])));
    }
    return array;
}

json_t *volume_difference_json(const struct volume_difference *difference) {
    json_t *root = json_object();
    if (difference->tolerance >= 0) {
        json_object_set_new(root, "tolerance", json_real(difference->tolerance));
        json_object_set_new(root, "rank_tolerance", json_real(difference->rank_tolerance));
        json_object_set_new(root, "within", json_boolean(volume_difference_within(difference)));
    }
    for (int kind = 0; kind < VOLUME_KINDS; kind++)
        json_object_set_new(root, kinds[kind].key, json_kind(difference, kind));
    json_object_set_new(root, "pairs", json_pairs(difference));
    return root;
}

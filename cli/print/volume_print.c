/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/print/volume_print.h"

#include "base/str.h"
#include "cli/print/field/report_json.h"

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

struct volume_sides {
    unsigned long long original, skeleton;
    double percent;
};

struct volume_kind_row {
    struct volume_sides sides;
    const struct volume_extreme *rank, *pair;      /* the largest; NULL: none differs */
    const unsigned long long *original, *skeleton; /* of each rank */
    size_t ranks;
};

struct volume_pair_row {
    size_t from, to;
    struct volume_sides messages, bytes;
};

struct volume_report {
    double tolerance, rank_tolerance; /* NaN: nobody asked */
    enum report_answer is_within;
    struct volume_kind_row kinds[VOLUME_KINDS];
    struct volume_pair_row *pairs;
    size_t pair_count;
};

static const struct report_field side_fields[] = {
    {"original", REPORT_AT(struct volume_sides, original)},
    {"skeleton", REPORT_AT(struct volume_sides, skeleton)},
    {"percent", REPORT_AT(struct volume_sides, percent)},
    {0},
};

static const struct report_field rank_extreme_fields[] = {
    {"percent", REPORT_AT(struct volume_extreme, percent)},
    {"rank", REPORT_AT(struct volume_extreme, from)},
    {0},
};

static const struct report_field pair_extreme_fields[] = {
    {"percent", REPORT_AT(struct volume_extreme, percent)},
    {"from", REPORT_AT(struct volume_extreme, from)},
    {"to", REPORT_AT(struct volume_extreme, to)},
    {0},
};

static const struct report_field per_rank_fields[] = {
    {"original", REPORT_ITEMS_AT(struct volume_kind_row, original, ranks)},
    {"skeleton", REPORT_ITEMS_AT(struct volume_kind_row, skeleton, ranks)},
    {0},
};

static const struct report_field kind_fields[] = {
    {REPORT_PART_AT(struct volume_kind_row, sides, side_fields)},
    {"largest_rank", REPORT_POINTER_AT(struct volume_kind_row, rank, rank_extreme_fields),
     .is_optional = true},
    {"largest_pair", REPORT_POINTER_AT(struct volume_kind_row, pair, pair_extreme_fields),
     .is_optional = true},
    {"per_rank", REPORT_GROUP(per_rank_fields)},
    {0},
};

static const struct report_field pair_fields[] = {
    {"from", REPORT_AT(struct volume_pair_row, from)},
    {"to", REPORT_AT(struct volume_pair_row, to)},
    {"messages", REPORT_OBJECT_AT(struct volume_pair_row, messages, side_fields)},
    {"bytes", REPORT_OBJECT_AT(struct volume_pair_row, bytes, side_fields)},
    {0},
};

#define VOLUME(member) REPORT_AT(struct volume_report, member)
#define KIND(kind) REPORT_OBJECT_AT(struct volume_report, kinds[kind], kind_fields)

static const struct report_field volume_fields[] = {
    {"tolerance", VOLUME(tolerance), .is_optional = true},
    {"rank_tolerance", VOLUME(rank_tolerance), .is_optional = true},
    {"within", VOLUME(is_within), .is_optional = true},
    {"calls", KIND(VOLUME_CALLS)},
    {"messages", KIND(VOLUME_MESSAGES)},
    {"bytes", KIND(VOLUME_BYTES)},
    {"collectives", KIND(VOLUME_COLLECTIVES)},
    {"collective_bytes", KIND(VOLUME_COLLECTIVE_BYTES)},
    {"received_bytes", KIND(VOLUME_RECEIVED_BYTES)},
    {"accesses", KIND(VOLUME_ACCESSES)},
    {"access_bytes", KIND(VOLUME_ACCESS_BYTES)},
    {"pairs", REPORT_LIST_AT(struct volume_report, pairs, pair_count, pair_fields)},
    {0},
};

static struct volume_sides sides_of(const unsigned long long *of) {
    return (struct volume_sides){
        of[SIDE_ORIGINAL], of[SIDE_SKELETON],
        verify_percent((double)of[SIDE_ORIGINAL], (double)of[SIDE_SKELETON])};
}

static const unsigned long long *per_rank_of(struct arena *arena,
                                             const struct volume_difference *difference,
                                             enum verify_side side, enum volume_kind kind) {
    unsigned long long *sums = ARENA_ARRAY(arena, unsigned long long, difference->ranks + 1);
    for (size_t rank = 0; rank < difference->ranks; rank++)
        sums[rank] = difference->per_rank[rank].of[side][kind];
    return sums;
}

static void make_kind(struct volume_kind_row *out, struct arena *arena,
                      const struct volume_difference *difference, enum volume_kind kind) {
    const struct volume_extreme *rank = &difference->ranks_largest[kind];
    const struct volume_extreme *pair = &difference->pairs_largest[kind];
    *out = (struct volume_kind_row){
        .sides = sides_of((unsigned long long[]){difference->total.of[SIDE_ORIGINAL][kind],
                                                 difference->total.of[SIDE_SKELETON][kind]}),
        .rank = rank->percent != 0 ? rank : NULL,
        .pair = pair->percent != 0 ? pair : NULL,
        .original = per_rank_of(arena, difference, SIDE_ORIGINAL, kind),
        .skeleton = per_rank_of(arena, difference, SIDE_SKELETON, kind),
        .ranks = difference->ranks,
    };
}

static void make_pairs(struct volume_report *out, struct arena *arena,
                       const struct volume_difference *difference) {
    out->pair_count = difference->pairs.count;
    out->pairs = ARENA_ARRAY(arena, struct volume_pair_row, out->pair_count + 1);
    for (size_t i = 0; i < out->pair_count; i++) {
        const struct volume_pair *pair = &difference->pairs.items[i];
        out->pairs[i] = (struct volume_pair_row){pair->from, pair->to, sides_of(pair->messages),
                                                 sides_of(pair->bytes)};
    }
}

json_t *volume_difference_json(const struct volume_difference *difference) {
    struct arena arena = {0};
    bool is_asked = difference->tolerance >= 0;
    bool is_within = volume_difference_within(difference);
    struct volume_report report = {
        .tolerance = is_asked ? difference->tolerance : NAN,
        .rank_tolerance = is_asked ? difference->rank_tolerance : NAN,
        .is_within = !is_asked   ? REPORT_ANSWER_UNKNOWN
                     : is_within ? REPORT_ANSWER_YES
                                 : REPORT_ANSWER_NO,
    };
    for (int kind = 0; kind < VOLUME_KINDS; kind++)
        make_kind(&report.kinds[kind], &arena, difference, kind);
    make_pairs(&report, &arena, difference);
    json_t *root = report_json(volume_fields, &report);
    arena_dispose(&arena);
    return root;
}

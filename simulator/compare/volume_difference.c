/* SPDX-License-Identifier: Apache-2.0
 *
 * One rank after the other, both sides merged by receiver; see volume_difference.h.
 */
#include "simulator/compare/volume_difference.h"

#include "base/file.h"
#include "base/str.h"

#include <math.h>

static void take_largest(struct volume_extreme *largest, double percent, size_t from, size_t to) {
    if (fabs(percent) > fabs(largest->percent))
        *largest = (struct volume_extreme){percent, from, to};
}

double volume_sums_percent(const struct volume_sums *sums, enum volume_kind kind) {
    return verify_percent((double)sums->of[SIDE_ORIGINAL][kind],
                          (double)sums->of[SIDE_SKELETON][kind]);
}

static void add_pair(struct volume_difference *out, const struct volume_pair *pair) {
    double messages = verify_percent((double)pair->messages[SIDE_ORIGINAL],
                                     (double)pair->messages[SIDE_SKELETON]);
    double bytes =
        verify_percent((double)pair->bytes[SIDE_ORIGINAL], (double)pair->bytes[SIDE_SKELETON]);
    take_largest(&out->pairs_largest[VOLUME_MESSAGES], messages, pair->from, pair->to);
    take_largest(&out->pairs_largest[VOLUME_BYTES], bytes, pair->from, pair->to);
    if (out->keeps_pairs)
        vec_push(&out->pairs, *pair);
}

static size_t next_receiver(const struct volume *volume, size_t position) {
    return position < volume->flows.count ? volume->flows.items[position].to : (size_t)-1;
}

static void add_pairs(struct volume_difference *out, size_t rank, const struct volume *volumes) {
    size_t next[SIDE_COUNT] = {0};
    for (;;) {
        size_t left = next_receiver(&volumes[SIDE_ORIGINAL], next[SIDE_ORIGINAL]);
        size_t right = next_receiver(&volumes[SIDE_SKELETON], next[SIDE_SKELETON]);
        struct volume_pair pair = {.from = rank, .to = left < right ? left : right};
        if (pair.to == (size_t)-1)
            return;
        for (int side = 0; side < SIDE_COUNT; side++)
            if (next_receiver(&volumes[side], next[side]) == pair.to) {
                const struct volume_flow *flow = &volumes[side].flows.items[next[side]++];
                pair.messages[side] = flow->messages;
                pair.bytes[side] = flow->bytes;
            }
        add_pair(out, &pair);
    }
}

static void add_sums(struct volume_difference *out, size_t rank, const struct volume *volumes) {
    struct volume_sums *sums = &out->per_rank[rank];
    for (int kind = 0; kind < VOLUME_KINDS; kind++) {
        for (int side = 0; side < SIDE_COUNT; side++) {
            sums->of[side][kind] = volumes[side].sums[kind];
            out->total.of[side][kind] += volumes[side].sums[kind];
        }
        take_largest(&out->ranks_largest[kind], volume_sums_percent(sums, kind), rank, rank);
    }
}

static int read_rank(struct volume *out, const char *directory, size_t rank, size_t ranks,
                     struct error *error) {
    struct str path = {0};
    int result;
    str_printf(&path, "%s/rank-%zu.volume", directory, rank);
    if (file_exists(path.text))
        result = volume_read(out, path.text, ranks, error);
    else
        result = error_set(error,
                           "there is no %s: the rank crashed, or the bundle was made by an older "
                           "mpiskel (generate it again)",
                           path.text);
    str_dispose(&path);
    return result;
}

static int add_rank(struct volume_difference *out, size_t rank, const struct comparison *comparison,
                    const char *const directories[SIDE_COUNT], struct error *error) {
    struct volume volumes[SIDE_COUNT] = {{{0}, {0}}, {{0}, {0}}};
    int result = 0;
    for (int side = 0; side < SIDE_COUNT && result == 0; side++) {
        result = read_rank(&volumes[side], directories[side], rank, comparison->ranks, error);
        volumes[side].sums[VOLUME_CALLS] = comparison->rank_calls[rank].of[side];
    }
    if (result == 0) {
        add_sums(out, rank, volumes);
        add_pairs(out, rank, volumes);
    }
    for (int side = 0; side < SIDE_COUNT; side++)
        volume_dispose(&volumes[side]);
    return result;
}

int volume_difference_make(struct volume_difference *out, const struct comparison *comparison,
                           const char *const directories[SIDE_COUNT], bool keep_pairs,
                           struct error *error) {
    *out = (struct volume_difference){
        .ranks = comparison->ranks,
        .keeps_pairs = keep_pairs,
        .complete = comparison->complete[SIDE_ORIGINAL] && comparison->complete[SIDE_SKELETON],
        .tolerance = -1,
        .rank_tolerance = -1,
    };
    out->per_rank = xmalloc((comparison->ranks + 1) * sizeof out->per_rank[0]);
    for (size_t rank = 0; rank < comparison->ranks; rank++)
        if (add_rank(out, rank, comparison, directories, error) != 0) {
            volume_difference_dispose(out);
            return -1;
        }
    return 0;
}

void volume_difference_dispose(struct volume_difference *difference) {
    free(difference->per_rank);
    vec_dispose(&difference->pairs);
    difference->per_rank = NULL;
}

bool volume_difference_within(const struct volume_difference *difference) {
    for (int kind = 0; kind < VOLUME_KINDS; kind++)
        if (fabs(volume_sums_percent(&difference->total, kind)) > difference->tolerance ||
            fabs(difference->ranks_largest[kind].percent) > difference->rank_tolerance)
            return false;
    return difference->complete;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Two records side by side; see verify.h. Both are read to their ends even after a difference,
 * since whether they are complete matters to the caller.
 */
#include "simulator/compare/verify.h"

#include "base/hash_table.h"
#include "base/str.h"
#include "simulator/compare/decided_by_time.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Multiset ---- */

/*
 * How often each side made each call: a hash table from a call's text to two counts.
 *
 * In: calls in any order. Out: the texts whose counts differ, in the order in which they first came
 * up, so that the answer does not depend on hashing. Memory: each distinct text once.
 */

struct multiset {
    struct hash_table calls;
};

/* By the call's text. */
struct multiset_entry {
    unsigned long long counts[SIDE_COUNT];
    char *places[SIDE_COUNT]; /* of the first call; NULL: none */
};

static void multiset_add(struct multiset *set, enum verify_side side, const char *text,
                         const char *place) {
    struct multiset_entry *entry = hash_table_add_text(&set->calls, text, sizeof *entry);
    if (entry->counts[side]++ == 0)
        entry->places[side] = xstrdup(place);
}

static bool differs(const struct multiset_entry *entry) {
    return entry->counts[SIDE_ORIGINAL] != entry->counts[SIDE_SKELETON];
}

/* The number of texts whose counts differ. */
static size_t multiset_differences(const struct multiset *set) {
    size_t count = 0;
    for (const struct multiset_entry *entry = hash_table_first(&set->calls); entry != NULL;
         entry = hash_table_next(entry))
        count += differs(entry);
    return count;
}

/* The first `capacity` of them, copied into the arena. */
static void multiset_list(const struct multiset *set, struct arena *arena,
                          struct count_difference *out, size_t capacity) {
    size_t count = 0;
    for (const struct multiset_entry *entry = hash_table_first(&set->calls);
         entry != NULL && count < capacity; entry = hash_table_next(entry)) {
        if (!differs(entry))
            continue;
        out[count].text = arena_strdup(arena, hash_table_key(entry));
        for (int side = 0; side < SIDE_COUNT; side++) {
            const char *place = entry->places[side];
            out[count].counts[side] = entry->counts[side];
            out[count].places[side] = place != NULL ? arena_strdup(arena, place) : NULL;
        }
        count++;
    }
}

static void multiset_dispose(struct multiset *set) {
    for (struct multiset_entry *entry = hash_table_first(&set->calls); entry != NULL;
         entry = hash_table_next(entry)) {
        free(entry->places[SIDE_ORIGINAL]);
        free(entry->places[SIDE_SKELETON]);
    }
    hash_table_dispose(&set->calls);
}

/* ---- Verify ---- */

const char *const verify_side_names[SIDE_COUNT] = {"original", "skeleton"};
const char *const verify_real_names[SIDE_COUNT] = {"original", "real run"};

double verify_percent(double original, double skeleton) {
    if (original == skeleton || (isnan(original) && isnan(skeleton)))
        return 0;
    double percent = (skeleton - original) * 100 / fabs(original);
    return isfinite(percent) ? percent : INFINITY;
}

static struct side_call current_call(struct arena *arena, const struct call_record *record) {
    struct side_call call = {.state = record->state};
    if (record->state == CALL_RECORD_CALL) {
        call.place = arena_strdup(arena, record->place);
        call.text = arena_strdup(arena, record->text);
    }
    if (record->problem.set)
        call.problem = arena_strdup(arena, record->problem.text);
    return call;
}

/* The last few equal calls: texts in buffers that are reused, since there is one copy per call. */
struct history {
    struct str lines[VERIFY_CONTEXT][SIDE_COUNT][2]; /* place and text */
    size_t count;
};

static void history_add(struct history *history, const struct call_record *records) {
    size_t slot = history->count++ % VERIFY_CONTEXT;
    for (int side = 0; side < SIDE_COUNT; side++) {
        struct str *pair = history->lines[slot][side];
        pair[0].length = pair[1].length = 0;
        str_add(&pair[0], records[side].place);
        str_add(&pair[1], records[side].text);
    }
}

static void history_save(struct difference *out, struct arena *arena,
                         const struct history *history) {
    size_t count = history->count < VERIFY_CONTEXT ? history->count : VERIFY_CONTEXT;
    out->before_count = count;
    for (size_t i = 0; i < count; i++)
        for (int side = 0; side < SIDE_COUNT; side++) {
            const struct str *pair =
                history->lines[(history->count - count + i) % VERIFY_CONTEXT][side];
            out->before[i][side] = (struct side_call){
                .state = CALL_RECORD_CALL,
                .place = arena_strdup(arena, pair[0].text),
                .text = arena_strdup(arena, pair[1].text),
            };
        }
}

static void history_dispose(struct history *history) {
    for (size_t slot = 0; slot < VERIFY_CONTEXT; slot++)
        for (int side = 0; side < SIDE_COUNT; side++) {
            str_dispose(&history->lines[slot][side][0]);
            str_dispose(&history->lines[slot][side][1]);
        }
}

static bool ended_early(enum call_record_state state) {
    return state == CALL_RECORD_TRUNCATED || state == CALL_RECORD_MISSING;
}

static bool ends_agree(const struct call_record *records, const struct comparison_rules *rules) {
    enum call_record_state left = records[0].state, right = records[1].state;
    if (rules->ends_early && (ended_early(left) || ended_early(right)))
        return true;
    return (left == CALL_RECORD_END && right == CALL_RECORD_END) ||
           (ended_early(left) && ended_early(right));
}

/* The next call; of a comparison with a real run, the next that is no poll in vain. */
static enum call_record_state next_call(struct comparison *out, size_t rank,
                                        struct call_record *record, enum verify_side side,
                                        const struct comparison_rules *rules) {
    enum call_record_state state = call_record_next(record);
    while (rules->real && state == CALL_RECORD_CALL && is_empty_poll(record->text)) {
        out->empty_polls[side]++;
        out->rank_calls[rank].of[side]--;
        state = call_record_next(record);
    }
    return state;
}

static bool same_call(struct comparison *out, struct call_record *records,
                      const struct comparison_rules *rules) {
    if (rules->real && brings_what_time_decides(records[0].text))
        out->may_differ_by_time = true;
    if (strcmp(records[0].text, records[1].text) == 0)
        return true;
    if (!rules->real || !is_same_but_for_time(records[0].text, records[1].text))
        return false;
    out->by_time = true;
    return true;
}

/* True if the rank agrees; else both records stand where they part. */
static bool walk_in_step(struct comparison *out, size_t rank, struct call_record *records,
                         struct history *history, const struct comparison_rules *rules) {
    for (;;) {
        enum call_record_state left = next_call(out, rank, &records[0], 0, rules);
        enum call_record_state right = next_call(out, rank, &records[1], 1, rules);
        if (left != CALL_RECORD_CALL || right != CALL_RECORD_CALL)
            return ends_agree(records, rules);
        if (!same_call(out, records, rules))
            return false;
        history_add(history, records);
    }
}

static void keep_difference(struct comparison *out, size_t rank, const struct call_record *records,
                            const struct history *history) {
    if (out->ranks_different++ > 0)
        return;
    out->first = (struct difference){.rank = rank, .position = history->count + 1};
    for (int side = 0; side < SIDE_COUNT; side++)
        out->first.sides[side] = current_call(&out->arena, &records[side]);
    history_save(&out->first, &out->arena, history);
}

static void drain(struct call_record *record) {
    while (record->state == CALL_RECORD_CALL)
        call_record_next(record);
}

static void compare_in_order(struct comparison *out, size_t rank, struct call_record *records,
                             const struct comparison_rules *rules) {
    struct history history = {0};
    if (!walk_in_step(out, rank, records, &history, rules))
        keep_difference(out, rank, records, &history);
    history_dispose(&history);
    drain(&records[0]);
    drain(&records[1]);
}

static void compare_as_multisets(struct comparison *out, size_t rank, struct call_record *records,
                                 const struct comparison_rules *rules) {
    static const struct history nothing;
    struct multiset set = {0};
    for (int side = 0; side < SIDE_COUNT; side++)
        while (call_record_next(&records[side]) == CALL_RECORD_CALL) {
            bool empty_poll = is_empty_poll(records[side].text);
            out->empty_polls[side] += empty_poll;
            out->rank_calls[rank].of[side] -= empty_poll;
            if (rules->real)
                leave_out_what_time_decides(records[side].text);
            if (!empty_poll)
                multiset_add(&set, side, records[side].text, records[side].place);
        }
    bool first = out->ranks_different == 0;
    size_t different = multiset_differences(&set);
    if (different > 0 || !ends_agree(records, rules))
        keep_difference(out, rank, records, &nothing);
    if (first && out->ranks_different > 0) {
        out->first.count_count = different;
        multiset_list(&set, &out->arena, out->first.counts, VERIFY_COUNTS);
    }
    multiset_dispose(&set);
}

void comparison_make(struct comparison *out, const char *const directories[SIDE_COUNT],
                     size_t ranks, const struct comparison_rules *rules) {
    *out = (struct comparison){.ranks = ranks,
                               .multiset = rules->multiset,
                               .names = rules->real ? verify_real_names : verify_side_names,
                               .complete = {true, true}};
    arena_init(&out->arena);
    out->rank_calls = arena_alloc(&out->arena, (ranks + 1) * sizeof out->rank_calls[0]);
    for (size_t rank = 0; rank < ranks; rank++) {
        struct call_record records[SIDE_COUNT];
        struct str paths[SIDE_COUNT] = {0};
        for (int side = 0; side < SIDE_COUNT; side++) {
            str_printf(&paths[side], "%s/rank-%zu.calls", directories[side], rank);
            call_record_open(&records[side], paths[side].text);
        }
        (rules->multiset ? compare_as_multisets : compare_in_order)(out, rank, records, rules);
        out->calls += records[SIDE_ORIGINAL].calls;
        for (int side = 0; side < SIDE_COUNT; side++) {
            out->rank_calls[rank].of[side] += records[side].calls;
            out->complete[side] = out->complete[side] && records[side].state == CALL_RECORD_END;
            call_record_close(&records[side]);
            str_dispose(&paths[side]);
        }
    }
}

void comparison_dispose(struct comparison *comparison) {
    arena_dispose(&comparison->arena);
}

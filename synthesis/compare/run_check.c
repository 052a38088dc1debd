/* SPDX-License-Identifier: Apache-2.0 */
#include "synthesis/compare/run_check.h"

#include "base/str.h"
#include "synthesis/compare/sequence_distance.h"

#include <stdlib.h>
#include <string.h>

#define DISTANCE_MOST 20000 /* of a rank: beyond, as many calls are different as there can be */

struct path_numbers {
    struct hash_table by_text, by_node, by_frame;
    uint32_t count;
};

static uint32_t number_of_text(struct path_numbers *numbers, const char *text) {
    uint32_t *known = hash_table_find_text(&numbers->by_text, text);
    if (known == NULL) {
        known = hash_table_add_text(&numbers->by_text, text, sizeof *known);
        *known = ++numbers->count;
    }
    return *known;
}

static void add_node_path(struct str *out, const struct synth_node *node) {
    if (node->parent == NULL)
        return;
    add_node_path(out, node->parent);
    if (strcmp(node->key, SYNTH_INNER_LOOP) != 0)
        str_printf(out, " %s", node->key);
}

static uint32_t number_of_node(struct path_numbers *numbers, const struct synth_node *node) {
    uint32_t *known = hash_table_find(&numbers->by_node, &node, sizeof node);
    if (known == NULL) {
        struct str text = {0};
        add_node_path(&text, node);
        known = hash_table_add(&numbers->by_node, &node, sizeof node, sizeof *known);
        *known = number_of_text(numbers, str_text(&text));
        str_dispose(&text);
    }
    return *known;
}

static void add_frame_path(struct str *out, const struct recorded_runs *runs, uint32_t frame) {
    if (frame == 0)
        return;
    add_frame_path(out, runs, runs->frames.items[frame].parent);
    str_printf(out, " %s", runs->frames.items[frame].key);
}

static void add_frame_names(struct str *out, const struct recorded_runs *runs, uint32_t frame) {
    if (frame == 0)
        return;
    add_frame_names(out, runs, runs->frames.items[frame].parent);
    str_printf(out, "%s > ", runs->frames.items[frame].name);
}

static uint32_t number_of_call(struct path_numbers *numbers, const struct recorded_runs *runs,
                               const struct recorded_call *call) {
    const uint32_t key[2] = {call->frame, (uint32_t)call->call};
    uint32_t *known = hash_table_find(&numbers->by_frame, key, sizeof key);
    if (known == NULL) {
        struct str text = {0};
        add_frame_path(&text, runs, call->frame);
        str_printf(&text, " %s", bsim_synth_call_name(call->call));
        known = hash_table_add(&numbers->by_frame, key, sizeof key, sizeof *known);
        *known = number_of_text(numbers, str_text(&text));
        str_dispose(&text);
    }
    return *known;
}

/* ---- One rank ---- */

static void tell_difference(struct run_check *out, const struct recorded_runs *runs,
                            const struct synth_actions *made,
                            const struct recorded_rank *recorded) {
    size_t at = out->differs_at;
    if (at < made->count)
        bsim_synth_path_text(out->is_made, sizeof out->is_made, made->items[at].node);
    if (at >= recorded->calls.count)
        return;
    struct str text = {0};
    add_frame_names(&text, runs, recorded->calls.items[at].frame);
    snprintf(out->was_recorded, sizeof out->was_recorded, "%s%s", str_text(&text),
             bsim_synth_call_name(recorded->calls.items[at].call));
    str_dispose(&text);
}

static size_t distance_of(size_t *differs_at, struct path_numbers *numbers,
                          const struct recorded_runs *runs, const struct synth_actions *made,
                          const struct recorded_rank *recorded) {
    uint32_t *one = xcalloc(made->count + 1, sizeof *one);
    uint32_t *other = xcalloc(recorded->calls.count + 1, sizeof *other);
    for (size_t i = 0; i < made->count; i++)
        one[i] = number_of_node(numbers, made->items[i].node);
    for (size_t i = 0; i < recorded->calls.count; i++)
        other[i] = number_of_call(numbers, runs, &recorded->calls.items[i]);
    size_t most = made->count + recorded->calls.count, same = 0;
    while (same < made->count && same < recorded->calls.count && one[same] == other[same])
        same++;
    *differs_at = same;
    size_t distance = sequence_distance(one, made->count, other, recorded->calls.count,
                                        most < DISTANCE_MOST ? most : DISTANCE_MOST);
    free(one);
    free(other);
    return distance == DISTANCE_MOST ? most : distance;
}

/* What goes to nobody, or comes from nobody, may be of any size. */
static bool is_same_size(const struct synth_action *action, const struct recorded_call *call) {
    bool is_message = bsim_synth_sends(call->call) || bsim_synth_receives(call->call);
    bool has_other = bsim_synth_role(call->call) != SYNTH_EXCHANGE || call->other_peer >= 0;
    return ((is_message && call->peer < 0) || action->bytes == call->bytes) &&
           ((is_message && !has_other) || action->other_bytes == call->other_bytes);
}

static void compare_calls(struct run_check *out, const struct synth_actions *made,
                          const struct recorded_rank *recorded) {
    for (size_t i = 0; i < made->count; i++) {
        const struct synth_action *action = &made->items[i];
        const struct recorded_call *call = &recorded->calls.items[i];
        out->peers += action->peer == call->peer && action->other_peer == call->other_peer;
        out->sizes += is_same_size(action, call);
        out->tags += action->tag == call->tag && action->other_tag == call->other_tag;
    }
    out->compared += made->count;
}

static bool gives(int call, int peer) {
    return bsim_synth_sends(call) ? peer >= 0 : bsim_synth_is_collective(call);
}

static void compare_rank(struct run_check *out, int rank, struct path_numbers *numbers,
                         const struct recorded_runs *runs, const struct synth_actions *made,
                         const struct recorded_rank *recorded) {
    size_t differs_at;
    size_t distance = distance_of(&differs_at, numbers, runs, made, recorded);
    if (distance > 0 && out->differs_on < 0) {
        out->differs_on = rank;
        out->differs_at = differs_at;
        tell_difference(out, runs, made, recorded);
    }
    out->distance += distance;
    out->identical += distance == 0;
    out->calls += recorded->calls.count;
    out->made += made->count;
    if (distance == 0)
        compare_calls(out, made, recorded);
    for (size_t i = 0; i < made->count; i++)
        out->made_bytes += gives(made->items[i].node->call, made->items[i].peer)
                               ? (double)made->items[i].bytes
                               : 0;
    for (size_t i = 0; i < recorded->calls.count; i++)
        out->bytes += gives(recorded->calls.items[i].call, recorded->calls.items[i].peer)
                          ? (double)recorded->calls.items[i].bytes
                          : 0;
}

void run_check_make(struct run_check *out, struct synth_run *synthesised,
                    const struct recorded_runs *runs, const struct recorded_run *recorded) {
    struct path_numbers numbers = {.count = 0};
    *out = (struct run_check){.ranks = recorded->ranks, .differs_on = -1};
    out->is_matched = bsim_synth_run_match(synthesised, out->unmatched, sizeof out->unmatched) == 0;
    for (int rank = 0; rank < recorded->ranks; rank++)
        compare_rank(out, rank, &numbers, runs, &synthesised->ranks[rank],
                     &recorded->by_rank[rank]);
    hash_table_dispose(&numbers.by_text);
    hash_table_dispose(&numbers.by_node);
    hash_table_dispose(&numbers.by_frame);
}

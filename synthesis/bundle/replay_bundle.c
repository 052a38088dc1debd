/* SPDX-License-Identifier: Apache-2.0
 *
 * One region, whose only feature are its seconds, and whose model is that. See replay_bundle.h.
 */
#include "synthesis/bundle/replay_bundle.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/str.h"
#include "model/samples/samples_json.h"
#include "synthesis/bundle/bundle_place.h"
#include "synthesis/eval/synth_replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REGION "recorded-computation"
#define MOST_S "1e9" /* of one computation */
#define PATH_MOST 400

struct mean_time {
    double sum_s, count;
};

struct replay_writer {
    struct bundle_place place;
    const struct recorded_runs *runs;
    const struct recorded_run *run;
    const char *program, *id;
    struct hash_table paths; /* numbers by frame and call */
    struct str path_lines;
    int path_count, rank;
    bool is_steady;
    struct hash_table times; /* struct mean_time by rank, frame and call */
    FILE *out;
};

/* ---- The run ---- */

static void add_frames(struct str *out, const struct recorded_runs *runs, uint32_t frame) {
    if (frame == 0)
        return;
    add_frames(out, runs, runs->frames.items[frame].parent);
    str_printf(out, "%s>", runs->frames.items[frame].name);
}

/* A word: what reports show of a call is where it was made, the innermost frames. */
static void write_path(struct replay_writer *w, const struct recorded_call *call, FILE *out) {
    struct str text = {0};
    add_frames(&text, w->runs, call->frame);
    str_add(&text, bsim_synth_call_name(call->call));
    const char *word = str_text(&text);
    size_t length = strlen(word);
    char copy[PATH_MOST + 1];
    snprintf(copy, sizeof copy, "%s", length > PATH_MOST ? word + length - PATH_MOST : word);
    for (char *at = copy; *at != '\0'; at++)
        if (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r')
            *at = '_';
    bsim_synth_replay_path(out, call->call, copy);
    str_dispose(&text);
}

static int path_of(struct replay_writer *w, const struct recorded_call *call, FILE *out) {
    const uint32_t key[2] = {call->frame, (uint32_t)call->call};
    int *known = hash_table_find(&w->paths, key, sizeof key);
    if (known == NULL) {
        known = hash_table_add(&w->paths, key, sizeof key, sizeof *known);
        *known = w->path_count++;
        if (out != NULL)
            write_path(w, call, out);
    }
    return *known;
}

static struct mean_time *time_of(struct replay_writer *w, const struct recorded_call *call) {
    const uint32_t key[3] = {(uint32_t)w->rank, call->frame, (uint32_t)call->call};
    struct mean_time *known = hash_table_find(&w->times, key, sizeof key);
    return known != NULL ? known : hash_table_add(&w->times, key, sizeof key, sizeof *known);
}

static double seconds_of(struct replay_writer *w, const struct recorded_call *call) {
    const struct mean_time *mean = w->is_steady ? time_of(w, call) : NULL;
    return mean != NULL ? mean->sum_s / mean->count : call->compute_s;
}

static void write_call(struct replay_writer *w, const struct recorded_call *call) {
    const struct synth_action action = {.bytes = call->bytes,
                                        .other_bytes = call->other_bytes,
                                        .group = call->group,
                                        .peer = call->peer,
                                        .other_peer = call->other_peer,
                                        .tag = call->tag,
                                        .other_tag = call->other_tag,
                                        .completes = call->completes,
                                        .first = call->first,
                                        .made = call->made};
    bsim_synth_replay_call(w->out, path_of(w, call, NULL), seconds_of(w, call), &action);
}

typedef void (*call_visitor)(struct replay_writer *w, const struct recorded_call *call);

static void number_path(struct replay_writer *w, const struct recorded_call *call) {
    path_of(w, call, w->out);
    time_of(w, call)->sum_s += call->compute_s;
    time_of(w, call)->count += 1;
}

static void visit_calls(struct replay_writer *w, call_visitor visit, bool begins_ranks) {
    for (w->rank = 0; w->rank < w->run->ranks; w->rank++) {
        const struct recorded_rank *of = &w->run->by_rank[w->rank];
        if (begins_ranks)
            bsim_synth_replay_rank(w->out, of->calls.count);
        for (size_t i = 0; i < of->calls.count; i++)
            visit(w, &of->calls.items[i]);
    }
}

/* Paths are gathered first, since their number comes before them. */
static int write_run(struct replay_writer *w, struct error *error) {
    char *paths = NULL, *text = NULL;
    size_t paths_length = 0, length = 0;
    w->out = open_memstream(&paths, &paths_length);
    if (w->out == NULL)
        return error_set(error, "not enough memory for the recorded run");
    visit_calls(w, number_path, false);
    fclose(w->out);
    w->out = open_memstream(&text, &length);
    if (w->out != NULL) {
        bsim_synth_replay_begin(w->out, &w->run->world, w->path_count);
        fwrite(paths, 1, paths_length, w->out);
        visit_calls(w, write_call, true);
        fputs("end\n", w->out);
        fclose(w->out);
    }
    int result = text == NULL
                     ? error_set(error, "not enough memory for the recorded run")
                     : file_write(path_join(&w->place.arena, w->place.directory, SYNTH_REPLAY_FILE),
                                  text, length, error);
    w->id = arena_printf(&w->place.arena, "%016llx",
                         hash_bytes(HASH_SEED, text != NULL ? text : "", length));
    free(paths);
    free(text);
    return result;
}

/* ---- The region and its model ---- */

static int write_regions(struct replay_writer *w, struct error *error) {
    json_t *region =
        json_pack("{s:i, s:s, s:s, s:s, s:s, s:i, s:i, s:s, s:[{s:s, s:s, s:s}]}", "index", 0, "id",
                  REGION, "kind", "computation", "function", "recorded", "file", "recorded", "line",
                  1, "end_line", 1, "summary", "processor time between calls", "features", "name",
                  "n1", "expression", "seconds", "meaning", "seconds");
    json_t *root =
        json_pack("{s:s, s:i, s:s, s:o, s:o, s:s, s:[o], s:{}}", "format", "mpiskel-regions",
                  "version", BUNDLE_VERSION, "bundle", w->id, "program", json_any_text(w->program),
                  "root", json_any_text(path_current(&w->place.arena)), "assumptions", "recorded",
                  "regions", region, "lines");
    int result =
        json_write(root, path_join(&w->place.arena, w->place.directory, "regions.json"), error);
    json_decref(root);
    return result;
}

static int write_model(struct replay_writer *w, struct error *error) {
    const char *text = arena_printf(&w->place.arena,
                                    "mpiskel-model 1\nbundle %s\nmachine default\n"
                                    "region 0 %s features 1 terms 1 range 0 " MOST_S "\n"
                                    "term 1 1\nend 1\n",
                                    w->id, REGION);
    return file_write(path_join(&w->place.arena, w->place.directory, "model.bsim"), text,
                      strlen(text), error);
}

int replay_bundle_write(const char *directory, const char *program,
                        const struct recorded_runs *runs, bool is_steady, struct error *error) {
    struct replay_writer w = {
        .runs = runs, .run = runs->items.items[0], .program = program, .is_steady = is_steady};
    int result = bundle_place_begin(&w.place, directory, error);
    if (result == 0 &&
        (write_run(&w, error) != 0 || write_regions(&w, error) != 0 || write_model(&w, error) != 0))
        result = -1;
    if (result == 0)
        result = bundle_place_link(&w.place, w.id, SYNTH_REPLAY_FILE, error);
    hash_table_dispose(&w.paths);
    hash_table_dispose(&w.times);
    return bundle_place_end(&w.place, result, error);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * See synth_replay.h. A group is told by the first member of each rank's communicator, the rank's
 * position and the size, so that members need no lines of their own.
 */
#include "synthesis/eval/synth_replay.h"

#include <stdlib.h>
#include <string.h>

#define VERSION 1
#define RANKS_MOST (1 << 24)
#define NUMBER_MOST (1LL << 50)

/* ---- Writing ---- */

static void write_group(FILE *out, const struct synth_group *group, int ranks) {
    fprintf(out, "group %d", group->dimension_count);
    for (int k = 0; k < group->dimension_count; k++)
        fprintf(out, " %d", group->dimensions[k]);
    for (int rank = 0; rank < ranks; rank++) {
        struct synth_place place = group->places[rank];
        fprintf(out, " %d %d %d", place.size > 0 ? group->members[rank][0] : -1, place.position,
                place.size);
    }
    fputc('\n', out);
}

void bsim_synth_replay_begin(FILE *out, const struct synth_world *world, int path_count) {
    fprintf(out, SYNTH_REPLAY_FORMAT " %d\nranks %d\ngroups %d\n", VERSION, world->ranks,
            world->group_count);
    for (int i = 0; i < world->group_count; i++)
        write_group(out, &world->groups[i], world->ranks);
    fprintf(out, "paths %d\n", path_count);
}

void bsim_synth_replay_path(FILE *out, int call, const char *words) {
    fprintf(out, "%s %s\n", bsim_synth_call_name(call), words);
}

void bsim_synth_replay_rank(FILE *out, size_t call_count) {
    fprintf(out, "rank %zu\n", call_count);
}

void bsim_synth_replay_call(FILE *out, int path, double seconds,
                            const struct synth_action *action) {
    fprintf(out, "%d %.9g %d %d %d %lld %d %d %lld %d %d %d\n", path, seconds, action->group,
            action->peer, action->tag, action->bytes, action->other_peer, action->other_tag,
            action->other_bytes, action->completes, action->first, action->made);
}

/* ---- Reading ---- */

struct replay_reader {
    struct synth_run *out;
    struct synth_words words;
    struct synth_node *nodes;
    int node_count, ranks;
};

static int integer(struct replay_reader *reader, long long least, long long most) {
    return (int)bsim_synth_integer(&reader->words, least, most);
}

/* All first members of a communicator share one list. */
static void read_places(struct replay_reader *reader, struct synth_group *out) {
    size_t ranks = (size_t)reader->ranks;
    struct synth_place *places = bsim_synth_array(&reader->words, ranks, sizeof *places);
    const int **members = bsim_synth_array(&reader->words, ranks, sizeof *members);
    int **lists = bsim_synth_array(&reader->words, ranks, sizeof *lists);
    for (int rank = 0; rank < reader->ranks && !reader->words.failed; rank++) {
        int first = integer(reader, -1, reader->ranks - 1);
        places[rank].position = integer(reader, -1, reader->ranks - 1);
        places[rank].size = integer(reader, 0, reader->ranks);
        if (first < 0 || places[rank].size == 0)
            continue;
        if (lists[first] == NULL)
            lists[first] = bsim_synth_array(&reader->words, ranks, sizeof **lists);
        reader->words.failed |=
            places[rank].position < 0 || places[rank].position >= places[rank].size;
        if (!reader->words.failed) {
            lists[first][places[rank].position] = rank;
            members[rank] = lists[first];
        }
    }
    out->places = places;
    out->members = members;
}

static void read_groups(struct replay_reader *reader) {
    struct synth_made_world *made = &reader->out->world;
    bsim_synth_expect(&reader->words, "groups");
    made->world.group_count = integer(reader, 2, SYNTH_GROUPS_MOST);
    for (int i = 0; i < made->world.group_count && !reader->words.failed; i++) {
        struct synth_group *group = &made->groups[i];
        bsim_synth_expect(&reader->words, "group");
        group->dimension_count = integer(reader, 0, SYNTH_DIMENSIONS_MOST);
        for (int k = 0; k < group->dimension_count; k++)
            group->dimensions[k] = integer(reader, 1, reader->ranks);
        read_places(reader, group);
    }
}

static void read_paths(struct replay_reader *reader) {
    bsim_synth_expect(&reader->words, "paths");
    reader->node_count = integer(reader, 0, 1 << 24);
    reader->nodes =
        bsim_synth_array(&reader->words, (size_t)reader->node_count, sizeof *reader->nodes);
    for (int i = 0; i < reader->node_count && !reader->words.failed; i++) {
        struct synth_node *node = &reader->nodes[i];
        node->call = bsim_synth_call(bsim_synth_word(&reader->words));
        node->name = node->key = bsim_synth_call_name(node->call < 0 ? 0 : node->call);
        node->path = bsim_synth_copy(&reader->words);
        reader->words.failed |= node->call < 0;
    }
}

static void read_call(struct replay_reader *reader, struct synth_action *out) {
    int groups = reader->out->world.world.group_count;
    int path = integer(reader, 0, reader->node_count - 1);
    double *seconds = bsim_synth_array(&reader->words, 1, sizeof *seconds);
    double value = bsim_synth_real(&reader->words);
    if (reader->words.failed)
        return;
    *seconds = value;
    out->node = &reader->nodes[path];
    out->features = value > 0 ? seconds : NULL;
    out->group = integer(reader, 0, groups - 1);
    out->peer = integer(reader, SYNTH_NOBODY, reader->ranks - 1);
    out->tag = integer(reader, -1, 1 << 30);
    out->bytes = bsim_synth_integer(&reader->words, 0, NUMBER_MOST);
    out->other_peer = integer(reader, SYNTH_NOBODY, reader->ranks - 1);
    out->other_tag = integer(reader, -1, 1 << 30);
    out->other_bytes = bsim_synth_integer(&reader->words, 0, NUMBER_MOST);
    out->completes = integer(reader, SYNTH_ALL, 1 << 30);
    out->first = integer(reader, 0, 1 << 30);
    out->made = integer(reader, -1, groups - 1);
}

static void read_rank(struct replay_reader *reader, struct synth_actions *out) {
    bsim_synth_expect(&reader->words, "rank");
    size_t count = (size_t)bsim_synth_integer(&reader->words, 0, SYNTH_ACTIONS_MOST);
    if (count > (size_t)(reader->words.end - reader->words.at)) /* of a line each */
        reader->words.failed = true;
    out->items = reader->words.failed ? NULL : calloc(count + 1, sizeof *out->items);
    reader->words.failed |= out->items == NULL;
    for (; out->count < count && !reader->words.failed; out->count++)
        read_call(reader, &out->items[out->count]);
}

static void read_all(struct replay_reader *reader) {
    bsim_synth_expect(&reader->words, SYNTH_REPLAY_FORMAT);
    bsim_synth_integer(&reader->words, VERSION, VERSION);
    bsim_synth_expect(&reader->words, "ranks");
    reader->ranks = integer(reader, 1, RANKS_MOST);
    if (reader->ranks > reader->words.end - reader->words.at)
        reader->words.failed = true;
    read_groups(reader);
    read_paths(reader);
    if (reader->words.failed)
        return;
    struct synth_made_world *made = &reader->out->world;
    made->world.groups = made->groups;
    made->world.parameters = made->parameters;
    reader->out->ranks = calloc((size_t)reader->ranks, sizeof *reader->out->ranks);
    reader->words.failed |= reader->out->ranks == NULL;
    made->world.ranks = reader->words.failed ? 0 : reader->ranks;
    for (int rank = 0; rank < reader->ranks && !reader->words.failed; rank++)
        read_rank(reader, &reader->out->ranks[rank]);
    bsim_synth_expect(&reader->words, "end");
}

static struct synth_model *model_of_seconds(int ranks) {
    struct synth_model *model = calloc(1, sizeof *model);
    if (model == NULL)
        return NULL;
    model->ranks_least = model->ranks_most = ranks;
    model->region_count = 1;
    model->regions = bsim_synth_take(&model->pool, sizeof *model->regions);
    if (model->regions != NULL)
        model->regions[0].feature_count = 1;
    return model;
}

int bsim_synth_replay_read(struct synth_run *out, struct synth_model **model, const char *text,
                           size_t length, char *error_text, size_t error_size) {
    struct replay_reader reader = {.out = out,
                                   .words = {.at = text, .end = text + length, .line = 1}};
    *out = (struct synth_run){0};
    reader.words.pool = &out->pool;
    read_all(&reader);
    *model = reader.words.failed ? NULL : model_of_seconds(reader.ranks);
    out->model = *model;
    if (*model != NULL && (*model)->regions != NULL)
        return 0;
    snprintf(error_text, error_size,
             "error: line %d of the recorded run is damaged: run mpiskel synthesize --as-recorded "
             "again",
             reader.words.line);
    return -1;
}

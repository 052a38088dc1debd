/* SPDX-License-Identifier: Apache-2.0
 *
 * Ranks go on in turn until each has ended or waits; see synth_actions.h. A message is matched as
 * MPI does it: those of a channel (communicator, sender, receiver, tag) in the order in which they
 * are sent with the receives in the order in which they are posted. Sends never wait: what a
 * network does is left to the simulation.
 */
#include "synthesis/eval/synth_actions.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct message_queue { /* of a channel */
    uint64_t key[2];
    int sent, received, capacity, sender;
    const struct synth_action **sends; /* sent of them */
};

struct posted { /* a request that has not ended, or a collective */
    struct synth_action *action;
    size_t channel; /* of a receive: in the table */
    int number;     /* of the message on the channel, or of the collective on the group */
    bool receives, gathers;
};

struct gathering { /* a collective */
    const struct synth_action *first;
    long long volume;
    int rank, arrived;
};

struct gatherings {
    struct gathering *items;
    int count, capacity;
};

struct matching_rank {
    size_t next; /* action */
    struct posted *posted;
    int posted_count, posted_capacity;
    int *collectives; /* by group: how many it has come to */
    bool has_begun;   /* the next action: its messages are sent, its receives posted */
    struct posted current[2];
    int current_count;
};

struct matching {
    struct synth_run *run;
    struct matching_rank *ranks;
    struct message_queue *channels;
    size_t channel_capacity, channel_count, slot_count;
    uint32_t *slots;               /* by hash of a channel's key: its number plus 1; 0: free */
    struct gatherings *gatherings; /* by group and first member */
    bool failed;                   /* no memory */
    const struct synth_action *different;
    int different_rank;
};

/* ---- Channels ---- */

static uint64_t mix(uint64_t number) {
    number ^= number >> 31;
    number *= 0x9e3779b97f4a7c15u;
    return number ^ number >> 29;
}

static size_t slot_of(const struct matching *m, const uint64_t key[2]) {
    size_t slot = mix(mix(key[0]) + key[1]) & (m->slot_count - 1);
    while (m->slots[slot] != 0 &&
           memcmp(m->channels[m->slots[slot] - 1].key, key, sizeof m->channels[0].key) != 0)
        slot = (slot + 1) & (m->slot_count - 1);
    return slot;
}

static void grow_channels(struct matching *m) {
    size_t capacity = m->channel_capacity * 2 + 64, slot_count = 4 * capacity;
    while ((slot_count & (slot_count - 1)) != 0)
        slot_count &= slot_count - 1;
    struct message_queue *channels = realloc(m->channels, capacity * sizeof *channels);
    uint32_t *slots = calloc(slot_count, sizeof *slots);
    m->failed |= channels == NULL || slots == NULL;
    m->channels = channels != NULL ? channels : m->channels;
    if (m->failed) {
        free(slots);
        return;
    }
    free(m->slots);
    m->channel_capacity = capacity;
    m->slots = slots;
    m->slot_count = slot_count;
    for (size_t i = 0; i < m->channel_count; i++)
        m->slots[slot_of(m, m->channels[i].key)] = (uint32_t)i + 1;
}

/* Number 0 is of no channel: where there is no memory for one. */
static size_t channel_of(struct matching *m, int group, int sender, int receiver, int tag) {
    const uint64_t key[2] = {(uint64_t)group << 32 | (uint32_t)(tag + 2),
                             (uint64_t)sender << 32 | (uint32_t)receiver};
    if (m->channel_count == m->channel_capacity)
        grow_channels(m);
    if (m->failed)
        return 0;
    size_t slot = slot_of(m, key);
    if (m->slots[slot] == 0) {
        m->channels[m->channel_count] = (struct message_queue){.key = {key[0], key[1]}};
        m->slots[slot] = (uint32_t)++m->channel_count;
    }
    return m->slots[slot] - 1;
}

static const struct synth_group *group_of(const struct matching *m, int group) {
    return group >= 0 && group < m->run->world.world.group_count
               ? &m->run->world.world.groups[group]
               : NULL;
}

/* -1: there is no such rank. */
static int world_rank(const struct matching *m, int rank, int group, int peer) {
    const struct synth_group *of = group_of(m, group);
    return of != NULL && peer >= 0 && peer < of->places[rank].size ? of->members[rank][peer] : -1;
}

static void send_message(struct matching *m, int rank, const struct synth_action *action) {
    int to = world_rank(m, rank, action->group, action->peer);
    if (to < 0)
        return;
    size_t number = channel_of(m, action->group, rank, to, action->tag);
    if (m->failed)
        return;
    struct message_queue *queue = &m->channels[number];
    if (queue->sent == queue->capacity) {
        queue->capacity = queue->capacity * 2 + 4;
        const struct synth_action **sends =
            realloc(queue->sends, (size_t)queue->capacity * sizeof *sends);
        if (sends == NULL) {
            m->failed = true;
            return;
        }
        queue->sends = sends;
    }
    queue->sender = rank;
    queue->sends[queue->sent++] = action;
}

static struct posted receive_of(struct matching *m, int rank, struct synth_action *action) {
    bool exchanges = bsim_synth_role(action->node->call) == SYNTH_EXCHANGE;
    int from = world_rank(m, rank, action->group, exchanges ? action->other_peer : action->peer);
    struct posted posted = {.action = action};
    if (from < 0)
        return posted;
    posted.receives = true;
    posted.channel =
        channel_of(m, action->group, from, rank, exchanges ? action->other_tag : action->tag);
    if (!m->failed)
        posted.number = m->channels[posted.channel].received++;
    return posted;
}

/* ---- Collectives ---- */

static bool is_same_collective(const struct synth_action *a, const struct synth_action *b) {
    enum synth_role role = bsim_synth_role(a->node->call);
    bool has_root = role == SYNTH_ROOTED || role == SYNTH_ROOTED_LATER;
    return a->node->call == b->node->call && (!has_root || a->peer == b->peer);
}

static struct gathering *gathering_at(struct matching *m, int group, int rank, int number) {
    int leader = m->run->world.world.groups[group].members[rank][0];
    struct gatherings *of =
        &m->gatherings[(size_t)group * (size_t)m->run->world.world.ranks + (size_t)leader];
    if (number >= of->capacity) {
        int capacity = number * 2 + 8;
        struct gathering *items = realloc(of->items, (size_t)capacity * sizeof *items);
        if (items == NULL) {
            m->failed = true;
            return NULL;
        }
        memset(items + of->capacity, 0, (size_t)(capacity - of->capacity) * sizeof *items);
        of->items = items;
        of->capacity = capacity;
    }
    return &of->items[number];
}

/* What a member gives, or gets, for each other one: recorded where the call names one count for
 * each, a share of the sum where it has counts of its own for all. */
static long long volume_of(const struct synth_action *action, int size) {
    int call = action->node->call;
    long long most = action->bytes > action->other_bytes ? action->bytes : action->other_bytes;
    bool is_root = action->peer >= 0 && action->other_bytes < action->bytes;
    if (call == SYNTH_Bcast || call == SYNTH_Ibcast)
        return most;
    if (call == SYNTH_Scatter)
        return most;
    if (call == SYNTH_Scatterv)
        return is_root ? action->bytes / size : most;
    if (call == SYNTH_Reduce_scatter || call == SYNTH_Alltoallv || call == SYNTH_Alltoallw)
        return action->bytes / size;
    return action->bytes;
}

static struct posted arrive(struct matching *m, int rank, struct synth_action *action) {
    struct posted posted = {.action = action};
    if (world_rank(m, rank, action->group, 0) < 0)
        return posted;
    posted.gathers = true;
    posted.number = m->ranks[rank].collectives[action->group]++;
    struct gathering *at = gathering_at(m, action->group, rank, posted.number);
    if (at == NULL)
        return posted;
    if (at->arrived++ == 0) {
        at->first = action;
        at->rank = rank;
        at->volume = volume_of(action, group_of(m, action->group)->places[rank].size);
    } else if (m->different == NULL && !is_same_collective(at->first, action)) {
        m->different = action;
        m->different_rank = rank;
    }
    action->volume = at->volume;
    return posted;
}

/* ---- Ranks ---- */

static bool is_done(struct matching *m, int rank, const struct posted *posted) {
    if (posted->receives)
        return m->channels[posted->channel].sent > posted->number;
    if (!posted->gathers)
        return true;
    int group = posted->action->group;
    const struct gathering *at = gathering_at(m, group, rank, posted->number);
    return at != NULL && at->arrived == m->run->world.world.groups[group].places[rank].size;
}

/* The receive gets what was sent. */
static void take_bytes(struct matching *m, const struct posted *posted) {
    if (!posted->receives)
        return;
    long long bytes = m->channels[posted->channel].sends[posted->number]->bytes;
    if (bsim_synth_role(posted->action->node->call) == SYNTH_EXCHANGE)
        posted->action->other_bytes = bytes;
    else
        posted->action->bytes = bytes;
}

static void keep_request(struct matching *m, struct matching_rank *rank, struct posted posted) {
    if (rank->posted_count == rank->posted_capacity) {
        int capacity = rank->posted_capacity * 2 + 8;
        struct posted *items = realloc(rank->posted, (size_t)capacity * sizeof *items);
        if (items == NULL) {
            m->failed = true;
            return;
        }
        rank->posted = items;
        rank->posted_capacity = capacity;
    }
    rank->posted[rank->posted_count++] = posted;
}

/* Sends and posts what the next action has, once. */
static void begin(struct matching *m, int number, struct synth_action *action) {
    struct matching_rank *rank = &m->ranks[number];
    enum synth_role role = bsim_synth_role(action->node->call);
    struct posted posted = {.action = action};
    rank->current_count = 0;
    rank->has_begun = true;
    if (bsim_synth_sends(action->node->call))
        send_message(m, number, action);
    if (bsim_synth_receives(action->node->call))
        posted = receive_of(m, number, action);
    if (bsim_synth_is_collective(action->node->call))
        posted = arrive(m, number, action);
    bool is_nobodys =
        (bsim_synth_sends(action->node->call) || bsim_synth_receives(action->node->call)) &&
        action->peer < 0;
    if (bsim_synth_makes_request(action->node->call) && !is_nobodys)
        keep_request(m, rank, posted);
    else if (role != SYNTH_SEND && !bsim_synth_makes_request(action->node->call))
        rank->current[rank->current_count++] = posted;
}

static void clamp(int *first, int *count, const struct matching_rank *rank,
                  const struct synth_action *action) {
    int most = rank->posted_count;
    *first = action->first < 0 ? 0 : action->first > most ? most : action->first;
    *count = action->completes == SYNTH_ALL      ? most - *first
             : action->completes < 0             ? 0
             : action->completes > most - *first ? most - *first
                                                 : action->completes;
}

static bool end_requests(struct matching *m, int number, const struct synth_action *action) {
    struct matching_rank *rank = &m->ranks[number];
    int first, count;
    clamp(&first, &count, rank, action);
    for (int i = 0; i < count; i++)
        if (!is_done(m, number, &rank->posted[first + i]))
            return false;
    if (count == 0)
        return true;
    for (int i = 0; i < count; i++)
        take_bytes(m, &rank->posted[first + i]);
    memmove(rank->posted + first, rank->posted + first + count,
            (size_t)(rank->posted_count - first - count) * sizeof *rank->posted);
    rank->posted_count -= count;
    return true;
}

/* Whether the rank got on. */
static bool step(struct matching *m, int number) {
    struct matching_rank *rank = &m->ranks[number];
    struct synth_action *action = &m->run->ranks[number].items[rank->next];
    if (!rank->has_begun)
        begin(m, number, action);
    if (bsim_synth_role(action->node->call) == SYNTH_COMPLETE && !end_requests(m, number, action))
        return false;
    for (int i = 0; i < rank->current_count; i++)
        if (!is_done(m, number, &rank->current[i]))
            return false;
    for (int i = 0; i < rank->current_count; i++)
        take_bytes(m, &rank->current[i]);
    rank->next++;
    rank->has_begun = false;
    return true;
}

static void walk_all(struct matching *m) {
    bool goes_on = true;
    while (goes_on && !m->failed && m->different == NULL) {
        goes_on = false;
        for (int rank = 0; rank < m->run->world.world.ranks; rank++)
            while (m->ranks[rank].next < m->run->ranks[rank].count && !m->failed &&
                   m->different == NULL && step(m, rank))
                goes_on = true;
    }
}

/* Receives that no call waits for: the rank completes them in the end. */
static void take_left(struct matching *m) {
    for (int rank = 0; rank < m->run->world.world.ranks; rank++)
        for (int i = 0; i < m->ranks[rank].posted_count; i++)
            if (is_done(m, rank, &m->ranks[rank].posted[i]))
                take_bytes(m, &m->ranks[rank].posted[i]);
}

/* ---- What is not matched ---- */

static int tell(char *out, size_t size, int rank, const struct synth_action *action,
                const char *what) {
    char path[4096];
    bsim_synth_path_text(path, sizeof path, action->node);
    snprintf(
        out, size,
        "error: the synthesised calls do not fit together: %s of rank %d (communicator %d, "
        "peer %d, tag %d, iteration %d) %s; called by %s; record runs on more numbers of ranks "
        "and sizes (mpiskel synthesize --target names some)",
        bsim_synth_call_name(action->node->call), rank, action->group, action->peer, action->tag,
        action->iteration, what, path);
    return -1;
}

static const struct posted *first_not_done(struct matching *m, int number) {
    struct matching_rank *rank = &m->ranks[number];
    for (int i = 0; i < rank->current_count; i++)
        if (!is_done(m, number, &rank->current[i]))
            return &rank->current[i];
    for (int i = 0; i < rank->posted_count; i++)
        if (!is_done(m, number, &rank->posted[i]))
            return &rank->posted[i];
    return NULL;
}

/* Of receives that of the rank that got least far: others wait for it. */
static int tell_stuck(char *out, size_t size, struct matching *m) {
    const struct posted *earliest = NULL;
    int of = 0;
    for (int rank = 0; rank < m->run->world.world.ranks; rank++) {
        const struct posted *posted =
            m->ranks[rank].next < m->run->ranks[rank].count ? first_not_done(m, rank) : NULL;
        bool is_better =
            posted != NULL &&
            (earliest == NULL || (posted->receives && !earliest->receives) ||
             (posted->receives == earliest->receives && m->ranks[rank].next < m->ranks[of].next));
        if (is_better) {
            earliest = posted;
            of = rank;
        }
    }
    if (earliest == NULL)
        return 0;
    return tell(out, size, of, earliest->action,
                earliest->receives ? "is never sent anything" : "is not made by all members");
}

static int tell_left(char *out, size_t size, const struct matching *m) {
    for (size_t i = 0; i < m->channel_count; i++)
        if (m->channels[i].sent > m->channels[i].received)
            return tell(out, size, m->channels[i].sender,
                        m->channels[i].sends[m->channels[i].received], "is never received");
    return 0;
}

static int verdict(char *out, size_t size, struct matching *m) {
    if (m->failed) {
        snprintf(out, size, "error: not enough memory to check that all messages are matched");
        return -1;
    }
    if (m->different != NULL)
        return tell(out, size, m->different_rank, m->different,
                    "is another collective, or has another root, than those of other members");
    int result = tell_stuck(out, size, m);
    return result == 0 ? tell_left(out, size, m) : result;
}

/* ---- All ---- */

static void prepare(struct matching *m) {
    const struct synth_world *world = &m->run->world.world;
    size_t ranks = (size_t)world->ranks, groups = (size_t)world->group_count;
    grow_channels(m);
    m->ranks = calloc(ranks, sizeof *m->ranks);
    m->gatherings = calloc(ranks * groups, sizeof *m->gatherings);
    m->failed |= m->ranks == NULL || m->gatherings == NULL;
    for (size_t i = 0; i < ranks && !m->failed; i++) {
        m->ranks[i].collectives = calloc(groups, sizeof(int));
        m->failed = m->ranks[i].collectives == NULL;
    }
}

static void dispose(struct matching *m) {
    const struct synth_world *world = &m->run->world.world;
    for (size_t i = 0; i < m->channel_count; i++)
        free(m->channels[i].sends);
    for (int i = 0; m->ranks != NULL && i < world->ranks; i++) {
        free(m->ranks[i].posted);
        free(m->ranks[i].collectives);
    }
    for (size_t i = 0;
         m->gatherings != NULL && i < (size_t)world->ranks * (size_t)world->group_count; i++)
        free(m->gatherings[i].items);
    free(m->channels);
    free(m->slots);
    free(m->ranks);
    free(m->gatherings);
}

int bsim_synth_run_match(struct synth_run *run, char *error_text, size_t error_size) {
    struct matching m = {.run = run};
    prepare(&m);
    if (!m.failed)
        walk_all(&m);
    if (!m.failed)
        take_left(&m);
    int result = verdict(error_text, error_size, &m);
    dispose(&m);
    return result;
}

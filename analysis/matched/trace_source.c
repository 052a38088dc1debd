/* SPDX-License-Identifier: Apache-2.0
 *
 * Takes steps of ranks in time and makes events of them, block by block.
 */
#include "analysis/matched/trace_source.h"

#include "analysis/matched/iteration_site.h"
#include "analysis/matched/messages_under_way.h"
#include "analysis/matched/rank_streams.h"
#include "base/str.h"

#include <stdlib.h>
#include <string.h>

/* The kinds of events that a trace gives, with their fields in the order in which they are filled.
 * All kinds begin with rank, site, function and place. */

enum trace_source_kind {
    TRACE_SOURCE_CALL,
    TRACE_SOURCE_SEND,
    TRACE_SOURCE_RECV,
    TRACE_SOURCE_ENTER,
    TRACE_SOURCE_COLL,
    TRACE_SOURCE_REGION,
    TRACE_SOURCE_ITER,
    TRACE_SOURCE_OP,
    TRACE_SOURCE_KINDS
};

#define TRACE_SOURCE_FIELDS_MOST 16

#define WHERE                                                                                      \
    {"rank", EVENT_INT, NULL}, {"site", EVENT_INT, NULL}, {"function", EVENT_STRING, NULL}, {      \
        "place", EVENT_STRING, NULL                                                                \
    }
#define TIMES {"t0", EVENT_INT, "ns"}, {"t1", EVENT_INT, "ns"}
#define MESSAGE                                                                                    \
    {"peer", EVENT_INT, NULL}, {"tag", EVENT_INT, NULL}, {"bytes", EVENT_INT, "B"}, {              \
        "comm", EVENT_INT, NULL                                                                    \
    }

static const struct event_field call_fields[] = {
    WHERE, TIMES, MESSAGE, {"root", EVENT_INT, NULL}, {"waited", EVENT_INT, "ns"}};
static const struct event_field send_fields[] = {WHERE, TIMES, MESSAGE, {"msg", EVENT_INT, NULL}};
static const struct event_field recv_fields[] = {WHERE,
                                                 TIMES,
                                                 MESSAGE,
                                                 {"msg", EVENT_INT, NULL},
                                                 {"send_t0", EVENT_INT, "ns"},
                                                 {"waited", EVENT_INT, "ns"}};
static const struct event_field enter_fields[] = {WHERE,
                                                  {"t0", EVENT_INT, "ns"},
                                                  {"comm", EVENT_INT, NULL},
                                                  {"root", EVENT_INT, NULL},
                                                  {"bytes", EVENT_INT, "B"},
                                                  {"coll", EVENT_INT, NULL},
                                                  {"members", EVENT_INT, NULL},
                                                  {"entered", EVENT_INT, NULL}};
static const struct event_field coll_fields[] = {WHERE,
                                                 TIMES,
                                                 {"comm", EVENT_INT, NULL},
                                                 {"root", EVENT_INT, NULL},
                                                 {"bytes", EVENT_INT, "B"},
                                                 {"coll", EVENT_INT, NULL},
                                                 {"members", EVENT_INT, NULL},
                                                 {"left", EVENT_INT, NULL},
                                                 {"last_t0", EVENT_INT, "ns"},
                                                 {"root_t0", EVENT_INT, "ns"},
                                                 {"waited", EVENT_INT, "ns"}};
static const struct event_field region_fields[] = {WHERE, TIMES, {"id", EVENT_INT, NULL}};
static const struct event_field iter_fields[] = {
    WHERE, {"t0", EVENT_INT, "ns"}, {"i", EVENT_INT, NULL}};
static const struct event_field op_fields[] = {WHERE,
                                               TIMES,
                                               {"bytes", EVENT_INT, "B"},
                                               {"queue", EVENT_INT, NULL},
                                               {"lane", EVENT_INT, NULL},
                                               {"device", EVENT_INT, NULL}};

#define KIND(name, fields) {name, fields, sizeof(fields) / sizeof *(fields)}

static const struct source_kind trace_source_kinds[TRACE_SOURCE_KINDS] = {
    KIND("CALL", call_fields),   KIND("SEND", send_fields), KIND("RECV", recv_fields),
    KIND("ENTER", enter_fields), KIND("COLL", coll_fields), KIND("REGION", region_fields),
    KIND("ITER", iter_fields),   KIND("OP", op_fields),
};

#define BLOCK_EVENTS 1024 /* their values stay in a cache of the second level */

struct trace_source_site {
    const char *function, *place; /* interned */
    int32_t region;
};

struct trace_source {
    struct event_source source; /* first: it is what the caller has */
    struct trace *trace;
    struct rank_streams *streams;
    struct messages_under_way under_way;
    struct trace_source_site *sites;
    uint32_t iteration_site;
    long long *iterations; /* by rank: how many began */
    bool wants_messages, wants_collectives;
    bool is_begun;
    VEC(struct event_constant) constants;
    VEC(struct source_event) events;
    VEC(union event_value) values;
};

static const char *intern(struct trace_source *source, const char *text) {
    return texts_intern(&source->source.texts, text, strlen(text));
}

static void read_sites(struct trace_source *source) {
    uint32_t count = trace_site_count(source->trace);
    source->sites = xmalloc((count + 1) * sizeof *source->sites);
    for (uint32_t i = 0; i < count; i++) {
        const struct trace_site *site = trace_site(source->trace, i);
        struct str place = {0};
        str_add(&place, site->file);
        if (site->line > 0)
            str_printf(&place, ":%d", (int)site->line);
        source->sites[i] = (struct trace_source_site){
            intern(source, site->function), intern(source, str_text(&place)), site->region};
        str_dispose(&place);
    }
}

static void add_constant(struct trace_source *source, const char *name, long long value,
                         const char *unit) {
    vec_push(&source->constants,
             (struct event_constant){
                 .name = name, .type = EVENT_INT, .value = {.i = value}, .unit = unit});
}

static void add_text(struct trace_source *source, const char *name) {
    const char *text = json_get_text(trace_header(source->trace), name);
    vec_push(&source->constants,
             (struct event_constant){.name = name,
                                     .type = EVENT_STRING,
                                     .value = {.s = intern(source, text != NULL ? text : "")}});
}

static void add_constants(struct trace_source *source) {
    const struct trace_counts *counts = trace_counts(source->trace);
    long long regions = 0;
    for (uint32_t i = 0; i < trace_site_count(source->trace); i++)
        if (source->sites[i].region >= regions)
            regions = source->sites[i].region + 1LL;
    add_constant(source, "ranks", trace_ranks(source->trace), NULL);
    long long devices = 0;
    for (int32_t i = 0; i < trace_lane_count(source->trace); i++)
        if (trace_lane(source->trace, i)->device >= devices)
            devices = trace_lane(source->trace, i)->device + 1LL;
    add_constant(source, "lanes", trace_lane_count(source->trace), NULL);
    add_constant(source, "devices", devices, NULL);
    add_constant(source, "sites", trace_site_count(source->trace), NULL);
    add_constant(source, "regions", regions, NULL);
    add_constant(source, "comms", trace_communicator_count(source->trace), NULL);
    add_constant(source, "messages", counts != NULL ? (long long)counts->sends : 0, NULL);
    add_constant(source, "end", trace_end_ns(source->trace), "ns");
    add_constant(source, "ideal", json_get_integer(trace_header(source->trace), "ideal_ns", 0),
                 "ns");
    add_constant(source, "waits", trace_has_waits(source->trace), NULL);
    add_text(source, "application");
    add_text(source, "network");
    add_text(source, "source");
    source->source.constants = source->constants.items;
    source->source.constant_count = source->constants.count;
}

/* NULL: such events are not wanted. Filled from `where` on. */
static union event_value *emit(struct trace_source *source, enum trace_source_kind kind,
                               const struct trace_event *event) {
    if (!source->source.wanted[kind])
        return NULL;
    vec_push(&source->events, (struct source_event){.kind = kind});
    vec_reserve(&source->values, source->values.count + TRACE_SOURCE_FIELDS_MOST);
    union event_value *value = source->values.items + source->values.count;
    source->values.count += TRACE_SOURCE_FIELDS_MOST;
    const struct trace_source_site *site = &source->sites[event->site];
    (value++)->i = event->rank;
    (value++)->i = event->site;
    (value++)->s = site->function;
    (value++)->s = site->place;
    (value++)->i = event->begin_ns;
    return value;
}

static union event_value *fill_message(union event_value *value, const struct trace_event *event) {
    (value++)->i = event->end_ns;
    (value++)->i = event->peer;
    (value++)->i = event->tag;
    (value++)->i = event->bytes;
    (value++)->i = event->communicator;
    return value;
}

static void emit_send(struct trace_source *source, const struct trace_event *event) {
    long number = -1;
    if (event->message != 0 && source->wants_messages)
        number = message_send(&source->under_way, event);
    union event_value *value = emit(source, TRACE_SOURCE_SEND, event);
    if (value != NULL)
        fill_message(value, event)->i = number;
}

static void emit_recv(struct trace_source *source, const struct trace_event *event) {
    int64_t sent_ns = event->begin_ns;
    long number = -1;
    if (event->message != 0 && source->wants_messages)
        number = message_receive(&sent_ns, &source->under_way, event);
    union event_value *value = emit(source, TRACE_SOURCE_RECV, event);
    if (value == NULL)
        return;
    value = fill_message(value, event);
    (value++)->i = number;
    (value++)->i = sent_ns;
    value->i = event->waited_ns;
}

static int32_t members_of(const struct trace_source *source, const struct trace_event *event) {
    const struct trace_communicator *communicator =
        event->communicator >= 0 ? trace_communicator(source->trace, event->communicator) : NULL;
    return communicator != NULL ? communicator->size : trace_ranks(source->trace);
}

static union event_value *fill_collective(union event_value *value, const struct trace_event *event,
                                          long number, int32_t members) {
    (value++)->i = event->communicator;
    (value++)->i = event->root;
    (value++)->i = event->bytes;
    (value++)->i = number;
    (value++)->i = members;
    return value;
}

static void emit_enter(struct trace_source *source, const struct trace_event *event) {
    int32_t members = members_of(source, event);
    long number = collective_enter(&source->under_way, event, members);
    union event_value *value = emit(source, TRACE_SOURCE_ENTER, event);
    if (value != NULL)
        fill_collective(value, event, number, members)->i =
            number >= 0 ? source->under_way.states.items[number].entered : 0;
}

static void emit_coll(struct trace_source *source, const struct trace_event *event) {
    struct collective_under_way known = {
        .members = 1, .left = 1, .last_ns = event->begin_ns, .root_ns = TRACE_NONE};
    long number = collective_leave(&known, &source->under_way, event);
    union event_value *value = emit(source, TRACE_SOURCE_COLL, event);
    if (value == NULL)
        return;
    (value++)->i = event->end_ns;
    value = fill_collective(value, event, number, known.members);
    (value++)->i = known.left;
    (value++)->i = known.last_ns;
    (value++)->i = known.root_ns != TRACE_NONE ? known.root_ns : event->begin_ns;
    value->i = event->waited_ns;
}

static void emit_call(struct trace_source *source, const struct trace_event *event) {
    union event_value *value = emit(source, TRACE_SOURCE_CALL, event);
    if (value == NULL)
        return;
    value = fill_message(value, event);
    (value++)->i = event->root;
    value->i = event->waited_ns;
}

static void emit_region(struct trace_source *source, const struct trace_event *event) {
    union event_value *value = emit(source, TRACE_SOURCE_REGION, event);
    if (value == NULL)
        return;
    (value++)->i = event->end_ns;
    value->i = source->sites[event->site].region;
}

/* Its rank is the one that asked for it. */
static void emit_operation(struct trace_source *source, const struct trace_event *event) {
    int32_t lane = event->rank - trace_ranks(source->trace);
    struct trace_event of = *event;
    of.rank = event->peer;
    union event_value *value = emit(source, TRACE_SOURCE_OP, &of);
    if (value == NULL)
        return;
    (value++)->i = event->end_ns;
    (value++)->i = event->bytes;
    (value++)->i = event->tag;
    (value++)->i = lane;
    value->i = trace_lane(source->trace, lane)->device;
}

static void emit_iter(struct trace_source *source, const struct trace_event *event) {
    union event_value *value = emit(source, TRACE_SOURCE_ITER, event);
    if (value != NULL)
        value->i = source->iterations[event->rank]++;
}

static void begin_step(struct trace_source *source, const struct rank_step *step) {
    const struct trace_event *event = &step->events[0];
    if (event->site == source->iteration_site)
        emit_iter(source, event);
    for (size_t i = 0; i < step->count; i++)
        if (step->events[i].direction == TRACE_SENDS)
            emit_send(source, &step->events[i]);
    if (event->collective != 0 && source->wants_collectives)
        emit_enter(source, event);
}

static void end_step(struct trace_source *source, const struct rank_step *step) {
    const struct trace_event *event = &step->events[0];
    for (size_t i = 0; i < step->count; i++)
        if (step->events[i].direction == TRACE_RECEIVES)
            emit_recv(source, &step->events[i]);
    if (event->collective != 0 && source->wants_collectives)
        emit_coll(source, event);
    if (event->rank >= trace_ranks(source->trace))
        emit_operation(source, event);
    else if (event->kind == TRACE_REGION)
        emit_region(source, event);
    else
        emit_call(source, event);
}

/* Something that others do at this very time is still missing. */
static bool has_to_wait(const struct trace_source *source, const struct rank_step *step) {
    if (source->wants_collectives && step->events[0].collective != 0 &&
        !collective_can_end(&source->under_way, &step->events[0]))
        return true;
    for (size_t i = 0; source->wants_messages && i < step->count; i++)
        if (step->events[i].direction == TRACE_RECEIVES && step->events[i].message != 0 &&
            !message_is_sent(&source->under_way, &step->events[i]))
            return true;
    return false;
}

/* What is wanted is known by now. */
static int begin(struct trace_source *source, struct error *error) {
    const bool *wanted = source->source.wanted;
    source->is_begun = true;
    source->wants_messages = wanted[TRACE_SOURCE_SEND] || wanted[TRACE_SOURCE_RECV];
    source->wants_collectives = wanted[TRACE_SOURCE_ENTER] || wanted[TRACE_SOURCE_COLL];
    if (wanted[TRACE_SOURCE_ITER] &&
        iteration_site_find(&source->iteration_site, source->trace, error) != 0)
        return -1;
    bool with_begins =
        source->wants_messages || source->wants_collectives || wanted[TRACE_SOURCE_ITER];
    return rank_streams_open(&source->streams, source->trace, with_begins, wanted[TRACE_SOURCE_OP],
                             error);
}

static int next_block(const struct source_event **out, size_t *out_count, struct event_source *base,
                      struct error *error) {
    struct trace_source *source = (struct trace_source *)base;
    struct rank_step step;
    source->events.count = source->values.count = 0;
    if (!source->is_begun && begin(source, error) != 0)
        return -1;
    while (source->events.count < BLOCK_EVENTS && rank_streams_step(&step, source->streams)) {
        if (step.is_end && step.can_wait && has_to_wait(source, &step)) {
            rank_streams_put_off(source->streams);
            continue;
        }
        if (step.is_end)
            end_step(source, &step);
        else
            begin_step(source, &step);
        if (rank_streams_advance(source->streams, error) != 0)
            return -1;
    }
    for (size_t i = 0; i < source->events.count; i++)
        source->events.items[i].values = source->values.items + i * TRACE_SOURCE_FIELDS_MOST;
    *out = source->events.items;
    *out_count = source->events.count;
    return 0;
}

static void close_source(struct event_source *base) {
    struct trace_source *source = (struct trace_source *)base;
    if (source->streams != NULL)
        rank_streams_close(source->streams);
    messages_under_way_dispose(&source->under_way);
    trace_close(source->trace);
    texts_dispose(&base->texts);
    vec_dispose(&source->constants);
    vec_dispose(&source->events);
    vec_dispose(&source->values);
    free(source->sites);
    free(source->iterations);
    free(base->wanted);
    free(source);
}

int trace_source_open(struct event_source **out, const char *path, struct error *error) {
    struct trace *trace;
    if (trace_open(&trace, path, error) != 0)
        return -1;
    struct trace_source *source = xmalloc(sizeof *source);
    size_t ranks = (size_t)trace_ranks(trace);
    memset(source, 0, sizeof *source);
    source->trace = trace;
    source->iteration_site = UINT32_MAX;
    source->source.kinds = trace_source_kinds;
    source->source.kind_count = TRACE_SOURCE_KINDS;
    source->source.next = next_block;
    source->source.close = close_source;
    source->source.wanted = xmalloc(TRACE_SOURCE_KINDS);
    memset(source->source.wanted, true, TRACE_SOURCE_KINDS);
    source->iterations = xmalloc((ranks + 1) * sizeof *source->iterations);
    memset(source->iterations, 0, (ranks + 1) * sizeof *source->iterations);
    read_sites(source);
    add_constants(source);
    if (trace_damage(trace) != NULL)
        fprintf(stderr, "%s\n", trace_damage(trace));
    *out = &source->source;
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Events of a trace, rank by rank, as calls; see recorded_load.h. Which communicators an event is
 * about is known once all ranks were read, since only then it is known which of them are the same.
 */
#include "synthesis/recorded/recorded_load.h"

#include "synthesis/recorded/recorded_devices.h"
#include "synthesis/recorded/request_list.h"

#include "base/json.h"
#include "base/str.h"

#include <string.h>

#define WINDOW_END SIZE_MAX

/* A communicator that a rank made. */
struct made_group {
    int trace_number; /* -1: the rank has no part in it */
    int parent;       /* group */
    int call;
    long long colour, key;
};

struct rank_groups {
    VEC(struct made_group) made;
    int *of_trace; /* group by the trace's number of a communicator; -1: none */
};

struct trace_load {
    struct recorded_runs *runs;
    struct recorded_left_out *left_out;
    const struct trace *trace;
    struct recorded_run *run;
    uint32_t *frames; /* of the runs, by frame of the trace; 0: not asked for */
    int **ranks_in;   /* by communicator of the trace: rank in it by rank of the world; NULL: not
                         asked for */
    struct rank_groups *groups; /* by rank */
    struct error *error;
};

/* ---- Frames ---- */

static const char *one_word(struct arena *arena, const char *text) {
    char *word = arena_strdup(arena, text[0] != '\0' ? text : "?");
    for (char *at = word; *at != '\0'; at++)
        if ((unsigned char)*at <= ' ')
            *at = '_';
    if (strlen(word) > 200)
        word[200] = '\0';
    return word;
}

static uint32_t frame_of(struct trace_load *load, uint32_t number) {
    if (number == 0 || number > trace_frame_count(load->trace))
        return 0;
    if (load->frames[number] == 0) {
        const struct trace_frame *frame = trace_frame(load->trace, number);
        struct arena *arena = &load->runs->arena;
        uint32_t parent = frame->parent < number ? frame_of(load, frame->parent) : 0;
        const char *module = trace_module(load->trace, frame->module)->name;
        const char *key = one_word(
            arena, arena_printf(arena, "%s+0x%llx", module, (unsigned long long)frame->offset));
        load->frames[number] = recorded_frame(
            load->runs, parent, key,
            frame->function[0] != '\0' ? one_word(arena, frame->function) : key, frame->offset);
    }
    return load->frames[number];
}

/* ---- Communicators ---- */

static int rank_in(struct trace_load *load, int communicator, int world_rank) {
    if (communicator < 0 || world_rank < 0 || world_rank >= load->run->ranks)
        return SYNTH_NOBODY;
    if (load->ranks_in[communicator] == NULL) {
        const struct trace_communicator *of = trace_communicator(load->trace, communicator);
        int *ranks = ARENA_ARRAY(&load->runs->arena, int, (size_t)load->run->ranks);
        for (int i = 0; i < load->run->ranks; i++)
            ranks[i] = SYNTH_NOBODY;
        for (int i = 0; i < of->size; i++)
            if (of->members[i] >= 0 && of->members[i] < load->run->ranks)
                ranks[of->members[i]] = i;
        load->ranks_in[communicator] = ranks;
    }
    return load->ranks_in[communicator][world_rank];
}

static int group_of(struct trace_load *load, int rank, int communicator) {
    return communicator < 0 ? 0 : load->groups[rank].of_trace[communicator];
}

static void start_groups(struct trace_load *load, int rank) {
    int count = trace_communicator_count(load->trace);
    struct rank_groups *groups = &load->groups[rank];
    groups->of_trace = ARENA_ARRAY(&load->runs->arena, int, (size_t)count + 1);
    for (int i = 0; i < count; i++) {
        const char *name = trace_communicator(load->trace, i)->name;
        groups->of_trace[i] = strcmp(name, "MPI_COMM_WORLD") == 0  ? 0
                              : strcmp(name, "MPI_COMM_SELF") == 0 ? 1
                                                                   : -1;
    }
}

static void add_made(struct trace_load *load, int rank, const struct trace_event *event,
                     struct recorded_call *call) {
    struct rank_groups *groups = &load->groups[rank];
    const struct made_group made = {.trace_number = event->made,
                                    .parent = call->group,
                                    .call = call->call,
                                    .colour = event->colour,
                                    .key = event->key};
    call->made = (int16_t)(2 + groups->made.count);
    vec_push(&groups->made, made);
    if (event->made >= 0 && event->made < trace_communicator_count(load->trace))
        groups->of_trace[event->made] = call->made;
}

/* ---- Calls ---- */

static void set_message(struct trace_load *load, struct recorded_call *call,
                        const struct trace_event *event) {
    int peer = rank_in(load, event->communicator, event->peer);
    bool is_second =
        bsim_synth_role(call->call) == SYNTH_EXCHANGE && event->direction == TRACE_RECEIVES;
    *(is_second ? &call->other_peer : &call->peer) = peer;
    *(is_second ? &call->other_tag : &call->tag) = event->tag >= 0 ? event->tag : 0;
    *(is_second ? &call->other_bytes : &call->bytes) = event->bytes;
}

static struct recorded_call call_of(struct trace_load *load, const struct trace_event *event,
                                    int number) {
    struct recorded_call call = {.call = (int16_t)number,
                                 .frame = frame_of(load, event->call_path),
                                 .group = (int16_t)group_of(load, event->rank, event->communicator),
                                 .made = -1,
                                 .peer = SYNTH_NOBODY,
                                 .other_peer = SYNTH_NOBODY,
                                 .time_s = (double)(event->end_ns - event->begin_ns) * 1e-9,
                                 .colour = event->colour,
                                 .key = event->key};
    enum synth_role role = bsim_synth_role(number);
    if (role == SYNTH_ROOTED || role == SYNTH_ROOTED_LATER)
        call.peer = rank_in(load, event->communicator, event->root);
    if (bsim_synth_is_collective(number) && role != SYNTH_MAKE) {
        call.bytes = event->bytes;
        call.other_bytes = event->other_bytes;
    } else if (bsim_synth_sends(number) || bsim_synth_receives(number) || role == SYNTH_PROBE) {
        set_message(load, &call, event);
    }
    return call;
}

struct rank_load {
    struct trace_load *load;
    struct recorded_rank *out;
    struct request_list requests;
    struct recorded_devices devices;
    VEC(size_t) any_source; /* receives that took what came first; WINDOW_END: a request ended */
    double pending_s;       /* of the processor, in front of calls that are left out */
    bool is_open, is_poll;  /* the last call, to which parts belong */
    uint64_t request_of_last;
};

/* The call behind a persistent request's function. */
static int started_as(const struct request_made *made) {
    return made == NULL ? -1 : made->sends ? SYNTH_Isend : SYNTH_Irecv;
}

static void leave_out(struct rank_load *rank, const char *function) {
    struct recorded_left_out *left_out = rank->load->left_out;
    if (left_out->calls++ == 0)
        left_out->function = arena_strdup(&rank->load->runs->arena, function);
    rank->is_open = false;
}

/* A request that ends: what its receive got. */
static void end_request(struct rank_load *rank, const struct trace_event *event) {
    vec_push(&rank->any_source, WINDOW_END);
    struct request_made *made = request_list_end(&rank->requests, event->request);
    if (made == NULL || made->call == SIZE_MAX || event->direction != TRACE_RECEIVES)
        return;
    struct recorded_call *call = &rank->out->calls.items[made->call];
    if (event->peer >= 0)
        call->peer = rank_in(rank->load, event->communicator, event->peer);
    if (event->tag >= 0)
        call->tag = event->tag;
    call->bytes = event->bytes;
}

static void complete(struct rank_load *rank, struct recorded_call *call,
                     const struct trace_event *event) {
    int position = request_list_position(&rank->requests, event->request);
    if (position < 0)
        return;
    if (call != NULL && (call->completes == 0 || position < call->first))
        call->first = position;
    end_request(rank, event);
    if (call == NULL)
        return;
    call->completes++;
    call->completes_all = rank->requests.outstanding.count == 0;
}

static void add_started(struct rank_load *rank, const struct trace_event *event) {
    struct request_made *made = request_list_find(&rank->requests, event->request);
    int number = started_as(made);
    if (number < 0) {
        leave_out(rank, "MPI_Start");
        return;
    }
    struct recorded_call call = made->persistent;
    call.call = (int16_t)number;
    call.frame = frame_of(rank->load, event->call_path);
    call.compute_s = rank->pending_s;
    rank->pending_s = 0;
    made->call = rank->out->calls.count;
    vec_push(&rank->out->calls, call);
    if (call.peer >= 0)
        request_list_begin(&rank->requests, event->request);
}

static bool makes_persistent(const char *function) {
    return text_has_suffix(function, "send_init") || text_has_suffix(function, "Send_init") ||
           text_has_suffix(function, "Recv_init");
}

static void add_persistent(struct rank_load *rank, const struct trace_event *event,
                           const char *function) {
    struct request_made *made = request_list_make(&rank->requests, event->request);
    made->sends = strcmp(function, "MPI_Recv_init") != 0;
    made->persistent = call_of(rank->load, event, made->sends ? SYNTH_Isend : SYNTH_Irecv);
}

static void add_call(struct rank_load *rank, const struct trace_event *event, int number) {
    struct recorded_call call = call_of(rank->load, event, number);
    call.compute_s = rank->pending_s;
    rank->pending_s = 0;
    if (bsim_synth_role(number) == SYNTH_MAKE)
        add_made(rank->load, event->rank, event, &call);
    if (bsim_synth_makes_request(number)) {
        struct request_made *made = request_list_make(&rank->requests, event->request);
        made->call = rank->out->calls.count;
        made->sends = bsim_synth_sends(number);
        made->is_nobodys = call.peer < 0 && (made->sends || number == SYNTH_Irecv) &&
                           (event->asked & TRACE_ASKED_ANY_SOURCE) == 0;
        if (!made->is_nobodys)
            request_list_begin(&rank->requests, event->request);
    }
    if (bsim_synth_role(number) == SYNTH_COMPLETE && event->request != 0)
        complete(rank, &call, event);
    if (bsim_synth_role(number) == SYNTH_COMPLETE && call.completes == 0)
        call.completes_all = rank->requests.outstanding.count == 0;
    if (number == SYNTH_Irecv && (event->asked & TRACE_ASKED_ANY_SOURCE) != 0)
        vec_push(&rank->any_source, rank->out->calls.count);
    vec_push(&rank->out->calls, call);
    rank->is_open = true;
}

static void add_part(struct rank_load *rank, const struct trace_event *event) {
    struct recorded_call *call =
        rank->is_open ? &rank->out->calls.items[rank->out->calls.count - 1] : NULL;
    if (rank->is_poll)
        end_request(rank, event);
    else if (call != NULL && bsim_synth_role(call->call) == SYNTH_COMPLETE)
        complete(rank, call, event);
    else if (call != NULL && bsim_synth_role(call->call) == SYNTH_EXCHANGE)
        set_message(rank->load, call, event);
}

/* ---- Receives of any source ---- */

static void put_in_order(struct recorded_call *first, struct recorded_call *second) {
    struct recorded_call earlier = *first;
    if (first->group != second->group || first->tag != second->tag || first->peer <= second->peer)
        return;
    first->peer = second->peer;
    first->bytes = second->bytes;
    second->peer = earlier.peer;
    second->bytes = earlier.bytes;
}

/* Which of several receives that are outstanding together takes which message is chance: the first
 * one takes that of the lowest rank, so that there is something to learn. */
static void order_sources(struct rank_load *rank) {
    const size_t *calls = rank->any_source.items;
    for (size_t i = 0; i < rank->any_source.count; i++)
        for (size_t k = i + 1;
             k < rank->any_source.count && calls[i] != WINDOW_END && calls[k] != WINDOW_END; k++)
            put_in_order(&rank->out->calls.items[calls[i]], &rank->out->calls.items[calls[k]]);
    vec_dispose(&rank->any_source);
}

/* ---- All events ---- */

static bool is_start(const char *function) {
    return strcmp(function, "MPI_Start") == 0 || strcmp(function, "MPI_Startall") == 0;
}

static void add_event(struct rank_load *rank, const struct trace_event *event) {
    const char *function = trace_site(rank->load->trace, event->site)->function;
    int number = bsim_synth_call(function);
    bool is_part = event->kind == TRACE_PART;
    bool is_device = trace_site(rank->load->trace, event->site)->kind == TRACE_OPERATION;
    if (is_part && is_device) {
        recorded_devices_part(&rank->devices, event);
        return;
    }
    recorded_devices_end(&rank->devices);
    if (event->kind == TRACE_PART && is_start(function)) {
        add_started(rank, event);
        return;
    }
    if (event->kind == TRACE_PART) {
        add_part(rank, event);
        return;
    }
    if (event->kind == TRACE_REGION) { /* a function that was named: it is computation */
        rank->pending_s += (double)(event->cpu_ns + event->end_ns - event->begin_ns) * 1e-9;
        return;
    }
    rank->pending_s += (double)event->cpu_ns * 1e-9;
    rank->is_poll = run_recording_is_poll(function);
    rank->is_open = false;
    if (is_device)
        recorded_devices_call(&rank->devices, event, function,
                              frame_of(rank->load, event->call_path));
    else if (rank->is_poll)
        end_request(rank, event);
    else if (is_start(function))
        add_started(rank, event);
    else if (makes_persistent(function))
        add_persistent(rank, event, function);
    else if (number < 0)
        leave_out(rank, function);
    else
        add_call(rank, event, number);
}

static int load_rank(struct trace_load *load, int rank) {
    struct rank_load state = {.load = load, .out = &load->run->by_rank[rank]};
    struct trace_cursor *cursor;
    struct trace_event event;
    int result;
    start_groups(load, rank);
    state.devices = (struct recorded_devices){
        .runs = load->runs, .out = state.out, .pending_s = &state.pending_s};
    if (recorded_devices_load(&state.devices, load->trace, rank, load->error) != 0)
        return -1;
    if (trace_cursor_open(&cursor, load->trace, rank, TRACE_FROM_START, TRACE_TO_END,
                          load->error) != 0)
        return -1;
    while ((result = trace_cursor_next(&event, cursor, load->error)) == 1)
        add_event(&state, &event);
    trace_cursor_close(cursor);
    order_sources(&state);
    recorded_devices_end(&state.devices);
    if (result == 0 && state.devices.untold != NULL)
        result = error_set(load->error,
                           "%s: error: the device's library tells no times of what %s enqueued on "
                           "rank %d: record the run again with a library that has event profiling",
                           load->run->name, state.devices.untold, rank);
    recorded_devices_dispose(&state.devices);
    request_list_dispose(&state.requests);
    return result;
}

/* ---- Groups of all ranks ---- */

static enum synth_making making_of(int call) {
    return call == SYNTH_Comm_dup      ? SYNTH_DUPLICATE
           : call == SYNTH_Cart_create ? SYNTH_CARTESIAN
           : call == SYNTH_Cart_sub    ? SYNTH_SUBGRID
                                       : SYNTH_SPLIT;
}

static const struct made_group *made_by(const struct trace_load *load, int rank, size_t number) {
    return number < load->groups[rank].made.count ? &load->groups[rank].made.items[number] : NULL;
}

static const struct made_group *made_first(const struct trace_load *load, size_t number) {
    for (int rank = 0; rank < load->run->ranks; rank++)
        if (made_by(load, rank, number) != NULL)
            return made_by(load, rank, number);
    return NULL;
}

static bool splits(int call) {
    return call == SYNTH_Comm_split;
}

/* Of MPI_Comm_split what was asked for, of others what came of it. */
static void set_member(struct trace_load *load, struct recorded_making *making, int rank,
                       const struct made_group *made) {
    bool is_member = made != NULL && made->trace_number >= 0;
    making->colours[rank] = -1;
    if (!is_member)
        return;
    const struct trace_communicator *of = trace_communicator(load->trace, made->trace_number);
    making->colours[rank] = splits(made->call) && made->colour >= 0           ? made->colour
                            : making->making == SYNTH_SUBGRID && of->size > 0 ? of->members[0]
                                                                              : 0;
    making->keys[rank] = splits(made->call) ? made->key : rank_in(load, made->trace_number, rank);
    making->bits[rank] = made->colour;
}

static int fail_apart(struct trace_load *load, int rank) {
    return error_set(load->error,
                     "%s: rank %d makes other communicators, or in another order, than other "
                     "ranks: such programs cannot be synthesised",
                     load->run->name, rank);
}

static int check_alike(struct trace_load *load, size_t number, const struct made_group *first) {
    for (int rank = 0; rank < load->run->ranks; rank++) {
        const struct made_group *made = made_by(load, rank, number);
        if (made != NULL && (made->call != first->call || made->parent != first->parent))
            return fail_apart(load, rank);
    }
    return first->parent >= 0 ? 0 : fail_apart(load, 0);
}

static void set_dimensions(struct trace_load *load, struct synth_group *group, size_t number) {
    for (int rank = 0; rank < load->run->ranks; rank++) {
        const struct made_group *made = made_by(load, rank, number);
        if (made == NULL || made->trace_number < 0)
            continue;
        const struct trace_communicator *of = trace_communicator(load->trace, made->trace_number);
        group->dimension_count =
            of->dimension_count <= SYNTH_DIMENSIONS_MOST ? of->dimension_count : 0;
        for (int k = 0; k < group->dimension_count; k++)
            group->dimensions[k] = of->dimensions[k];
        return;
    }
}

static int add_group(struct trace_load *load, size_t number, const struct made_group *first) {
    struct arena *arena = &load->runs->arena;
    size_t ranks = (size_t)load->run->ranks;
    struct recorded_making making = {.making = making_of(first->call),
                                     .parent = first->parent,
                                     .colours = ARENA_ARRAY(arena, long long, ranks),
                                     .keys = ARENA_ARRAY(arena, long long, ranks),
                                     .bits = ARENA_ARRAY(arena, long long, ranks)};
    if (check_alike(load, number, first) != 0)
        return -1;
    for (int rank = 0; rank < load->run->ranks; rank++)
        set_member(load, &making, rank, made_by(load, rank, number));
    int group = recorded_group_add(load->runs, load->run, &making);
    if (group < 0)
        return error_set(load->error, "%s: more than %d communicators: that cannot be synthesised",
                         load->run->name, SYNTH_GROUPS_MOST);
    set_dimensions(load, &load->run->groups[group], number);
    return 0;
}

static int add_groups(struct trace_load *load) {
    const struct made_group *first;
    for (size_t number = 0; (first = made_first(load, number)) != NULL; number++)
        if (add_group(load, number, first) != 0)
            return -1;
    return 0;
}

int recorded_load_trace(struct recorded_runs *runs, struct recorded_left_out *left_out,
                        const struct trace *trace, const char *name, const double *parameters,
                        struct error *error) {
    struct arena *arena = &runs->arena;
    struct trace_load load = {
        .runs = runs, .left_out = left_out, .trace = trace, .error = error, .run = NULL};
    if (!trace_has_details(trace))
        return error_set(error, "%s: a trace without call paths: record it with mpiskel record",
                         trace_path(trace));
    load.run = recorded_run_add(runs, name, trace_ranks(trace), parameters);
    load.run->elapsed_s = (double)trace_end_ns(trace) * 1e-9;
    const char *clock = json_get_text(trace_header(trace), "clock");
    load.run->clock = arena_strdup(arena, clock != NULL ? clock : "cpu");
    load.frames = ARENA_ARRAY(arena, uint32_t, (size_t)trace_frame_count(trace) + 1);
    load.ranks_in = ARENA_ARRAY(arena, int *, (size_t)trace_communicator_count(trace) + 1);
    load.groups = ARENA_ARRAY(arena, struct rank_groups, (size_t)load.run->ranks);
    int result = 0;
    for (int rank = 0; rank < load.run->ranks && result == 0; rank++)
        result = load_rank(&load, rank);
    if (result == 0)
        result = add_groups(&load);
    for (int rank = 0; rank < load.run->ranks; rank++)
        vec_dispose(&load.groups[rank].made);
    return result;
}

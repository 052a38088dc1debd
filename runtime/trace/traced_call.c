/* SPDX-License-Identifier: Apache-2.0
 *
 * Around a call: what begins and ends with it, and its event with a part for each further message.
 */
#include "runtime/trace/traced_parts.h"

static int64_t later(int64_t a, int64_t b) {
    return a > b ? a : b;
}

/* ---- Collectives ---- */

/* Root -1: it has none. */
static int root_of(const struct bsim__traced_call *call) {
    int root = bsim__functions[call->id].root;
    return root >= 0 ? bsim__traced_integer(call, root) : -1;
}

static struct trace_arrival arrival(const struct bsim__traced_call *call,
                                    const struct bsim__traced_communicator *of) {
    return (struct trace_arrival){.communicator = of->number,
                                  .number = call->collective,
                                  .size = of->size,
                                  .rank = of->me,
                                  .is_root = root_of(call) == of->me};
}

static void begin_collective(struct bsim__traced_call *call, const struct bsim__traced_kind *kind) {
    int index = bsim__traced_communicator_of(call);
    const struct bsim__traced_run *run = call->rank->run;
    if (index < 0 || call->rank->communicators[index].number < 0)
        return;
    struct bsim__traced_communicator *of = &call->rank->communicators[index];
    call->collective = ++of->collectives;
    struct trace_arrival who = arrival(call, of);
    if (run->arrivals != NULL)
        run->calls->trace_arrivals_come(run->arrivals, &who, kind->pattern, call->begin_ns);
}

static void remember_collective(struct bsim__traced_call *call, struct bsim__traced_kind *kind,
                                const struct trace_arrival *who) {
    const MPI_Request *handle = bsim__traced_pointer(call, kind->request);
    struct bsim__traced_request *request =
        *handle != MPI_REQUEST_NULL
            ? bsim__traced_add(call->rank, bsim__traced_handle(handle, sizeof *handle))
            : NULL;
    if (request == NULL)
        return;
    request->is_collective = request->is_active = true;
    request->kind = kind;
    request->arrival = *who;
    request->order = call->rank->orders++;
    bsim__traced_number(call->rank, request, handle);
}

/* Until when it waited. */
static int64_t end_collective(struct bsim__traced_call *call, struct bsim__traced_kind *kind,
                              int communicator) {
    const struct bsim__traced_run *run = call->rank->run;
    if (call->collective == 0)
        return INT64_MIN;
    struct trace_arrival who = arrival(call, &call->rank->communicators[communicator]);
    if (kind->is_nonblocking)
        remember_collective(call, kind, &who);
    else if (run->arrivals != NULL)
        return run->calls->trace_arrivals_leave(run->arrivals, &who, kind->pattern);
    return INT64_MIN;
}

/* ---- Requests ---- */

static void start(struct bsim__traced_call *call) {
    struct bsim__traced_rank *rank = call->rank;
    rank->end_count = 0;
    for (int i = 0; i < call->handles; i++) {
        struct bsim__traced_request *request = rank->stack[call->first_handle + i];
        if (request != NULL && request->is_persistent)
            bsim__traced_start(rank, request, call->begin_ns);
    }
}

static void free_request(struct bsim__traced_call *call) {
    struct bsim__traced_rank *rank = call->rank;
    struct bsim__traced_request *request =
        call->handles > 0 ? rank->stack[call->first_handle] : NULL;
    if (request == NULL)
        return;
    rank->made_request = request->number;
    rank->open_any -= request->is_active && !request->is_send && request->takes_any;
    if (request->is_active && request->is_send && request->message.number != 0)
        rank->run->calls->trace_channels_sent(request->message);
    bsim__traced_remove(rank, request);
}

static void cancel(struct bsim__traced_call *call) {
    struct bsim__traced_request *request =
        call->handles > 0 ? call->rank->stack[call->first_handle] : NULL;
    if (request == NULL)
        return;
    request->is_cancelled = true;
    call->rank->made_request = request->number;
}

static void finish_completed(struct bsim__traced_call *call, struct bsim__traced_kind *kind) {
    struct bsim__traced_rank *rank = call->rank;
    bsim__traced_completed(call, kind);
    for (int i = 0; i < rank->completion_count; i++)
        bsim__traced_finish(rank, rank->completions[i].request, rank->completions[i].status);
}

/* ---- Probes ---- */

/* What was found is received by another call. */
static void end_probe(struct bsim__traced_call *call, const struct bsim__traced_kind *kind) {
    const struct bsim__traced_rank *rank = call->rank;
    const MPI_Status *status = bsim__traced_pointer(call, kind->status);
    int communicator = bsim__traced_communicator_of(call);
    bool found = kind->flag < 0 || *(const int *)bsim__traced_pointer(call, kind->flag) != 0;
    if (!found || communicator < 0 || status == MPI_STATUS_IGNORE)
        return;
    const struct bsim__traced_communicator *of = &rank->communicators[communicator];
    if (of->members == NULL || status->MPI_SOURCE < 0 || status->MPI_SOURCE >= of->size)
        return;
    struct bsim__traced_end end = {
        .key = {of->number, of->members[status->MPI_SOURCE], rank->rank, status->MPI_TAG},
        .until_ns = INT64_MIN};
    const struct trace_calls *calls = rank->run->calls;
    if (rank->run->arrivals != NULL)
        end.until_ns = calls->trace_channels_sent_ns(
            calls->trace_channels_next(rank->run->channels, &end.key), &end.bytes);
    bsim__traced_add_end(call->rank, &end);
}

/* ---- Events ---- */

static int64_t waited(const struct trace_event *event, int64_t until_ns) {
    if (until_ns <= event->begin_ns)
        return 0;
    return (until_ns < event->end_ns ? until_ns : event->end_ns) - event->begin_ns;
}

static void take_end(struct trace_event *event, const struct bsim__traced_end *end) {
    event->request = end->request;
    if (end->is_bare)
        return;
    event->peer = end->is_send ? end->key.receiver : end->key.sender;
    event->tag = end->key.tag;
    event->bytes = end->bytes;
    event->communicator = end->key.communicator;
    event->number = end->is_message ? end->message.number : 0;
    event->direction = (uint8_t)(!end->is_message ? TRACE_NEITHER
                                 : end->is_send   ? TRACE_SENDS
                                                  : TRACE_RECEIVES);
}

/* The ends whose messages belong to this call; the first is in the event itself. */
static bool is_told(const struct bsim__traced_rank *rank, const struct bsim__traced_kind *kind,
                    const struct bsim__traced_end *end) {
    return (rank->run->has_details && end->request != 0) || end->is_message ||
           kind->what == TRACED_MESSAGE || kind->what == TRACED_PROBE;
}

static void add_parts(const struct bsim__traced_call *call, const struct bsim__traced_kind *kind,
                      struct trace_event of, int first) {
    const struct bsim__traced_rank *rank = call->rank;
    for (int i = first + 1; i < rank->end_count; i++)
        if (is_told(rank, kind, &rank->ends[i])) {
            struct trace_event part = of;
            take_end(&part, &rank->ends[i]);
            part.waited_ns = waited(&part, rank->ends[i].until_ns);
            rank->run->calls->trace_writer_add(rank->run->writer, &part);
        }
}

static void add_event(struct bsim__traced_call *call, const struct bsim__traced_kind *kind,
                      struct trace_event event, int64_t until_ns) {
    struct bsim__traced_rank *rank = call->rank;
    struct trace_event bare = event;
    int first = 0;
    while (first < rank->end_count && !is_told(rank, kind, &rank->ends[first]))
        first++;
    if (first < rank->end_count)
        take_end(&event, &rank->ends[first]);
    for (int i = 0; i < rank->end_count; i++)
        until_ns = later(until_ns, rank->ends[i].until_ns);
    event.waited_ns = waited(&event, until_ns);
    if (event.request == 0)
        event.request = rank->made_request;
    rank->run->calls->trace_writer_add(rank->run->writer, &event);
    bare.kind = TRACE_PART;
    add_parts(call, kind, bare, first);
}

struct traced_site {
    struct trace_node node;
    const char *file;
    int line;
    enum bsim__id id;
    uint32_t number;
};

static uint32_t new_site(struct bsim__traced_run *run, const struct bsim__traced_call *call,
                         uint64_t hash) {
    struct trace_site site = {.kind = TRACE_CALL,
                              .line = call->line,
                              .region = TRACE_NONE,
                              .function = bsim__functions[call->id].name,
                              .file = call->file};
    struct traced_site *one = calloc(1, sizeof *one);
    uint32_t number = run->calls->trace_writer_site(run->writer, &site);
    if (one == NULL)
        return number;
    *one = (struct traced_site){
        .file = call->file, .line = call->line, .id = call->id, .number = number};
    if (!trace_table_add(&run->sites, &one->node, hash))
        free(one);
    return number;
}

/* By the address of the name: the same text may be at several, which the writer knows as one. */
static uint32_t site_of(const struct bsim__traced_call *call) {
    struct bsim__traced_run *run = call->rank->run;
    uint64_t hash =
        trace_mix((uint64_t)(uintptr_t)call->file, (uint64_t)call->line << 16 | (uint64_t)call->id);
    for (struct trace_node *node = trace_table_find(&run->sites, hash); node != NULL;
         node = trace_table_after(node)) {
        const struct traced_site *one = (const struct traced_site *)node;
        if (one->file == call->file && one->line == call->line && one->id == call->id)
            return one->number;
    }
    return new_site(run, call, hash);
}

static void take_access(struct trace_event *event, const struct bsim__traced_call *call,
                        const struct bsim__traced_kind *kind, int communicator) {
    int peer = -1;
    for (int i = 0; i < bsim__functions[call->id].parameter_count; i++)
        if (bsim__functions[call->id].parameters[i].role == MPI_ROLE_PEER)
            peer = bsim__traced_integer(call, i);
    const struct bsim__traced_communicator *of =
        communicator >= 0 ? &call->rank->communicators[communicator] : NULL;
    if (of != NULL && of->members != NULL && peer >= 0 && peer < of->size)
        event->peer = of->members[peer];
    event->bytes = (int64_t)call->bytes;
    event->direction = kind->has_input ? TRACE_SENDS : TRACE_RECEIVES;
}

static void take_collective(struct trace_event *event, const struct bsim__traced_call *call,
                            int communicator) {
    const struct bsim__traced_communicator *of = &call->rank->communicators[communicator];
    int root = root_of(call);
    event->number = call->collective;
    event->collective = call->collective;
    event->bytes = (int64_t)call->bytes;
    if (root >= 0 && root < of->size && of->members != NULL)
        event->root = of->members[root];
}

/* ---- Around ---- */

void bsim__traced_enter(struct bsim__traced_call *call, int64_t now_ns) {
    if (call->rank == NULL)
        return;
    struct bsim__traced_kind *kind = bsim__traced_kind(call->rank->run, call->id);
    call->begin_ns = later(now_ns, call->rank->last_end_ns);
    call->first_handle = call->rank->stack_count;
    switch (kind->what) {
    case TRACED_MESSAGE:
        bsim__traced_begin(call, kind);
        break;
    case TRACED_COLLECTIVE:
        begin_collective(call, kind);
        break;
    case TRACED_PROBE:
        bsim__traced_lend_status(call, kind);
        break;
    case TRACED_START:
    case TRACED_COMPLETION:
    case TRACED_FREE:
    case TRACED_CANCEL:
        bsim__traced_look_at(call, kind);
        break;
    default:
        break;
    }
    call->communicator =
        bsim__functions[call->id].class == MPI_CLASS_INIT ? -1 : bsim__traced_communicator_of(call);
    bsim__traced_forget(call);
}

static void end_messages(struct bsim__traced_call *call, struct bsim__traced_kind *kind) {
    switch (kind->what) {
    case TRACED_MESSAGE:
        bsim__traced_end(call, kind);
        break;
    case TRACED_START:
        start(call);
        break;
    case TRACED_COMPLETION:
        finish_completed(call, kind);
        break;
    case TRACED_PROBE:
        end_probe(call, kind);
        break;
    case TRACED_FREE:
        free_request(call);
        break;
    case TRACED_CANCEL:
        cancel(call);
        break;
    default:
        break;
    }
}

/* Of a poll. */
static bool completes(const struct bsim__traced_call *call, const struct bsim__traced_kind *kind) {
    return kind->what == TRACED_COMPLETION && call->rank->completion_count > 0;
}

static void write_event(struct bsim__traced_call *call, const struct bsim__traced_kind *kind,
                        int64_t now_ns, int64_t until_ns) {
    struct bsim__traced_rank *rank = call->rank;
    if (call->locate != NULL)
        call->locate(call);
    struct trace_event event =
        trace_event_of(rank->rank, site_of(call), call->begin_ns, later(now_ns, call->begin_ns));
    if (call->communicator >= 0)
        event.communicator = rank->communicators[call->communicator].number;
    if (call->collective != 0)
        take_collective(&event, call, call->communicator);
    else if (kind->what == TRACED_ONE_SIDED)
        take_access(&event, call, kind, call->communicator);
    if (rank->run->has_details)
        bsim__traced_add_details(&event, call, kind);
    add_event(call, kind, event, until_ns);
    rank->last_end_ns = event.end_ns;
}

void bsim__traced_leave(struct bsim__traced_call *call, int64_t now_ns) {
    struct bsim__traced_rank *rank = call->rank;
    if (rank == NULL)
        return;
    struct bsim__traced_kind *kind = bsim__traced_kind(rank->run, call->id);
    rank->end_count = 0;
    rank->made_request = 0;
    end_messages(call, kind);
    int64_t until_ns = end_collective(call, kind, call->communicator);
    bsim__traced_note(call);
    if (rank->run->has_details && kind->makes_request && rank->made_request == 0)
        remember_collective(call, kind, &(struct trace_arrival){0});
    call->is_event = !rank->run->has_details || !kind->is_poll || completes(call, kind);
    if (call->is_event)
        write_event(call, kind, now_ns, until_ns);
    rank->stack_count = call->first_handle;
}

void bsim__traced_region(struct bsim__traced_rank *rank, int region, int64_t begin_ns,
                         int64_t end_ns) {
    struct bsim__traced_run *run = rank->run;
    int64_t start_ns = later(begin_ns, rank->last_end_ns);
    rank->last_end_ns = later(end_ns, start_ns);
    struct trace_event event = trace_event_of(rank->rank, bsim__traced_region_site(run, region),
                                              start_ns, rank->last_end_ns);
    event.kind = TRACE_REGION;
    run->calls->trace_writer_add(run->writer, &event);
}

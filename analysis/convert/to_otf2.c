/* SPDX-License-Identifier: Apache-2.0
 *
 * Open Trace Format 2 (Eschweiler et al., "Open Trace Format 2", ParCo 2011), by its library: a
 * location for each rank and lane, a region for each site, messages and collectives in their
 * communicators. The library wants an event writer for each location, also for those without
 * events.
 */
#include "analysis/convert/conversion.h"

#include "base/arena.h"
#include "base/vec.h"

#include <otf2/otf2.h>
#include <string.h>
#include <unistd.h>

#define EVENT_CHUNK_BYTES (256 * 1024)
#define DEFINITION_CHUNK_BYTES (4 * 1024 * 1024)

struct otf2 {
    const struct trace *trace;
    OTF2_Archive *archive;
    OTF2_EvtWriter *writer; /* of the rank that is written */
    OTF2_GlobalDefWriter *defs;
    uint64_t *events; /* by rank */
    int32_t **places; /* by communicator: the rank in it of a rank of the world; NULL: not asked for
                         yet */
    uint64_t end;
    uint32_t strings, groups;
    bool failed;
};

static OTF2_FlushType flush_before(void *data, OTF2_FileType type, OTF2_LocationRef location,
                                   void *caller, bool final) {
    (void)data, (void)type, (void)location, (void)caller, (void) final;
    return OTF2_FLUSH;
}

static void check(struct otf2 *of, OTF2_ErrorCode code) {
    of->failed |= code != OTF2_SUCCESS;
}

/* Ranks, then lanes of devices. */
static int32_t locations_of(const struct otf2 *of) {
    return trace_ranks(of->trace) + trace_lane_count(of->trace);
}

/* ---- Events ---- */

static uint64_t ticks(int64_t ns) {
    return ns > 0 ? (uint64_t)ns : 0;
}

/* OTF2 counts ranks within communicators. */
static uint32_t place_in(struct otf2 *of, int32_t communicator, int32_t rank) {
    const struct trace_communicator *members = trace_communicator(of->trace, communicator);
    int32_t ranks = trace_ranks(of->trace);
    if (of->places[communicator] == NULL) {
        int32_t *places = xmalloc((size_t)ranks * sizeof *places);
        memset(places, 0, (size_t)ranks * sizeof *places);
        for (int32_t i = 0; i < members->size; i++)
            places[members->members[i]] = i;
        of->places[communicator] = places;
    }
    return (uint32_t)of->places[communicator][rank];
}

static void count(struct otf2 *of, int32_t rank, OTF2_ErrorCode code) {
    check(of, code);
    of->events[rank]++;
}

static void put_message(struct otf2 *of, const struct trace_event *event) {
    if (event->message == 0 || event->communicator < 0)
        return;
    uint32_t peer = place_in(of, event->communicator, event->peer);
    if (event->direction == TRACE_SENDS)
        count(of, event->rank,
              OTF2_EvtWriter_MpiSend(of->writer, NULL, ticks(event->begin_ns), peer,
                                     (uint32_t)event->communicator, (uint32_t)event->tag,
                                     (uint64_t)event->bytes));
    else
        count(of, event->rank,
              OTF2_EvtWriter_MpiRecv(of->writer, NULL, ticks(event->end_ns), peer,
                                     (uint32_t)event->communicator, (uint32_t)event->tag,
                                     (uint64_t)event->bytes));
}

static const struct {
    const char *part;
    OTF2_CollectiveOp op;
} operations[] = {
    {"arrier", OTF2_COLLECTIVE_OP_BARRIER},
    {"cast", OTF2_COLLECTIVE_OP_BCAST},
    {"llgatherv", OTF2_COLLECTIVE_OP_ALLGATHERV},
    {"llgather", OTF2_COLLECTIVE_OP_ALLGATHER},
    {"atherv", OTF2_COLLECTIVE_OP_GATHERV},
    {"ather", OTF2_COLLECTIVE_OP_GATHER},
    {"educe_scatter_block", OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK},
    {"educe_scatter", OTF2_COLLECTIVE_OP_REDUCE_SCATTER},
    {"catterv", OTF2_COLLECTIVE_OP_SCATTERV},
    {"catter", OTF2_COLLECTIVE_OP_SCATTER},
    {"lltoallw", OTF2_COLLECTIVE_OP_ALLTOALLW},
    {"lltoallv", OTF2_COLLECTIVE_OP_ALLTOALLV},
    {"lltoall", OTF2_COLLECTIVE_OP_ALLTOALL},
    {"llreduce", OTF2_COLLECTIVE_OP_ALLREDUCE},
    {"educe", OTF2_COLLECTIVE_OP_REDUCE},
    {"xscan", OTF2_COLLECTIVE_OP_EXSCAN},
    {"can", OTF2_COLLECTIVE_OP_SCAN},
    {"omm_dup", OTF2_COLLECTIVE_OP_CREATE_HANDLE},
};

static OTF2_CollectiveOp operation_of(const char *function) {
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        if (strstr(function, operations[i].part) != NULL)
            return operations[i].op;
    return OTF2_COLLECTIVE_OP_CREATE_HANDLE;
}

static void put_collective_end(struct otf2 *of, const struct trace_event *event) {
    const char *function = trace_site(of->trace, event->site)->function;
    uint32_t root = event->root >= 0 ? place_in(of, event->communicator, event->root)
                                     : OTF2_COLLECTIVE_ROOT_NONE;
    count(of, event->rank,
          OTF2_EvtWriter_MpiCollectiveEnd(of->writer, NULL, ticks(event->end_ns),
                                          operation_of(function), (uint32_t)event->communicator,
                                          root, (uint64_t)event->bytes, 0));
}

/* What sends does so behind its enter, what receives before its leave: until the next call comes,
 * the call stays open. */
static void put_enter(struct otf2 *of, const struct trace_event *event) {
    count(of, event->rank,
          OTF2_EvtWriter_Enter(of->writer, NULL, ticks(event->begin_ns), event->site));
    if (event->collective != 0 && event->communicator >= 0)
        count(of, event->rank,
              OTF2_EvtWriter_MpiCollectiveBegin(of->writer, NULL, ticks(event->begin_ns)));
}

static void put_leave(struct otf2 *of, const struct trace_event *event) {
    if (event->collective != 0 && event->communicator >= 0)
        put_collective_end(of, event);
    count(of, event->rank,
          OTF2_EvtWriter_Leave(of->writer, NULL, ticks(event->end_ns), event->site));
    if (ticks(event->end_ns) > of->end)
        of->end = ticks(event->end_ns);
}

struct call_ends {
    VEC(struct trace_event) of; /* a call, and its parts */
};

/* Sends come first, since their time is the begin. */
static void put_call(struct otf2 *of, struct call_ends *ends) {
    if (ends->of.count == 0)
        return;
    put_enter(of, &ends->of.items[0]);
    for (size_t i = 0; i < ends->of.count; i++)
        if (ends->of.items[i].direction == TRACE_SENDS)
            put_message(of, &ends->of.items[i]);
    for (size_t i = 0; i < ends->of.count; i++)
        if (ends->of.items[i].direction == TRACE_RECEIVES)
            put_message(of, &ends->of.items[i]);
    put_leave(of, &ends->of.items[0]);
    ends->of.count = 0;
}

static int write_events(struct otf2 *of, struct trace_cursor *cursor, struct error *error) {
    struct call_ends ends = {0};
    struct trace_event event;
    int result;
    while ((result = trace_cursor_next(&event, cursor, error)) == 1) {
        if (event.kind != TRACE_PART)
            put_call(of, &ends);
        vec_push(&ends.of, event);
    }
    put_call(of, &ends);
    vec_dispose(&ends.of);
    return result;
}

static int write_rank(struct otf2 *of, int32_t rank, const struct trace_settings *settings,
                      struct error *error) {
    struct trace_cursor *cursor;
    int result = 0;
    of->writer = OTF2_Archive_GetEvtWriter(of->archive, (OTF2_LocationRef)rank);
    if (of->writer == NULL)
        return error_set(error, "OTF2 cannot open the events of rank %d", rank);
    if (rank >= trace_ranks(of->trace) || trace_settings_has_rank(settings, rank)) {
        if (trace_cursor_open(&cursor, of->trace, rank, settings->begin_ns, settings->end_ns,
                              error) != 0)
            return -1;
        result = write_events(of, cursor, error);
        trace_cursor_close(cursor);
    }
    check(of, OTF2_Archive_CloseEvtWriter(of->archive, of->writer));
    return result;
}

/* ---- Definitions ---- */

static uint32_t put_string(struct otf2 *of, const char *text) {
    check(of, OTF2_GlobalDefWriter_WriteString(of->defs, of->strings, text));
    return of->strings++;
}

static void put_regions(struct otf2 *of) {
    for (uint32_t i = 0; i < trace_site_count(of->trace); i++) {
        const struct trace_site *site = trace_site(of->trace, i);
        bool is_region = site->kind == TRACE_REGION;
        uint32_t name = put_string(of, site->function), file = put_string(of, site->file);
        check(of, OTF2_GlobalDefWriter_WriteRegion(
                      of->defs, i, name, name, 0,
                      is_region ? OTF2_REGION_ROLE_CODE : OTF2_REGION_ROLE_FUNCTION,
                      site->kind == TRACE_OPERATION ? OTF2_PARADIGM_OPENCL
                      : is_region                   ? OTF2_PARADIGM_USER
                                                    : OTF2_PARADIGM_MPI,
                      OTF2_REGION_FLAG_NONE, file, (uint32_t)site->line, 0));
    }
}

static void put_location(struct otf2 *of, int32_t number, const char *name) {
    bool is_lane = number >= trace_ranks(of->trace);
    uint32_t text = put_string(of, name);
    check(of, OTF2_GlobalDefWriter_WriteLocationGroup(of->defs, (uint32_t)number, text,
                                                      is_lane ? OTF2_LOCATION_GROUP_TYPE_ACCELERATOR
                                                              : OTF2_LOCATION_GROUP_TYPE_PROCESS,
                                                      0, OTF2_UNDEFINED_LOCATION_GROUP));
    check(of, OTF2_GlobalDefWriter_WriteLocation(of->defs, (uint64_t)number, text,
                                                 is_lane ? OTF2_LOCATION_TYPE_ACCELERATOR_STREAM
                                                         : OTF2_LOCATION_TYPE_CPU_THREAD,
                                                 of->events[number], (uint32_t)number));
}

static void put_locations(struct otf2 *of, uint32_t empty) {
    char name[32];
    uint32_t machine = put_string(of, "machine");
    check(of, OTF2_GlobalDefWriter_WriteSystemTreeNode(of->defs, 0, machine, empty,
                                                       OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    for (int32_t i = 0; i < trace_ranks(of->trace); i++) {
        snprintf(name, sizeof name, "rank %d", i);
        put_location(of, i, name);
    }
    for (int32_t i = 0; i < trace_lane_count(of->trace); i++) {
        char *lane = trace_lane_name(of->trace, i);
        put_location(of, trace_ranks(of->trace) + i, lane);
        free(lane);
    }
}

static void put_group(struct otf2 *of, OTF2_GroupType type, uint32_t name, const int32_t *members,
                      int32_t count) {
    uint64_t *items = xmalloc(((size_t)count + 1) * sizeof *items);
    for (int32_t i = 0; i < count; i++)
        items[i] = (uint64_t)(members != NULL ? members[i] : i);
    check(of, OTF2_GlobalDefWriter_WriteGroup(of->defs, of->groups++, name, type, OTF2_PARADIGM_MPI,
                                              OTF2_GROUP_FLAG_NONE, (uint32_t)count, items));
    free(items);
}

static void put_communicators(struct otf2 *of, uint32_t empty) {
    put_group(of, OTF2_GROUP_TYPE_COMM_LOCATIONS, empty, NULL, trace_ranks(of->trace));
    for (int32_t i = 0; i < trace_communicator_count(of->trace); i++) {
        const struct trace_communicator *one = trace_communicator(of->trace, i);
        uint32_t name = one->name[0] != '\0' ? put_string(of, one->name) : empty;
        put_group(of, OTF2_GROUP_TYPE_COMM_GROUP, empty, one->members, one->size);
        check(of, OTF2_GlobalDefWriter_WriteComm(of->defs, (uint32_t)i, name, of->groups - 1,
                                                 OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
    }
}

static void write_definitions(struct otf2 *of) {
    check(of, OTF2_Archive_OpenDefFiles(of->archive));
    for (int32_t i = 0; i < locations_of(of); i++) {
        OTF2_DefWriter *writer = OTF2_Archive_GetDefWriter(of->archive, (OTF2_LocationRef)i);
        check(of, OTF2_Archive_CloseDefWriter(of->archive, writer));
    }
    check(of, OTF2_Archive_CloseDefFiles(of->archive));
    of->defs = OTF2_Archive_GetGlobalDefWriter(of->archive);
    check(of, OTF2_GlobalDefWriter_WriteClockProperties(of->defs, 1000000000, 0, of->end + 1,
                                                        OTF2_UNDEFINED_TIMESTAMP));
    uint32_t empty = put_string(of, "");
    put_regions(of);
    put_locations(of, empty);
    put_communicators(of, empty);
}

/* ---- The archive ---- */

static int write_archive(struct otf2 *of, const char *path, const struct trace_settings *settings,
                         struct error *error) {
    static OTF2_FlushCallbacks callbacks = {.otf2_pre_flush = flush_before};
    int result = 0;
    of->archive =
        OTF2_Archive_Open(path, "traces", OTF2_FILEMODE_WRITE, EVENT_CHUNK_BYTES,
                          DEFINITION_CHUNK_BYTES, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (of->archive == NULL)
        return error_set(error, "%s: error: OTF2 cannot write there", path);
    check(of, OTF2_Archive_SetFlushCallbacks(of->archive, &callbacks, NULL));
    check(of, OTF2_Archive_SetSerialCollectiveCallbacks(of->archive));
    check(of, OTF2_Archive_OpenEvtFiles(of->archive));
    for (int32_t i = 0; i < locations_of(of) && result == 0; i++)
        result = write_rank(of, i, settings, error);
    check(of, OTF2_Archive_CloseEvtFiles(of->archive));
    write_definitions(of);
    check(of, OTF2_Archive_Close(of->archive));
    return of->failed && result == 0 ? error_set(error, "%s: error: OTF2 cannot write there", path)
                                     : result;
}

int to_otf2(FILE *out, const char *path, const struct trace *trace,
            const struct trace_settings *settings, struct error *error) {
    size_t ranks = (size_t)(trace_ranks(trace) + trace_lane_count(trace)) + 1;
    size_t communicators = (size_t)trace_communicator_count(trace) + 1;
    struct otf2 of = {.trace = trace};
    (void)out;
    if (access(path, F_OK) == 0)
        return error_set(error, "%s: error: is there already; OTF2 writes a new directory", path);
    of.events = memset(xmalloc(ranks * sizeof *of.events), 0, ranks * sizeof *of.events);
    of.places =
        memset(xmalloc(communicators * sizeof *of.places), 0, communicators * sizeof *of.places);
    int result = write_archive(&of, path, settings, error);
    for (size_t i = 0; i < communicators; i++)
        free(of.places[i]);
    free(of.places);
    free(of.events);
    return result;
}

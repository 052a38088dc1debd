/* SPDX-License-Identifier: Apache-2.0
 *
 * Open Trace Format 2 as a trace, by its library: locations are ranks in the order of their
 * numbers, what is entered and left becomes events, with the messages that are told between. A
 * region within another one interrupts it: the outer one's time comes as the pieces before and
 * behind.
 *
 * Not taken along: threads beside a rank's first one, metrics, one-sided calls, and messages and
 * collectives of communicators whose members are not told as ranks (MPI_COMM_SELF, those that join
 * two groups).
 */
#include "analysis/convert/conversion.h"
#include "analysis/convert/import_target.h"
#include "base/vec.h"

#include <otf2/otf2.h>
#include <string.h>

struct otf2_frame {
    uint32_t region;
    int64_t begin_ns;             /* of the piece */
    VEC(struct trace_event) ends; /* messages and the collective, without times */
};

struct otf2_rank {
    uint64_t location, last, count; /* ticks of its last event; how many so far */
    VEC(struct otf2_frame) stack;
};

struct otf2_region {
    uint32_t name, file, line;
    bool is_mpi;
    uint32_t site; /* plus 1; 0: not asked for yet */
};

struct otf2_text {
    char *text;
};

struct otf2_comm {
    uint32_t name;
    uint32_t group; /* plus 1; 0: it has none, such as one that joins two groups */
    bool is_asked_for;
    int32_t number;        /* in the trace; -1: its members are no ranks */
    uint64_t *collectives; /* by rank: how many so far */
};

struct otf2_group {
    uint64_t *members;
    uint32_t count;
};

struct reading_otf2 {
    struct import_target *target;
    const char *path;
    VEC(struct otf2_text) strings;
    VEC(struct otf2_region) regions;
    VEC(struct otf2_comm) comms;
    VEC(struct otf2_group) groups;
    VEC(struct otf2_rank) ranks;
    VEC(bool) processes; /* by location group: has it a rank? */
    uint64_t resolution, offset;
    bool has_failed; /* `error` tells */
    struct error *error;
};

#define MOST_DEFINITIONS 16777216u /* of a kind: what is believed */

/* Room for the definition with this number; false: it is not believed. */
#define RESERVE(list, number)                                                                      \
    ((number) < MOST_DEFINITIONS ? ({                                                              \
        while ((list)->count <= (number)) {                                                        \
            vec_reserve((list), (list)->count + 1);                                                \
            memset(&(list)->items[(list)->count++], 0, sizeof *(list)->items);                     \
        }                                                                                          \
        true;                                                                                      \
    })                                                                                             \
                                 : false)

/* ---- Definitions ---- */

static OTF2_CallbackCode on_clock(void *data, uint64_t resolution, uint64_t offset, uint64_t length,
                                  uint64_t realtime) {
    struct reading_otf2 *of = data;
    (void)length, (void)realtime;
    of->resolution = resolution;
    of->offset = offset;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_string(void *data, OTF2_StringRef self, const char *text) {
    struct reading_otf2 *of = data;
    if (!RESERVE(&of->strings, self))
        return OTF2_CALLBACK_INTERRUPT;
    free(of->strings.items[self].text);
    of->strings.items[self].text = xstrdup(text);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_region(void *data, OTF2_RegionRef self, OTF2_StringRef name,
                                   OTF2_StringRef canonical, OTF2_StringRef description,
                                   OTF2_RegionRole role, OTF2_Paradigm paradigm,
                                   OTF2_RegionFlag flags, OTF2_StringRef file, uint32_t begin,
                                   uint32_t end) {
    struct reading_otf2 *of = data;
    (void)canonical, (void)description, (void)role, (void)flags, (void)end;
    if (!RESERVE(&of->regions, self))
        return OTF2_CALLBACK_INTERRUPT;
    of->regions.items[self] = (struct otf2_region){.name = name,
                                                   .file = file,
                                                   .line = begin < INT32_MAX ? begin : 0,
                                                   .is_mpi = paradigm == OTF2_PARADIGM_MPI};
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_location(void *data, OTF2_LocationRef self, OTF2_StringRef name,
                                     OTF2_LocationType type, uint64_t events,
                                     OTF2_LocationGroupRef group) {
    struct reading_otf2 *of = data;
    struct otf2_rank rank = {.location = self};
    (void)name, (void)events;
    if (type != OTF2_LOCATION_TYPE_CPU_THREAD || of->ranks.count == TRACE_MOST_RANKS)
        return OTF2_CALLBACK_SUCCESS;
    if (!RESERVE(&of->processes, group))
        return OTF2_CALLBACK_INTERRUPT;
    if (!of->processes.items[group])
        vec_push(&of->ranks, rank);
    of->processes.items[group] = true;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_group(void *data, OTF2_GroupRef self, OTF2_StringRef name,
                                  OTF2_GroupType type, OTF2_Paradigm paradigm, OTF2_GroupFlag flags,
                                  uint32_t count, const uint64_t *members) {
    struct reading_otf2 *of = data;
    (void)name, (void)type, (void)paradigm, (void)flags;
    if (!RESERVE(&of->groups, self))
        return OTF2_CALLBACK_INTERRUPT;
    struct otf2_group *group = &of->groups.items[self];
    free(group->members);
    group->members = xmalloc(((size_t)count + 1) * sizeof *members);
    if (count > 0)
        memcpy(group->members, members, count * sizeof *members);
    group->count = count;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_comm(void *data, OTF2_CommRef self, OTF2_StringRef name,
                                 OTF2_GroupRef group, OTF2_CommRef parent, OTF2_CommFlag flags) {
    struct reading_otf2 *of = data;
    (void)parent, (void)flags;
    if (!RESERVE(&of->comms, self))
        return OTF2_CALLBACK_INTERRUPT;
    of->comms.items[self] = (struct otf2_comm){.name = name, .group = group + 1};
    return OTF2_CALLBACK_SUCCESS;
}

/* ---- Events ---- */

/* OTF2 writes what clocks say, and reads locations in the order of their times. */
static bool is_time(struct reading_otf2 *of, int32_t rank, uint64_t time) {
    struct otf2_rank *one = &of->ranks.items[rank];
    const char *why = one->count > 0 && time < one->last ? "is earlier than the one before it"
                      : time < of->offset                ? "is earlier than the begin of the trace"
                                                         : NULL;
    one->count++;
    one->last = time;
    if (why == NULL || of->has_failed)
        return why == NULL;
    error_set(of->error,
              "%s: error: event %llu of location %llu, at %llu ticks, %s; correct the clock "
              "(Score-P: SCOREP_TIMER=clock_gettime) and record the run again",
              of->path, (unsigned long long)one->count, (unsigned long long)one->location,
              (unsigned long long)time, why);
    of->has_failed = true;
    return false;
}

static int64_t nanoseconds(const struct reading_otf2 *of, uint64_t time) {
    uint64_t ticks = time > of->offset ? time - of->offset : 0;
    double ns = (double)ticks * 1e9 / (double)(of->resolution > 0 ? of->resolution : 1);
    return of->resolution == 1000000000 && ticks < INT64_MAX ? (int64_t)ticks
           : ns < 9e18                                       ? (int64_t)ns
                                                             : INT64_MAX;
}

/* -1: the location is no rank. */
static int32_t rank_of(const struct reading_otf2 *of, uint64_t location) {
    if (location < of->ranks.count && of->ranks.items[location].location == location)
        return (int32_t)location;
    for (size_t i = 0; i < of->ranks.count; i++)
        if (of->ranks.items[i].location == location)
            return (int32_t)i;
    return -1;
}

static const char *text_of(const struct reading_otf2 *of, uint32_t string) {
    const char *text = string < of->strings.count ? of->strings.items[string].text : NULL;
    return text != NULL ? text : "";
}

static uint32_t site_of(struct reading_otf2 *of, uint32_t number) {
    if (number >= of->regions.count)
        return import_target_site(of->target, TRACE_REGION, "unknown", "", 0);
    struct otf2_region *region = &of->regions.items[number];
    if (region->site == 0)
        region->site =
            1 + import_target_site(of->target, region->is_mpi ? TRACE_CALL : TRACE_REGION,
                                   text_of(of, region->name), text_of(of, region->file),
                                   (int32_t)region->line);
    return region->site - 1;
}

static bool is_mpi(const struct reading_otf2 *of, uint32_t number) {
    return number < of->regions.count && of->regions.items[number].is_mpi;
}

/* NULL: nothing is open there. */
static struct otf2_frame *frame_of(struct reading_otf2 *of, int32_t rank) {
    if (rank < 0 || of->ranks.items[rank].stack.count == 0)
        return NULL;
    return &of->ranks.items[rank].stack.items[of->ranks.items[rank].stack.count - 1];
}

/* The piece of the innermost region up to now. */
static int put_piece(struct reading_otf2 *of, int32_t rank, int64_t now_ns, bool is_left) {
    struct otf2_frame *top = frame_of(of, rank);
    struct trace_event event =
        trace_event_of(rank, site_of(of, top->region), top->begin_ns, now_ns);
    event.kind = is_mpi(of, top->region) ? TRACE_CALL : TRACE_REGION;
    if (!is_left && now_ns == top->begin_ns)
        return 0; /* it is interrupted as it begins */
    size_t count = top->ends.count;
    top->ends.count = 0;
    return import_target_add_ends(of->target, &event, top->ends.items, count, of->error);
}

static OTF2_CallbackCode code(int result) {
    return result == 0 ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_INTERRUPT;
}

static OTF2_CallbackCode on_enter(OTF2_LocationRef location, OTF2_TimeStamp time, void *data,
                                  OTF2_AttributeList *attributes, OTF2_RegionRef region) {
    struct reading_otf2 *of = data;
    int32_t rank = rank_of(of, location);
    (void)attributes;
    if (rank < 0)
        return OTF2_CALLBACK_SUCCESS;
    if (!is_time(of, rank, time))
        return OTF2_CALLBACK_INTERRUPT;
    struct otf2_frame frame = {.region = region, .begin_ns = nanoseconds(of, time)};
    if (frame_of(of, rank) != NULL && put_piece(of, rank, frame.begin_ns, false) != 0)
        return OTF2_CALLBACK_INTERRUPT;
    vec_push(&of->ranks.items[rank].stack, frame);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_leave(OTF2_LocationRef location, OTF2_TimeStamp time, void *data,
                                  OTF2_AttributeList *attributes, OTF2_RegionRef region) {
    struct reading_otf2 *of = data;
    int32_t rank = rank_of(of, location);
    (void)attributes, (void)region;
    if (rank >= 0 && !is_time(of, rank, time))
        return OTF2_CALLBACK_INTERRUPT;
    if (frame_of(of, rank) == NULL)
        return OTF2_CALLBACK_SUCCESS;
    struct otf2_rank *one = &of->ranks.items[rank];
    int64_t now_ns = nanoseconds(of, time);
    int result = put_piece(of, rank, now_ns, true);
    one->stack.count--;
    vec_dispose(&one->stack.items[one->stack.count].ends);
    if (frame_of(of, rank) != NULL)
        frame_of(of, rank)->begin_ns = now_ns;
    return code(result);
}

/* OTF2 counts ranks within the communicator, whose members are places in the group of locations.
 * -1: there is no such one. */
static int32_t world_rank(const struct reading_otf2 *of, uint32_t comm, uint32_t rank) {
    uint32_t group = comm < of->comms.count ? of->comms.items[comm].group - 1 : UINT32_MAX;
    if (group >= of->groups.count || rank >= of->groups.items[group].count)
        return -1;
    uint64_t member = of->groups.items[group].members[rank];
    return member < of->ranks.count ? (int32_t)member : -1;
}

static int32_t define_communicator(const struct reading_otf2 *of, uint32_t comm) {
    const struct otf2_comm *one = &of->comms.items[comm];
    if (strcmp(text_of(of, one->name), "MPI_COMM_WORLD") == 0)
        return of->target->world;
    uint32_t known = 0, size = one->group > 0 && one->group <= of->groups.count
                                   ? of->groups.items[one->group - 1].count
                                   : 0;
    if (size == 0 || size > of->ranks.count)
        return -1;
    int32_t *members = xmalloc(((size_t)size + 1) * sizeof *members);
    while (known < size && (members[known] = world_rank(of, comm, known)) >= 0)
        known++;
    int32_t number = known == size ? import_target_communicator(of->target, text_of(of, one->name),
                                                                members, (int32_t)size, 1 + comm)
                                   : -1;
    free(members);
    return number;
}

/* NULL: it is none of the trace's. */
static struct otf2_comm *communicator_of(struct reading_otf2 *of, uint32_t comm) {
    if (comm >= of->comms.count)
        return NULL;
    struct otf2_comm *one = &of->comms.items[comm];
    if (!one->is_asked_for) {
        size_t bytes = of->ranks.count * sizeof *one->collectives;
        one->is_asked_for = true;
        one->number = define_communicator(of, comm);
        if (one->number >= 0)
            one->collectives = memset(xmalloc(bytes), 0, bytes);
    }
    return one->number >= 0 ? one : NULL;
}

static void take_message(struct reading_otf2 *of, uint64_t location, uint64_t time, int direction,
                         uint32_t peer, uint32_t comm, uint32_t tag, uint64_t bytes) {
    int32_t rank = rank_of(of, location), other = world_rank(of, comm, peer);
    struct otf2_frame *frame = frame_of(of, rank);
    const struct otf2_comm *communicator = communicator_of(of, comm);
    if (frame == NULL || other < 0 || communicator == NULL)
        return;
    int64_t now_ns = nanoseconds(of, time);
    struct trace_event event = trace_event_of(rank, 0, now_ns, now_ns);
    import_target_message(of->target, &event, direction, other, tag <= INT32_MAX ? (int32_t)tag : 0,
                          bytes <= INT64_MAX ? (int64_t)bytes : 0, communicator->number);
    vec_push(&frame->ends, event);
}

static OTF2_CallbackCode on_send(OTF2_LocationRef location, OTF2_TimeStamp time, void *data,
                                 OTF2_AttributeList *attributes, uint32_t receiver,
                                 OTF2_CommRef comm, uint32_t tag, uint64_t bytes) {
    (void)attributes;
    take_message(data, location, time, TRACE_SENDS, receiver, comm, tag, bytes);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_isend(OTF2_LocationRef location, OTF2_TimeStamp time, void *data,
                                  OTF2_AttributeList *attributes, uint32_t receiver,
                                  OTF2_CommRef comm, uint32_t tag, uint64_t bytes,
                                  uint64_t request) {
    (void)request;
    return on_send(location, time, data, attributes, receiver, comm, tag, bytes);
}

static OTF2_CallbackCode on_receive(OTF2_LocationRef location, OTF2_TimeStamp time, void *data,
                                    OTF2_AttributeList *attributes, uint32_t sender,
                                    OTF2_CommRef comm, uint32_t tag, uint64_t bytes) {
    (void)attributes;
    take_message(data, location, time, TRACE_RECEIVES, sender, comm, tag, bytes);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_ireceive(OTF2_LocationRef location, OTF2_TimeStamp time, void *data,
                                     OTF2_AttributeList *attributes, uint32_t sender,
                                     OTF2_CommRef comm, uint32_t tag, uint64_t bytes,
                                     uint64_t request) {
    (void)request;
    return on_receive(location, time, data, attributes, sender, comm, tag, bytes);
}

static OTF2_CallbackCode on_collective(OTF2_LocationRef location, OTF2_TimeStamp time, void *data,
                                       OTF2_AttributeList *attributes, OTF2_CollectiveOp op,
                                       OTF2_CommRef comm, uint32_t root, uint64_t sent,
                                       uint64_t received) {
    struct reading_otf2 *of = data;
    int32_t rank = rank_of(of, location);
    struct otf2_frame *frame = frame_of(of, rank);
    const struct otf2_comm *communicator = communicator_of(of, comm);
    (void)attributes, (void)op;
    if (frame == NULL || communicator == NULL)
        return OTF2_CALLBACK_SUCCESS;
    int64_t now_ns = nanoseconds(of, time);
    struct trace_event event = trace_event_of(rank, 0, now_ns, now_ns);
    event.number = ++communicator->collectives[rank];
    event.collective = 1;
    event.communicator = communicator->number;
    event.root = root != OTF2_COLLECTIVE_ROOT_NONE ? world_rank(of, comm, root) : TRACE_NONE;
    event.bytes = (int64_t)((sent > 0 ? sent : received) & INT64_MAX);
    vec_push(&frame->ends, event);
    return OTF2_CALLBACK_SUCCESS;
}

/* ---- The archive ---- */

static int read_definitions(OTF2_Reader *reader, struct reading_otf2 *of) {
    OTF2_GlobalDefReader *defs = OTF2_Reader_GetGlobalDefReader(reader);
    OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New();
    uint64_t count = 0;
    OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(callbacks, on_clock);
    OTF2_GlobalDefReaderCallbacks_SetStringCallback(callbacks, on_string);
    OTF2_GlobalDefReaderCallbacks_SetRegionCallback(callbacks, on_region);
    OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, on_location);
    OTF2_GlobalDefReaderCallbacks_SetGroupCallback(callbacks, on_group);
    OTF2_GlobalDefReaderCallbacks_SetCommCallback(callbacks, on_comm);
    OTF2_Reader_RegisterGlobalDefCallbacks(reader, defs, callbacks, of);
    OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
    OTF2_ErrorCode result = OTF2_Reader_ReadAllGlobalDefinitions(reader, defs, &count);
    return result == OTF2_SUCCESS
               ? 0
               : error_set(of->error, "%s: error: OTF2 cannot read its definitions: %s", of->path,
                           OTF2_Error_GetDescription(result));
}

static void open_locations(OTF2_Reader *reader, const struct reading_otf2 *of) {
    for (size_t i = 0; i < of->ranks.count; i++)
        OTF2_Reader_SelectLocation(reader, of->ranks.items[i].location);
    bool has_defs = OTF2_Reader_OpenDefFiles(reader) == OTF2_SUCCESS;
    OTF2_Reader_OpenEvtFiles(reader);
    for (size_t i = 0; i < of->ranks.count; i++) {
        uint64_t count = 0;
        OTF2_DefReader *defs =
            has_defs ? OTF2_Reader_GetDefReader(reader, of->ranks.items[i].location) : NULL;
        if (defs != NULL) {
            OTF2_Reader_ReadAllLocalDefinitions(reader, defs, &count);
            OTF2_Reader_CloseDefReader(reader, defs);
        }
        OTF2_Reader_GetEvtReader(reader, of->ranks.items[i].location);
    }
    if (has_defs)
        OTF2_Reader_CloseDefFiles(reader);
}

static int read_events(OTF2_Reader *reader, struct reading_otf2 *of) {
    OTF2_GlobalEvtReader *events = OTF2_Reader_GetGlobalEvtReader(reader);
    OTF2_GlobalEvtReaderCallbacks *callbacks = OTF2_GlobalEvtReaderCallbacks_New();
    uint64_t count = 0;
    OTF2_GlobalEvtReaderCallbacks_SetEnterCallback(callbacks, on_enter);
    OTF2_GlobalEvtReaderCallbacks_SetLeaveCallback(callbacks, on_leave);
    OTF2_GlobalEvtReaderCallbacks_SetMpiSendCallback(callbacks, on_send);
    OTF2_GlobalEvtReaderCallbacks_SetMpiIsendCallback(callbacks, on_isend);
    OTF2_GlobalEvtReaderCallbacks_SetMpiRecvCallback(callbacks, on_receive);
    OTF2_GlobalEvtReaderCallbacks_SetMpiIrecvCallback(callbacks, on_ireceive);
    OTF2_GlobalEvtReaderCallbacks_SetMpiCollectiveEndCallback(callbacks, on_collective);
    OTF2_Reader_RegisterGlobalEvtCallbacks(reader, events, callbacks, of);
    OTF2_GlobalEvtReaderCallbacks_Delete(callbacks);
    OTF2_ErrorCode result = OTF2_Reader_ReadAllGlobalEvents(reader, events, &count);
    OTF2_Reader_CloseGlobalEvtReader(reader, events);
    OTF2_Reader_CloseEvtFiles(reader);
    if (of->has_failed)
        return -1;
    return result == OTF2_SUCCESS
               ? 0
               : error_set(of->error, "%s: error: OTF2 cannot read its events: %s", of->path,
                           OTF2_Error_GetDescription(result));
}

static void dispose(struct reading_otf2 *of) {
    for (size_t i = 0; i < of->strings.count; i++)
        free(of->strings.items[i].text);
    for (size_t i = 0; i < of->groups.count; i++)
        free(of->groups.items[i].members);
    for (size_t i = 0; i < of->comms.count; i++)
        free(of->comms.items[i].collectives);
    for (size_t i = 0; i < of->ranks.count; i++) {
        for (size_t k = 0; k < of->ranks.items[i].stack.count; k++)
            vec_dispose(&of->ranks.items[i].stack.items[k].ends);
        vec_dispose(&of->ranks.items[i].stack);
    }
    vec_dispose(&of->strings);
    vec_dispose(&of->regions);
    vec_dispose(&of->comms);
    vec_dispose(&of->groups);
    vec_dispose(&of->ranks);
    vec_dispose(&of->processes);
}

int from_otf2(struct import_target *target, const char *path, struct error *error) {
    struct reading_otf2 of = {.target = target, .path = path, .error = error};
    OTF2_Reader *reader = OTF2_Reader_Open(path);
    if (reader == NULL)
        return error_set(
            error, "%s: error: OTF2 cannot read this; give the archive's file traces.otf2", path);
    OTF2_Reader_SetSerialCollectiveCallbacks(reader);
    int result = read_definitions(reader, &of);
    if (result == 0 && of.resolution == 0)
        result = error_set(error, "%s: error: its clock has no ticks in a second", path);
    if (result == 0 && of.ranks.count == 0)
        result = error_set(error, "%s: error: the archive has no locations", path);
    if (result == 0)
        result = import_target_open(target, (int32_t)of.ranks.count, "otf2", error);
    if (result == 0) {
        open_locations(reader, &of);
        result = read_events(reader, &of);
    }
    OTF2_Reader_Close(reader);
    dispose(&of);
    return result;
}

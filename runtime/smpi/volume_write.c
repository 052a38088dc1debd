/* SPDX-License-Identifier: Apache-2.0
 *
 * How much a rank communicates: DIR/rank-N.volume beside its record (docs/reference/run-files.md).
 *
 * In: each call before and after MPI's own function. Out, when the rank finalizes or the simulation
 * ends: messages and bytes by receiver, which is a rank of MPI_COMM_WORLD whatever communicator was
 * used, and sums of collectives and of accesses to windows and files. A message is a point-to-point
 * send that was started, so each start of a persistent one, whose size and receiver are kept by its
 * handle from when it was made; one to MPI_PROC_NULL is none. Not handled: a send that is cancelled
 * counts, and an access without a count (MPI_Fetch_and_op) has no bytes.
 */
#include "runtime/smpi/runtime.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Either by receiver (the sum of all messages), or by handle (one message that can be started). */
struct volume_write_flow {
    uint64_t key; /* 0: the slot is free */
    int to;       /* -1: nothing is sent */
    uint64_t messages;
    double bytes;
};

/* A hash table (open addressing, a power of two slots). */
struct volume_flows {
    struct volume_write_flow *slots;
    size_t capacity, count;
};

struct bsim__volume {
    struct volume_flows receivers, persistent;
    uint64_t collectives, accesses;
    double collective_bytes, received_bytes, access_bytes;
    bool is_written; /* as it is now */
};

static struct volume_write_flow *slot_of(const struct volume_flows *flows, uint64_t key) {
    size_t slot = (size_t)(key * 0x9e3779b97f4a7c15ull >> 32) & (flows->capacity - 1);
    while (flows->slots[slot].key != 0 && flows->slots[slot].key != key)
        slot = (slot + 1) & (flows->capacity - 1);
    return &flows->slots[slot];
}

static void enlarge(struct volume_flows *flows) {
    struct volume_flows larger = {.capacity = flows->capacity * 2 + 16 * (flows->capacity == 0),
                                  .count = flows->count};
    larger.slots = bsim__grow(NULL, 0, larger.capacity * sizeof larger.slots[0]);
    for (size_t i = 0; i < flows->capacity; i++)
        if (flows->slots[i].key != 0)
            *slot_of(&larger, flows->slots[i].key) = flows->slots[i];
    free(flows->slots);
    *flows = larger;
}

static struct volume_write_flow *flow_of(struct volume_flows *flows, uint64_t key) {
    if (flows->count * 4 >= flows->capacity * 3)
        enlarge(flows);
    struct volume_write_flow *flow = slot_of(flows, key);
    flows->count += flow->key == 0;
    flow->key = key;
    return flow;
}

static struct bsim__volume *volume_of(struct bsim__rank *rank) {
    if (rank->volume == NULL)
        rank->volume = bsim__grow(NULL, 0, sizeof *rank->volume);
    rank->volume->is_written = false;
    return rank->volume;
}

/* ---- What a call sends ---- */

static int parameter_with(const struct bsim__function *function, enum mpi_role role) {
    for (int i = 0; i < function->parameter_count; i++)
        if (function->parameters[i].role == role)
            return i;
    return -1;
}

/* Of a function of the class P2P: its first payload is the one that it sends, if it sends any. */
static bool sends(const struct bsim__function *function) {
    return parameter_with(function, MPI_ROLE_PAYLOAD_IN) >= 0 ||
           parameter_with(function, MPI_ROLE_PAYLOAD_INOUT) >= 0;
}

static bool is_persistent(const struct bsim__function *function) {
    return (function->facts & MPI_IS_PERSISTENT) != 0;
}

/* -1: no rank (MPI_PROC_NULL, or a mistake that the call itself will tell). */
static int world_rank(MPI_Comm communicator, int peer) {
    int size = 0, found = -1;
    MPI_Group group, world;
    if (communicator == MPI_COMM_NULL)
        return -1;
    MPI_Comm_size(communicator, &size);
    if (peer < 0 || peer >= size || communicator == MPI_COMM_WORLD)
        return peer >= 0 && peer < size ? peer : -1;
    MPI_Comm_group(communicator, &group);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_translate_ranks(group, 1, &peer, world, &found);
    MPI_Group_free(&group);
    MPI_Group_free(&world);
    return found >= 0 ? found : -1;
}

/* The destination comes before the source. */
static int receiver_of(const struct bsim__call *call) {
    const struct bsim__function *function = &bsim__functions[call->id];
    int peer = parameter_with(function, MPI_ROLE_PEER);
    if (!sends(function) || peer < 0)
        return -1;
    return world_rank(*(MPI_Comm *)call->args[function->communicator], *(int *)call->args[peer]);
}

static void add_message(struct bsim__volume *volume, int to, double bytes) {
    if (to < 0)
        return;
    struct volume_write_flow *flow = flow_of(&volume->receivers, (uint64_t)to + 1);
    flow->to = to;
    flow->messages++;
    flow->bytes += bytes;
}

static void start(struct bsim__volume *volume, MPI_Request request) {
    if (request == MPI_REQUEST_NULL || volume->persistent.count == 0)
        return;
    const struct volume_write_flow *kept =
        slot_of(&volume->persistent, (uint64_t)(uintptr_t)request);
    if (kept->key != 0)
        add_message(volume, kept->to, kept->bytes);
}

static void start_requests(struct bsim__volume *volume, const struct bsim__call *call) {
    if (call->id == BSIM__ID_MPI_Start)
        start(volume, **(MPI_Request **)call->args[0]);
    for (int i = 0; call->id == BSIM__ID_MPI_Startall && i < *(int *)call->args[0]; i++)
        start(volume, (*(MPI_Request **)call->args[1])[i]);
}

static bool moves_data(const struct bsim__function *function) {
    return sends(function) || parameter_with(function, MPI_ROLE_PAYLOAD_OUT) >= 0;
}

void bsim__volume_enter(struct bsim__rank *rank, const struct bsim__call *call) {
    const struct bsim__function *function = &bsim__functions[call->id];
    struct bsim__volume *volume = volume_of(rank);
    switch (function->class) {
    case MPI_CLASS_P2P:
        if (!is_persistent(function))
            add_message(volume, receiver_of(call), call->bytes);
        break;
    case MPI_CLASS_REQUEST:
        start_requests(volume, call);
        break;
    case MPI_CLASS_COLLECTIVE:
        volume->collectives++;
        volume->collective_bytes += call->bytes;
        volume->received_bytes += fmax(bsim__call_received_bytes(call), 0);
        break;
    case MPI_CLASS_RMA:
    case MPI_CLASS_FILE:
        volume->accesses += moves_data(function);
        volume->access_bytes += moves_data(function) ? call->bytes : 0;
        break;
    default:
        break;
    }
}

/* Handles of freed requests come again, so those of receives are kept, too, as sending nothing. */
void bsim__volume_leave(struct bsim__rank *rank, const struct bsim__call *call) {
    const struct bsim__function *function = &bsim__functions[call->id];
    if (function->class != MPI_CLASS_P2P || !is_persistent(function))
        return;
    int index = parameter_with(function, MPI_ROLE_REQUEST_OUT);
    MPI_Request *request = *(MPI_Request **)call->args[index];
    if (*request == MPI_REQUEST_NULL)
        return;
    struct volume_write_flow *kept =
        flow_of(&volume_of(rank)->persistent, (uint64_t)(uintptr_t)*request);
    kept->to = receiver_of(call);
    kept->bytes = call->bytes;
}

/* ---- The file ---- */

static int by_receiver(const void *left, const void *right) {
    const struct volume_write_flow *a = left, *b = right;
    return (a->to > b->to) - (a->to < b->to);
}

static void write_volume(FILE *out, const struct bsim__volume *volume) {
    const struct volume_flows *flows = &volume->receivers;
    struct volume_write_flow *sorted = bsim__grow(NULL, 0, (flows->count + 1) * sizeof sorted[0]);
    size_t count = 0;
    for (size_t i = 0; i < flows->capacity; i++)
        if (flows->slots[i].key != 0)
            sorted[count++] = flows->slots[i];
    qsort(sorted, count, sizeof sorted[0], by_receiver);
    fprintf(out, "mpiskel-volume 2\ncollectives %llu %.0f %.0f\naccesses %llu %.0f\n",
            (unsigned long long)volume->collectives, volume->collective_bytes,
            volume->received_bytes, (unsigned long long)volume->accesses, volume->access_bytes);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "to %d %llu %.0f\n", sorted[i].to, (unsigned long long)sorted[i].messages,
                sorted[i].bytes);
    fprintf(out, "end %zu\n", count);
    free(sorted);
}

void bsim__volume_write(struct bsim__rank *rank) {
    char path[4096];
    if (rank->volume == NULL || rank->volume->is_written || rank->number < 0)
        return;
    rank->volume->is_written = true; /* also when it fails, since bsim__stop comes here again */
    snprintf(path, sizeof path, "%s/rank-%d.volume", bsim__shared()->trace_directory, rank->number);
    FILE *out = fopen(path, "w");
    if (out != NULL)
        write_volume(out, rank->volume);
    bool good = out != NULL && !ferror(out);
    if (out != NULL)
        good = fclose(out) == 0 && good;
    if (!good)
        bsim__stop("mpiskel: error: cannot write %s: %s", path, strerror(errno));
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * The first rank that gets here makes and matches the calls of all ranks, in memory that they
 * share; then each makes its own. See interpreter.h. Collectives with counts for each member have
 * one count for all.
 */
#include "runtime/synthesis/interpreter.h"

#include "runtime/devices/simulated_device.h"
#include "runtime/smpi/runtime.h"
#include "runtime/synthesis/device_calls.h"
#include "synthesis/eval/synth_replay.h"

#define BSIM_SKELETON
#define BSIM_NO_MACROS
#include "bsim_calls.h"
#include "runtime/include/bsim.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct synthesis {
    struct synth_model *model;
    struct synth_run run;
};

static BSIM__COMMON struct synthesis *shared;

struct interpreter {
    struct synthesis *of;
    int rank;
    MPI_Comm groups[SYNTH_GROUPS_MOST];
    MPI_Request *requests; /* outstanding, in the order in which they were made */
    int request_count, request_capacity;
    int *counts, *places;     /* of collectives, for each of all ranks; places: 0 */
    struct bsim_stub **stubs; /* by region */
    struct bsim__device_calls devices;
    const struct synth_action *action;
};

#define HERE (self->action != NULL ? self->action->node->path : "start"), 0

/* ---- Arguments and model ---- */

static double argument(int argc, char **argv, const struct synth_parameter *parameter) {
    size_t length = strlen(parameter->name);
    for (int i = 1; i < argc; i++) {
        char *end;
        if (strncmp(argv[i], parameter->name, length) != 0 || argv[i][length] != '=')
            continue;
        double value = strtod(argv[i] + length + 1, &end);
        if (end != argv[i] + length + 1 && *end == '\0' && isfinite(value))
            return value;
        bsim__stop("mpiskel: error: %s is no number", argv[i]);
    }
    bsim__stop("mpiskel: error: the parameter %s is missing: add %s=NUMBER behind --, or --set "
               "%s=NUMBER (recorded: %g to %g)",
               parameter->name, parameter->name, parameter->name, parameter->least,
               parameter->most);
}

static void load_model(struct synthesis *of, int argc, char **argv, const char *text, size_t length,
                       int ranks) {
    static const char name[] = "the skeleton's model";
    double values[SYNTH_PARAMETERS_MOST];
    char problem[8192];
    if (bsim_synth_model_read(&of->model, text, length, name, problem, sizeof problem) != 0)
        bsim__stop("mpiskel: %s", problem);
    for (int i = 0; i < of->model->parameter_count; i++)
        values[i] = argument(argc, argv, &of->model->parameters[i]);
    if (bsim_synth_range_check(of->model, ranks, values, problem, sizeof problem) != 0 ||
        bsim_synth_run_make(&of->run, of->model, ranks, values, problem, sizeof problem) != 0)
        bsim__stop("mpiskel: %s", problem);
}

static void load_recorded(struct synthesis *of, const char *text, size_t length, int ranks) {
    char problem[8192];
    if (bsim_synth_replay_read(&of->run, &of->model, text, length, problem, sizeof problem) != 0)
        bsim__stop("mpiskel: %s", problem);
    if (of->model->ranks_most != ranks)
        bsim__stop("mpiskel: error: this run was recorded on %d ranks, not %d: give -np %d",
                   of->model->ranks_most, ranks, of->model->ranks_most);
}

static struct synthesis *load(int argc, char **argv, const char *text, size_t length, int ranks) {
    struct synthesis *of = bsim__grow(NULL, 0, sizeof *of);
    char problem[8192];
    if (strncmp(text, SYNTH_REPLAY_FORMAT, strlen(SYNTH_REPLAY_FORMAT)) == 0)
        load_recorded(of, text, length, ranks);
    else
        load_model(of, argc, argv, text, length, ranks);
    if (bsim_synth_run_match(&of->run, problem, sizeof problem) != 0)
        bsim__stop("mpiskel: %s", problem);
    return of;
}

/* ---- Time ---- */

static struct bsim_stub *stub_of(struct interpreter *self, int region, int values) {
    struct bsim_stub **stub = &self->stubs[region];
    if (*stub == NULL) {
        *stub = bsim__grow(NULL, 0, sizeof **stub + (size_t)values * sizeof(double));
        (*stub)->latency_s = -1;
        (*stub)->value_count = values;
        (*stub)->file = "synthesised";
        (*stub)->is_recorded = 1;
    }
    return *stub;
}

static void compute(struct interpreter *self) {
    const struct synth_action *action = self->action;
    double values[SYNTH_FEATURES_MOST + 1] = {action->region};
    if (action->features == NULL)
        return;
    int count = self->of->model->regions[action->region].feature_count;
    memcpy(values + 1, action->features, (size_t)count * sizeof *values);
    bsim_add_time(stub_of(self, action->region, count + 1), values, count + 1);
}

/* What the action's region says, without being charged. */
static double taken_s(struct interpreter *self) {
    const struct synth_action *action = self->action;
    double values[SYNTH_FEATURES_MOST + 1] = {action->region};
    if (action->features == NULL)
        return 0;
    int count = self->of->model->regions[action->region].feature_count;
    memcpy(values + 1, action->features, (size_t)count * sizeof *values);
    return bsim__simulated_latency_s(stub_of(self, action->region, count + 1), values);
}

/* ---- Calls ---- */

/* Of as many bytes as fit into an int; more are of larger elements. */
struct amount {
    int count;
    MPI_Datatype type;
    MPI_Op op;
};

static struct amount amount_of(long long bytes) {
    if (bytes <= INT_MAX)
        return (struct amount){(int)bytes, MPI_BYTE, MPI_BOR};
    long long count = bytes / 8;
    return (struct amount){count <= INT_MAX ? (int)count : INT_MAX, MPI_DOUBLE, MPI_SUM};
}

static int other(int peer) {
    return peer < 0 ? MPI_PROC_NULL : peer;
}

static void keep_request(struct interpreter *self, MPI_Request request) {
    if (self->request_count == self->request_capacity) {
        size_t bytes = (size_t)self->request_capacity * sizeof request;
        self->requests = bsim__grow(self->requests, bytes, 2 * bytes + 16 * sizeof request);
        self->request_capacity = self->request_capacity * 2 + 16;
    }
    self->requests[self->request_count++] = request;
}

static void message(struct interpreter *self) {
    const struct synth_action *a = self->action;
    struct amount m = amount_of(a->bytes);
    MPI_Comm comm = self->groups[a->group];
    void *scratch = bsim_scratch();
    MPI_Request request = MPI_REQUEST_NULL;
    switch (a->node->call) {
    case SYNTH_Ssend:
        bsim_MPI_Ssend(HERE, scratch, m.count, m.type, other(a->peer), a->tag, comm);
        break;
    case SYNTH_Isend:
    case SYNTH_Irsend:
    case SYNTH_Ibsend:
        bsim_MPI_Isend(HERE, scratch, m.count, m.type, other(a->peer), a->tag, comm, &request);
        break;
    case SYNTH_Issend:
        bsim_MPI_Issend(HERE, scratch, m.count, m.type, other(a->peer), a->tag, comm, &request);
        break;
    case SYNTH_Recv:
        bsim_MPI_Recv(HERE, scratch, m.count, m.type, other(a->peer), a->tag, comm,
                      MPI_STATUS_IGNORE);
        break;
    case SYNTH_Irecv:
        bsim_MPI_Irecv(HERE, scratch, m.count, m.type, other(a->peer), a->tag, comm, &request);
        break;
    case SYNTH_Probe:
        bsim_MPI_Probe(HERE, other(a->peer), a->tag, comm, MPI_STATUS_IGNORE);
        break;
    default:
        bsim_MPI_Send(HERE, scratch, m.count, m.type, other(a->peer), a->tag, comm);
    }
    if (a->peer >= 0 && bsim_synth_makes_request(a->node->call))
        keep_request(self, request);
}

static void exchange(struct interpreter *self) {
    const struct synth_action *a = self->action;
    struct amount sent = amount_of(a->bytes), got = amount_of(a->other_bytes);
    void *scratch = bsim_scratch();
    bsim_MPI_Sendrecv(HERE, scratch, sent.count, sent.type, other(a->peer), a->tag, scratch,
                      got.count, got.type, other(a->other_peer), a->other_tag,
                      self->groups[a->group], MPI_STATUS_IGNORE);
}

static void complete(struct interpreter *self, int first, int count) {
    if (first > self->request_count || first < 0)
        first = self->request_count;
    if (count == SYNTH_ALL || count > self->request_count - first)
        count = self->request_count - first;
    MPI_Request *requests = self->requests + first;
    if (count == 1)
        bsim_MPI_Wait(HERE, requests, MPI_STATUS_IGNORE);
    else if (count > 1)
        bsim_MPI_Waitall(HERE, count, requests, MPI_STATUSES_IGNORE);
    if (count < 1)
        return;
    memmove(requests, requests + count,
            (size_t)(self->request_count - first - count) * sizeof *requests);
    self->request_count -= count;
}

static const int *equal_counts(struct interpreter *self, int count) {
    for (int i = 0; i < self->of->run.world.world.ranks; i++)
        self->counts[i] = count;
    return self->counts;
}

static void together(struct interpreter *self) {
    const struct synth_action *a = self->action;
    struct amount m = amount_of(a->volume);
    MPI_Comm comm = self->groups[a->group];
    void *in = bsim_scratch(), *out = in;
    switch (a->node->call) {
    case SYNTH_Barrier:
        bsim_MPI_Barrier(HERE, comm);
        break;
    case SYNTH_Allreduce:
        bsim_MPI_Allreduce(HERE, in, out, m.count, m.type, m.op, comm);
        break;
    case SYNTH_Scan:
        bsim_MPI_Scan(HERE, in, out, m.count, m.type, m.op, comm);
        break;
    case SYNTH_Exscan:
        bsim_MPI_Exscan(HERE, in, out, m.count, m.type, m.op, comm);
        break;
    case SYNTH_Allgatherv:
        bsim_MPI_Allgatherv(HERE, in, m.count, m.type, out, equal_counts(self, m.count),
                            self->places, m.type, comm);
        break;
    case SYNTH_Alltoallv:
        bsim_MPI_Alltoallv(HERE, in, equal_counts(self, m.count), self->places, m.type, out,
                           self->counts, self->places, m.type, comm);
        break;
    case SYNTH_Alltoall:
    case SYNTH_Alltoallw:
        bsim_MPI_Alltoall(HERE, in, m.count, m.type, out, m.count, m.type, comm);
        break;
    case SYNTH_Reduce_scatter:
    case SYNTH_Reduce_scatter_block:
        bsim_MPI_Reduce_scatter_block(HERE, in, out, m.count, m.type, m.op, comm);
        break;
    default:
        bsim_MPI_Allgather(HERE, in, m.count, m.type, out, m.count, m.type, comm);
    }
}

static void rooted(struct interpreter *self) {
    const struct synth_action *a = self->action;
    struct amount m = amount_of(a->volume);
    MPI_Comm comm = self->groups[a->group];
    int root = a->peer >= 0 ? a->peer : 0;
    void *in = bsim_scratch(), *out = in;
    switch (a->node->call) {
    case SYNTH_Bcast:
        bsim_MPI_Bcast(HERE, in, m.count, m.type, root, comm);
        break;
    case SYNTH_Reduce:
        bsim_MPI_Reduce(HERE, in, out, m.count, m.type, m.op, root, comm);
        break;
    case SYNTH_Scatterv:
        bsim_MPI_Scatterv(HERE, in, equal_counts(self, m.count), self->places, m.type, out, m.count,
                          m.type, root, comm);
        break;
    case SYNTH_Gatherv:
        bsim_MPI_Gatherv(HERE, in, m.count, m.type, out, equal_counts(self, m.count), self->places,
                         m.type, root, comm);
        break;
    case SYNTH_Scatter:
        bsim_MPI_Scatter(HERE, in, m.count, m.type, out, m.count, m.type, root, comm);
        break;
    default:
        bsim_MPI_Gather(HERE, in, m.count, m.type, out, m.count, m.type, root, comm);
    }
}

static void collective_later(struct interpreter *self) {
    const struct synth_action *a = self->action;
    struct amount m = amount_of(a->volume);
    MPI_Comm comm = self->groups[a->group];
    int root = a->peer >= 0 ? a->peer : 0;
    void *in = bsim_scratch(), *out = in;
    MPI_Request request = MPI_REQUEST_NULL;
    switch (a->node->call) {
    case SYNTH_Ibarrier:
        bsim_MPI_Ibarrier(HERE, comm, &request);
        break;
    case SYNTH_Ibcast:
        bsim_MPI_Ibcast(HERE, in, m.count, m.type, root, comm, &request);
        break;
    case SYNTH_Ireduce:
        bsim_MPI_Ireduce(HERE, in, out, m.count, m.type, m.op, root, comm, &request);
        break;
    case SYNTH_Iallreduce:
        bsim_MPI_Iallreduce(HERE, in, out, m.count, m.type, m.op, comm, &request);
        break;
    case SYNTH_Ialltoall:
        bsim_MPI_Ialltoall(HERE, in, m.count, m.type, out, m.count, m.type, comm, &request);
        break;
    default:
        bsim_MPI_Iallgather(HERE, in, m.count, m.type, out, m.count, m.type, comm, &request);
    }
    keep_request(self, request);
}

/* As the model's world has it, whatever was called. */
static void make_group(struct interpreter *self) {
    const struct synth_action *a = self->action;
    if (a->made < 0 || a->made >= SYNTH_GROUPS_MOST)
        return;
    const struct synth_group *group = &self->of->run.world.groups[a->made];
    struct synth_place place = group->places[self->rank];
    MPI_Comm parent = self->groups[a->group], *made = &self->groups[a->made];
    const int periods[SYNTH_DIMENSIONS_MOST] = {0};
    if (a->node->call == SYNTH_Comm_dup)
        bsim_MPI_Comm_dup(HERE, parent, made);
    else if (a->node->call == SYNTH_Cart_create)
        bsim_MPI_Cart_create(HERE, parent, group->dimension_count, group->dimensions, periods, 0,
                             made);
    else
        bsim_MPI_Comm_split(HERE, parent,
                            place.size > 0 ? group->members[self->rank][0] : MPI_UNDEFINED,
                            place.position, made);
}

static void free_group(struct interpreter *self) {
    MPI_Comm *group = &self->groups[self->action->group];
    if (self->action->group > 1 && *group != MPI_COMM_NULL)
        bsim_MPI_Comm_free(HERE, group);
}

static void make_call(struct interpreter *self) {
    const struct synth_action *a = self->action;
    bool has_group = a->group >= 0 && a->group < self->of->run.world.world.group_count;
    switch (bsim_synth_role(a->node->call)) {
    case SYNTH_COMPLETE:
        complete(self, a->first, a->completes);
        break;
    case SYNTH_EXCHANGE:
        if (has_group)
            exchange(self);
        break;
    case SYNTH_TOGETHER:
        together(self);
        break;
    case SYNTH_ROOTED:
        rooted(self);
        break;
    case SYNTH_ROOTED_LATER:
    case SYNTH_TOGETHER_LATER:
        collective_later(self);
        break;
    case SYNTH_MAKE:
        make_group(self);
        break;
    case SYNTH_FREE:
        if (has_group)
            free_group(self);
        break;
    case SYNTH_DEVICE:
        bsim__device_call(&self->devices, a,
                          bsim_synth_is_operation(a->node->call) ? taken_s(self) : 0);
        break;
    case SYNTH_AROUND:
        break;
    default:
        if (has_group)
            message(self);
    }
}

/* ---- All ---- */

static void make_calls(struct interpreter *self) {
    const struct synth_actions *actions = &self->of->run.ranks[self->rank];
    for (size_t i = 0; i < actions->count; i++) {
        self->action = &actions->items[i];
        if (!bsim_synth_is_operation(self->action->node->call))
            compute(self);
        make_call(self);
    }
    complete(self, 0, SYNTH_ALL);
}

int bsim__synthesis_main(int argc, char **argv, const char *text, size_t length) {
    struct interpreter *self = bsim__grow(NULL, 0, sizeof *self);
    int ranks;
    bsim_MPI_Init(HERE, &argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &self->rank);
    if (shared == NULL)
        shared = load(argc, argv, text, length, ranks);
    self->of = shared;
    self->groups[0] = MPI_COMM_WORLD;
    self->groups[1] = MPI_COMM_SELF;
    self->stubs =
        bsim__grow(NULL, 0, ((size_t)shared->model->region_count + 1) * sizeof *self->stubs);
    self->counts = bsim__grow(NULL, 0, (size_t)ranks * sizeof *self->counts);
    self->places = bsim__grow(NULL, 0, (size_t)ranks * sizeof *self->places);
    make_calls(self);
    bsim_MPI_Finalize(HERE);
    free(self->requests);
    free(self->counts);
    free(self->places);
    free(self);
    return 0;
}

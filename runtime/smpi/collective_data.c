/* SPDX-License-Identifier: Apache-2.0
 *
 * The data of collectives. SimGrid's algorithms (3.32) make the messages, with their sizes and so
 * their time; what arrives is as MPI says:
 *
 *   data that is moved, of datatypes that are not all one predefined one: packed before, unpacked
 *       after (runtime/collectives/packed_call.h)
 *   reductions by operations that do not commute, or of derived datatypes, or by algorithms that
 *       get sums wrong (mpi/collective_faults.def): folded in the order of ranks
 *       (runtime/collectives/folded.h)
 *   reductions with MPI_IN_PLACE: what is there is copied, since some algorithms of MPI_Reduce take
 *       MPI_IN_PLACE for an address, and those of nonblocking ones free their copy too early
 *
 * All else is SimGrid's, as are its own operations of what it is shown, so that a sum of
 * floating-point numbers is rounded as its algorithm does. An operation of the program's takes the
 * time that it takes in SimGrid's algorithm: called there with this rank's data, its result thrown
 * away; what folding takes is not charged.
 */
#include "runtime/collectives/folded.h"
#include "runtime/collectives/packed_call.h"
#include "runtime/collectives/typed_bytes.h"
#include "runtime/openmpi/openmpi_call.h"
#include "runtime/simgrid/config_text.h"
#include "runtime/smpi/io.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define BSIM_NO_MACROS
#include "bsim_calls.h"

/* Of all reductions. */
enum { SENT, RECEIVED, COUNT, TYPE, OPERATION };

struct bsim__data {
    struct packed_call *packed; /* NULL: it is a reduction */
    void *copy;                 /* of what is in place; NULL: there is none */
    struct folded *folded;      /* NULL: SimGrid's result is right */
    struct bsim__data *next;    /* of this rank's */
    int last_rank;              /* the result is that up to it; -1: there is none here */
    long count, first_taken, taken;
    void *to;
    MPI_Datatype type, shown_type;
    MPI_Op operation;
    const char *name, *file;
    int line;
    void *sent, *received;        /* what SimGrid is shown */
    int *counts;                  /* likewise, if it has them by rank and in bytes */
    long unit;                    /* of these counts that are an element */
    void *memory[2], *in, *inout; /* for the time that the operation takes */
};

/* ---- Which reductions SimGrid gets right ---- */

/* By the collective's own setting, or by the selection for all. */
static bool is_chosen(const char *setting, const char *algorithm) {
    const char *chosen = config_text(setting);
    if (chosen != NULL && chosen[0] == '\0')
        chosen = config_text("smpi/coll-selector");
    return chosen != NULL && strcmp(chosen, algorithm) == 0;
}

enum fault { FAULT_REPLACED, FAULT_SUMS, FAULT_DERIVED, FAULT_INNER, FAULT_EMPTY };

static const struct fault_row {
    enum fault fault;
    const char *setting, *algorithm;
    int least, most;
} faults[] = {
#define COLLECTIVE_FAULT(fault, collective, algorithm, least, most)                                \
    {FAULT_##fault, "smpi/" collective, algorithm, least, most},
#include "mpi/collective_faults.def"
#undef COLLECTIVE_FAULT
};

static const char *setting_of(enum bsim__id id) {
    switch (id) {
    case BSIM__ID_MPI_Bcast:
        return "smpi/bcast";
    case BSIM__ID_MPI_Reduce:
        return "smpi/reduce";
    case BSIM__ID_MPI_Allreduce:
        return "smpi/allreduce";
    case BSIM__ID_MPI_Reduce_scatter:
    case BSIM__ID_MPI_Reduce_scatter_block:
        return "smpi/reduce_scatter";
    default:
        return NULL;
    }
}

static bool has_fault(enum bsim__id id, enum fault fault, int ranks) {
    const char *setting = setting_of(id);
    if (setting == NULL)
        return false;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        if (faults[i].fault == fault && strcmp(faults[i].setting, setting) == 0 &&
            ranks >= faults[i].least && ranks <= faults[i].most &&
            is_chosen(setting, faults[i].algorithm))
            return true;
    return false;
}

static bool is_right(const struct bsim__call *call, int ranks) {
    int commutes = 1;
    MPI_Op_commutative(*(MPI_Op *)call->args[OPERATION], &commutes);
    return commutes && typed_bytes_is_predefined(*(MPI_Datatype *)call->args[TYPE]) &&
           !has_fault(call->id, FAULT_SUMS, ranks);
}

/* ---- What is reduced ---- */

static bool is_exclusive(enum bsim__id id) {
    return id == BSIM__ID_MPI_Exscan || id == BSIM__ID_MPI_Iexscan;
}

static bool is_scan(enum bsim__id id) {
    return id == BSIM__ID_MPI_Scan || id == BSIM__ID_MPI_Iscan || is_exclusive(id);
}

static bool has_equal_parts(enum bsim__id id) {
    return id == BSIM__ID_MPI_Reduce_scatter_block || id == BSIM__ID_MPI_Ireduce_scatter_block;
}

static bool has_parts(enum bsim__id id) {
    return id == BSIM__ID_MPI_Reduce_scatter || id == BSIM__ID_MPI_Ireduce_scatter ||
           has_equal_parts(id);
}

static long count_of(const struct bsim__call *call, int rank) {
    bool is_array = has_parts(call->id) && !has_equal_parts(call->id);
    return is_array ? (*(const int **)call->args[COUNT])[rank] : *(int *)call->args[COUNT];
}

/* Of all parts, or of those before a rank. */
static long count_before(const struct bsim__call *call, int rank) {
    long count = 0;
    for (int i = 0; i < rank; i++)
        count += count_of(call, i);
    return count;
}

static long whole_count(const struct bsim__call *call, int size) {
    return has_parts(call->id) ? count_before(call, size) : count_of(call, 0);
}

static bool is_allowed(const struct bsim__call *call, int size) {
    if (*(MPI_Datatype *)call->args[TYPE] == MPI_DATATYPE_NULL ||
        *(MPI_Op *)call->args[OPERATION] == MPI_OP_NULL)
        return false;
    for (int i = 0; i < (has_parts(call->id) ? size : 1); i++)
        if (count_of(call, i) < 0)
            return false;
    return true;
}

static bool is_root(const struct bsim__call *call, int rank) {
    int root = bsim__functions[call->id].root;
    return root < 0 || *(int *)call->args[root] == rank;
}

static void note_result(struct bsim__data *data, const struct bsim__call *call, int rank,
                        int size) {
    data->last_rank = is_exclusive(call->id) ? rank - 1 : is_scan(call->id) ? rank : size - 1;
    data->count = data->taken = whole_count(call, size);
    if (has_parts(call->id)) {
        data->first_taken = count_before(call, rank);
        data->taken = count_of(call, rank);
    }
    if (!is_root(call, rank) || data->taken == 0)
        data->last_rank = -1;
}

/* ---- What SimGrid is shown ---- */

/* In place of an operation of the program's: on this rank's data, for its time alone. */
static void take_time(void *in, void *inout, int *length, MPI_Datatype *type) {
    (void)in, (void)inout;
    struct bsim__data *data = bsim__current_rank()->reductions;
    while (data != NULL && data->shown_type != *type)
        data = data->next;
    if (data == NULL)
        return;
    typed_bytes_unpack(data->inout, data->sent, data->count, data->type);
    long length_shown = *length / data->unit;
    long count = length_shown < data->count ? length_shown : data->count;
    typed_bytes_reduce(data->in, data->inout, count, data->type, data->operation);
}

static MPI_Op timed_operation(MPI_Op operation) {
    int commutes = 1;
    MPI_Op_commutative(operation, &commutes);
    MPI_Op *made = &bsim__current_rank()->timed_operations[commutes != 0];
    if (*made == NULL)
        MPI_Op_create(take_time, commutes, made);
    return *made;
}

static void show_counts(struct bsim__data *data, struct bsim__call *call, int size) {
    data->unit = (long)typed_bytes_size(data->type);
    if (has_equal_parts(call->id)) {
        *(int *)call->args[COUNT] *= (int)data->unit;
        return;
    }
    data->counts = typed_bytes_memory((size_t)size * sizeof *data->counts);
    for (int i = 0; i < size; i++)
        data->counts[i] = (int)(count_of(call, i) * data->unit);
    *(const int **)call->args[COUNT] = data->counts;
}

/* As many elements, one behind the other. */
static void show_type(struct bsim__data *data, struct bsim__call *call, int size) {
    data->shown_type = data->type;
    data->unit = 1;
    if (typed_bytes_is_predefined(data->type))
        return;
    if (has_fault(call->id, FAULT_DERIVED, size)) {
        data->shown_type = MPI_BYTE;
        show_counts(data, call, size);
    } else {
        MPI_Type_contiguous((int)typed_bytes_size(data->type), MPI_BYTE, &data->shown_type);
        MPI_Type_commit(&data->shown_type);
    }
    *(MPI_Datatype *)call->args[TYPE] = data->shown_type;
}

static void *copy_of(const void *bytes, size_t size) {
    return memcpy(typed_bytes_memory(size), bytes, size);
}

static void show_reduction(struct bsim__data *data, struct bsim__call *call, const void *own,
                           int size) {
    size_t bytes = (size_t)data->count * typed_bytes_size(data->type);
    data->sent = copy_of(own, bytes);
    data->received = copy_of(own, bytes);
    data->in = typed_bytes_new(&data->memory[0], data->count, data->type);
    data->inout = typed_bytes_new(&data->memory[1], data->count, data->type);
    typed_bytes_unpack(data->in, own, data->count, data->type);
    *(void **)call->args[SENT] = data->sent;
    *(void **)call->args[RECEIVED] = data->received;
    show_type(data, call, size);
    *(MPI_Op *)call->args[OPERATION] = timed_operation(data->operation);
}

static struct bsim__data *data_new(const struct bsim__call *call) {
    struct bsim__data *data = bsim__grow(NULL, 0, sizeof *data);
    data->last_rank = -1;
    data->name = bsim__functions[call->id].name;
    data->file = call->file;
    data->line = call->line;
    return data;
}

static void fold(struct bsim__call *call, MPI_Comm comm, int rank, int size) {
    struct bsim__data *data = data_new(call);
    void *from = *(void **)call->args[SENT], *own = NULL;
    uint64_t communicator, number = bsim__collective_number(&communicator, comm);
    data->type = *(MPI_Datatype *)call->args[TYPE];
    data->operation = *(MPI_Op *)call->args[OPERATION];
    data->to = *(void **)call->args[RECEIVED];
    note_result(data, call, rank, size);
    if (from == MPI_IN_PLACE)
        from = data->to;
    if (!bsim__io_is_scratch(from)) {
        own = typed_bytes_memory((size_t)data->count * typed_bytes_size(data->type));
        typed_bytes_pack(own, from, data->count, data->type);
    }
    data->folded = folded_find(&bsim__shared()->folded, communicator, number, size);
    if (own == NULL || (is_root(call, rank) && bsim__io_is_scratch(data->to)))
        data->last_rank = -1;
    else
        show_reduction(data, call, own, size);
    folded_put(data->folded, rank, own);
    data->next = bsim__current_rank()->reductions;
    call->data = bsim__current_rank()->reductions = data;
}

static void copy_in_place(struct bsim__call *call, int size) {
    size_t bytes =
        (size_t)whole_count(call, size) * typed_bytes_size(*(MPI_Datatype *)call->args[TYPE]);
    call->data = data_new(call);
    call->data->copy = copy_of(*(void **)call->args[RECEIVED], bytes);
    *(void **)call->args[SENT] = call->data->copy;
}

/* Of no elements. */
static void show_nothing(struct bsim__call *call, int size) {
    MPI_Datatype *type = call->args[TYPE];
    if (!typed_bytes_is_predefined(*type) && has_fault(call->id, FAULT_DERIVED, size))
        *type = MPI_BYTE;
}

static void show_if_reduction(struct bsim__call *call) {
    const struct bsim__function *function = &bsim__functions[call->id];
    MPI_Comm comm = function->communicator >= 0 ? *(MPI_Comm *)call->args[function->communicator]
                                                : MPI_COMM_NULL;
    int rank, size;
    if (comm == MPI_COMM_NULL || function->operation != OPERATION)
        return;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    if (!is_allowed(call, size))
        return;
    if (whole_count(call, size) == 0)
        show_nothing(call, size);
    else if (!is_right(call, size))
        fold(call, comm, rank, size);
    else if (*(void **)call->args[SENT] == MPI_IN_PLACE &&
             !bsim__io_is_scratch(*(void **)call->args[RECEIVED]))
        copy_in_place(call, size);
}

/* ---- Around the call ---- */

/* Nothing is sent, and SimGrid would divide by that. */
static bool is_to_be_left_out(const struct bsim__call *call) {
    const struct bsim__function *function = &bsim__functions[call->id];
    int count = call->id == BSIM__ID_MPI_Bcast ? 1 : COUNT, ranks = 0;
    if (setting_of(call->id) == NULL || has_parts(call->id) || *(int *)call->args[count] != 0 ||
        *(MPI_Comm *)call->args[function->communicator] == MPI_COMM_NULL)
        return false;
    MPI_Comm_size(*(MPI_Comm *)call->args[function->communicator], &ranks);
    return has_fault(call->id, FAULT_EMPTY, ranks) ||
           (has_fault(call->id, FAULT_INNER, ranks) &&
            (has_fault(BSIM__ID_MPI_Reduce, FAULT_EMPTY, ranks) ||
             has_fault(BSIM__ID_MPI_Bcast, FAULT_EMPTY, ranks)));
}

static bool reduces_derived(const struct bsim__call *call) {
    if (bsim__functions[call->id].operation != OPERATION)
        return false;
    MPI_Datatype type = *(MPI_Datatype *)call->args[TYPE];
    return type == MPI_DATATYPE_NULL || !typed_bytes_is_predefined(type);
}

static bool show_packed(struct bsim__call *call) {
    struct packed_call *packed = packed_call_show(call->id, call->args, bsim__io_is_scratch);
    if (packed != NULL) {
        call->data = data_new(call);
        call->data->packed = packed;
    }
    return packed != NULL;
}

/* Its messages are SimGrid's, which gets those of some derived datatypes wrong, too: moves are
 * packed, and such reductions are folded. */
bool bsim__data_of_library(struct bsim__call *call) {
    if (bsim__shared()->collectives == NULL || !bsim__openmpi_has(call->id) ||
        reduces_derived(call))
        return false;
    show_packed(call);
    return bsim__openmpi_call(call->id, call->args, bsim__io_is_scratch);
}

bool bsim__data_show(struct bsim__call *call) {
    const struct bsim__function *function = &bsim__functions[call->id];
    if (function->class != MPI_CLASS_COLLECTIVE)
        return false;
    if (is_to_be_left_out(call)) {
        call->code = MPI_SUCCESS;
        return true;
    }
    if (call->data == NULL && !show_packed(call))
        show_if_reduction(call);
    return false;
}

static void take_result(struct bsim__data *data) {
    int missing;
    double pending_s = bsim__own.pending_s;
    const char *result = folded_result(data->folded, data->last_rank, data->count, data->type,
                                       data->operation, &missing);
    bsim__own.pending_s = pending_s;
    if (missing >= 0)
        bsim__stop("%s:%d: error: SimGrid 3.32's algorithm for '%s' lets a rank go on before rank "
                   "%d of its communicator has come; take another one with --collectives",
                   data->file, data->line, data->name, missing);
    if (result != NULL)
        typed_bytes_unpack(data->to,
                           result + (size_t)data->first_taken * typed_bytes_size(data->type),
                           data->taken, data->type);
}

static void finish_reduction(struct bsim__data *data, bool is_complete) {
    struct bsim__data **link = &bsim__current_rank()->reductions;
    while (*link != data)
        link = &(*link)->next;
    *link = data->next;
    if (is_complete && data->last_rank >= 0)
        take_result(data);
    folded_leave(&bsim__shared()->folded, data->folded);
    if (data->shown_type != NULL && !typed_bytes_is_predefined(data->shown_type))
        MPI_Type_free(&data->shown_type);
}

void bsim__data_finish(struct bsim__data *data, bool is_complete) {
    if (data->packed != NULL)
        packed_call_finish(data->packed, is_complete);
    if (data->folded != NULL)
        finish_reduction(data, is_complete);
    free(data->copy);
    free(data->sent);
    free(data->received);
    free(data->counts);
    free(data->memory[0]);
    free(data->memory[1]);
    free(data);
}

void bsim__data_take(struct bsim__call *call, int code) {
    bool goes_on = bsim__functions[call->id].request_out >= 0 && code == MPI_SUCCESS;
    if (call->data == NULL || goes_on)
        return;
    bsim__data_finish(call->data, code == MPI_SUCCESS);
    call->data = NULL;
}

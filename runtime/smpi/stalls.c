/* SPDX-License-Identifier: Apache-2.0
 *
 * Ranks that ask again and again for a message that nobody sends (MPI_Probe, MPI_Iprobe, MPI_Test)
 * let the simulated time go on, so that SimGrid sees no deadlock and the simulation never ends. It
 * is one where all ranks are in MPI calls, none computes or sleeps, and for a day of simulated time
 * nothing has happened but such polls: longer than any message takes.
 *
 * MPI_Probe is SimGrid's own loop around MPI_Iprobe; here that loop looks in between. Not handled:
 * programs that compute between polls; originals whose computation takes time, in which a rank may
 * compute for hours within a call.
 */
#include "runtime/smpi/runtime.h"

#define BSIM_NO_MACROS
#include "bsim_calls.h"

#include <simgrid/engine.h>

#define PATIENCE_S 1e5
#define RANKS_SHOWN 4

static bool is_poll(enum bsim__id id) {
    const struct bsim__function *function = &bsim__functions[id];
    bool tests = function->flag >= 0 || id == BSIM__ID_MPI_Testsome;
    return function->class == MPI_CLASS_PROBE || (function->class == MPI_CLASS_COMPLETION && tests);
}

static bool found_nothing(const struct bsim__call *call) {
    const struct bsim__function *function = &bsim__functions[call->id];
    if (call->id == BSIM__ID_MPI_Testsome)
        return **(int **)call->args[2] == 0;
    return function->flag >= 0 && is_poll(call->id) && !**(int **)call->args[function->flag];
}

static void note_event(struct bsim__shared *shared) {
    shared->eventful_s = simgrid_get_clock();
}

static void tell_rank(const struct bsim__rank *rank) {
    fprintf(stderr, "mpiskel: rank %d waits in %s at %s%s:%d\n", rank->number,
            bsim__functions[rank->last.id].name, bsim__flush_stubs != NULL ? "src/" : "",
            rank->last.file, rank->last.line);
}

/* Those that ask, or those that wait in another way. */
static int tell_ranks(const struct bsim__shared *shared, bool asks, int left) {
    for (size_t i = 0; i < shared->actor_capacity && left > 0; i++) {
        const struct bsim__rank *rank = shared->by_actor[i];
        bool waits = rank != NULL && rank->number >= 0 && !rank->finalized;
        if (!waits || is_poll(rank->last.id) != asks)
            continue;
        tell_rank(rank);
        left--;
    }
    return left;
}

static void give_up(const struct bsim__shared *shared) {
    tell_ranks(shared, false, tell_ranks(shared, true, RANKS_SHOWN));
    bsim__stop("mpiskel: deadlock at %g s: no message is under way, and ranks ask for one (for "
               "%g s nothing else has happened)",
               shared->eventful_s - shared->start_s, simgrid_get_clock() - shared->eventful_s);
}

static void look(const struct bsim__shared *shared) {
    uint64_t all = (uint64_t)bsim__current_rank()->world_size;
    if (!shared->computation_takes_time && shared->inside + shared->finalized >= all &&
        simgrid_get_clock() - shared->eventful_s > PATIENCE_S)
        give_up(shared);
}

void bsim__stall_enter(struct bsim__rank *rank, const struct bsim__call *call) {
    struct bsim__shared *shared = bsim__shared();
    rank->last.id = call->id;
    rank->last.file = call->file;
    rank->last.line = call->line;
    shared->inside += rank->inside++ == 0;
    if (!is_poll(call->id))
        note_event(shared);
}

void bsim__stall_leave(struct bsim__rank *rank, const struct bsim__call *call) {
    struct bsim__shared *shared = bsim__shared();
    if (found_nothing(call))
        look(shared);
    else
        note_event(shared);
    shared->inside -= --rank->inside == 0;
}

void bsim__stall_look(void) {
    look(bsim__shared());
}

int bsim__stall_probe(int source, int tag, MPI_Comm comm, MPI_Status *status) {
    int found = 0, code;
    for (;;) {
        code = MPI_Iprobe(source, tag, comm, &found, status);
        if (found || code != MPI_SUCCESS)
            return code;
        look(bsim__shared());
    }
}

bool bsim__stall_probes(struct bsim__call *call) {
    if (call->id != BSIM__ID_MPI_Probe)
        return false;
    call->code = bsim__stall_probe(*(int *)call->args[0], *(int *)call->args[1],
                                   *(MPI_Comm *)call->args[2], *(MPI_Status **)call->args[3]);
    return true;
}

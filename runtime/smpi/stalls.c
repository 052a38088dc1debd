/* SPDX-License-Identifier: Apache-2.0
 *
 * Ranks that ask again and again for a message that nobody sends (MPI_Probe, MPI_Iprobe, MPI_Test)
 * let the simulated time go on, so that SimGrid sees no deadlock and the simulation never ends. It
 * is one where all ranks are in MPI calls, none computes or sleeps, and for a day of simulated time
 * nothing has happened but such polls: longer than any message takes.
 *
 * Each poll takes the same time (smpi/test, smpi/iprobe), since SimGrid is told not to make those
 * of all ranks dearer with each one that finds nothing (smpi/grow-injected-times). So that a
 * simulation need not make millions, a rank that has polled for a while, and done nothing else,
 * sleeps behind each further one: a hundredth of what it has polled, by which it may notice late.
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
/* 1,000 polls of 0.2 us: programs that give up polling after so many find them as dear as others.
 */
#define POLLED_S 2e-4
#define LATE_SHARE 0.01
#define BETWEEN_S 1e-6 /* a rank that does more between polls has something else to do */

static bool is_poll(enum bsim__id id) {
    const struct bsim__function *function = &bsim__functions[id];
    return function->class == MPI_CLASS_PROBE || (function->facts & MPI_IS_POLL) != 0;
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

/* `begin_s`: when the poll began. */
static void note_poll(struct bsim__rank *rank, double begin_s) {
    if (begin_s - rank->polled_last_s > BETWEEN_S)
        rank->polled_s = 0;
    double before_s = simgrid_get_clock();
    rank->polled_s += before_s - begin_s;
    if (rank->polled_s > POLLED_S)
        bsim__sleep(rank, LATE_SHARE * rank->polled_s);
    rank->polled_last_s = simgrid_get_clock();
    rank->polled_s += rank->polled_last_s - before_s;
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
    if (found_nothing(call)) {
        note_poll(rank, call->before_s);
        look(shared);
    } else {
        rank->polled_s = 0;
        note_event(shared);
    }
    shared->inside -= --rank->inside == 0;
}

void bsim__stall_look(double begin_s) {
    note_poll(bsim__current_rank(), begin_s);
    look(bsim__shared());
}

int bsim__stall_probe(int source, int tag, MPI_Comm comm, MPI_Status *status) {
    int found = 0, code;
    for (;;) {
        double begin_s = simgrid_get_clock();
        code = MPI_Iprobe(source, tag, comm, &found, status);
        if (found || code != MPI_SUCCESS)
            return code;
        bsim__stall_look(begin_s);
    }
}

bool bsim__stall_probes(struct bsim__call *call) {
    if (call->id != BSIM__ID_MPI_Probe)
        return false;
    call->code = bsim__stall_probe(*(int *)call->args[0], *(int *)call->args[1],
                                   *(MPI_Comm *)call->args[2], *(MPI_Status **)call->args[3]);
    return true;
}

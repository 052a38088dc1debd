/* SPDX-License-Identifier: Apache-2.0
 *
 * All exchanges of a collective at once, when the last of its ranks is there; see
 * exchange_sequence.h. When each rank goes on, and with what, is that of exchanges one by one, each
 * of which begins when both sides have ended the one before (direct_exchange.c): a simulation of
 * many ranks spares an event for each of them.
 *
 * A rank that cannot exchange without messages, since others of its are under way, ends that: those
 * that wait already go on one by one. They have waited in vain, but none of them ends later: on all
 * links a message takes the same time, and the rank that came now needs as many exchanges as they.
 */
#include "engine/collectives/exchange_sequence.h"

#include "base/arena.h"

#include <stdlib.h>

struct exchange_gathering {
    struct exchange_sequence **of; /* by rank of the communicator; NULL: not there */
    double *at_s;                  /* when it is through what has been done */
    int arrived, tag;              /* tag: of all of them */
    bool is_refused;
};

static struct exchange_gathering *gathering_of(struct SMPI_Comm *comm, int tag) {
    if (comm->gathering != NULL)
        return comm->gathering;
    size_t size = (size_t)comm->group->size;
    comm->gathering = xmalloc(sizeof *comm->gathering);
    *comm->gathering =
        (struct exchange_gathering){.of = xcalloc(size, sizeof(struct exchange_sequence *)),
                                    .at_s = xmalloc(size * sizeof(double)),
                                    .tag = tag};
    return comm->gathering;
}

static void end_gathering(struct SMPI_Comm *comm) {
    free(comm->gathering->of);
    free(comm->gathering->at_s);
    free(comm->gathering);
    comm->gathering = NULL;
}

static void exchange_pair(struct exchange_gathering *all, int one, int other) {
    all->of[one]->next(all->of[one]);
    all->of[other]->next(all->of[other]);
    double begin_s = all->at_s[one] > all->at_s[other] ? all->at_s[one] : all->at_s[other];
    double end_s = begin_s + direct_exchange_s(all->of[one], all->of[other]);
    all->at_s[one] = all->at_s[other] = end_s;
}

/* Half by half, so that ranks stay in the cache. */
static void exchange_among(struct exchange_gathering *all, int first, int count) {
    int half = count / 2;
    if (half == 0)
        return;
    exchange_among(all, first, half);
    exchange_among(all, first + half, half);
    for (int i = first; i < first + half; i++)
        exchange_pair(all, i, i + half);
}

static void end_all(struct exchange_gathering *all, const struct SMPI_Comm *comm) {
    exchange_among(all, 0, comm->group->size);
    for (int i = 0; i < comm->group->size; i++) {
        all->of[i]->is_over = !all->of[i]->next(all->of[i]);
        simulation_wake_at(communicator_member(comm, i), all->at_s[i]);
    }
}

static void send_on(const struct exchange_gathering *all, const struct SMPI_Comm *comm) {
    for (int i = 0; i < comm->group->size; i++)
        if (all->of[i] != NULL)
            simulation_wake_at(communicator_member(comm, i), simulation.now_s);
}

bool gathered_exchange(struct exchange_sequence *own) {
    struct SMPI_Comm *comm = own->comm;
    int size = comm->group->size;
    if (!simulation.has_own_links || !own->is_doubling || size == 1)
        return false;
    struct exchange_gathering *all = gathering_of(comm, own->sent.tag);
    bool is_last = ++all->arrived == size;
    if (!all->is_refused && (!may_exchange_directly() || all->tag != own->sent.tag)) {
        all->is_refused = true;
        send_on(all, comm);
    }
    bool waits = !all->is_refused;
    if (waits) {
        all->of[own->rank] = own;
        all->at_s[own->rank] = simulation.now_s;
        current_rank()->waits_in = exchange_name(own->sent.tag);
    }
    if (is_last && waits)
        end_all(all, comm);
    if (is_last)
        end_gathering(comm);
    return waits;
}

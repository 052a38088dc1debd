/* SPDX-License-Identifier: Apache-2.0
 *
 * Exchanges without messages; see exchange_sequence.h. Each of the two ranks has its links for
 * itself, and none of its messages or receives is open, so that nobody else's message can come to
 * use them: the two flows begin when the later rank is there, and take as long as if they were
 * alone. Time, payload and counts are those of messages. Which of several ranks goes on first in
 * one instant may be otherwise, so it is for large simulations, where that is of no meaning
 * (flow_ties.c).
 */
#include "engine/collectives/exchange_sequence.h"

#include "engine/messages/message.h"
#include "engine/messages/message_counts.h"
#include "engine/objects/scratch_memory.h"

static uint32_t partner_of(const struct exchange_sequence *sequence) {
    return communicator_member(sequence->comm, sequence->sent.rank);
}

/* The other rank's sequence, if it is at the same exchange; NULL: not yet. */
static struct exchange_sequence *counterpart(const struct exchange_sequence *own) {
    struct exchange_sequence *other =
        (struct exchange_sequence *)simulation.ranks[partner_of(own)].steps;
    bool is_there = other != NULL && other->comm == own->comm && other->is_mutual &&
                    other->sent.tag == own->sent.tag &&
                    (other->is_offered || other->under_way > 0) &&
                    partner_of(other) == simulation.current;
    return is_there ? other : NULL;
}

static void copy(const struct exchange_side *to, const struct exchange_side *from) {
    if (to->buffer != NULL && from->buffer != NULL && !scratch_memory_has(to->buffer) &&
        !scratch_memory_has(from->buffer))
        datatype_copy((void *)(uintptr_t)to->buffer, to->count, to->type, from->buffer, from->count,
                      from->type);
}

double direct_exchange_s(struct exchange_sequence *one, struct exchange_sequence *other) {
    size_t bytes = (size_t)one->sent.count * one->sent.type->size;
    copy(&one->received, &other->sent);
    copy(&other->received, &one->sent);
    for (int i = 0; i < 2; i++)
        message_counts_add(bytes);
    return flows_exchange_s(simulation.flows, simulation.ranks[partner_of(other)].host,
                            simulation.ranks[partner_of(one)].host, (double)bytes + ENVELOPE_BYTES);
}

static void exchange(struct exchange_sequence *own, struct exchange_sequence *other) {
    double end_s = simulation.now_s + direct_exchange_s(own, other);
    other->is_offered = false;
    simulation_wake_at(partner_of(own), end_s);
    simulation_wake_at(simulation.current, end_s);
}

/* The other rank has offered to exchange directly, but the current one cannot. */
static void take_messages(void *other) {
    struct exchange_sequence *sequence = other;
    sequence->is_offered = false;
    exchange_sequence_start(sequence);
}

bool may_exchange_directly(void) {
    const struct simulated_rank *rank = current_rank();
    return simulation.has_own_links && rank->open == 0 && rank->first_call == NULL &&
           !simulation.is_one_sided;
}

bool direct_exchange(struct exchange_sequence *own) {
    if (!simulation.has_own_links || !own->is_mutual)
        return false;
    struct exchange_sequence *other = counterpart(own);
    bool may = may_exchange_directly();
    if (other != NULL && other->is_offered && !may)
        simulation_do_for(partner_of(own), take_messages, other);
    if (!may || (other != NULL && !other->is_offered))
        return false;
    current_rank()->waits_in = exchange_name(own->sent.tag);
    if (other == NULL)
        own->is_offered = true;
    else
        exchange(own, other);
    return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/collectives/exchange_sequence.h"

#include "engine/messages/message_settings.h"

static void exchange_next(const struct exchange_sequence *sequence) {
    const struct exchange_side *sent = &sequence->sent, *received = &sequence->received;
    if (sequence->sends && sequence->receives)
        exchange_both(sent, received, sequence->comm, MPI_STATUS_IGNORE);
    else if (sequence->sends)
        exchange_send(sent->buffer, sent->count, sent->type, sent->rank, sent->tag, sequence->comm);
    else
        exchange_receive((void *)(uintptr_t)received->buffer, received->count, received->type,
                         received->rank, received->tag, sequence->comm, MPI_STATUS_IGNORE);
}

bool exchange_sequence_start(struct exchange_sequence *sequence) {
    const struct exchange_side *sent = &sequence->sent, *received = &sequence->received;
    uint32_t flags = sequence->receives ? REQUEST_NONBLOCKING : 0;
    if (sequence->sends)
        sequence->both[sequence->under_way++] = request_send(
            flags, sent->buffer, sent->count, sent->type, sent->rank, sent->tag, sequence->comm);
    if (sequence->receives)
        sequence->both[sequence->under_way++] =
            request_receive(0, (void *)(uintptr_t)received->buffer, received->count, received->type,
                            received->rank, received->tag, sequence->comm);
    for (int i = 0; i < sequence->under_way; i++)
        request_start(sequence->both[i]);
    int tag = sequence->sends ? sent->tag : received->tag;
    return wait_all_begin(sequence->under_way, sequence->both, exchange_name(tag));
}

static bool step(struct rank_steps *steps) {
    struct exchange_sequence *sequence = (struct exchange_sequence *)steps;
    if (sequence->is_over)
        return true;
    bool is_first = !sequence->has_begun;
    sequence->has_begun = true;
    if (is_first && gathered_exchange(sequence))
        return false;
    do {
        wait_all_end(sequence->under_way, sequence->both);
        sequence->under_way = 0;
        if (!sequence->next(sequence))
            return true;
    } while (!direct_exchange(sequence) && !exchange_sequence_start(sequence));
    return false;
}

/* Where messages take time of their rank it waits on its stack. */
void exchange_sequence_run(struct exchange_sequence *sequence) {
    sequence->steps.next = step;
    sequence->under_way = 0;
    sequence->has_begun = sequence->is_over = false;
    if (messages_take_no_time() && !sequence->needs_stack)
        simulation_do_steps(&sequence->steps);
    else
        while (sequence->next(sequence))
            exchange_next(sequence);
}

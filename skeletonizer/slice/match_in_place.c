/* SPDX-License-Identifier: Apache-2.0
 *
 * Messages whose bytes lie in one place at both ends: of a record that is sent as bytes, or an
 * array of numbers, only those bytes are needed that are needed of what is received. The datatype
 * is a predefined one, so that byte i of the message is byte i of the place, on all ranks.
 *
 * Not handled: derived datatypes (which may differ from rank to rank).
 */
#include "skeletonizer/pointsto/pointsto_moves.h"
#include "skeletonizer/slice/demands.h"
#include "skeletonizer/slice/events.h"

#include <string.h>

static int find_role(const struct call *call, enum mpi_role role) {
    return call->mpi != NULL && call->mpi->class == MPI_CLASS_P2P
               ? mpi_call_parameter(call->mpi, role)
               : -1;
}

/* Where the payload lies; -1: it is not known, or is one number, which has no parts and may be
 * given (given_arguments.h). */
static int place_of(const struct slice *s, const struct call *call, int payload) {
    if (payload < 0 || (size_t)payload >= call->arguments.count)
        return -1;
    const char *type = events_handle(call, mpi_payload_datatype(call->mpi, payload));
    const struct ast *count = program_argument(call, mpi_payload_count(call->mpi, payload));
    bool is_one = count != NULL && count->has_value && count->value == 1;
    if (type == NULL || !mpi_datatype_is_predefined(type) || strcmp(type, "MPI_PACKED") == 0 ||
        is_one)
        return -1;
    const int_list *targets = points_to_targets(s->points_to, call->arguments.items[payload].value);
    if (targets == NULL || targets->count != 1 ||
        s->points_to->locations.items[targets->items[0]].stride_bytes != 0)
        return -1;
    return targets->items[0];
}

static bool is_received_in_place(const struct slice *s, const struct call *call) {
    return place_of(s, call, find_role(call, MPI_ROLE_PAYLOAD_OUT)) >= 0;
}

static enum answer ask(const struct slice *s, const struct call *sender) {
    if (place_of(s, sender, find_role(sender, MPI_ROLE_PAYLOAD_IN)) < 0)
        return ANSWER_NO;
    for (size_t i = 0; i < s->messages.count; i++) {
        const struct call *receiver = s->messages.items[i];
        if (demands_may_match(s, sender, receiver) && !is_received_in_place(s, receiver))
            return ANSWER_NO;
    }
    return ANSWER_YES;
}

bool demands_is_sent_in_place(const struct slice *s, const struct call *sender) {
    enum answer *known = &s->sent_in_place[sender->id];
    if (*known == ANSWER_UNKNOWN)
        *known = ask(s, sender);
    return *known == ANSWER_YES;
}

/* The calls whose messages in place this one may receive. */
static const int_list *senders_of(struct slice *s, const struct call *receiver) {
    if (s->senders_of[receiver->id] != NULL)
        return s->senders_of[receiver->id];
    int_list *list = ARENA_NEW(&s->program->arena, int_list);
    for (size_t i = 0; i < s->messages.count; i++) {
        const struct call *sender = s->messages.items[i];
        if (demands_may_match(s, sender, receiver) && demands_is_sent_in_place(s, sender))
            vec_push(list, sender->id);
    }
    s->senders_of[receiver->id] = list;
    return list;
}

void demands_sent_part(struct slice *s, struct location wanted, struct location received,
                       const struct call *receiver) {
    const int_list *senders = senders_of(s, receiver); /* none, if it is not received in place */
    struct location_shift shift = location_shift_of(wanted, received);
    for (size_t i = 0; i < senders->count; i++) {
        const struct call *sender = s->program->calls.items[senders->items[i]];
        int payload = find_role(sender, MPI_ROLE_PAYLOAD_IN);
        struct location from = s->points_to->locations.items[place_of(s, sender, payload)];
        from.length_bytes = 0;
        int part = moves_intern_bounded(s->points_to, location_shifted(from, shift), &s->parts,
                                        DEMANDS_PARTS_MOST);
        s->why = "is sent to where it is needed";
        slice_add(s, DEMAND_PLACE, part, (int)events_payload_class(sender, payload));
    }
}

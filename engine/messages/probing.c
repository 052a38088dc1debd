/* SPDX-License-Identifier: Apache-2.0
 *
 * Probing; see completion.h. SMPI probes by polling, and so each look takes
 * its time.
 */
#include "engine/messages/completion.h"

#include "engine/core/simulation.h"
#include "engine/messages/message.h"
#include "engine/messages/message_settings.h"

static int failed_probes = 1; /* of all ranks */

static bool peek(struct rank_call *call) {
    (void)call;
    struct SMPI_Request *look = current_rank()->object;
    look->message = (struct engine_message *)(uintptr_t)message_peek(look);
    return true;
}

static const struct engine_message *look_for(int source, int tag, struct SMPI_Comm *comm) {
    struct SMPI_Request *look = request_receive(0, NULL, 0, MPI_CHAR, source, tag, comm);
    simulation_ask(peek, look, NULL);
    const struct engine_message *message = look->message;
    request_dispose(look);
    return message;
}

void probe_now(int *flag, int source, int tag, struct SMPI_Comm *comm, MPI_Status *status) {
    if (message_settings.probe_s > 0)
        simulation_poll(failed_probes * message_settings.probe_s);
    const struct engine_message *message = look_for(source, tag, comm);
    *flag = message != NULL;
    if (message == NULL) {
        failed_probes += message_settings.grows;
        return;
    }
    failed_probes = 1;
    if (status == MPI_STATUS_IGNORE)
        return;
    status->MPI_SOURCE = process_group_rank(comm->group, message->source);
    status->MPI_TAG = message->tag;
    status->MPI_ERROR = MPI_SUCCESS;
    status->count = (int)message->bytes;
}

void probe_until(int source, int tag, struct SMPI_Comm *comm, MPI_Status *status) {
    for (int flag = 0; !flag;)
        probe_now(&flag, source, tag, comm, status);
}

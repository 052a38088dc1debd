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

void probe_now(int *flag, int source, int tag, struct SMPI_Comm *comm, MPI_Status *status) {
    if (message_settings.probe_s > 0)
        simulation_sleep(failed_probes * message_settings.probe_s);
    struct SMPI_Request *look = request_receive(0, NULL, 0, MPI_CHAR, source, tag, comm);
    const struct engine_message *message = message_peek(look);
    request_dispose(look);
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

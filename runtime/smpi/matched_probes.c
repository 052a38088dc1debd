/* SPDX-License-Identifier: Apache-2.0
 *
 * Matched probes, which SimGrid 3.32 lacks. The message that a probe finds is received at once, as
 * bytes, into memory of its own: no other receive can get it any more. MPI_Mrecv waits for it and
 * unpacks it. So a large message sets out when it is probed, where other MPIs may wait until it is
 * received.
 */
#include "runtime/smpi/composites.h"
#include "runtime/smpi/replaced.h"

#include <stdlib.h>

#define BSIM_NO_MACROS
#include "bsim_calls.h"

/* What MPI_Message points to; NULL: from MPI_PROC_NULL. */
struct matched_probes_message {
    MPI_Comm communicator;
    MPI_Status status;
    MPI_Request request; /* of the receive of all bytes */
    char *bytes;
    int length;
};

/* Where a message goes that is received after a probe. */
struct matched_probes_receive {
    struct matched_probes_message *message;
    void *buffer;
    int count;
    MPI_Datatype datatype;
};

static struct matched_probes_message *take(const MPI_Status *status, MPI_Comm comm) {
    if (status->MPI_SOURCE == MPI_PROC_NULL)
        return NULL;
    struct matched_probes_message *message = bsim__grow(NULL, 0, sizeof *message);
    message->communicator = comm;
    message->status = *status;
    MPI_Get_count(status, MPI_BYTE, &message->length);
    message->bytes = bsim__grow(NULL, 0, (size_t)message->length + 1);
    MPI_Irecv(message->bytes, message->length, MPI_BYTE, status->MPI_SOURCE, status->MPI_TAG, comm,
              &message->request);
    return message;
}

/* SimGrid's probes do not know MPI_PROC_NULL. */
static void nothing_from_nowhere(MPI_Status *status) {
    *status = (MPI_Status){.MPI_SOURCE = MPI_PROC_NULL, .MPI_TAG = MPI_ANY_TAG};
}

int bsim__MPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status) {
    MPI_Status found;
    int result = MPI_SUCCESS;
    if (source == MPI_PROC_NULL)
        nothing_from_nowhere(&found);
    else
        result = bsim__stall_probe(source, tag, comm, &found);
    if (result != MPI_SUCCESS)
        return result;
    *message = take(&found, comm);
    if (status != MPI_STATUS_IGNORE)
        *status = found;
    return MPI_SUCCESS;
}

int bsim__MPI_Improbe(int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message,
                      MPI_Status *status) {
    MPI_Status found;
    int result = MPI_SUCCESS;
    *flag = 1;
    if (source == MPI_PROC_NULL)
        nothing_from_nowhere(&found);
    else
        result = MPI_Iprobe(source, tag, comm, flag, &found);
    if (result != MPI_SUCCESS || !*flag)
        return result;
    *message = take(&found, comm);
    if (status != MPI_STATUS_IGNORE)
        *status = found;
    return MPI_SUCCESS;
}

/* ---- The receive ---- */

/* What does not fit is left out, and an error. */
static int unpack(const struct matched_probes_receive *receive) {
    const struct matched_probes_message *message = receive->message;
    int size, position = 0;
    MPI_Type_size(receive->datatype, &size);
    int elements = size > 0 ? message->length / size : 0;
    bool fits = elements <= receive->count;
    if (elements > 0)
        MPI_Unpack(message->bytes, message->length, &position, receive->buffer,
                   fits ? elements : receive->count, receive->datatype, message->communicator);
    if (!fits)
        MPI_Comm_call_errhandler(message->communicator, MPI_ERR_TRUNCATE);
    return fits ? MPI_SUCCESS : MPI_ERR_TRUNCATE;
}

static int finish(struct composite *composite) {
    struct matched_probes_receive *receive = composite->data;
    int result = unpack(receive);
    free(receive->message->bytes);
    free(receive->message);
    free(receive);
    return result;
}

static struct composite *receive(void *buf, int count, MPI_Datatype datatype,
                                 MPI_Message *message) {
    struct matched_probes_message *found = *message;
    *message = MPI_MESSAGE_NULL;
    struct composite *composite = composites_new(found != NULL);
    nothing_from_nowhere(&composite->status);
    if (found == NULL)
        return composite;
    struct matched_probes_receive *into = bsim__grow(NULL, 0, sizeof *into);
    *into = (struct matched_probes_receive){found, buf, count, datatype};
    composite->parts[0] = found->request;
    composite->status = found->status;
    composite->finish = finish;
    composite->data = into;
    return composite;
}

int bsim__MPI_Mrecv(void *buf, int count, MPI_Datatype datatype, MPI_Message *message,
                    MPI_Status *status) {
    return composites_wait(status, receive(buf, count, datatype, message));
}

int bsim__MPI_Imrecv(void *buf, int count, MPI_Datatype datatype, MPI_Message *message,
                     MPI_Request *request) {
    *request = composites_request(receive(buf, count, datatype, message));
    return MPI_SUCCESS;
}

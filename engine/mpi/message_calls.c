/* SPDX-License-Identifier: Apache-2.0
 *
 * MPI's functions of communication from rank to rank: sends and receives of all modes, persistent
 * requests, and the buffer of MPI_Bsend.
 */
#include "engine/collectives/rank_exchange.h"
#include "engine/core/simulation.h"
#include "engine/messages/completion.h"
#include "engine/mpi/checks.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

/* SMPI shows MPI_BOTTOM as another address, and takes it as 0. */
static const void *address_of(const void *buffer) {
    return buffer == MPI_BOTTOM ? NULL : buffer;
}

static int send(uint32_t flags, const void *buffer, int count, MPI_Datatype type, int to, int tag,
                MPI_Comm comm, const char *call) {
    int result = check_message(count, type, to, tag, comm);
    if (result != MPI_SUCCESS || to == MPI_PROC_NULL)
        return result;
    struct SMPI_Request *request =
        request_send(flags, address_of(buffer), count, type, to, tag, comm);
    request_start(request);
    return wait_one(&request, MPI_STATUS_IGNORE, call);
}

static int start_send(MPI_Request *out, uint32_t flags, const void *buffer, int count,
                      MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    int result = check_message(count, type, to, tag, comm);
    *out = MPI_REQUEST_NULL;
    if (result != MPI_SUCCESS)
        return result;
    *out = request_send(flags, address_of(buffer), count, type, to, tag, comm);
    if ((flags & REQUEST_PERSISTENT) == 0)
        request_start(*out);
    return MPI_SUCCESS;
}

static int start_receive(MPI_Request *out, uint32_t flags, void *buffer, int count,
                         MPI_Datatype type, int from, int tag, MPI_Comm comm) {
    int result = check_message(count, type, from, tag, comm);
    *out = MPI_REQUEST_NULL;
    if (result != MPI_SUCCESS)
        return result;
    *out =
        request_receive(flags, (void *)(uintptr_t)address_of(buffer), count, type, from, tag, comm);
    if ((flags & REQUEST_PERSISTENT) == 0)
        request_start(*out);
    return MPI_SUCCESS;
}

/* The buffer has to be there and large enough, though it is not used. */
static int check_buffer(int count, MPI_Datatype type) {
    const struct simulated_rank *rank = current_rank();
    MPI_Aint needed = type != NULL && count > 0 ? datatype_extent(type) * count : 0;
    return rank->buffer == NULL || rank->buffer_bytes < needed + MPI_BSEND_OVERHEAD ? MPI_ERR_BUFFER
                                                                                    : MPI_SUCCESS;
}

int PMPI_Send(const void *buf, int count, MPI_Datatype type, int dst, int tag, MPI_Comm comm) {
    return send(0, buf, count, type, dst, tag, comm, "MPI_Send");
}

int PMPI_Rsend(const void *buf, int count, MPI_Datatype type, int dst, int tag, MPI_Comm comm) {
    return send(0, buf, count, type, dst, tag, comm, "MPI_Rsend");
}

int PMPI_Ssend(const void *buf, int count, MPI_Datatype type, int dst, int tag, MPI_Comm comm) {
    return send(REQUEST_SYNCHRONOUS, buf, count, type, dst, tag, comm, "MPI_Ssend");
}

int PMPI_Bsend(const void *buf, int count, MPI_Datatype type, int dst, int tag, MPI_Comm comm) {
    if (check_buffer(count, type) != MPI_SUCCESS)
        return MPI_ERR_BUFFER;
    return send(REQUEST_BUFFERED, buf, count, type, dst, tag, comm, "MPI_Bsend");
}

int PMPI_Isend(const void *buf, int count, MPI_Datatype type, int dst, int tag, MPI_Comm comm,
               MPI_Request *request) {
    return start_send(request, REQUEST_NONBLOCKING, buf, count, type, dst, tag, comm);
}

ALSO_NAMED(PMPI_Irsend, PMPI_Isend);

int PMPI_Issend(const void *buf, int count, MPI_Datatype type, int dst, int tag, MPI_Comm comm,
                MPI_Request *request) {
    return start_send(request, REQUEST_NONBLOCKING | REQUEST_SYNCHRONOUS, buf, count, type, dst,
                      tag, comm);
}

int PMPI_Ibsend(const void *buf, int count, MPI_Datatype type, int dst, int tag, MPI_Comm comm,
                MPI_Request *request) {
    *request = MPI_REQUEST_NULL;
    if (check_buffer(count, type) != MPI_SUCCESS)
        return MPI_ERR_BUFFER;
    return start_send(request, REQUEST_NONBLOCKING | REQUEST_BUFFERED, buf, count, type, dst, tag,
                      comm);
}

#define KEPT (REQUEST_PERSISTENT | REQUEST_PREPARED)

int PMPI_Send_init(const void *buf, int count, MPI_Datatype type, int dst, int tag, MPI_Comm comm,
                   MPI_Request *request) {
    return start_send(request, KEPT, buf, count, type, dst, tag, comm);
}

int PMPI_Rsend_init(const void *buf, int count, MPI_Datatype type, int dst, int tag, MPI_Comm comm,
                    MPI_Request *request) {
    return start_send(request, KEPT, buf, count, type, dst, tag, comm);
}

int PMPI_Ssend_init(const void *buf, int count, MPI_Datatype type, int dst, int tag, MPI_Comm comm,
                    MPI_Request *request) {
    return start_send(request, KEPT | REQUEST_SYNCHRONOUS, buf, count, type, dst, tag, comm);
}

int PMPI_Bsend_init(const void *buf, int count, MPI_Datatype type, int dst, int tag, MPI_Comm comm,
                    MPI_Request *request) {
    *request = MPI_REQUEST_NULL;
    if (check_buffer(count, type) != MPI_SUCCESS)
        return MPI_ERR_BUFFER;
    return start_send(request, KEPT | REQUEST_BUFFERED, buf, count, type, dst, tag, comm);
}

int PMPI_Recv_init(void *buf, int count, MPI_Datatype type, int src, int tag, MPI_Comm comm,
                   MPI_Request *request) {
    return start_receive(request, KEPT, buf, count, type, src, tag, comm);
}

int PMPI_Irecv(void *buf, int count, MPI_Datatype type, int src, int tag, MPI_Comm comm,
               MPI_Request *request) {
    return start_receive(request, 0, buf, count, type, src, tag, comm);
}

int PMPI_Recv(void *buf, int count, MPI_Datatype type, int src, int tag, MPI_Comm comm,
              MPI_Status *status) {
    MPI_Request request;
    int result = start_receive(&request, 0, buf, count, type, src, tag, comm);
    return result != MPI_SUCCESS ? result : wait_one(&request, status, "MPI_Recv");
}

int PMPI_Sendrecv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dst, int sendtag,
                  void *recvbuf, int recvcount, MPI_Datatype recvtype, int src, int recvtag,
                  MPI_Comm comm, MPI_Status *status) {
    int result = check_message(sendcount, sendtype, dst, sendtag, comm);
    if (result == MPI_SUCCESS)
        result = check_message(recvcount, recvtype, src, recvtag, comm);
    if (result != MPI_SUCCESS)
        return result;
    struct exchange_side sent = {address_of(sendbuf), sendcount, sendtype, dst, sendtag};
    struct exchange_side received = {address_of(recvbuf), recvcount, recvtype, src, recvtag};
    exchange_both(&sent, &received, comm, status);
    return MPI_SUCCESS;
}

int PMPI_Sendrecv_replace(void *buf, int count, MPI_Datatype type, int dst, int sendtag, int src,
                          int recvtag, MPI_Comm comm, MPI_Status *status) {
    int result = check_message(count, type, dst, sendtag, comm);
    if (result != MPI_SUCCESS)
        return result;
    size_t bytes = (size_t)count * type->size;
    char *packed = xmalloc(bytes + 1);
    struct exchange_side sent = {buf, count, type, dst, sendtag};
    struct exchange_side received = {packed, (int)bytes, MPI_BYTE, src, recvtag};
    MPI_Status got;
    exchange_both(&sent, &received, comm, &got);
    if (src != MPI_PROC_NULL)
        datatype_copy(buf, count, type, packed, got.count, MPI_BYTE);
    if (status != MPI_STATUS_IGNORE)
        *status = got;
    free(packed);
    return MPI_SUCCESS;
}

/* What the runtime sends with tags that MPI's functions refuse (runtime/simgrid/reserved_tags.c):
 * simgrid::smpi::Request::isend and irecv, and Comm::id. */
MPI_Request engine_isend(
    const void *buf, int count, MPI_Datatype type, int dst, int tag,
    MPI_Comm comm) __asm__("_ZN7simgrid4smpi7Request5isendEPKviPNS0_8DatatypeEiiPNS0_4CommE");
MPI_Request engine_irecv(
    void *buf, int count, MPI_Datatype type, int src, int tag,
    MPI_Comm comm) __asm__("_ZN7simgrid4smpi7Request5irecvEPviPNS0_8DatatypeEiiPNS0_4CommE");
int engine_context_number(MPI_Comm comm) __asm__("_ZNK7simgrid4smpi4Comm2idEv");

MPI_Request engine_isend(const void *buf, int count, MPI_Datatype type, int dst, int tag,
                         MPI_Comm comm) {
    struct SMPI_Request *request =
        request_send(REQUEST_NONBLOCKING, address_of(buf), count, type, dst, tag, comm);
    request_start(request);
    return request;
}

MPI_Request engine_irecv(void *buf, int count, MPI_Datatype type, int src, int tag, MPI_Comm comm) {
    struct SMPI_Request *request = request_receive(0, buf, count, type, src, tag, comm);
    request_start(request);
    return request;
}

int engine_context_number(MPI_Comm comm) {
    return comm->context;
}

int PMPI_Buffer_attach(void *buffer, int size) {
    struct simulated_rank *rank = current_rank();
    if (buffer == NULL)
        return MPI_ERR_BUFFER;
    if (size < 0)
        return MPI_ERR_ARG;
    rank->buffer = buffer;
    rank->buffer_bytes = size;
    return MPI_SUCCESS;
}

int PMPI_Buffer_detach(void *buffer, int *size) {
    struct simulated_rank *rank = current_rank();
    *(void **)buffer = rank->buffer;
    *size = rank->buffer_bytes;
    rank->buffer = NULL;
    rank->buffer_bytes = 0;
    return MPI_SUCCESS;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * MPI's functions that start, end and look at requests.
 */
#include "engine/messages/completion.h"
#include "engine/mpi/checks.h"

int PMPI_Start(MPI_Request *request) {
    if (request == NULL || *request == MPI_REQUEST_NULL)
        return MPI_ERR_REQUEST;
    request_start(*request);
    return MPI_SUCCESS;
}

int PMPI_Startall(int count, MPI_Request *requests) {
    for (int i = 0; i < count; i++)
        if (requests[i] == MPI_REQUEST_NULL)
            return MPI_ERR_REQUEST;
    for (int i = 0; i < count; i++)
        request_start(requests[i]);
    return MPI_SUCCESS;
}

int PMPI_Request_free(MPI_Request *request) {
    if (*request != MPI_REQUEST_NULL)
        request_free(*request);
    *request = MPI_REQUEST_NULL;
    return MPI_SUCCESS;
}

int PMPI_Cancel(MPI_Request *request) {
    if (request == NULL || *request == MPI_REQUEST_NULL)
        return MPI_ERR_REQUEST;
    request_cancel(*request);
    return MPI_SUCCESS;
}

int PMPI_Test_cancelled(const MPI_Status *status, int *flag) {
    *flag = status->cancelled != 0;
    return MPI_SUCCESS;
}

int PMPI_Status_set_cancelled(MPI_Status *status, int flag) {
    status->cancelled = flag;
    return MPI_SUCCESS;
}

int PMPI_Status_set_elements(MPI_Status *status, MPI_Datatype type, int count) {
    status->count = count * (int)type->size;
    return MPI_SUCCESS;
}

int PMPI_Status_set_elements_x(MPI_Status *status, MPI_Datatype type, MPI_Count count) {
    return PMPI_Status_set_elements(status, type, (int)count);
}

int PMPI_Wait(MPI_Request *request, MPI_Status *status) {
    return wait_one(request, status, "MPI_Wait");
}

int PMPI_Waitall(int count, MPI_Request requests[], MPI_Status *statuses) {
    return wait_all(count, requests, statuses, "MPI_Waitall");
}

int PMPI_Waitany(int count, MPI_Request requests[], int *index, MPI_Status *status) {
    *index = wait_any(count, requests, status, "MPI_Waitany");
    return MPI_SUCCESS;
}

int PMPI_Waitsome(int count, MPI_Request requests[], int *outcount, int *indices,
                  MPI_Status *statuses) {
    *outcount = wait_some(count, requests, indices, statuses, "MPI_Waitsome");
    return MPI_SUCCESS;
}

int PMPI_Test(MPI_Request *request, int *flag, MPI_Status *status) {
    if (*request == MPI_REQUEST_NULL) {
        *flag = 1;
        status_empty(status);
        return MPI_SUCCESS;
    }
    return test_one(flag, request, status);
}

int PMPI_Testall(int count, MPI_Request requests[], int *flag, MPI_Status *statuses) {
    return test_all(flag, count, requests, statuses);
}

int PMPI_Testany(int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status) {
    return test_any(flag, index, count, requests, status);
}

int PMPI_Testsome(int count, MPI_Request requests[], int *outcount, int *indices,
                  MPI_Status *statuses) {
    return test_some(outcount, count, requests, indices, statuses);
}

int PMPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *status) {
    simulation_end_sleeps();
    status_empty(status);
    *flag = request == MPI_REQUEST_NULL || request->is_done ||
            (request->flags & (REQUEST_PREPARED | REQUEST_FINISHED)) != 0;
    if (!*flag || request == MPI_REQUEST_NULL || status == MPI_STATUS_IGNORE)
        return MPI_SUCCESS;
    status->MPI_SOURCE = process_group_rank(request->comm->group, request->real_source);
    status->MPI_TAG = request->real_tag;
    status->count = (int)request->real_bytes;
    return MPI_SUCCESS;
}

int PMPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status) {
    int result = check_message(0, MPI_BYTE, source, tag, comm);
    if (result != MPI_SUCCESS)
        return result;
    if (source == MPI_PROC_NULL)
        status_of_nobody(status);
    else
        probe_until(source, tag, comm, status);
    return MPI_SUCCESS;
}

int PMPI_Iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status) {
    int result = check_message(0, MPI_BYTE, source, tag, comm);
    if (result != MPI_SUCCESS)
        return result;
    *flag = source == MPI_PROC_NULL;
    if (*flag)
        status_of_nobody(status);
    else
        probe_now(flag, source, tag, comm, status);
    return MPI_SUCCESS;
}

int PMPI_Grequest_start(MPI_Grequest_query_function *query, MPI_Grequest_free_function *forget,
                        MPI_Grequest_cancel_function *cancel, void *extra, MPI_Request *request) {
    *request = generalized_new(query, forget, cancel, extra);
    return MPI_SUCCESS;
}

int PMPI_Grequest_complete(MPI_Request request) {
    generalized_complete(request);
    return MPI_SUCCESS;
}

int PMPI_Get_count(const MPI_Status *status, MPI_Datatype type, int *count) {
    if (type == NULL || type == MPI_DATATYPE_NULL)
        return MPI_ERR_TYPE;
    *count = type->size == 0                        ? 0
             : status->count % (int)type->size != 0 ? MPI_UNDEFINED
                                                    : status->count / (int)type->size;
    return MPI_SUCCESS;
}

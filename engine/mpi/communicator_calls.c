/* SPDX-License-Identifier: Apache-2.0
 *
 * MPI's functions that make communicators, compare and free them.
 */
#include "engine/core/simulation.h"
#include "engine/mpi/making.h"

#include "base/arena.h"

#include <stdio.h>
#include <stdlib.h>

int PMPI_Comm_rank(MPI_Comm comm, int *rank) {
    if (comm == MPI_COMM_NULL)
        return MPI_ERR_COMM;
    *rank = communicator_rank(comm);
    return MPI_SUCCESS;
}

int PMPI_Comm_size(MPI_Comm comm, int *size) {
    if (comm == MPI_COMM_NULL)
        return MPI_ERR_COMM;
    *size = comm->group->size;
    return MPI_SUCCESS;
}

int PMPI_Comm_group(MPI_Comm comm, MPI_Group *group) {
    if (comm == MPI_COMM_NULL)
        return MPI_ERR_COMM;
    *group = process_group_use(comm->group);
    return MPI_SUCCESS;
}

int PMPI_Comm_compare(MPI_Comm left, MPI_Comm right, int *result) {
    if (left == MPI_COMM_NULL || right == MPI_COMM_NULL)
        return MPI_ERR_COMM;
    *result = process_group_compare(left->group, right->group);
    if (left == right)
        *result = MPI_IDENT;
    else if (*result == MPI_IDENT)
        *result = MPI_CONGRUENT;
    return MPI_SUCCESS;
}

int PMPI_Comm_dup(MPI_Comm comm, MPI_Comm *out) {
    if (comm == MPI_COMM_NULL)
        return MPI_ERR_COMM;
    *out = making_communicator(process_group_use(comm->group), cartesian_copy(comm->cartesian));
    (*out)->handler = comm->handler;
    (*out)->info = comm->info;
    return keyed_values_copy(&(*out)->attributes, comm->attributes, comm, simulation.current);
}

int PMPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *out) {
    int result = PMPI_Comm_dup(comm, out);
    if (result == MPI_SUCCESS)
        (*out)->info = info;
    return result;
}

int PMPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm *out) {
    if (comm == MPI_COMM_NULL)
        return MPI_ERR_COMM;
    *out = MPI_COMM_NULL;
    if (process_group_rank(group, simulation.current) != MPI_UNDEFINED)
        *out = making_communicator(process_group_use(group), NULL);
    return MPI_SUCCESS;
}

int PMPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *out) {
    (void)tag;
    return PMPI_Comm_create(comm, group, out);
}

int PMPI_Comm_free(MPI_Comm *comm) {
    if (comm == NULL || *comm == MPI_COMM_NULL || *comm == MPI_COMM_WORLD)
        return MPI_ERR_COMM;
    int result = keyed_values_delete_all(&(*comm)->attributes, *comm, simulation.current);
    communicator_release(*comm);
    *comm = MPI_COMM_NULL;
    return result;
}

int PMPI_Comm_disconnect(MPI_Comm *comm) {
    return PMPI_Comm_free(comm);
}

int PMPI_Comm_test_inter(MPI_Comm comm, int *flag) {
    *flag = 0;
    return comm == MPI_COMM_NULL ? MPI_ERR_COMM : MPI_SUCCESS;
}

int PMPI_Comm_get_name(MPI_Comm comm, char *name, int *length) {
    const char *text = comm->name != NULL       ? comm->name
                       : comm == MPI_COMM_WORLD ? "MPI_COMM_WORLD"
                                                : "";
    *length = snprintf(name, MPI_MAX_NAME_STRING + 1, "%s", text);
    return MPI_SUCCESS;
}

int PMPI_Comm_set_name(MPI_Comm comm, const char *name) {
    free(comm->name);
    comm->name = xstrdup(name);
    return MPI_SUCCESS;
}

MPI_Comm smpi_process_comm_self(void) {
    return communicator_self(simulation.current);
}

int PMPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *out) {
    if (comm == MPI_COMM_NULL)
        return MPI_ERR_COMM;
    if (color != MPI_UNDEFINED && color < 0)
        return MPI_ERR_ARG;
    struct SMPI_Group *group = making_split(comm, color, key);
    *out =
        group != NULL ? making_communicator(group, cartesian_copy(comm->cartesian)) : MPI_COMM_NULL;
    return MPI_SUCCESS;
}

/* The ranks on the host of the current one, without messages, as SMPI finds them. */
int PMPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *out) {
    (void)key, (void)info;
    if (comm == MPI_COMM_NULL)
        return MPI_ERR_COMM;
    *out = type == MPI_COMM_TYPE_SHARED ? making_on_host(comm) : MPI_COMM_NULL;
    return MPI_SUCCESS;
}

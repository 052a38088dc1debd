/* SPDX-License-Identifier: Apache-2.0
 *
 * MPI's functions that ask about windows.
 */
#include "engine/core/simulation.h"
#include "engine/mpi/windows.h"
#include "engine/objects/failure.h"

#include "base/arena.h"

#include <stdio.h>
#include <stdlib.h>

int PMPI_Win_get_group(MPI_Win win, MPI_Group *group) {
    *group = process_group_use(win->comm->group);
    return MPI_SUCCESS;
}

int PMPI_Win_get_name(MPI_Win win, char *name, int *length) {
    *length = snprintf(name, MPI_MAX_OBJECT_NAME, "%s", win->name != NULL ? win->name : "");
    return MPI_SUCCESS;
}

int PMPI_Win_set_name(MPI_Win win, const char *name) {
    free(win->name);
    win->name = xstrdup(name);
    return MPI_SUCCESS;
}

int PMPI_Win_get_info(MPI_Win win, MPI_Info *info) {
    return win->info != MPI_INFO_NULL ? PMPI_Info_dup(win->info, info) : PMPI_Info_create(info);
}

int PMPI_Win_set_info(MPI_Win win, MPI_Info info) {
    win->info = info;
    return MPI_SUCCESS;
}

int PMPI_Win_shared_query(MPI_Win win, int rank, MPI_Aint *size, int *unit, void *base) {
    const struct SMPI_Win *target = rank != MPI_PROC_NULL ? win->of[rank] : NULL;
    for (int i = 0; target == NULL && i < win->comm->group->size; i++)
        if (win->of[i]->size > 0)
            target = win->of[i];
    *size = target != NULL ? target->size : 0;
    *(void **)base = target != NULL ? target->base : NULL;
    if (target != NULL)
        *unit = target->unit;
    return MPI_SUCCESS;
}

int PMPI_Win_create_keyval(MPI_Win_copy_attr_function *copy, MPI_Win_delete_attr_function *forget,
                           int *key, void *extra) {
    attribute_key_new(key, (attribute_copy_function *)copy, (attribute_delete_function *)forget,
                      extra);
    return MPI_SUCCESS;
}

int PMPI_Win_free_keyval(int *key) {
    *key = MPI_KEYVAL_INVALID;
    return MPI_SUCCESS;
}

int PMPI_Win_get_attr(MPI_Win win, int key, void *value, int *flag) {
    win->shown_size = win->size;
    win->shown_unit = win->unit;
    *flag = 1;
    if (key == MPI_WIN_BASE)
        *(void **)value = win->base;
    else if (key == MPI_WIN_SIZE)
        *(MPI_Aint **)value = &win->shown_size;
    else if (key == MPI_WIN_DISP_UNIT)
        *(MPI_Aint **)value = &win->shown_unit;
    else
        *flag = keyed_values_get(value, win->attributes, simulation.current, key);
    return MPI_SUCCESS;
}

int PMPI_Win_set_attr(MPI_Win win, int key, void *value) {
    return keyed_values_put(&win->attributes, win, simulation.current, key, value);
}

int PMPI_Win_delete_attr(MPI_Win win, int key) {
    return keyed_values_delete(&win->attributes, win, simulation.current, key);
}

int PMPI_Win_create_errhandler(MPI_Win_errhandler_function *function, MPI_Errhandler *out) {
    return PMPI_Errhandler_create((MPI_Handler_function *)function, out);
}

int PMPI_Win_get_errhandler(MPI_Win win, MPI_Errhandler *out) {
    *out = win->handler != NULL ? win->handler : MPI_ERRORS_ARE_FATAL;
    return MPI_SUCCESS;
}

int PMPI_Win_set_errhandler(MPI_Win win, MPI_Errhandler handler) {
    win->handler = handler;
    return MPI_SUCCESS;
}

int PMPI_Win_call_errhandler(MPI_Win win, int code) {
    failure_handle(win->handler, &win, code, "MPI_Win_call_errhandler");
    return MPI_SUCCESS;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * MPI's functions of attributes, of infos and of error handlers.
 */
#include "engine/core/simulation.h"
#include "engine/mpi/checks.h"
#include "engine/objects/communicator.h"
#include "engine/objects/datatype.h"
#include "engine/objects/failure.h"

#include "base/arena.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Of communicators ---- */

int PMPI_Keyval_create(MPI_Copy_function *copy, MPI_Delete_function *forget, int *key,
                       void *extra) {
    attribute_key_new(key, (attribute_copy_function *)copy, (attribute_delete_function *)forget,
                      extra);
    return MPI_SUCCESS;
}

int PMPI_Keyval_free(int *key) {
    *key = MPI_KEYVAL_INVALID;
    return MPI_SUCCESS;
}

ALSO_NAMED(PMPI_Comm_create_keyval, PMPI_Keyval_create);
ALSO_NAMED(PMPI_Comm_free_keyval, PMPI_Keyval_free);

/* Those that MPI itself has. */
static const int *predefined_attribute(int key) {
    static const int zero = 0, one = 1, largest_tag = INT_MAX, last_code = MPI_ERR_LASTCODE;
    static int universe;
    universe = (int)simulation.rank_count;
    switch (key) {
    case MPI_HOST:
    case MPI_IO:
    case MPI_APPNUM:
        return &zero;
    case MPI_UNIVERSE_SIZE:
        return &universe;
    case MPI_LASTUSEDCODE:
        return &last_code;
    case MPI_TAG_UB:
        return &largest_tag;
    case MPI_WTIME_IS_GLOBAL:
        return &one;
    default:
        return NULL;
    }
}

int PMPI_Attr_get(MPI_Comm comm, int key, void *value, int *flag) {
    const int *predefined = predefined_attribute(key);
    if (comm == MPI_COMM_NULL)
        return MPI_ERR_COMM;
    *flag = 1;
    if (predefined != NULL)
        *(const int **)value = predefined;
    else if (!attribute_key_exists(key))
        return MPI_ERR_KEYVAL;
    else
        *flag = keyed_values_get(value, comm->attributes, simulation.current, key);
    return MPI_SUCCESS;
}

int PMPI_Attr_put(MPI_Comm comm, int key, void *value) {
    if (comm == MPI_COMM_NULL)
        return MPI_ERR_COMM;
    return keyed_values_put(&comm->attributes, comm, simulation.current, key, value);
}

int PMPI_Attr_delete(MPI_Comm comm, int key) {
    if (comm == MPI_COMM_NULL)
        return MPI_ERR_COMM;
    return keyed_values_delete(&comm->attributes, comm, simulation.current, key);
}

ALSO_NAMED(PMPI_Comm_get_attr, PMPI_Attr_get);
ALSO_NAMED(PMPI_Comm_set_attr, PMPI_Attr_put);
ALSO_NAMED(PMPI_Comm_delete_attr, PMPI_Attr_delete);

/* ---- Of datatypes ---- */

int PMPI_Type_create_keyval(MPI_Type_copy_attr_function *copy,
                            MPI_Type_delete_attr_function *forget, int *key, void *extra) {
    attribute_key_new(key, (attribute_copy_function *)copy, (attribute_delete_function *)forget,
                      extra);
    return MPI_SUCCESS;
}

ALSO_NAMED(PMPI_Type_free_keyval, PMPI_Keyval_free);

int PMPI_Type_get_attr(MPI_Datatype type, int key, void *value, int *flag) {
    *flag = keyed_values_get(value, type->attributes, simulation.current, key);
    return MPI_SUCCESS;
}

int PMPI_Type_set_attr(MPI_Datatype type, int key, void *value) {
    return keyed_values_put(&type->attributes, type, simulation.current, key, value);
}

int PMPI_Type_delete_attr(MPI_Datatype type, int key) {
    return keyed_values_delete(&type->attributes, type, simulation.current, key);
}

/* ---- Error handlers ---- */

static struct SMPI_Errhandler *new_handler(MPI_Handler_function *function) {
    struct SMPI_Errhandler *handler = xcalloc(1, sizeof *handler);
    handler->function = function;
    return handler;
}

int PMPI_Errhandler_create(MPI_Handler_function *function, MPI_Errhandler *out) {
    *out = new_handler(function);
    return MPI_SUCCESS;
}

ALSO_NAMED(PMPI_Comm_create_errhandler, PMPI_Errhandler_create);

/* The communicator may still have it. */
int PMPI_Errhandler_free(MPI_Errhandler *handler) {
    if (handler == NULL || *handler == MPI_ERRHANDLER_NULL)
        return MPI_ERR_ARG;
    *handler = MPI_ERRHANDLER_NULL;
    return MPI_SUCCESS;
}

int PMPI_Errhandler_get(MPI_Comm comm, MPI_Errhandler *out) {
    if (comm == MPI_COMM_NULL)
        return MPI_ERR_COMM;
    *out = comm->handler != NULL ? comm->handler : MPI_ERRORS_ARE_FATAL;
    return MPI_SUCCESS;
}

int PMPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler handler) {
    if (comm == MPI_COMM_NULL)
        return MPI_ERR_COMM;
    comm->handler = handler;
    return MPI_SUCCESS;
}

ALSO_NAMED(PMPI_Comm_get_errhandler, PMPI_Errhandler_get);
ALSO_NAMED(PMPI_Comm_set_errhandler, PMPI_Errhandler_set);

int PMPI_Comm_call_errhandler(MPI_Comm comm, int code) {
    failure_of_communicator(comm, code, "MPI_Comm_call_errhandler");
    return MPI_SUCCESS;
}

/* ---- Infos ---- */

struct info_entry {
    struct info_entry *next;
    char *key, *value;
};

struct SMPI_Info {
    struct info_entry *first;
};

static struct info_entry **find(struct SMPI_Info *info, const char *key) {
    struct info_entry **at = &info->first;
    while (*at != NULL && strcmp((*at)->key, key) != 0)
        at = &(*at)->next;
    return at;
}

int PMPI_Info_create(MPI_Info *out) {
    *out = xcalloc(1, sizeof(struct SMPI_Info));
    return MPI_SUCCESS;
}

int PMPI_Info_set(MPI_Info info, const char *key, const char *value) {
    struct info_entry **at = find(info, key);
    if (*at == NULL) {
        *at = xcalloc(1, sizeof **at);
        (*at)->key = xstrdup(key);
    }
    free((*at)->value);
    (*at)->value = xstrdup(value);
    return MPI_SUCCESS;
}

int PMPI_Info_delete(MPI_Info info, const char *key) {
    struct info_entry **at = find(info, key), *entry = *at;
    if (entry == NULL)
        return MPI_ERR_INFO_NOKEY;
    *at = entry->next;
    free(entry->key);
    free(entry->value);
    free(entry);
    return MPI_SUCCESS;
}

int PMPI_Info_free(MPI_Info *info) {
    while ((*info)->first != NULL)
        PMPI_Info_delete(*info, (*info)->first->key);
    free(*info);
    *info = MPI_INFO_NULL;
    return MPI_SUCCESS;
}

int PMPI_Info_get(MPI_Info info, const char *key, int most, char *value, int *flag) {
    struct info_entry *entry = info != MPI_INFO_NULL ? *find(info, key) : NULL;
    *flag = entry != NULL;
    if (entry != NULL)
        snprintf(value, (size_t)most + 1, "%s", entry->value);
    return MPI_SUCCESS;
}

int PMPI_Info_get_valuelen(MPI_Info info, const char *key, int *length, int *flag) {
    struct info_entry *entry = info != MPI_INFO_NULL ? *find(info, key) : NULL;
    *flag = entry != NULL;
    if (entry != NULL)
        *length = (int)strlen(entry->value);
    return MPI_SUCCESS;
}

int PMPI_Info_get_nkeys(MPI_Info info, int *count) {
    *count = 0;
    for (const struct info_entry *entry = info->first; entry != NULL; entry = entry->next)
        ++*count;
    return MPI_SUCCESS;
}

int PMPI_Info_get_nthkey(MPI_Info info, int n, char *key) {
    const struct info_entry *entry = info->first;
    for (int i = 0; i < n && entry != NULL; i++)
        entry = entry->next;
    if (entry == NULL)
        return MPI_ERR_ARG;
    snprintf(key, MPI_MAX_INFO_KEY, "%s", entry->key);
    return MPI_SUCCESS;
}

int PMPI_Info_dup(MPI_Info info, MPI_Info *out) {
    PMPI_Info_create(out);
    for (const struct info_entry *entry = info->first; entry != NULL; entry = entry->next)
        PMPI_Info_set(*out, entry->key, entry->value);
    return MPI_SUCCESS;
}

int PMPI_Comm_get_info(MPI_Comm comm, MPI_Info *out) {
    if (comm->info == MPI_INFO_NULL)
        return PMPI_Info_create(out);
    return PMPI_Info_dup(comm->info, out);
}

int PMPI_Comm_set_info(MPI_Comm comm, MPI_Info info) {
    comm->info = info;
    return MPI_SUCCESS;
}

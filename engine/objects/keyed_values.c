/* SPDX-License-Identifier: Apache-2.0
 *
 * See keyed_values.h. Keys are never given out twice; a freed one keeps its functions for the
 * values that are still there, as MPI says.
 */
#include "engine/objects/keyed_values.h"

#include "base/arena.h"
#include "base/vec.h"

#include <mpi.h>
#include <stdlib.h>

/* SMPI's MPI_COMM_DUP_FN and its kin. */
#define COPY_AS_IT_IS ((attribute_copy_function *)1)

struct attribute_key {
    attribute_copy_function *copy;
    attribute_delete_function *forget;
    void *extra;
};

static VEC(struct attribute_key) attribute_keys;

void attribute_key_new(int *out, attribute_copy_function *copy, attribute_delete_function *forget,
                       void *extra) {
    vec_push(&attribute_keys,
             (struct attribute_key){.copy = copy, .forget = forget, .extra = extra});
    *out = (int)attribute_keys.count;
}

bool attribute_key_exists(int key) {
    return key > 0 && (size_t)key <= attribute_keys.count;
}

static struct keyed_value **find(struct keyed_value **values, uint32_t rank, int key) {
    while (*values != NULL && ((*values)->key != key || (*values)->rank != rank))
        values = &(*values)->next;
    return values;
}

bool keyed_values_get(void **out, const struct keyed_value *values, uint32_t rank, int key) {
    for (; values != NULL; values = values->next)
        if (values->key == key && values->rank == rank) {
            *out = values->value;
            return true;
        }
    return false;
}

static int forget(struct keyed_value **at, void *object) {
    struct keyed_value *value = *at;
    const struct attribute_key *key = &attribute_keys.items[value->key - 1];
    int result = key->forget != NULL ? key->forget(object, value->key, value->value, key->extra)
                                     : MPI_SUCCESS;
    if (result != MPI_SUCCESS)
        return result;
    *at = value->next;
    free(value);
    return MPI_SUCCESS;
}

static void add(struct keyed_value **values, uint32_t rank, int key, void *value) {
    struct keyed_value *fresh = xmalloc(sizeof *fresh);
    *fresh = (struct keyed_value){.next = *values, .value = value, .rank = rank, .key = key};
    *values = fresh;
}

int keyed_values_put(struct keyed_value **values, void *object, uint32_t rank, int key,
                     void *value) {
    int result = attribute_key_exists(key) ? MPI_SUCCESS : MPI_ERR_ARG;
    struct keyed_value **at = find(values, rank, key);
    if (result == MPI_SUCCESS && *at != NULL)
        result = forget(at, object);
    if (result == MPI_SUCCESS)
        add(values, rank, key, value);
    return result;
}

int keyed_values_delete(struct keyed_value **values, void *object, uint32_t rank, int key) {
    struct keyed_value **at = find(values, rank, key);
    return *at != NULL ? forget(at, object) : MPI_ERR_ARG;
}

int keyed_values_delete_all(struct keyed_value **values, void *object, uint32_t rank) {
    int result = MPI_SUCCESS;
    for (struct keyed_value **at = values; *at != NULL && result == MPI_SUCCESS;)
        if ((*at)->rank == rank)
            result = forget(at, object);
        else
            at = &(*at)->next;
    return result;
}

int keyed_values_copy(struct keyed_value **out, const struct keyed_value *values, void *from,
                      uint32_t rank) {
    for (; values != NULL; values = values->next) {
        const struct attribute_key *key = &attribute_keys.items[values->key - 1];
        void *copied = values->value;
        int flag = key->copy == COPY_AS_IT_IS, result = MPI_SUCCESS;
        if (values->rank != rank || key->copy == NULL)
            continue;
        if (!flag)
            result = key->copy(from, values->key, key->extra, values->value, &copied, &flag);
        if (result != MPI_SUCCESS)
            return result;
        if (flag)
            add(out, rank, values->key, copied);
    }
    return MPI_SUCCESS;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Attributes: what programs attach to communicators, datatypes and windows under keys.
 *
 * A communicator is one object for all its ranks, and attributes are each rank's own, so each value
 * has the rank whose it is.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* MPI's copy and delete functions have the same shape for all three kinds of objects. */
typedef int attribute_copy_function(void *object, int key, void *extra, void *value, void *out,
                                    int *flag);
typedef int attribute_delete_function(void *object, int key, void *value, void *extra);

struct keyed_value {
    struct keyed_value *next;
    void *value;
    uint32_t rank;
    int key;
};

/* *out is positive and new. */
void attribute_key_new(int *out, attribute_copy_function *copy, attribute_delete_function *forget,
                       void *extra);
bool attribute_key_exists(int key);

/* Of the rank; false: it has none under this key. */
bool keyed_values_get(void **out, const struct keyed_value *values, uint32_t rank, int key);
/* What was there before is deleted by the key's function. Returns an error code of MPI. */
int keyed_values_put(struct keyed_value **values, void *object, uint32_t rank, int key,
                     void *value);
int keyed_values_delete(struct keyed_value **values, void *object, uint32_t rank, int key);
/* All of the rank. */
int keyed_values_delete_all(struct keyed_value **values, void *object, uint32_t rank);
/* By the keys' functions. */
int keyed_values_copy(struct keyed_value **out, const struct keyed_value *values, void *from,
                      uint32_t rank);

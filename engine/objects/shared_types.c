/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/objects/shared_types.h"

#include "engine/core/simulation.h"

#include <string.h>

/* They are kept for the ranks to come: beyond so many a program makes and frees them in a loop. */
#define SHARED_MOST 1024

static struct SMPI_Datatype *shared_types[SHARED_MOST]; /* by how many their rank had made */

static bool has_same_bytes(const void *left, const void *right, int count, size_t size) {
    return count == 0 || memcmp(left, right, (size_t)count * size) == 0;
}

static bool has_same_contents(const struct datatype_contents *a,
                              const struct datatype_contents *b) {
    if (a == NULL || b == NULL)
        return a == b;
    return a->integer_count == b->integer_count && a->address_count == b->address_count &&
           a->datatype_count == b->datatype_count &&
           has_same_bytes(a->integers, b->integers, a->integer_count, sizeof *a->integers) &&
           has_same_bytes(a->addresses, b->addresses, a->address_count, sizeof *a->addresses) &&
           has_same_bytes(a->datatypes, b->datatypes, a->datatype_count, sizeof *a->datatypes);
}

static bool is_same(const struct SMPI_Datatype *a, const struct SMPI_Datatype *b);

/* Those inside, which no handle names, are compared likewise. */
static bool has_same_blocks(const struct SMPI_Datatype *a, const struct SMPI_Datatype *b) {
    for (int i = 0; i < a->block_count; i++) {
        const struct datatype_block *left = &a->blocks[i], *right = &b->blocks[i];
        if (left->offset != right->offset || left->count != right->count ||
            (left->of != right->of && !is_same(left->of, right->of)))
            return false;
    }
    return true;
}

/* Bounds follow from contents and blocks. */
static bool is_same(const struct SMPI_Datatype *a, const struct SMPI_Datatype *b) {
    return !datatype_is_predefined(a) && !datatype_is_predefined(b) && a->combiner == b->combiner &&
           a->repeats == b->repeats && a->stride == b->stride && a->block_count == b->block_count &&
           has_same_contents(a->contents, b->contents) && has_same_blocks(a, b);
}

struct SMPI_Datatype *datatype_shared(struct SMPI_Datatype *fresh) {
    uint32_t number = current_rank()->types_made++;
    if (number >= SHARED_MOST)
        return fresh;
    struct SMPI_Datatype **shared = &shared_types[number];
    if (*shared != NULL && is_same(*shared, fresh)) {
        datatype_release(fresh);
        return datatype_use(*shared);
    }
    if (*shared != NULL)
        datatype_release(*shared);
    return *shared = datatype_use(fresh);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Where in its list a demand stands, by what it is. Asked for more often than anything else: an
 * open hash table of places in the list. Only the last demand of a list is ever taken out.
 */
#pragma once

#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum demand_kind {
    DEMAND_NODE,      /* a node, whole */
    DEMAND_JUMP,      /* a return statement, for where it goes, not for its value */
    DEMAND_CALL,      /* a call: that it happens */
    DEMAND_VALUE,     /* what a call returns */
    DEMAND_PLACE,     /* the contents of a location, of a class */
    DEMAND_PARAMETER, /* the value of a parameter */
    DEMAND_CHAIN,     /* that a function is called where it may change an object */
    DEMAND_PAYLOAD,   /* the contents of a message */
    DEMAND_DECLARE,   /* that an object is declared */
    DEMAND_ARGUMENT,  /* an argument of a call, evaluated as written */
    DEMAND_DEVICE,    /* what a call brings from a device, which no skeleton can */
};

/* Which contents of a message: all, or, of a collective, those that other calls of it receive, or
 * those that are still where they were sent from. */
enum payload_side { PAYLOAD_ALL, PAYLOAD_FOR_OTHERS, PAYLOAD_SENT };

struct demand {
    enum demand_kind kind;
    int subject; /* id of the node, call, location, function, object */
    int detail;  /* class, parameter, object, argument, enum payload_side */
    int parent;  /* index of the demand that raised it; -1: a criterion */
    const char *why;
};

#define DEMAND_KINDS (DEMAND_DEVICE + 1)

/* A bit for each object. */
struct chain_bits {
    uint64_t *items;
    size_t count, capacity;
};

/* Of zeroes: empty. */
struct demand_index {
    int *slots; /* -1: free */
    size_t capacity, count;
    VEC(int) direct[DEMAND_KINDS]; /* by subject: the place + 1 */
    VEC(struct chain_bits) chains; /* by function */
};

/* The place in `demands`, -1: it is not there. */
int demand_index_find(const struct demand_index *index, const struct demand *demands,
                      enum demand_kind kind, int subject, int detail);

bool demand_index_has(const struct demand_index *index, const struct demand *demands,
                      enum demand_kind kind, int subject, int detail);

/* The last one of `count` demands comes in, or goes. */
void demand_index_add(struct demand_index *index, const struct demand *demands, size_t count);
void demand_index_remove(struct demand_index *index, const struct demand *demands, size_t count);

void demand_index_dispose(struct demand_index *index);

/* SPDX-License-Identifier: Apache-2.0
 *
 * See folded.h. MPI's operations leave `in OP inout` in `inout`: with the result up to the rank
 * before as `in` and the rank's own as `inout`, that is the result up to it.
 */
#include "runtime/collectives/folded.h"

#include "runtime/collectives/typed_bytes.h"

#include <stdlib.h>
#include <string.h>

struct part {
    void *data;
    bool has_come;
};

struct folded {
    struct folded *next;
    uint64_t communicator, number;
    int size, left;
    int done; /* up to which rank parts are results */
    struct part parts[];
};

struct folded *folded_find(struct folded_list *list, uint64_t communicator, uint64_t number,
                           int size) {
    for (struct folded *one = list->first; one != NULL; one = one->next)
        if (one->communicator == communicator && one->number == number)
            return one;
    size_t bytes = sizeof(struct folded) + (size_t)size * sizeof(struct part);
    struct folded *made = memset(typed_bytes_memory(bytes), 0, bytes);
    made->communicator = communicator;
    made->number = number;
    made->size = size;
    made->next = list->first;
    return list->first = made;
}

void folded_put(struct folded *folded, int rank, void *data) {
    folded->parts[rank] = (struct part){.data = data, .has_come = true};
}

/* A new block: what an operation gets must not be what others read, since the call may let them go
 * on, where computation takes time. Operations want elements as the datatype has them. */
static void *combined(const void *in, const void *own, long count, MPI_Datatype type, MPI_Op op) {
    void *memory[2] = {NULL, NULL};
    size_t bytes = (size_t)count * typed_bytes_size(type);
    void *result = memcpy(typed_bytes_memory(bytes), own, bytes);
    if (typed_bytes_is_predefined(type)) {
        typed_bytes_reduce(in, result, count, type, op);
        return result;
    }
    void *left = typed_bytes_new(&memory[0], count, type);
    void *right = typed_bytes_new(&memory[1], count, type);
    typed_bytes_unpack(left, in, count, type);
    typed_bytes_unpack(right, own, count, type);
    typed_bytes_reduce(left, right, count, type, op);
    typed_bytes_pack(result, right, count, type);
    free(memory[0]);
    free(memory[1]);
    return result;
}

/* The result up to one rank more, unless another rank has made it meanwhile. */
static void go_on(struct folded *folded, long count, MPI_Datatype type, MPI_Op op) {
    int done = folded->done;
    struct part *before = &folded->parts[done], *own = before + 1;
    void *result = NULL;
    if (before->data != NULL && own->data != NULL)
        result = combined(before->data, own->data, count, type, op);
    if (folded->done != done) {
        free(result);
        return;
    }
    if (result != NULL) {
        free(own->data);
        own->data = result;
    }
    folded->done++;
}

static int first_missing(const struct folded *folded, int last_rank) {
    for (int i = 0; i <= last_rank; i++)
        if (!folded->parts[i].has_come)
            return i;
    return -1;
}

const void *folded_result(struct folded *folded, int last_rank, long count, MPI_Datatype type,
                          MPI_Op op, int *missing) {
    *missing = first_missing(folded, last_rank);
    if (*missing >= 0)
        return NULL;
    while (folded->done < last_rank)
        go_on(folded, count, type, op);
    return folded->parts[last_rank].data;
}

void folded_leave(struct folded_list *list, struct folded *folded) {
    if (++folded->left < folded->size)
        return;
    struct folded **link = &list->first;
    while (*link != folded)
        link = &(*link)->next;
    *link = folded->next;
    for (int i = 0; i < folded->size; i++)
        free(folded->parts[i].data);
    free(folded);
}

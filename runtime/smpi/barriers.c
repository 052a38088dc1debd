/* SPDX-License-Identifier: Apache-2.0
 *
 * MPI_Ibarrier in place of SimGrid's (3.32), which lets a rank go on when rank 0 has come, though
 * others have not: programs that find out so that nothing is under way any more (nonblocking
 * consensus: Hoefler, Siebert, Lumsdaine, PPoPP 2010) end too early.
 *
 * The ranks of a barrier are counted in memory, which they share in the simulation; the last one to
 * come sends an empty message to each other, for which these wait. So a barrier completes one
 * message after its last rank came, where a real one needs several in a row. Sent by one rank, they
 * need no progress by those that wait: whatever these do meanwhile, they are not held up.
 */
#include "runtime/simgrid/reserved_tags.h"
#include "runtime/smpi/composites.h"
#include "runtime/smpi/replaced.h"

#include <stdlib.h>

#define BSIM_NO_MACROS
#include "bsim_calls.h"

#define TAGS 4096 /* communicators without a number are told apart by tags, too */

/* Of a communicator: the barriers that this rank has begun on it. */
struct bsim__barriers_begun {
    uint64_t communicator;
    uint64_t count;
};

/* A barrier to which not all ranks have come; by its communicator and its number there. */
struct bsim__barriers_open {
    uint64_t communicator;
    uint64_t number;
    int ranks;
};

/* By its ranks where SimGrid gives no number. */
static uint64_t name_of(MPI_Comm comm) {
    int number = reserved_tags_number_of(comm), size;
    MPI_Group group, world;
    if (number != MPI_UNDEFINED || comm == MPI_COMM_WORLD)
        return (uint64_t)(unsigned)number;
    MPI_Comm_group(comm, &group);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_size(group, &size);
    uint64_t name = 14695981039346656037ull; /* FNV-1a */
    for (int i = 0, rank; i < size; i++) {
        MPI_Group_translate_ranks(group, 1, &i, world, &rank);
        name = (name ^ (unsigned)rank) * 1099511628211ull;
    }
    MPI_Group_free(&group);
    MPI_Group_free(&world);
    return name;
}

static uint64_t next_number(uint64_t communicator) {
    struct bsim__rank *rank = bsim__current_rank();
    for (int i = 0; i < rank->barriers.count; i++) {
        struct bsim__barriers_begun *begun = rank->barriers.items[i];
        if (begun->communicator == communicator)
            return begun->count++;
    }
    struct bsim__barriers_begun *begun = bsim__grow(NULL, 0, sizeof *begun);
    *begun = (struct bsim__barriers_begun){.communicator = communicator, .count = 1};
    bsim__handle_add(&rank->barriers, begun);
    return 0;
}

uint64_t bsim__collective_number(uint64_t *communicator, MPI_Comm comm) {
    *communicator = name_of(comm);
    return next_number(*communicator);
}

/* True for the last rank. */
static bool come(uint64_t communicator, uint64_t number, int size) {
    struct bsim__handles *all = &bsim__shared()->barriers;
    int i = 0;
    struct bsim__barriers_open *open = NULL;
    for (; i < all->count; i++) {
        open = all->items[i];
        if (open->communicator == communicator && open->number == number)
            break;
    }
    if (i == all->count) {
        open = bsim__grow(NULL, 0, sizeof *open);
        *open = (struct bsim__barriers_open){.communicator = communicator, .number = number};
        bsim__handle_add(all, open);
    }
    if (++open->ranks < size)
        return false;
    all->items[i] = all->items[--all->count];
    free(open);
    return true;
}

static struct composite *wake_others(MPI_Comm comm, int size, int tag) {
    int rank;
    struct composite *all = composites_new(size);
    MPI_Comm_rank(comm, &rank);
    for (int i = 0; i < size; i++)
        if (i != rank)
            all->parts[i] = reserved_tags_isend(NULL, 0, MPI_BYTE, i, tag, comm);
    return all;
}

static struct composite *wait_for_last(MPI_Comm comm, int tag) {
    struct composite *one = composites_new(1);
    one->parts[0] = reserved_tags_irecv(NULL, 0, MPI_BYTE, MPI_ANY_SOURCE, tag, comm);
    return one;
}

int bsim__MPI_Ibarrier(MPI_Comm comm, MPI_Request *request) {
    int size;
    uint64_t communicator, number = bsim__collective_number(&communicator, comm);
    int tag = RESERVED_TAG_BARRIER - (int)(communicator % TAGS);
    MPI_Comm_size(comm, &size);
    bool is_last = come(communicator, number, size);
    *request =
        composites_request(is_last ? wake_others(comm, size, tag) : wait_for_last(comm, tag));
    return MPI_SUCCESS;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of all collectives: what arrives is held against what MPI says, for all pairs of
 * datatypes with one type signature, MPI_IN_PLACE, and operations that do not commute.
 *
 *     collectives all|few [NAME] ITEMS...
 *
 * ITEMS: of a block, a number for each round; every other round is on a communicator whose ranks
 * are in the opposite order. `all`: in the first round all pairs of datatypes; and nonblocking
 * collectives. `few`: each datatype with itself and with the next one. A line for each rank and row
 * that is wrong, and one at the end.
 */
#include "check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATTERN 0xa5
#define MANY_ITEMS                                                                                 \
    100 /* from so many on, with some datatypes only: SimGrid sees bytes of them all */

char *memory_new(const struct layout *layout, int items) {
    size_t bytes = layout_bytes(layout, items);
    return memset(malloc(bytes), PATTERN, bytes);
}

unsigned value_of(int from, int to, int i) {
    unsigned mixed = (unsigned)from * 2654435761u + (unsigned)to * 40503u + (unsigned)i * 97u + 1u;
    return (mixed ^ mixed >> 15) * 2246822519u | 1u;
}

static void tell(const char *format, va_list args) {
    char text[256];
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    vsnprintf(text, sizeof text, format, args);
    printf("wrong on rank %d: %s\n", rank, text);
}

void check(bool is_right, const char *format, ...) {
    va_list args;
    va_start(args, format);
    if (!is_right)
        tell(format, args);
    va_end(args);
}

void check_memory(char *found, char *expected, size_t bytes, const char *format, ...) {
    va_list args;
    va_start(args, format);
    if (memcmp(found, expected, bytes) != 0)
        tell(format, args);
    va_end(args);
    free(found);
    free(expected);
}

bool is_asked_for(const struct ranks *ranks, const char *name) {
    return ranks->only == NULL || strcmp(ranks->only, name) == 0;
}

void complete(MPI_Request *request) {
    int flag = 0;
    MPI_Test(request, &flag, MPI_STATUS_IGNORE);
    if (!flag)
        MPI_Wait(request, MPI_STATUS_IGNORE);
}

static bool is_pair(int i, int k, int count, bool all_pairs) {
    return all_pairs || k == i || k == (i + 1) % count;
}

static void check_all(const struct ranks *ranks, int items, bool all_pairs) {
    struct layout *layouts;
    int made = layouts_make(&layouts, 3 * (items + 1) * ranks->size);
    int count = items < MANY_ITEMS ? made : 4;
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < count; k++)
            if (is_pair(i, k, count, all_pairs))
                moves_check(ranks, &layouts[i], &layouts[k], items, (i + k) % ranks->size);
        reductions_check(ranks, &layouts[i], items, i % ranks->size);
    }
    layouts_free(layouts, made);
}

/* The ranks of MPI_COMM_WORLD in the opposite order. */
static struct ranks turned(const struct ranks *world) {
    struct ranks turned = *world;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -world->rank, &turned.comm);
    MPI_Comm_rank(turned.comm, &turned.rank);
    MPI_Comm_size(turned.comm, &turned.size);
    return turned;
}

int main(int argc, char **argv) {
    struct ranks world = {.comm = MPI_COMM_WORLD};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &world.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world.size);
    world.has_nonblocking = argc > 1 && strcmp(argv[1], "all") == 0;
    int first = argc > 2 && atoi(argv[2]) == 0 && strcmp(argv[2], "0") != 0 ? 3 : 2;
    world.only = first == 3 ? argv[2] : NULL;
    struct ranks other = turned(&world);
    for (int i = first; i < argc; i++)
        check_all((i - first) % 2 == 0 ? &world : &other, atoi(argv[i]),
                  world.has_nonblocking && i == first);
    if (world.rank == 0)
        printf("checked\n");
    MPI_Comm_free(&other.comm);
    MPI_Finalize();
    return 0;
}

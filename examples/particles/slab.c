/* SPDX-License-Identifier: Apache-2.0
 *
 * Which rank has which particles. In: particles that have moved; out: each with the rank in whose
 * slab it is, and copies of those near a border with the neighbour. Both are sent in two shifts,
 * first to the lower, then to the upper neighbour: how many, then the particles. With one rank the
 * neighbour is the rank itself, with two both neighbours are the same.
 */
#include "particles.h"

#include <stdio.h>
#include <stdlib.h>

enum { TAG_COUNT = 1, TAG_PARTICLES };

enum side { LOWER, UPPER };

void particles_reserve(struct particles *p, int capacity) {
    if (capacity <= p->capacity)
        return;
    p->capacity = capacity + capacity / 2;
    p->items = realloc(p->items, (size_t)p->capacity * sizeof *p->items);
    if (p->items == NULL) {
        fprintf(stderr, "particles: no memory for %d particles\n", p->capacity);
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    }
}

void particles_add(struct particles *p, const struct particle *one) {
    particles_reserve(p, p->count + 1);
    p->items[p->count++] = *one;
}

int slab_init(struct slab *s, double length, double height) {
    *s = (struct slab){.box = {length, height}};
    MPI_Comm_rank(MPI_COMM_WORLD, &s->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &s->ranks);
    s->lower = (s->rank + s->ranks - 1) % s->ranks;
    s->upper = (s->rank + 1) % s->ranks;
    s->begin = length * s->rank / s->ranks;
    s->end = length * (s->rank + 1) / s->ranks;
    MPI_Type_contiguous(sizeof(struct particle) / sizeof(double), MPI_DOUBLE, &s->type);
    MPI_Type_commit(&s->type);
    return length / s->ranks >= CUTOFF ? 0 : -1;
}

void slab_dispose(struct slab *s) {
    MPI_Type_free(&s->type);
    free(s->outgoing.items);
    free(s->all.items);
}

/* How much x changes for who passes the end of the box on that side. */
static double wrap(const struct slab *s, enum side side) {
    if (side == LOWER)
        return s->rank == 0 ? s->box[0] : 0.0;
    return s->rank == s->ranks - 1 ? -s->box[0] : 0.0;
}

static void pack(struct slab *s, const struct particle *one, enum side side) {
    particles_add(&s->outgoing, one);
    s->outgoing.items[s->outgoing.count - 1].x += wrap(s, side);
}

/* Sends what is packed to one side and appends what comes from the other. */
static void shift(struct slab *s, enum side side) {
    int to = side == LOWER ? s->lower : s->upper;
    int from = side == LOWER ? s->upper : s->lower;
    int leaving = s->outgoing.count, arriving;
    MPI_Sendrecv(&leaving, 1, MPI_INT, to, TAG_COUNT, &arriving, 1, MPI_INT, from, TAG_COUNT,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    particles_reserve(&s->all, s->all.count + arriving);
    MPI_Sendrecv(s->outgoing.items, leaving, s->type, to, TAG_PARTICLES,
                 s->all.items + s->all.count, arriving, s->type, from, TAG_PARTICLES,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    s->all.count += arriving;
    s->outgoing.count = 0;
}

static int is_outside(const struct slab *s, const struct particle *one, enum side side) {
    return side == LOWER ? one->x < s->begin : one->x >= s->end;
}

/* The last particle takes the place of one that leaves. */
static void pack_leaving(struct slab *s, enum side side) {
    struct particles *all = &s->all;
    for (int i = 0; i < all->count;)
        if (is_outside(s, &all->items[i], side)) {
            pack(s, &all->items[i], side);
            all->items[i] = all->items[--all->count];
        } else {
            i++;
        }
    s->migrated += s->outgoing.count;
}

void slab_migrate(struct slab *s) {
    s->all.count = s->own;
    for (enum side side = LOWER; side <= UPPER; side++) {
        pack_leaving(s, side);
        shift(s, side);
    }
    s->own = s->all.count;
}

static int is_near(const struct slab *s, const struct particle *one, enum side side) {
    return side == LOWER ? one->x < s->begin + CUTOFF : one->x >= s->end - CUTOFF;
}

void slab_copy_borders(struct slab *s) {
    for (enum side side = LOWER; side <= UPPER; side++) {
        for (int i = 0; i < s->own; i++)
            if (is_near(s, &s->all.items[i], side))
                pack(s, &s->all.items[i], side);
        shift(s, side);
    }
}

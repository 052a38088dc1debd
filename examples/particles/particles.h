/* SPDX-License-Identifier: Apache-2.0
 *
 * Particles in a flat periodic box, which is cut into one slab per rank along x: who is where, and
 * the forces between those that are near each other.
 */
#ifndef PARTICLES_PARTICLES_H
#define PARTICLES_PARTICLES_H

#include <mpi.h>

#define CUTOFF 1.5 /* particles further apart do not feel each other */

struct particle {
    double x, y;
    double vx, vy;
};

/* Grows on demand; zero-initialised it is empty. */
struct particles {
    struct particle *items;
    int count;
    int capacity;
};

/* Makes room for so many. Ends the program when memory is short. */
void particles_reserve(struct particles *p, int capacity);
void particles_add(struct particles *p, const struct particle *one);

struct slab {
    int rank;
    int ranks;
    int lower; /* neighbour ranks; the box is periodic */
    int upper;
    double box[2];
    double begin; /* my x: [begin, end) */
    double end;
    struct particles all; /* the own ones, then copies of the neighbours' that are near */
    int own;
    long migrated; /* particles that left this rank so far */
    struct particles outgoing;
    MPI_Datatype type; /* of a particle */
};

/* The slab, without particles. -1 if it would be narrower than the cutoff. */
int slab_init(struct slab *s, double length, double height);
void slab_dispose(struct slab *s);

/* Drops the copies and sends particles that left the slab to the neighbour that they are with now.
 * Nobody may move further than a slab at once. */
void slab_migrate(struct slab *s);

/* Gets copies of the neighbours' particles within the cutoff. */
void slab_copy_borders(struct slab *s);

/* The own and copied particles by square cell, at least as wide as the cutoff. */
struct cells {
    int columns; /* in x, with one at each end for copies */
    int rows;    /* in y, periodic */
    double width;
    double height;
    int *start; /* of each cell in members */
    int *members;
    int capacity;
    struct force {
        double x, y;
    } *force; /* on each own particle */
};

void cells_init(struct cells *c, const struct slab *s);
void cells_dispose(struct cells *c);

/* Sorts the particles into cells and computes the forces; returns the own particles' potential
 * energy. */
double cells_compute_forces(struct cells *c, const struct slab *s);

#endif

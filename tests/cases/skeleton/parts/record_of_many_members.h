/* SPDX-License-Identifier: Apache-2.0
 *
 * One record holds all that the program knows, and the addresses of 160 (FEWER: of 100) of its members are given to
 * a function that reads options. The volume that is reduced is none of them, and decides nothing.
 */
#include <mpi.h>
#include <stdlib.h>

#ifndef AREAS
#define AREAS 1500
#endif

#define TEN_MEMBERS(p) p##0, p##1, p##2, p##3, p##4, p##5, p##6, p##7, p##8, p##9
#define TEN_OPTIONS(p)                                                                             \
    option(&e->p##0), option(&e->p##1), option(&e->p##2), option(&e->p##3), option(&e->p##4),      \
        option(&e->p##5), option(&e->p##6), option(&e->p##7), option(&e->p##8), option(&e->p##9)

struct everything {
    int TEN_MEMBERS(a), TEN_MEMBERS(b), TEN_MEMBERS(c), TEN_MEMBERS(d);
    int TEN_MEMBERS(f), TEN_MEMBERS(g), TEN_MEMBERS(h), TEN_MEMBERS(i);
    int TEN_MEMBERS(j), TEN_MEMBERS(k), TEN_MEMBERS(l), TEN_MEMBERS(m);
    int TEN_MEMBERS(n), TEN_MEMBERS(o), TEN_MEMBERS(p), TEN_MEMBERS(q);
    double fixed, own_volume, volume, area[AREAS];
};

static void option(int *value) {
    *value = 3;
}

static void read_options(struct everything *e) {
    TEN_OPTIONS(a), TEN_OPTIONS(b), TEN_OPTIONS(c), TEN_OPTIONS(d);
    TEN_OPTIONS(f), TEN_OPTIONS(g), TEN_OPTIONS(h), TEN_OPTIONS(i);
    TEN_OPTIONS(j), TEN_OPTIONS(k);
#ifndef FEWER
    TEN_OPTIONS(l), TEN_OPTIONS(m);
    TEN_OPTIONS(n), TEN_OPTIONS(o), TEN_OPTIONS(p), TEN_OPTIONS(q);
#endif
    e->fixed = 1;
}

static void find_volume(struct everything *e) {
    e->own_volume = 0;
    for (int i = 0; i < 500; i++)
        e->area[i] = 0.5 * i;
    for (int i = 0; i < 500; i++)
        e->own_volume += e->area[i];
    MPI_Allreduce(&e->own_volume, &e->volume, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void step(struct everything *e) {
    if (e->fixed != 0)
        MPI_Barrier(MPI_COMM_WORLD);
}

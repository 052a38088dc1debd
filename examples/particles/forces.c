/* SPDX-License-Identifier: Apache-2.0
 *
 * Forces by linked cells. In: the particles of a slab with copies around; out: the force on each
 * own one and their energy. Particles repel each other with the potential STRENGTH (1 - r^2 /
 * CUTOFF^2)^3, which goes to zero smoothly. Each rank sums what acts on its own particles; that of
 * a pair across a border is computed on both sides. Cells are filled by counting.
 */
#include "particles.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STRENGTH 5.0

static void *allocate(void *old, size_t count, size_t size) {
    void *memory = realloc(old, count * size);
    if (memory == NULL) {
        fprintf(stderr, "particles: no memory for %zu entries\n", count);
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    }
    return memory;
}

void cells_init(struct cells *c, const struct slab *s) {
    double width = s->end - s->begin;
    int inner = (int)(width / CUTOFF);
    *c = (struct cells){.columns = inner + 2, .rows = (int)(s->box[1] / CUTOFF)};
    c->width = width / inner;
    c->height = s->box[1] / c->rows;
    c->start = allocate(NULL, (size_t)c->columns * c->rows + 1, sizeof *c->start);
}

void cells_dispose(struct cells *c) {
    free(c->force);
    free(c->members);
    free(c->start);
}

static int limit(int value, int count) {
    return value < 0 ? 0 : value < count ? value : count - 1;
}

static int column_of(const struct cells *c, const struct slab *s, double x) {
    return limit((int)floor((x - s->begin) / c->width) + 1, c->columns);
}

static int row_of(const struct cells *c, double y) {
    return limit((int)(y / c->height), c->rows);
}

static int cell_of(const struct cells *c, const struct slab *s, const struct particle *one) {
    return column_of(c, s, one->x) * c->rows + row_of(c, one->y);
}

/* First each cell's end, which then moves down to its start as the cell fills. */
static void fill(struct cells *c, const struct slab *s) {
    int count = c->columns * c->rows;
    memset(c->start, 0, (size_t)(count + 1) * sizeof *c->start);
    for (int i = 0; i < s->all.count; i++)
        c->start[cell_of(c, s, &s->all.items[i])]++;
    for (int cell = 1; cell <= count; cell++)
        c->start[cell] += c->start[cell - 1];
    for (int i = s->all.count - 1; i >= 0; i--)
        c->members[--c->start[cell_of(c, s, &s->all.items[i])]] = i;
}

/* Adds what the particles of one cell do to particle `i`; returns the energy of these pairs. */
static double add_cell(struct cells *c, const struct slab *s, int i, int cell,
                       struct force *force) {
    const struct particle *own = &s->all.items[i];
    double energy = 0.0;
    for (int k = c->start[cell]; k < c->start[cell + 1]; k++) {
        const struct particle *other = &s->all.items[c->members[k]];
        double dx = own->x - other->x, dy = own->y - other->y;
        if (dy > 0.5 * s->box[1])
            dy -= s->box[1];
        else if (dy < -0.5 * s->box[1])
            dy += s->box[1];
        double q = 1.0 - (dx * dx + dy * dy) / (CUTOFF * CUTOFF);
        if (q <= 0.0 || c->members[k] == i)
            continue;
        double factor = 6.0 * STRENGTH / (CUTOFF * CUTOFF) * q * q;
        force->x += factor * dx;
        force->y += factor * dy;
        energy += STRENGTH * q * q * q;
    }
    return energy;
}

static double add_neighbours(struct cells *c, const struct slab *s, int i) {
    int column = column_of(c, s, s->all.items[i].x), row = row_of(c, s->all.items[i].y);
    struct force force = {0.0, 0.0};
    double energy = 0.0;
    for (int x = limit(column - 1, c->columns); x <= limit(column + 1, c->columns); x++)
        for (int y = row - 1; y <= row + 1; y++)
            energy += add_cell(c, s, i, x * c->rows + (y + c->rows) % c->rows, &force);
    c->force[i] = force;
    return energy;
}

double cells_compute_forces(struct cells *c, const struct slab *s) {
    double energy = 0.0;
    if (s->all.count > c->capacity) {
        c->capacity = s->all.count + s->all.count / 2;
        c->members = allocate(c->members, (size_t)c->capacity, sizeof *c->members);
        c->force = allocate(c->force, (size_t)c->capacity, sizeof *c->force);
    }
    fill(c, s);
    for (int i = 0; i < s->own; i++)
        energy += add_neighbours(c, s, i);
    return 0.5 * energy; /* each pair is counted from both ends */
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts, each given where its function returns it: the loop in front of that goes by a record that
 * the function gets by its address, also through a record in it and a local. No feature is what may
 * have been freed since, what a pointer led to that moved on, what only the other branch follows, or
 * what a namesake in another block is.
 *
 * args: 40
 * args: 11
 * ranks: 1 3
 * scout: 40
 * cut: return kept
 * cut: return far
 * cut: return listed
 * cut: return freed
 * cut: return moved
 * cut: return one
 * cut: return other
 * cut: return shadowed
 * cut: return given_back
 * generate: --assume=cuts
 * gone: kept += work[i % 64] < 0.9;
 * gone: listed += work[i % 64] > 0.5;
 * gone: freed += work[i % 64] > 0.7;
 * gone: far += work[i % 64] > 0.2;
 * feature: bsim_trips(s->grid->step, s->n, s->grid->step)
 * gone: moved += work[i % 64] < 0.8;
 * gone: one += work[i % 64] < 0.7;
 * gone: other += work[i % 64] < 0.6;
 * gone: shadowed += work[i % 64] < 0.5;
 * gone: given_back += work[i % 64] < 0.4;
 * made: BSIM_VALUE_I(8, bsim_trips(s->grid->step, s->n, s->grid->step))
 * made: BSIM_VALUE_I(9, bsim_trips(grid->step, s->n, 1))
 * made: BSIM_VALUE_I(10)
 * made: BSIM_VALUE_I(11)
 * made: BSIM_VALUE_I(12)
 * made: BSIM_VALUE_I(13, bsim_trips(0, link->n, 1), m)
 * made: BSIM_VALUE_I(14, bsim_trips(0, m, 1), m)
 * made: BSIM_VALUE_I(15)
 * made: BSIM_VALUE_I(16)
 * feature: bsim_trips(grid->step, s->n, 1)
 */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

struct grid {
    int step;
};

struct solver {
    int n;
    struct grid *grid;
};

struct link {
    int n;
    struct link *next;
};

static double work[64];

static int count_kept(const struct solver *s) {
    int kept = 0;
    for (int i = s->grid->step; i < s->n; i += s->grid->step) {
        work[i % 64] = fabs(sin(i + work[i % 64]));
        kept += work[i % 64] < 0.9;
    }
    return kept;
}

static int count_far(const struct solver *s) {
    const struct grid *grid = s->grid;
    int far = 0;
    for (int i = grid->step; i < s->n; i++) {
        work[i % 64] = fabs(cos(i + work[i % 64]));
        far += work[i % 64] > 0.2;
    }
    return far;
}

static int count_listed(const struct link *link) {
    int listed = 0;
    while (link != NULL) {
        for (int i = 0; i < link->n; i++) {
            work[i % 64] = fabs(cos(i + work[i % 64]));
            listed += work[i % 64] > 0.5;
        }
        link = link->next;
    }
    return listed;
}

static int count_and_free(struct link *link) {
    int freed = 0;
    for (int i = 0; i < link->n; i++) {
        work[i % 64] = fabs(sin(2 * i + work[i % 64]));
        freed += work[i % 64] > 0.7;
    }
    free(link);
    return freed;
}

static int count_moved(const struct link *link) {
    int moved = 0;
    for (int i = 0; i < link->n; i++) {
        work[i % 64] = fabs(sin(3 * i + work[i % 64]));
        moved += work[i % 64] < 0.8;
    }
    link = link->next;
    moved += link != NULL;
    return moved;
}

static int count_either(const struct link *link, int m) {
    if (m < 0) {
        int one = 0;
        for (int i = 0; i < link->n; i++) {
            work[i % 64] = fabs(sin(4 * i + work[i % 64]));
            one += work[i % 64] < 0.7;
        }
        return one;
    } else {
        int other = 0;
        for (int i = 0; i < m; i++) {
            work[i % 64] = fabs(sin(5 * i + work[i % 64]));
            other += work[i % 64] < 0.6;
        }
        return other;
    }
}

static int count_shadowed(const struct grid *grid, const struct grid *second) {
    int shadowed = grid != NULL;
    {
        const struct grid *grid = second;
        for (int i = 0; i < 20 * grid->step; i++) {
            work[i % 64] = fabs(sin(6 * i + work[i % 64]));
            shadowed += work[i % 64] < 0.5;
        }
    }
    for (int i = 0; grid != NULL && i < grid->step; i++)
        shadowed += work[i % 64] < 0.5;
    return shadowed;
}

static int count_given_back(struct link *link) {
    int given_back = 0;
    for (int i = 0; i < link->n; i++) {
        work[i % 64] = fabs(sin(7 * i + work[i % 64]));
        given_back += work[i % 64] < 0.4;
    }
    MPI_Free_mem(link);
    return given_back;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    struct grid grid = {2};
    struct solver s = {atoi(argv[1]), &grid};
    double message[200] = {0};
    for (int step = 0; step < 3; step++) {
        struct link *last = malloc(sizeof *last);
        struct link first = {s.n, last};
        last->n = 2;
        last->next = NULL;
        MPI_Bcast(message, count_kept(&s), MPI_DOUBLE, 0, MPI_COMM_WORLD);
        MPI_Bcast(message, count_far(&s), MPI_DOUBLE, 0, MPI_COMM_WORLD);
        MPI_Bcast(message, count_listed(&first), MPI_DOUBLE, 0, MPI_COMM_WORLD);
        MPI_Bcast(message, count_moved(last), MPI_DOUBLE, 0, MPI_COMM_WORLD);
        MPI_Bcast(message, count_and_free(last), MPI_DOUBLE, 0, MPI_COMM_WORLD);
        MPI_Bcast(message, count_either(step > 0 ? &first : NULL, step > 0 ? -1 : s.n), MPI_DOUBLE,
                  0, MPI_COMM_WORLD);
        MPI_Bcast(message, count_shadowed(NULL, &grid), MPI_DOUBLE, 0, MPI_COMM_WORLD);
        struct link *lent;
        MPI_Alloc_mem(sizeof *lent, MPI_INFO_NULL, &lent);
        lent->n = s.n;
        MPI_Bcast(message, count_given_back(lent), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}

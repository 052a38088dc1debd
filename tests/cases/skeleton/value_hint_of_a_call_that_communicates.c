/* SPDX-License-Identifier: Apache-2.0
 *
 * A hint gives what a return statement returns, another one what a call gives that is a reduction,
 * which stays. Members behind several arrows are followed.
 *
 * generate: --assume=cuts
 * hints: value value_hint_of_a_call_that_communicates.c:57 return = uniform(step, f->m->n - 1) by step
 * hints: value value_hint_of_a_call_that_communicates.c:78 f->pivots[step] = uniform(step, f->m->n-1) by step, f->where.column
 * note: nothing was counted
 * made: return BSIM_DRAW_I(
 * made: f->pivots[step] = (find_pivot(f, step), BSIM_DRAW_I(
 * gone: f->m->x[i] = sin(f->m->x[i] + i * k)
 * gone: f->m->unused = 7
 * kept: f->m->n = 50
 * kept: f->where.column = 3
 * args: 5
 */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

struct matrix {
    int unused, n;
    double x[50];
};

struct factorisation {
    struct matrix *m;
    int pivots[50];
    struct {
        int row, column;
    } where;
};

static int find_pivot(const struct factorisation *f, int step) {
    struct {
        double size;
        int row;
    } best = {-1, step};
    for (int i = step; i < f->m->n; i++)
        if (f->m->x[i] > best.size) {
            best.size = f->m->x[i];
            best.row = i;
        }
    MPI_Allreduce(MPI_IN_PLACE, &best, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
    return best.row;
}

static int find_last(const struct factorisation *f, int step) {
    double largest = -1;
    int row = step;
    for (int i = step; i < f->m->n; i++)
        if (f->m->x[i] > largest) {
            largest = f->m->x[i];
            row = i;
        }
    return row;
}

static void update(struct factorisation *f) {
    for (int i = 0; i < 50; i++)
        for (int k = 0; k < 20; k++)
            f->m->x[i] = sin(f->m->x[i] + i * k);
    f->m->unused = 7;
}

int main(int argc, char **argv) {
    static double out[50];
    static struct matrix matrix;
    struct factorisation *f = calloc(1, sizeof *f);
    int steps = argc > 1 ? atoi(argv[1]) : 3;
    MPI_Init(&argc, &argv);
    f->m = &matrix;
    f->m->n = 50;
    f->where.column = 3;
    for (int step = 0; step < steps; step++) {
        update(f);
        f->pivots[step] = find_pivot(f, step);
        MPI_Bcast(out, f->pivots[step], MPI_DOUBLE, 0, MPI_COMM_WORLD);
        update(f);
        MPI_Bcast(out, find_last(f, step), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Records of different types that begin alike are used through a pointer to the common type.
 *
 * kept: ->size = 10 * (i + 1)
 * kept: ->tag = 7
 * gone: ->mass = 0.5
 */
#include <mpi.h>
#include <stdlib.h>

struct shape {
    int kind, size;
};

struct ball {
    int kind, size;
    double mass;
};

struct bar {
    struct shape base;
    int tag;
    double mass;
};

static int size_of(const struct shape *shape) {
    return shape->size + (shape->kind == 2 ? ((const struct bar *)shape)->tag : 0);
}

int main(int argc, char **argv) {
    struct shape *all[4];
    double x[128];
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 4; i++) {
        if (i % 2 == 0) {
            struct ball *ball = malloc(sizeof *ball);
            ball->kind = 1;
            ball->size = 10 * (i + 1);
            ball->mass = 0.5;
            all[i] = (struct shape *)ball;
        } else {
            struct bar *bar = malloc(sizeof *bar);
            bar->base.kind = 2;
            bar->base.size = 5;
            bar->tag = 7;
            bar->mass = 0.5;
            all[i] = &bar->base;
        }
    }
    for (int i = 0; i < 128; i++)
        x[i] = i;
    for (int i = 0; i < 4; i++) {
        MPI_Bcast(x, size_of(all[i]), MPI_DOUBLE, 0, MPI_COMM_WORLD);
        free(all[i]);
    }
    MPI_Finalize();
    return 0;
}

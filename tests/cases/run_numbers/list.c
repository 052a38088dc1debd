/* SPDX-License-Identifier: Apache-2.0
 *
 * Ten walks over a list, of which only what builds it, before MPI_Init, knows how long it is:
 * argv[1].
 */
#include <mpi.h>
#include <stdlib.h>

struct node {
    struct node *next;
    double value;
};

static struct node *build(int count) {
    struct node *list = NULL;
    for (int i = 0; i < count; i++) {
        struct node *node = malloc(sizeof *node);
        node->next = list;
        node->value = i;
        list = node;
    }
    return list;
}

static double walk(const struct node *list) {
    double sum = 0;
    for (; list != NULL; list = list->next)
        sum += list->value;
    return sum;
}

int main(int argc, char **argv) {
    struct node *list = build(argc > 1 ? atoi(argv[1]) : 1000);
    MPI_Init(&argc, &argv);
    for (int step = 0; step < 10; step++) {
        double sum = walk(list);
        MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Messages are planned in a list on the heap; each element also holds a weight.
 *
 * kept: message->next = list
 * gone: sqrt
 */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

struct message {
    struct message *next;
    int length, tag;
    double weight;
};

static struct message *plan(struct message *list, int length) {
    struct message *message = malloc(sizeof *message);
    message->next = list;
    message->length = length;
    message->tag = list == NULL ? 0 : list->tag + 1;
    message->weight = sqrt(length);
    return message;
}

int main(int argc, char **argv) {
    struct message *list = NULL;
    double u[50] = {0};
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 1; i < 6; i++)
        list = plan(list, i * i);
    for (struct message *m = list; m != NULL; m = m->next) {
        u[0] += m->weight;
        MPI_Sendrecv_replace(u, m->length, MPI_DOUBLE, rank ^ 1, m->tag, rank ^ 1, m->tag,
                             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * A square mesh of which ranks have strips, as many cells a side as the file size.txt says, until
 * time 1, or what stands behind that. Steps are as long as a cell is wide over the largest number,
 * which decays; what they add up to is given. How many cells a strip has is at hand there, how many
 * a side is not.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct mesh {
    double *u, *next;
    int cells, rows; /* a side, and of a strip */
    double end;
};

static void set_up(struct mesh *mesh, int ranks) {
    FILE *file = fopen("size.txt", "r");
    mesh->end = 1;
    if (file == NULL || fscanf(file, "%d %lf", &mesh->cells, &mesh->end) < 1)
        MPI_Abort(MPI_COMM_WORLD, 1);
    fclose(file);
    mesh->rows = mesh->cells / ranks;
    mesh->u = malloc((size_t)mesh->cells * mesh->rows * sizeof *mesh->u);
    mesh->next = malloc((size_t)mesh->cells * mesh->rows * sizeof *mesh->next);
    for (int i = 0; i < mesh->cells * mesh->rows; i++)
        mesh->u[i] = 2;
}

static void find_step(double *dt, const struct mesh *mesh, int rank, int ranks) {
    double most = 0, other;
    for (int i = 0; i < mesh->cells * mesh->rows; i++)
        most = mesh->u[i] > most ? mesh->u[i] : most;
    if (rank == 0) {
        for (int r = 1; r < ranks; r++) {
            MPI_Recv(&other, 1, MPI_DOUBLE, r, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            most = other > most ? other : most;
        }
        *dt = 1 / (mesh->cells * most);
    } else {
        MPI_Send(&most, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Bcast(dt, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static void advance(struct mesh *mesh, double dt) {
    for (int i = 0; i < mesh->cells * mesh->rows; i++)
        mesh->next[i] = mesh->u[i] * (1 - 0.5 * dt);
    for (int i = 0; i < mesh->cells * mesh->rows; i++)
        mesh->u[i] = mesh->next[i];
}

int main(int argc, char **argv) {
    struct mesh mesh;
    int rank, ranks;
    double t = 0, dt;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    set_up(&mesh, ranks);
    while (t < mesh.end) {
        find_step(&dt, &mesh, rank, ranks);
        advance(&mesh, dt);
        t = t + dt;
    }
    MPI_Finalize();
    return 0;
}

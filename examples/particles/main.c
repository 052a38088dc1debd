/* SPDX-License-Identifier: Apache-2.0
 *
 * particles: molecular dynamics in a flat periodic box, with particles that wander from rank to
 * rank. In: particles along x and along y, and time steps. Out, on rank 0: time and rate of the
 * slowest rank, how many particles changed rank, how unevenly they are spread, and what became of
 * number, momentum and energy. Algorithm: velocity Verlet; after each move particles go to the rank
 * in whose slab they are, and copies of those near a border to the neighbour. They start on a
 * lattice, so many percent denser in the middle of the box, with random velocities in opposite
 * pairs. Limits: slabs have to be as wide as the forces reach.
 */
#include "particles.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define DEFAULT_NX 96
#define DEFAULT_NY 48
#define DEFAULT_STEPS 100
#define MIN_NY 6 /* three rows of cells, so that nobody meets a particle and its image */
#define MAX_SIDE 20000
#define MAX_STEPS 100000000
#define PI 3.14159265358979323846
#define DT 0.02
#define DEFAULT_WAVE 30
#define MAX_WAVE 90
#define ENERGY_TOLERANCE 1e-3
#define MOMENTUM_TOLERANCE 1e-12 /* per particle */

struct options {
    int side[2]; /* particles, one per unit of area on average */
    int steps;
    int wave_percent; /* of the initial density: so much denser the box is in its middle */
};

/* What must not change. */
struct totals {
    double count;
    double momentum[2];
    double energy;
};

/* A number between -2 and 2 that looks random. */
static double noise(uint64_t seed) {
    uint64_t x = (seed + 1) * UINT64_C(0x9E3779B97F4A7C15);
    x ^= x >> 32;
    x *= UINT64_C(0xD6E8FEB86659FD93);
    x ^= x >> 32;
    return (double)(x >> 11) / 2251799813685248.0 - 2.0;
}

/* Each rank goes through the whole lattice and takes what is in its slab. */
static void fill(struct slab *s, const struct options *options) {
    double wave = 0.01 * options->wave_percent;
    for (int i = 0; i < options->side[0]; i++) {
        double phase = 2.0 * PI * (i + 0.5) / options->side[0];
        double x = (phase + wave * sin(phase)) / (2.0 * PI) * s->box[0];
        for (int j = 0; x >= s->begin && x < s->end && j < options->side[1]; j++) {
            uint64_t pair = (uint64_t)i * options->side[1] + (uint64_t)(j / 2);
            double sign = j % 2 == 0 ? 1.0 : -1.0;
            if (j == options->side[1] - 1 && j % 2 == 0)
                sign = 0.0; /* without a partner */
            particles_add(&s->all, &(struct particle){x, j + 0.5, sign * noise(2 * pair),
                                                      sign * noise(2 * pair + 1)});
        }
    }
    s->own = s->all.count;
}

/* Half a time step of forces. */
static void kick(struct slab *s, const struct cells *c) {
    for (int i = 0; i < s->own; i++) {
        s->all.items[i].vx += 0.5 * DT * c->force[i].x;
        s->all.items[i].vy += 0.5 * DT * c->force[i].y;
    }
}

/* Periodic in y here; in x by the migration. */
static void move(struct slab *s) {
    for (int i = 0; i < s->own; i++) {
        struct particle *p = &s->all.items[i];
        p->x += DT * p->vx;
        p->y += DT * p->vy;
        if (p->y < 0.0)
            p->y += s->box[1];
        else if (p->y >= s->box[1])
            p->y -= s->box[1];
    }
}

/* Returns the potential energy at the end. */
static double integrate(struct slab *s, struct cells *c, double potential, int steps) {
    for (int step = 0; step < steps; step++) {
        kick(s, c);
        move(s);
        slab_migrate(s);
        slab_copy_borders(s);
        potential = cells_compute_forces(c, s);
        kick(s, c);
    }
    return potential;
}

static struct totals sum_up(const struct slab *s, double potential) {
    struct totals sum = {s->own, {0.0, 0.0}, potential}, result;
    for (int i = 0; i < s->own; i++) {
        const struct particle *p = &s->all.items[i];
        sum.momentum[0] += p->vx;
        sum.momentum[1] += p->vy;
        sum.energy += 0.5 * (p->vx * p->vx + p->vy * p->vy);
    }
    MPI_Allreduce(&sum, &result, sizeof sum / sizeof(double), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return result;
}

static int judge(const struct totals *before, const struct totals *now, int rank) {
    double momentum = fmax(fabs(now->momentum[0]), fabs(now->momentum[1])) / before->count;
    double energy = fabs(now->energy - before->energy) / before->energy;
    int correct =
        now->count == before->count && momentum < MOMENTUM_TOLERANCE && energy < ENERGY_TOLERANCE;
    if (rank == 0) {
        printf("%.0f of %.0f particles, momentum %.1e each\n", now->count, before->count, momentum);
        printf("energy %.6f, changed by %.1e: %s\n", now->energy, energy,
               correct ? "correct" : "WRONG");
    }
    return correct;
}

static void report(const struct slab *s, const struct options *options, double elapsed_s) {
    double slowest_s = 0.0;
    long migrated = 0;
    int least = 0, most = 0;
    double moves = (double)options->side[0] * options->side[1] * options->steps;
    MPI_Reduce(&elapsed_s, &slowest_s, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Reduce(&s->migrated, &migrated, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&s->own, &least, 1, MPI_INT, MPI_MIN, 0, MPI_COMM_WORLD);
    MPI_Reduce(&s->own, &most, 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
    if (s->rank != 0)
        return;
    printf("particles %d x %d, %d steps, %d ranks\n", options->side[0], options->side[1],
           options->steps, s->ranks);
    printf("time %.6f s, %.3f Mmoves/s\n", slowest_s,
           slowest_s > 0.0 ? moves / slowest_s * 1e-6 : 0.0);
    printf("%ld particles changed rank; at the end %d to %d on a rank\n", migrated, least, most);
}

static int parse_int(int *out, const char *text, int least, int most) {
    char *end;
    long value = strtol(text, &end, 10);
    if (end == text || *end != '\0' || value < least || value > most)
        return -1;
    *out = (int)value;
    return 0;
}

static int parse_arguments(struct options *out, int argc, char **argv) {
    *out = (struct options){{DEFAULT_NX, DEFAULT_NY}, DEFAULT_STEPS, DEFAULT_WAVE};
    if (argc > 5)
        return -1;
    if (argc > 1 && parse_int(&out->side[0], argv[1], 2, MAX_SIDE) != 0)
        return -1;
    if (argc > 2 && parse_int(&out->side[1], argv[2], MIN_NY, MAX_SIDE) != 0)
        return -1;
    if (argc > 3 && parse_int(&out->steps, argv[3], 1, MAX_STEPS) != 0)
        return -1;
    return argc > 4 ? parse_int(&out->wave_percent, argv[4], 0, MAX_WAVE) : 0;
}

static int run(struct slab *s, const struct options *options) {
    struct cells cells;
    cells_init(&cells, s);
    fill(s, options);
    slab_copy_borders(s);
    double potential = cells_compute_forces(&cells, s);
    struct totals before = sum_up(s, potential);

    MPI_Barrier(MPI_COMM_WORLD);
    double start_s = MPI_Wtime();
    potential = integrate(s, &cells, potential, options->steps);
    double elapsed_s = MPI_Wtime() - start_s;

    struct totals now = sum_up(s, potential);
    report(s, options, elapsed_s);
    cells_dispose(&cells);
    return judge(&before, &now, s->rank);
}

int main(int argc, char **argv) {
    struct options options;
    struct slab slab;
    int rank, correct = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (parse_arguments(&options, argc, argv) != 0) {
        if (rank == 0)
            fprintf(stderr,
                    "usage: particles [nx [ny [steps [wave]]]], 2 <= nx, %d <= ny, both <= %d, "
                    "wave <= %d %%\n",
                    MIN_NY, MAX_SIDE, MAX_WAVE);
        MPI_Finalize();
        return EXIT_FAILURE;
    }
    if (slab_init(&slab, options.side[0], options.side[1]) == 0)
        correct = run(&slab, &options);
    else if (rank == 0)
        fprintf(stderr, "particles: nx has to be at least %g times the number of ranks\n", CUTOFF);
    slab_dispose(&slab);
    MPI_Finalize();
    return correct ? EXIT_SUCCESS : EXIT_FAILURE;
}

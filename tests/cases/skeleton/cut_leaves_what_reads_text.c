/* SPDX-License-Identifier: Apache-2.0
 *
 * Of a short scout run the reading of the options is a large part, character by character. What
 * they say is what the user asked for, and never a value of a model; only the time step is.
 *
 * generate: --assume=cuts
 * scout: 5
 * cut: while (t < end)
 * gone: x[i] = 0.25 * (x[i - 1] + 2 * x[i] + x[i + 1])
 * kept: options->cells = atoi(word);
 * kept: while (*name != '\0' && *name == *line)
 * args: 2
 * args: 4
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

struct options {
    int cells, sweeps;
};

#define COMMENT "cells_of_each_comment that_is_read_character_by_character\n"
#define COMMENTS COMMENT COMMENT COMMENT COMMENT COMMENT COMMENT COMMENT COMMENT
static const char *const deck =
    COMMENTS COMMENTS "title a_rather_long_title_of_a_problem_that_is_read_character_by_character\n"
                      "comment the_number_of_cells_on_each_rank_and_how_often_they_are_swept\n"
                      "cells_of_each_rank 900\n"
                      "comment another_long_line_that_tells_of_what_comes_in_the_next_line\n"
                      "sweeps_of_each_step 9\n";

static int starts_with(const char *line, const char *name) {
    while (*name != '\0' && *name == *line) {
        name++;
        line++;
    }
    return *name == '\0';
}

static void read_options(struct options *options) {
    char text[4000], *rest = text, *line;
    strcpy(text, deck);
    while ((line = strtok_r(rest, "\n", &rest)) != NULL) {
        char *word = strchr(line, ' ');
        if (word == NULL)
            continue;
        word++;
        if (starts_with(line, "cells_of_each_rank"))
            options->cells = atoi(word);
        else if (starts_with(line, "sweeps_of_each_step"))
            options->sweeps = atoi(word);
        for (char *at = word; *at != '\0'; at++)
            if (*at == '#')
                *at = '\0';
    }
}

static double step_of(double *x, const struct options *options) {
    double largest = 0;
    for (int sweep = 0; sweep < options->sweeps; sweep++)
        for (int i = 1; i < options->cells - 1; i++)
            x[i] = 0.25 * (x[i - 1] + 2 * x[i] + x[i + 1]);
    for (int i = 0; i < options->cells; i++)
        if (x[i] > largest)
            largest = x[i];
    return 1 / (1 + largest);
}

int main(int argc, char **argv) {
    static double x[1000];
    struct options options = {10, 1};
    double t = 0, own, dt, end = argc > 1 ? atoi(argv[1]) : 1;
    MPI_Init(&argc, &argv);
    read_options(&options);
    x[1] = 9;
    while (t < end) {
        own = step_of(x, &options);
        MPI_Allreduce(&own, &dt, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
        MPI_Bcast(x, options.cells, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        t += dt;
    }
    MPI_Finalize();
    return 0;
}

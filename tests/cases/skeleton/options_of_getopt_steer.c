/* SPDX-License-Identifier: Apache-2.0
 *
 * Short and long options with optarg and optind, numbers in a file's name, a table of handlers.
 *
 * args: -n 4 -v 3 rest
 * args: --count=7 a b c
 * kept: case 'n'
 * kept: handlers[i].run(&settings, optarg)
 * gone: x[i] = 0.5 * i
 */
#include <getopt.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct settings {
    int count, level;
    char name[32];
};

static void set_level(struct settings *settings, const char *text) {
    settings->level = atoi(text);
    snprintf(settings->name, sizeof settings->name, "out.%03d", settings->level * 5);
}

static const struct {
    int letter;
    void (*run)(struct settings *, const char *);
} handlers[] = {{'v', set_level}, {0, NULL}};

int main(int argc, char **argv) {
    static const struct option options[] = {{"count", required_argument, NULL, 'n'}, {0}};
    struct settings settings = {2, 1, ""};
    double x[64];
    int letter;
    MPI_Init(&argc, &argv);
    while ((letter = getopt_long(argc, argv, "n:v:", options, NULL)) != -1) {
        switch (letter) {
        case 'n':
            settings.count = atoi(optarg);
            break;
        default:
            for (int i = 0; handlers[i].letter; i++)
                if (handlers[i].letter == letter)
                    handlers[i].run(&settings, optarg);
        }
    }
    for (int i = 0; i < 64; i++)
        x[i] = 0.5 * i;
    char *digits = strrchr(settings.name, '.');
    MPI_Bcast(x, settings.count + (digits ? atoi(digits + 1) : 0), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int i = optind; i < argc; i++)
        MPI_Bcast(x, settings.level + (int)strlen(argv[i]), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * strtok, strtok_r, strsep, getline, getenv give pointers that they or an earlier call have kept.
 *
 * kept: memcpy(words, "3 4", 4)
 * kept: memcpy(lines, "5;6", 4)
 * kept: memcpy(fields, "1,2", 4)
 * kept: setenv("ROUNDS", "2", 1)
 * kept: setting[7] = '9'
 * gone: x[i] = 0.5 * i
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double x[64];

static void send(int count) {
    MPI_Bcast(x, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 64; i++)
        x[i] = 0.5 * i;
    {
        char words[10];
        memcpy(words, "3 4", 4);
        strtok(words, " ");
        send(atoi(strtok(NULL, " ")));
    }
    {
        char lines[10], *place = NULL;
        memcpy(lines, "5;6", 4);
        strtok_r(lines, ";", &place);
        char *second = strtok_r(NULL, ";", &place);
        send(atoi(second));
    }
    {
        char fields[10], *at = fields;
        memcpy(fields, "1,2", 4);
        strsep(&at, ",");
        char *second = strsep(&at, ",");
        send(second[0] - '0');
    }
    {
        char *line = NULL, text[] = "11\n";
        size_t size = 0;
        FILE *file = fmemopen(text, 3, "r");
        if (getline(&line, &size, file) > 0)
            send(atoi(line));
        fclose(file);
        free(line);
    }
    {
        static char setting[] = "LENGTH=7";
        setenv("ROUNDS", "2", 1);
        setting[7] = '9';
        putenv(setting);
        send(atoi(getenv("ROUNDS")));
        send(atoi(getenv("LENGTH")));
    }
    MPI_Finalize();
    return 0;
}

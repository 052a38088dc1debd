/* SPDX-License-Identifier: Apache-2.0
 *
 * Which values the skeleton was given, or, while calls are recorded, the original computed in their
 * place: for each rank and region how often, which last, and their sum. So that this is known
 * however the run ends (a deadlock, an abort, a crash), it is kept in a mapped file (BSIM_GIVEN,
 * docs/reference/run-files.md), a row per rank and region in the order in which they were first
 * asked for. A rank that finalizes marks its rows. Rows beyond a million are not kept.
 */
#include "runtime/smpi/runtime.h"

#include <fcntl.h>
#include <simgrid/actor.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MAX_ROWS 1000000

struct bsim__given_file {
    struct given_file_head head;
    struct given_file_row rows[MAX_ROWS];
};

/* The file is long and has holes: only what is written takes space. */
static struct bsim__given_file *map_file(void) {
    const char *path = getenv("BSIM_GIVEN");
    if (path == NULL || path[0] == '\0')
        return NULL;
    int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    void *map = MAP_FAILED;
    if (file >= 0 && ftruncate(file, sizeof(struct bsim__given_file)) == 0)
        map = mmap(NULL, sizeof(struct bsim__given_file), PROT_READ | PROT_WRITE, MAP_SHARED, file,
                   0);
    if (file >= 0)
        close(file);
    if (map == MAP_FAILED) {
        fprintf(stderr, "mpiskel: cannot write %s; the run goes on without\n", path);
        return NULL;
    }
    struct bsim__given_file *given = map;
    madvise(map, sizeof *given, MADV_RANDOM); /* nothing is to be read ahead of holes */
    memcpy(given->head.format, GIVEN_FORMAT, sizeof given->head.format);
    return given;
}

static struct given_file_row *new_row(struct bsim__shared *shared, int region) {
    struct bsim__given_file *file = shared->given;
    if (file == NULL || file->head.count == MAX_ROWS)
        return NULL;
    struct given_file_row *row = &file->rows[file->head.count];
    row->rank = (int32_t)sg_actor_self_get_pid() - 1;
    row->region = region;
    file->head.count++;
    return row;
}

/* NULL: rows are no longer kept. Few values are asked for, so that they are looked through. */
static struct given_file_row *row_of(struct bsim__rank *rank, int region) {
    struct bsim__given_rows *rows = &rank->given_rows;
    for (int i = 0; i < rows->count; i++)
        if (rows->of[i]->region == region)
            return rows->of[i];
    struct given_file_row *row = new_row(bsim__shared(), region);
    if (row == NULL)
        return NULL;
    size_t bytes = (size_t)rows->count * sizeof rows->of[0];
    rows->of = bsim__grow(rows->of, bytes, bytes + sizeof rows->of[0]);
    return rows->of[rows->count++] = row;
}

void bsim__given_note(int region, double value) {
    struct bsim__shared *shared = bsim__shared();
    if (!shared->given_is_open) {
        shared->given_is_open = true;
        shared->given = map_file();
    }
    struct given_file_row *row = row_of(bsim__current_rank(), region);
    if (row == NULL)
        return;
    row->count++;
    row->last = value;
    row->sum += value;
}

void bsim__given_finish(struct bsim__rank *rank) {
    for (int i = 0; i < rank->given_rows.count; i++)
        rank->given_rows.of[i]->finalized = 1;
}

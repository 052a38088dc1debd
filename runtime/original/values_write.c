/* SPDX-License-Identifier: Apache-2.0
 *
 * The original's values that its skeleton takes as given: $BSIM_VALUES/actor-N.values, one line
 * "region number" each, in the order in which they were computed. Integers as digits,
 * floating-point numbers in hexadecimal, so that they come back as they were. While calls are
 * recorded, to be compared with the skeleton's, what values there were is noted as well
 * (given_log.c). Linked into originals only.
 */
#include "runtime/smpi/runtime.h"

#include <errno.h>
#include <fcntl.h>
#include <simgrid/actor.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FLUSH_BYTES 65536
#define LINE_BYTES 64

struct bsim__values {
    const char *directory;
    long actor;
    char text[FLUSH_BYTES + LINE_BYTES];
    size_t length;
    bool started;
};

void bsim__record_integer(long long number, int region);
double *bsim__vector_space(int ranks);
void bsim__record_vector(const double *numbers, int value_count, int which, const int *where);
void bsim__record_floating(double number, int region);

void bsim__values_flush(struct bsim__rank *rank) {
    struct bsim__values *values = rank->values;
    char path[4096];
    if (values == NULL || values->length == 0)
        return;
    snprintf(path, sizeof path, "%s/actor-%ld.values", values->directory, values->actor);
    int file = open(path, O_WRONLY | O_CREAT | (values->started ? O_APPEND : O_TRUNC), 0666);
    values->started = true;
    size_t done = 0, length = values->length;
    values->length = 0; /* bsim__stop comes here again */
    while (file >= 0 && done < length) {
        ssize_t wrote = write(file, values->text + done, length - done);
        if (wrote < 0 && errno != EINTR)
            break;
        done += wrote > 0 ? (size_t)wrote : 0;
    }
    if (file < 0 || done < length)
        bsim__stop("mpiskel: error: cannot write the values %s: %s", path, strerror(errno));
    close(file);
}

/* NULL: nobody asked for values. */
static struct bsim__values *values_of(struct bsim__rank *rank) {
    const char *directory = bsim__shared()->values_directory;
    if (rank->values != NULL || directory == NULL)
        return rank->values;
    rank->values = bsim__grow(NULL, 0, sizeof *rank->values);
    rank->values->directory = directory;
    rank->values->actor = (long)sg_actor_self_get_pid();
    return rank->values;
}

static void note_for_comparison(int region, double number) {
    if (bsim__shared()->trace_directory != NULL)
        bsim__given_note(region, number);
}

static void finish_line(struct bsim__rank *rank, int length) {
    rank->values->length += (size_t)length;
    if (rank->values->length >= FLUSH_BYTES)
        bsim__values_flush(rank);
}

void bsim__record_integer(long long number, int region) {
    struct bsim__rank *rank = bsim__current_rank();
    struct bsim__values *values = values_of(rank);
    if (values != NULL)
        finish_line(
            rank, snprintf(values->text + values->length, LINE_BYTES, "%d %lld\n", region, number));
    note_for_comparison(region, (double)number);
}

void bsim__record_floating(double number, int region) {
    struct bsim__rank *rank = bsim__current_rank();
    struct bsim__values *values = values_of(rank);
    if (values != NULL)
        finish_line(rank,
                    snprintf(values->text + values->length, LINE_BYTES, "%d %a\n", region, number));
    note_for_comparison(region, number);
}

/* One copy for each rank. */
static __thread double *space;
static __thread int space_count;

double *bsim__vector_space(int ranks) {
    if (ranks > space_count) {
        space =
            bsim__grow(space, (size_t)space_count * sizeof *space, (size_t)ranks * sizeof *space);
        space_count = ranks;
    }
    return space;
}

/* Each number of it, as the skeleton asks for them when they are replayed; noted for the comparison
 * is what they add up to, as there. */
void bsim__record_vector(const double *numbers, int value_count, int which, const int *where) {
    struct bsim__rank *rank = bsim__current_rank();
    struct bsim__values *values = values_of(rank);
    int region = (int)numbers[0];
    double sum = 0;
    (void)value_count;
    (void)which;
    for (int i = 0; i < where[1]; i++) {
        if (values != NULL)
            finish_line(rank, snprintf(values->text + values->length, LINE_BYTES, "%d %a\n", region,
                                       space[i]));
        sum += space[i];
    }
    note_for_comparison(region, sum);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Values that the skeleton takes as given, replayed: with BSIM_VALUES they come from the record of
 * a run of the original (values_write.c), one by one; each rank reads its own file at once when it
 * asks first; a value that the original did not compute so often stops the simulation. Where only
 * some are replayed (BSIM_VALUES_OF) models tell the others, and what comes behind the last one.
 * Linked into skeletons only.
 */
#include "runtime/smpi/runtime.h"

#define BSIM_SKELETON
#define BSIM_NO_MACROS
#include "bsim_calls.h"
#include "runtime/include/bsim.h"

#include <errno.h>
#include <simgrid/actor.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_VALUES 1000000 /* statements; more means a damaged record */

/* The numbers of one statement, as text that is converted when it is asked for. */
struct sequence {
    const char **numbers;
    size_t count, capacity, next;
};

struct bsim__values {
    char *text;
    struct sequence *sequences;
    int count;
};

void bsim__values_flush(struct bsim__rank *rank) {
    (void)rank;
}

static char *read_file(const char *path) {
    FILE *file = fopen(path, "r");
    if (file == NULL)
        bsim__stop("mpiskel: error: cannot read the values %s: %s", path, strerror(errno));
    size_t length = 0, capacity = 65536;
    char *text = bsim__grow(NULL, 0, capacity);
    size_t got;
    while ((got = fread(text + length, 1, capacity - length - 1, file)) > 0) {
        length += got;
        if (capacity - length < 2) {
            text = bsim__grow(text, capacity, 2 * capacity);
            capacity *= 2;
        }
    }
    fclose(file);
    return text;
}

static void add(struct bsim__values *values, int value, const char *number) {
    if (value >= values->count) {
        int count = value + 16;
        values->sequences =
            bsim__grow(values->sequences, (size_t)values->count * sizeof *values->sequences,
                       (size_t)count * sizeof *values->sequences);
        values->count = count;
    }
    struct sequence *sequence = &values->sequences[value];
    if (sequence->count == sequence->capacity) {
        size_t capacity = 2 * sequence->capacity + 8;
        sequence->numbers =
            bsim__grow(sequence->numbers, sequence->capacity * sizeof *sequence->numbers,
                       capacity * sizeof *sequence->numbers);
        sequence->capacity = capacity;
    }
    sequence->numbers[sequence->count++] = number;
}

static void split(struct bsim__values *values, const char *path) {
    size_t line = 1;
    for (char *at = values->text; *at != '\0'; line++) {
        char *number = NULL, *end = at + strcspn(at, "\n");
        long value = strtol(at, &number, 10);
        if (*end != '\n' || *number != ' ' || value < 0 || value > MAX_VALUES)
            bsim__stop("%s:%zu: error: no value and number; the record is damaged", path, line);
        *end = '\0';
        add(values, (int)value, number + 1);
        at = end + 1;
    }
}

/* BSIM_VALUES_OF: which values are replayed, as " 3 7 "; NULL: all of them. */
static const char *listed(void) {
    static BSIM__COMMON const char *list = NULL;
    static BSIM__COMMON bool known = false;
    if (!known)
        list = getenv("BSIM_VALUES_OF");
    known = true;
    return list;
}

static bool is_listed(const char *list, int region) {
    char wanted[32];
    snprintf(wanted, sizeof wanted, " %d ", region);
    return strstr(list, wanted) != NULL;
}

static struct bsim__values *load(const char *directory) {
    struct bsim__values *values = bsim__grow(NULL, 0, sizeof *values);
    char path[4096];
    snprintf(path, sizeof path, "%s/actor-%ld.values", directory, (long)sg_actor_self_get_pid());
    values->text = read_file(path);
    split(values, path);
    return values;
}

const char *bsim__value_replayed(const struct bsim_stub *stub, int region) {
    struct bsim__rank *rank = bsim__current_rank();
    const char *directory = bsim__shared()->values_directory;
    if (directory == NULL || (listed() != NULL && !is_listed(listed(), region)))
        return NULL;
    if (rank->values == NULL)
        rank->values = load(directory);
    struct sequence *sequence =
        region < rank->values->count ? &rank->values->sequences[region] : NULL;
    bool is_over = sequence == NULL || sequence->next >= sequence->count;
    if (is_over && listed() != NULL)
        return NULL;
    if (is_over)
        bsim__stop(BSIM__STUB_PLACE
                   ": error: the skeleton asks for this value %zu times, the original "
                   "computed it less often",
                   stub->file, stub->line, sequence != NULL ? sequence->next + 1 : 1);
    return sequence->numbers[sequence->next++];
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Values in the profiling build: a value that the skeleton will take as given is a sample with the
 * number in place of seconds. The first numbers of each feature vector are kept in their order as
 * well, equal ones in a row as one, so that a pattern over iterations can be learned. A number that
 * is not finite is left out.
 */
#include "runtime/common/vector_shares.h"
#include "runtime/profile/profile.h"

#define BSIM_PROFILE
#define BSIM_NO_MACROS
#include "runtime/include/bsim.h"

#include <stdlib.h>
#include <string.h>

#define REPEATS_MAX 2048
#define LARGEST_VALUE 1e50 /* its square is a number that the readers of samples take */

/* False: out of memory. What does not fit is left out, which the sample's count tells. */
static bool sequence_add(struct bsim__sequence *sequence, double number) {
    struct bsim__repeat *last = sequence->count > 0 ? &sequence->items[sequence->count - 1] : NULL;
    if (last != NULL && last->number == number && sequence->count <= REPEATS_MAX) {
        last->times++;
        return true;
    }
    if (sequence->count > REPEATS_MAX)
        return true;
    if (sequence->count == sequence->capacity) {
        size_t capacity = 2 * sequence->capacity + 8;
        struct bsim__repeat *items = realloc(sequence->items, capacity * sizeof *items);
        if (items == NULL)
            return false;
        sequence->items = items;
        sequence->capacity = capacity;
    }
    sequence->items[sequence->count++] = (struct bsim__repeat){number, 1};
    return true;
}

static bool add(struct bsim__sample *sample, double number) {
    if (sample->sequence == NULL)
        sample->sequence = calloc(1, sizeof *sample->sequence);
    if (sample->sequence == NULL || !sequence_add(sample->sequence, number))
        return false;
    sample->count++;
    bsim__sample_add(sample, number);
    return true;
}

void bsim__record_value(double number, const double *values, int value_count) {
    if (!bsim__profile_measures() || !(number >= -LARGEST_VALUE && number <= LARGEST_VALUE))
        return;
    struct bsim__sample *sample = bsim__sample_find(&bsim__profile.samples, values, value_count);
    if (sample == NULL || !add(sample, number))
        bsim__profile_off("out of memory");
}

/* ---- Vectors ---- */

static double *space;
static int space_count;

double *bsim__vector_space(int ranks) {
    double *more = ranks > space_count ? realloc(space, (size_t)ranks * sizeof *space) : NULL;
    if (more != NULL) {
        space = more;
        space_count = ranks;
    }
    return ranks <= space_count ? space : NULL;
}

/* The numbers that tell it, each as a value of its own. */
void bsim__record_vector(const double *values, int value_count, int which, const int *where) {
    double numbers[VECTOR_NUMBERS], asked[1 + BSIM__VECTOR_VALUES];
    if (where[1] > space_count || value_count > 1 + BSIM__VECTOR_VALUES)
        return;
    vector_summarize(numbers, space, where[0], where[1]);
    memcpy(asked, values, (size_t)value_count * sizeof *asked);
    for (int i = 0; i < VECTOR_NUMBERS; i++) {
        asked[which] = i;
        if (numbers[i] >= 0)
            bsim__record_value(numbers[i], asked, value_count);
    }
}

void bsim__sequence_write(FILE *out, const struct bsim__sequence *sequence) {
    if (sequence == NULL)
        return;
    size_t count = sequence->count > REPEATS_MAX ? REPEATS_MAX : sequence->count;
    fputs(",\"sequence\":[", out);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%s%.17g,%llu", i > 0 ? "," : "", sequence->items[i].number,
                (unsigned long long)sequence->items[i].times);
    fputc(']', out);
}

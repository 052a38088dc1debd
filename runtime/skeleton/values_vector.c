/* SPDX-License-Identifier: Apache-2.0
 *
 * Vectors that the skeleton takes as given, with a number for each rank of a communicator. Replayed
 * they come one by one; else models tell the four numbers of runtime/common/vector_shares.h, each
 * as a value of its own by the feature BSIM_NUMBER_OF_VECTOR, and what goes to others is shared
 * out. So what they add up to is right, whatever the shares are. Linked into skeletons only.
 */
#include "runtime/common/vector_shares.h"
#include "runtime/smpi/runtime.h"

#define BSIM_SKELETON
#define BSIM_NO_MACROS
#include "bsim_calls.h"
#include "runtime/include/bsim.h"

#include <stdlib.h>
#include <string.h>

/* One copy for each rank. */
static __thread double *space;
static __thread int space_count;

static double ask(struct bsim_stub *stub, const double *values, int which, int number) {
    double asked[1 + BSIM__VECTOR_VALUES];
    memcpy(asked, values, (size_t)stub->value_count * sizeof *asked);
    asked[which] = number;
    return bsim__value_floating(stub, asked);
}

static void from_models(double *out, struct bsim_stub *stub, struct bsim_carried *carried,
                        const double *values, int which, const int *where) {
    double numbers[VECTOR_NUMBERS] = {0};
    for (int i = 0; i < VECTOR_NUMBERS; i++)
        if (vector_asks((enum vector_number)i, where[1]))
            numbers[i] = ask(stub, values, which, i);
    vector_share_out(out, &carried->rest, carried->turn++, numbers, where[0], where[1]);
}

const double *bsim__value_vector(struct bsim_stub *stub, struct bsim_carried *carried,
                                 const double *values, int which, const int *where) {
    int region = (int)values[0], ranks = where[1];
    double sum = 0;
    if (stub->value_count > 1 + BSIM__VECTOR_VALUES)
        bsim__stop(BSIM__STUB_PLACE ": error: value %d has more than %d features", stub->file,
                   stub->line, region, BSIM__VECTOR_VALUES);
    if (ranks > space_count) {
        space =
            bsim__grow(space, (size_t)space_count * sizeof *space, (size_t)ranks * sizeof *space);
        space_count = ranks;
    }
    const char *replayed = bsim__value_replayed(stub, region);
    if (replayed == NULL)
        from_models(space, stub, carried, values, which, where);
    for (int i = 0; replayed != NULL && i < ranks; i++) {
        space[i] = strtod(replayed, NULL);
        replayed = i + 1 < ranks ? bsim__value_replayed(stub, region) : NULL;
    }
    for (int i = 0; i < ranks; i++)
        sum += space[i];
    bsim__given_note(region, sum);
    return space;
}

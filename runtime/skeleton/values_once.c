/* SPDX-License-Identifier: Apache-2.0
 *
 * See values_once.h. Answers that all ranks have had are dropped when room for more is needed.
 */
#include "runtime/skeleton/values_once.h"

#include "runtime/skeleton/number_table.h"
#include "runtime/smpi/runtime.h"

#define BSIM_SKELETON
#define BSIM_NO_MACROS
#include "bsim_calls.h"
#include "runtime/include/bsim.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_CAPACITY 16

struct bsim__question {
    struct bsim__numbered numbered;
    double *answers; /* `begin` were dropped; there are end - begin */
    size_t begin, end, capacity;
    size_t *next; /* by rank */
    int rank_count;
};

struct bsim__once {
    struct bsim__number_table questions;
    struct bsim__given *given;
};

static struct bsim__once *once(void) {
    struct bsim__shared *shared = bsim__shared();
    if (shared->once == NULL)
        shared->once = bsim__grow(NULL, 0, sizeof *shared->once);
    return shared->once;
}

struct bsim__question *bsim__question_find(const double *key, int count) {
    return bsim__number_table_find(&once()->questions, key, count, sizeof(struct bsim__question));
}

bool bsim__question_next(double *out, struct bsim__question *question, int rank, int ranks) {
    int wanted = rank < ranks ? ranks : rank + 1;
    if (question->rank_count < wanted) {
        question->next =
            bsim__grow(question->next, (size_t)question->rank_count * sizeof *question->next,
                       (size_t)wanted * sizeof *question->next);
        for (int i = question->rank_count; i < wanted; i++)
            question->next[i] = question->begin;
        question->rank_count = wanted;
    }
    size_t *next = &question->next[rank];
    if (*next == question->end)
        return false;
    *out = question->answers[(*next)++ - question->begin];
    return true;
}

/* True if there is room then. */
static bool drop_known(struct bsim__question *question) {
    size_t least = question->end, kept = question->end - question->begin;
    for (int i = 0; i < question->rank_count; i++)
        least = question->next[i] < least ? question->next[i] : least;
    size_t dropped = least - question->begin;
    if (2 * dropped < kept || dropped == 0)
        return false;
    memmove(question->answers, question->answers + dropped,
            (kept - dropped) * sizeof *question->answers);
    question->begin = least;
    return true;
}

void bsim__question_add(struct bsim__question *question, double answer) {
    size_t kept = question->end - question->begin;
    if (kept == question->capacity && !drop_known(question)) {
        size_t capacity = kept > 0 ? 2 * kept : FIRST_CAPACITY;
        question->answers = bsim__grow(question->answers, kept * sizeof *question->answers,
                                       capacity * sizeof *question->answers);
        question->capacity = capacity;
    }
    question->answers[question->end++ - question->begin] = answer;
}

struct bsim__given **bsim__given_once(void) {
    return &once()->given;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Where in the run the timed executions of a region happened (model/eval/context.h), so that what
 * the first ones take can be told from what later ones take: sums for each context, beside those of
 * the whole sample. A feature vector has at most so many contexts; the executions in further ones
 * are in the sample's sums alone.
 */
#include "model/eval/context.h"
#include "runtime/profile/profile.h"

#include <stdlib.h>

#define CONTEXTS_MAX 64

static bool is_same(const struct bsim__timed_context *left,
                    const struct bsim__timed_context *right) {
    return left->execution == right->execution && left->unchanged == right->unchanged &&
           left->before == right->before;
}

static bool enlarge(struct bsim__contexts *contexts) {
    size_t capacity = contexts->capacity > 0 ? contexts->capacity * 2 : 4;
    struct bsim__timed_context *items = realloc(contexts->items, capacity * sizeof *items);
    if (items == NULL)
        return false;
    contexts->items = items;
    contexts->capacity = capacity;
    return true;
}

/* NULL: there is no place for it. */
static struct bsim__timed_context *find(struct bsim__contexts *contexts,
                                        const struct bsim__timed_context *wanted) {
    if (contexts->count > 0 && is_same(&contexts->items[contexts->last], wanted))
        return &contexts->items[contexts->last];
    size_t at = 0;
    while (at < contexts->count && !is_same(&contexts->items[at], wanted))
        at++;
    if (at == CONTEXTS_MAX || (at == contexts->capacity && !enlarge(contexts)))
        return NULL;
    if (at == contexts->count)
        contexts->items[contexts->count++] = *wanted;
    contexts->last = at;
    return &contexts->items[at];
}

void bsim__context_add(struct bsim__contexts *contexts, const struct bsim_context *context,
                       double seconds) {
    struct bsim__timed_context wanted = {.execution = bsim_bucket(context->execution),
                                         .unchanged = bsim_bucket(context->unchanged),
                                         .before = context->before};
    struct bsim__timed_context *found = find(contexts, &wanted);
    if (found == NULL)
        return;
    found->timed++;
    found->seconds += seconds;
}

void bsim__contexts_write(FILE *out, const struct bsim__contexts *contexts) {
    if (contexts->count == 0)
        return;
    fputs(",\"contexts\":[", out);
    for (size_t i = 0; i < contexts->count; i++) {
        const struct bsim__timed_context *context = &contexts->items[i];
        fprintf(out, "%s%lu,%lu,%d,%llu,%.9g", i > 0 ? "," : "",
                bsim_bucket_first(context->execution), bsim_bucket_first(context->unchanged),
                context->before, (unsigned long long)context->timed,
                context->seconds > 0 ? context->seconds : 0); /* measuring costs more */
    }
    fputc(']', out);
}

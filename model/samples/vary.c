/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers among words, replaced as text; see vary.h.
 */
#include "model/samples/vary.h"

#include <math.h>
#include <string.h>

size_t vary_find(struct bsim_argument **out, struct arena *arena, struct words words) {
    struct bsim_argument *found = ARENA_ARRAY(arena, struct bsim_argument, BSIM_ARGUMENTS_MAX);
    int count = bsim_arguments_find(found, BSIM_ARGUMENTS_MAX, words.items, (int)words.count);
    size_t kept = 0;
    for (int i = 0; i < count; i++)
        if (found[i].number > 0)
            found[kept++] = found[i];
    *out = found;
    return kept;
}

static const char *scaled_word(struct arena *arena, const char *word,
                               const struct bsim_argument *argument, double factor) {
    const char *number = word + argument->offset;
    double scaled = argument->number * factor;
    bool is_integer = number[strspn(number, "+0123456789")] == '\0';
    if (is_integer)
        return arena_printf(arena, "%.*s%.0f", argument->offset, word, fmax(round(scaled), 1));
    return arena_printf(arena, "%.*s%.6g", argument->offset, word, scaled);
}

struct words vary_scale(struct arena *arena, struct words words,
                        const struct bsim_argument *numbers, size_t count, unsigned long long which,
                        double factor) {
    const char **items = ARENA_ARRAY(arena, const char *, words.count + 1);
    for (size_t i = 0; i < words.count; i++)
        items[i] = words.items[i];
    for (size_t i = 0; i < count; i++)
        if (which >> i & 1)
            items[numbers[i].word] =
                scaled_word(arena, items[numbers[i].word], &numbers[i], factor);
    return (struct words){items, words.count};
}

bool words_equal(struct words one, struct words other) {
    for (size_t i = 0; i < one.count && i < other.count; i++)
        if (strcmp(one.items[i], other.items[i]) != 0)
            return false;
    return one.count == other.count;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * See synth_pool.h. After a failure all words are "" and all numbers the least allowed, so that
 * readers need to look once, at the end.
 */
#include "synthesis/eval/synth_pool.h"

#include <math.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_BYTES (1 << 16)

struct synth_pool_block {
    struct synth_pool_block *before;
    size_t used, size;
    alignas(max_align_t) unsigned char bytes[];
};

static struct synth_pool_block *new_block(struct synth_pool *pool, size_t size) {
    size_t room = size > BLOCK_BYTES ? size : BLOCK_BYTES;
    struct synth_pool_block *block = calloc(1, sizeof *block + room);
    if (block == NULL)
        return NULL;
    block->size = room;
    block->before = pool->last;
    pool->last = block;
    return block;
}

void *bsim_synth_take(struct synth_pool *pool, size_t size_bytes) {
    size_t size =
        (size_bytes + alignof(max_align_t) - 1) / alignof(max_align_t) * alignof(max_align_t);
    struct synth_pool_block *block = pool->last;
    if (block == NULL || block->size - block->used < size)
        block = new_block(pool, size);
    if (block == NULL)
        return NULL;
    void *result = block->bytes + block->used;
    block->used += size;
    return result;
}

void bsim_synth_pool_dispose(struct synth_pool *pool) {
    for (struct synth_pool_block *block = pool->last, *before; block != NULL; block = before) {
        before = block->before;
        free(block);
    }
    pool->last = NULL;
}

void bsim_synth_pool_join(struct synth_pool *pool, struct synth_pool *other) {
    struct synth_pool_block **end = &other->last;
    while (*end != NULL)
        end = &(*end)->before;
    *end = pool->last;
    pool->last = other->last;
    other->last = NULL;
}

static bool is_blank(char character) {
    return character == ' ' || character == '\n' || character == '\t' || character == '\r';
}

const char *bsim_synth_word(struct synth_words *words) {
    size_t length = 0;
    for (; words->at < words->end && is_blank(*words->at); words->at++)
        words->line += *words->at == '\n';
    while (words->at + length < words->end && !is_blank(words->at[length]))
        length++;
    words->failed |= length >= SYNTH_WORD_MOST;
    if (words->failed)
        length = 0;
    memcpy(words->word, words->at, length);
    words->word[length] = '\0';
    words->at += length;
    return words->word;
}

void bsim_synth_expect(struct synth_words *words, const char *word) {
    if (strcmp(bsim_synth_word(words), word) != 0)
        words->failed = true;
}

long long bsim_synth_integer(struct synth_words *words, long long least, long long most) {
    char *end;
    const char *word = bsim_synth_word(words);
    long long number = strtoll(word, &end, 10);
    if (end != word && *end == '\0' && number >= least && number <= most)
        return number;
    words->failed = true;
    return least;
}

double bsim_synth_real(struct synth_words *words) {
    char *end;
    const char *word = bsim_synth_word(words);
    double number = strtod(word, &end);
    if (end != word && *end == '\0' && fabs(number) < 1e100)
        return number;
    words->failed = true;
    return 0;
}

char *bsim_synth_copy(struct synth_words *words) {
    size_t length = strlen(bsim_synth_word(words));
    char *copy = bsim_synth_array(words, length + 1, 1);
    return copy != NULL ? memcpy(copy, words->word, length + 1) : NULL;
}

void *bsim_synth_array(struct synth_words *words, size_t count, size_t size_bytes) {
    void *array = words->failed || count > (size_t)1 << 28
                      ? NULL
                      : bsim_synth_take(words->pool, (count + 1) * size_bytes);
    words->failed |= array == NULL;
    return array;
}

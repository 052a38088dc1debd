/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory that dies together, and words of a text: what the reader of a model stands on. It is not
 * base/arena.h, since it is linked into skeletons.
 */
#ifndef SYNTHESIS_EVAL_SYNTH_POOL_H
#define SYNTHESIS_EVAL_SYNTH_POOL_H

#include <stdbool.h>
#include <stddef.h>

struct synth_pool_block;

struct synth_pool {
    struct synth_pool_block *last;
};

/* Zeroed, aligned for any type; NULL: there is no more memory. */
void *bsim_synth_take(struct synth_pool *pool, size_t size_bytes);
void bsim_synth_pool_dispose(struct synth_pool *pool);
/* What `other` owns is the pool's; `other` is empty then. */
void bsim_synth_pool_join(struct synth_pool *pool, struct synth_pool *other);

#define SYNTH_WORD_MOST 512

struct synth_words {
    const char *at, *end;
    int line;
    char word[SYNTH_WORD_MOST]; /* the last one */
    bool failed;                /* a word that was none of those expected, or no memory */
    struct synth_pool *pool;
};

/* "" at the end of the text. */
const char *bsim_synth_word(struct synth_words *words);
/* These fail with any other word than the one named, a number outside of the range. */
void bsim_synth_expect(struct synth_words *words, const char *word);
long long bsim_synth_integer(struct synth_words *words, long long least, long long most);
double bsim_synth_real(struct synth_words *words);
char *bsim_synth_copy(struct synth_words *words); /* of the next word */
void *bsim_synth_array(struct synth_words *words, size_t count, size_t size_bytes);

#endif

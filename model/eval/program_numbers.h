/* SPDX-License-Identifier: Apache-2.0
 *
 * The numbers among a program's arguments, by name: what a value may depend on beside its features.
 * Linked into other people's programs like eval.h.
 */
#ifndef MODEL_EVAL_PROGRAM_NUMBERS_H
#define MODEL_EVAL_PROGRAM_NUMBERS_H

#define BSIM_ARGUMENTS_MAX 64
#define BSIM_ARGUMENT_NAME 64

struct bsim_argument {
    char name[BSIM_ARGUMENT_NAME]; /* one word */
    double number;                 /* NAN: a text (bsim_words_find) */
    int word, offset; /* where it begins: which word, how many bytes in it; it ends with the word */
};

/* `words` without the program's name. The number behind an option (-n 100, -n100, --size=100,
 * size=100) has the option's name, another one that of its place among the words that belong to no
 * option: arg1, arg2. A name that comes again gets #2, #3. Returns how many there are. */
int bsim_arguments_find(struct bsim_argument *out, int max, const char *const *words, int count);

/* All words, likewise: texts as well, and options without a value, whose text is empty. */
int bsim_words_find(struct bsim_argument *out, int max, const char *const *words, int count);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers among arguments; see program_numbers.h. They are read in the "C" locale.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "model/eval/program_numbers.h"

#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST_NUMBER 1e100

struct program_numbers_finder {
    struct bsim_argument *out;
    int max, count;
    int word;      /* that is looked at */
    int has_texts; /* what is no number counts, too */
    locale_t locale;
};

static int read_number(double *out, const struct program_numbers_finder *finder, const char *text) {
    char *end = NULL;
    if (!isdigit((unsigned char)text[strspn(text, "+-.")]))
        return 0;
    *out = strtod_l(text, &end, finder->locale);
    return *end == '\0' && fabs(*out) <= LARGEST_NUMBER;
}

static int times_used(const struct program_numbers_finder *finder, const char *name,
                      size_t length) {
    int used = 0;
    for (int i = 0; i < finder->count; i++) {
        const char *other = finder->out[i].name;
        used +=
            strncmp(other, name, length) == 0 && (other[length] == '\0' || other[length] == '#');
    }
    return used;
}

static void add(struct program_numbers_finder *finder, const char *name, size_t length,
                double number, size_t offset) {
    size_t most = BSIM_ARGUMENT_NAME - 8; /* and #2 behind it */
    if (finder->count == finder->max || length == 0 || (length > most && !finder->has_texts))
        return;
    length = length > most ? most : length;
    for (size_t i = 0; i < length && !finder->has_texts; i++)
        if (isspace((unsigned char)name[i]))
            return;
    int used = times_used(finder, name, length);
    struct bsim_argument *argument = &finder->out[finder->count++];
    argument->number = number;
    argument->word = finder->word;
    argument->offset = (int)offset;
    if (used == 0)
        snprintf(argument->name, sizeof argument->name, "%.*s", (int)length, name);
    else
        snprintf(argument->name, sizeof argument->name, "%.*s#%d", (int)length, name, used + 1);
}

static int is_option(const char *word) {
    return word[0] == '-' && (word[1] == '-' || isalpha((unsigned char)word[1]));
}

/* Or NAN, which is for whoever wants texts as well. */
static int read_any(double *out, const struct program_numbers_finder *finder, const char *text) {
    if (read_number(out, finder, text))
        return 1;
    *out = NAN;
    return finder->has_texts;
}

/* size=100, --size=100 and -n100. */
static int add_joined(struct program_numbers_finder *finder, const char *word) {
    const char *equals = strchr(word, '=');
    double number = 0;
    if (equals != NULL && read_any(&number, finder, equals + 1)) {
        add(finder, word, (size_t)(equals - word), number, (size_t)(equals - word) + 1);
        return 1;
    }
    if (is_option(word) && word[1] != '-' && word[2] != '\0' &&
        read_number(&number, finder, word + 2)) {
        add(finder, word, 2, number, 2);
        return 1;
    }
    return 0;
}

/* An option that is followed by nothing that could be its own. */
static int is_switch(const char *const *words, int count, int word) {
    return is_option(words[word]) && (word + 1 == count || is_option(words[word + 1]));
}

static void find_all(struct program_numbers_finder *finder, const char *const *words, int count) {
    int place = 0;
    for (int i = 0; i < count; i++) {
        char name[32];
        double number = 0;
        finder->word = i;
        if (add_joined(finder, words[i]))
            continue;
        if (finder->has_texts && is_switch(words, count, i))
            add(finder, words[i], strlen(words[i]), NAN, strlen(words[i]));
        if (is_option(words[i]))
            continue;
        int named = i > 0 && is_option(words[i - 1]) && strchr(words[i - 1], '=') == NULL;
        if (!named)
            snprintf(name, sizeof name, "arg%d", ++place);
        const char *shown = named ? words[i - 1] : name;
        if (read_any(&number, finder, words[i]))
            add(finder, shown, strlen(shown), number, 0);
    }
}

static int find_words(struct bsim_argument *out, int max, const char *const *words, int count,
                      int has_texts) {
    struct program_numbers_finder finder = {
        out, max, 0, 0, has_texts, newlocale(LC_ALL_MASK, "C", (locale_t)0)};
    if (finder.locale == (locale_t)0)
        return 0;
    find_all(&finder, words, count);
    freelocale(finder.locale);
    return finder.count;
}

int bsim_arguments_find(struct bsim_argument *out, int max, const char *const *words, int count) {
    return find_words(out, max, words, count, 0);
}

int bsim_words_find(struct bsim_argument *out, int max, const char *const *words, int count) {
    return find_words(out, max, words, count, 1);
}

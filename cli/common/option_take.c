/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/common/option_take.h"

#include "base/str.h"
#include "cli/common/command_option.h"
#include "model/processor/processor.h"
#include "model/store/machine_name.h"
#include "simulator/network/units.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct option_label {
    char text[64];
};

/* As messages name the option. Numbers of ranks are given with -np, as to mpirun. */
static struct option_label label_of(const struct command_option *option) {
    struct option_label label;
    bool is_ranks = option->letter == 'n' && (option->name == NULL || option->name[1] == 'p');
    if (is_ranks)
        strcpy(label.text, "-np");
    else if (option->name == NULL)
        snprintf(label.text, sizeof label.text, "-%c", option->letter);
    else
        snprintf(label.text, sizeof label.text, "--%s", option->name);
    return label;
}

int option_take_on(void *out, const struct command_option *option, const char *text,
                   struct error *error) {
    (void)option, (void)text, (void)error;
    *(bool *)out = true;
    return 0;
}

int option_take_off(void *out, const struct command_option *option, const char *text,
                    struct error *error) {
    (void)option, (void)text, (void)error;
    *(bool *)out = false;
    return 0;
}

int option_take_text(void *out, const struct command_option *option, const char *text,
                     struct error *error) {
    (void)option, (void)error;
    *(const char **)out = text;
    return 0;
}

int option_take_texts(void *out, const struct command_option *option, const char *text,
                      struct error *error) {
    option_texts *texts = out;
    (void)option, (void)error;
    vec_push(texts, text);
    return 0;
}

int option_take_filled(void *out, const struct command_option *option, const char *text,
                       struct error *error) {
    *(const char **)out = text;
    return text[0] != '\0' ? 0 : error_set(error, "%s needs a value", label_of(option).text);
}

int option_take_machine(void *out, const struct command_option *option, const char *text,
                        struct error *error) {
    (void)option;
    *(const char **)out = text;
    return machine_is_name(text)
               ? 0
               : error_set(error, "a machine's name has at most 64 letters, digits, '.', '_' and "
                                  "'-'");
}

/* The description is read here, too, so that a mistake in it is told before anything runs. */
int option_take_clock(void *out, const struct command_option *option, const char *text,
                      struct error *error) {
    static const char word[] = "counted";
    struct processor processor;
    char message[PROCESSOR_TEXT], path[PATH_MAX], clock[PATH_MAX + sizeof word + 1];
    (void)option;
    *(const char **)out = text;
    const char *file = strncmp(text, word, strlen(word)) == 0 ? text + strlen(word) : "?";
    if (file[0] != '\0' && (file[0] != ':' || file[1] == '\0'))
        return error_set(error, "--clock takes counted or counted:FILE, not '%s'", text);
    if (file[0] == ':' && processor_read(&processor, file + 1, message, sizeof message) != 0)
        return error_set(error, "%s", message);
    if (file[0] == ':' && realpath(file + 1, path) == NULL)
        return error_set(error, "%s: %s", file + 1, strerror(errno));
    snprintf(clock, sizeof clock, "%s%s%s", word, file[0] == ':' ? ":" : "",
             file[0] == ':' ? path : "");
    setenv("BSIM_CLOCK", clock, 1);
    return 0;
}

/* ---- Numbers ---- */

int option_take_count(void *out, const struct command_option *option, const char *text,
                      struct error *error) {
    return count_parse(out, text, label_of(option).text, error);
}

int option_take_speed(void *out, const struct command_option *option, const char *text,
                      struct error *error) {
    return speed_parse(out, text, label_of(option).text, error);
}

int option_take_whole(void *out, const struct command_option *option, const char *text,
                      struct error *error) {
    bool bounded = option->most > 0;
    char *end = NULL;
    errno = 0;
    long number = strtol(text, &end, 10);
    *(long *)out = number;
    if (isdigit((unsigned char)text[0]) && *end == '\0' && errno == 0 &&
        (!bounded || ((double)number >= option->least && (double)number <= option->most)))
        return 0;
    return bounded
               ? error_set(error, "%s takes a whole number from %.0f to %.0f, not '%s'",
                           label_of(option).text, option->least, option->most, text)
               : error_set(error, "%s takes a whole number, not '%s'", label_of(option).text, text);
}

int option_take_number(void *out, const struct command_option *option, const char *text,
                       struct error *error) {
    char *end = NULL;
    double number = strtod(text, &end);
    *(double *)out = number;
    if (end != text && *end == '%' && strcmp(option->unit, "percent") == 0)
        end++;
    if (end == text || *end != '\0' || isnan(number) || number < option->least ||
        number > option->most)
        return error_set(error, "%s takes a number of %s, not '%s'", label_of(option).text,
                         option->unit, text);
    return 0;
}

/* ---- Words ---- */

/* Which of a|b|c the text is; -1: none. */
static int number_of_word(const char *words, const char *text) {
    size_t wanted = strlen(text);
    for (int i = 0;; i++) {
        size_t length = strcspn(words, "|");
        if (length == wanted && strncmp(words, text, length) == 0)
            return i;
        if (words[length] == '\0')
            return -1;
        words += length + 1;
    }
}

/* "a, b or c". */
static void add_words(struct str *out, const char *words) {
    const char *last = strrchr(words, '|');
    for (; *words != '\0'; words++)
        if (*words != '|')
            str_addc(out, *words);
        else
            str_add(out, words == last ? " or " : ", ");
}

static int refuse_word(const struct command_option *option, const char *text, struct error *error) {
    struct str words = {0};
    add_words(&words, option->value);
    error_set(error, "%s takes %s, not '%s'", label_of(option).text, str_text(&words), text);
    str_dispose(&words);
    return -1;
}

int option_take_choice(void *out, const struct command_option *option, const char *text,
                       struct error *error) {
    int number = number_of_word(option->value, text);
    *(int *)out = number;
    return number >= 0 ? 0 : refuse_word(option, text, error);
}

int option_take_set(void *out, const struct command_option *option, const char *text,
                    struct error *error) {
    char *words = xstrdup(text), *rest = NULL;
    int result = 0;
    for (char *word = strtok_r(words, ",", &rest); word != NULL && result == 0;
         word = strtok_r(NULL, ",", &rest)) {
        int number = number_of_word(option->value, word);
        if (number < 0)
            result = refuse_word(option, word, error);
        else
            *(unsigned *)out |= 1U << number;
    }
    free(words);
    return result;
}

int option_take_word(void *out, const struct command_option *option, const char *text,
                     struct error *error) {
    *(const char **)out = text;
    return number_of_word(option->value, text) >= 0 ? 0 : refuse_word(option, text, error);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * model.bsim as lines and words; see eval_read.h. The file is read whole and split in place.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "model/eval/eval_read.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST_MODEL_BYTES ((size_t)256 << 20)

int bsim_reader_fail(struct bsim_reader *reader, const char *format, ...) {
    char what[256];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    if (reader->error_size > 0)
        snprintf(reader->error_text, reader->error_size,
                 "%s:%ld: error: %s; run `mpiskel fit` again to write a new model", reader->path,
                 reader->line, what);
    return -1;
}

int bsim_reader_fail_file(struct bsim_reader *reader, const char *what) {
    if (reader->error_size > 0)
        snprintf(reader->error_text, reader->error_size,
                 "cannot read the model %s: %s; `mpiskel fit` writes it", reader->path, what);
    return -1;
}

/* ---- The file, its lines and words ---- */

static char *read_stream(FILE *file, size_t *out_length) {
    char *text = NULL;
    size_t length = 0, capacity = 0;
    for (;;) {
        if (length + 1 >= capacity) {
            capacity = capacity * 2 + 65536;
            char *larger = capacity <= 2 * LARGEST_MODEL_BYTES ? realloc(text, capacity) : NULL;
            if (larger == NULL)
                break;
            text = larger;
        }
        size_t got = fread(text + length, 1, capacity - length - 1, file);
        length += got;
        if (got == 0 && !ferror(file)) {
            text[length] = '\0';
            *out_length = length;
            return text;
        }
        if (got == 0)
            break;
    }
    free(text);
    return NULL;
}

int bsim_reader_file(char **out, struct bsim_reader *reader) {
    FILE *file = fopen(reader->path, "rb");
    if (file == NULL)
        return bsim_reader_fail_file(reader, strerror(errno));
    size_t length = 0;
    errno = 0;
    *out = read_stream(file, &length);
    int reason = errno;
    fclose(file);
    if (*out == NULL)
        return bsim_reader_fail_file(reader, reason != 0 ? strerror(reason) : "it is too large");
    if (strlen(*out) == length)
        return 0;
    free(*out);
    *out = NULL;
    return bsim_reader_fail_file(reader, "it is not a text file");
}

/* False: there is no further line. */
int bsim_reader_next_line(struct bsim_reader *reader) {
    if (reader->rest == NULL || reader->rest[0] == '\0')
        return 0;
    reader->word = reader->rest;
    reader->rest = strchr(reader->word, '\n');
    if (reader->rest != NULL)
        *reader->rest++ = '\0';
    reader->line++;
    return 1;
}

/* NULL: the line has no further word. */
static char *next_word(struct bsim_reader *reader) {
    char *word = reader->word + strspn(reader->word, " ");
    size_t length = strcspn(word, " ");
    if (length == 0)
        return NULL;
    reader->word = word + length;
    if (word[length] != '\0') {
        word[length] = '\0';
        reader->word++;
    }
    return word;
}

int bsim_reader_more(const struct bsim_reader *reader) {
    return reader->word[strspn(reader->word, " ")] != '\0';
}

int bsim_reader_text(char **out, struct bsim_reader *reader, const char *what) {
    *out = next_word(reader);
    return *out != NULL ? 0 : bsim_reader_fail(reader, "the line ends where %s should be", what);
}

int bsim_reader_keyword(struct bsim_reader *reader, const char *wanted) {
    char *word = NULL;
    if (bsim_reader_text(&word, reader, wanted) != 0)
        return -1;
    return strcmp(word, wanted) == 0
               ? 0
               : bsim_reader_fail(reader, "'%.40s' instead of '%s'", word, wanted);
}

int bsim_reader_number(double *out, struct bsim_reader *reader, const char *what, double smallest,
                       double largest) {
    char *word = NULL, *end = NULL;
    if (bsim_reader_text(&word, reader, what) != 0)
        return -1;
    *out = strtod(word, &end);
    if (end == word || *end != '\0')
        return bsim_reader_fail(reader, "'%.40s' is not a number (%s)", word, what);
    if (!(*out >= smallest && *out <= largest))
        return bsim_reader_fail(reader, "%.40s is out of range for %s", word, what);
    return 0;
}

int bsim_reader_count(int *out, struct bsim_reader *reader, const char *what, int largest) {
    double number = 0;
    if (bsim_reader_number(&number, reader, what, 0, largest) != 0)
        return -1;
    *out = (int)number;
    return *out == number ? 0 : bsim_reader_fail(reader, "%s is not a whole number", what);
}

int bsim_reader_line_end(struct bsim_reader *reader) {
    char *word = next_word(reader);
    return word == NULL
               ? 0
               : bsim_reader_fail(reader, "'%.40s' after the end of the line's contents", word);
}

int bsim_reader_need_line(struct bsim_reader *reader) {
    return bsim_reader_next_line(reader) ? 0 : bsim_reader_fail(reader, "the file is truncated");
}

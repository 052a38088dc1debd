/* SPDX-License-Identifier: Apache-2.0
 *
 * How model.bsim is read; for eval*.c only. Functions give 0, or -1 after the error text was set.
 */
#ifndef MODEL_EVAL_EVAL_READ_H
#define MODEL_EVAL_EVAL_READ_H

#include <stddef.h>

#define BSIM_LARGEST_NUMBER 1e300

struct bsim_reader {
    const char *path;
    char *rest; /* what comes after the current line; NULL: nothing */
    char *word; /* what is left of the current line */
    long line;
    char *error_text;
    size_t error_size;
};

__attribute__((format(printf, 2, 3))) int bsim_reader_fail(struct bsim_reader *reader,
                                                           const char *format, ...);
int bsim_reader_fail_file(struct bsim_reader *reader, const char *what);

/* *out is the caller's (free): the whole text, to be put into reader->rest. */
int bsim_reader_file(char **out, struct bsim_reader *reader);

/* False: there is no further line. */
int bsim_reader_next_line(struct bsim_reader *reader);
int bsim_reader_need_line(struct bsim_reader *reader);
int bsim_reader_line_end(struct bsim_reader *reader);

/* True: the current line has a further word. */
int bsim_reader_more(const struct bsim_reader *reader);

/* The next word of the line; texts are borrowed from it. */
int bsim_reader_text(char **out, struct bsim_reader *reader, const char *what);
int bsim_reader_keyword(struct bsim_reader *reader, const char *wanted);
int bsim_reader_number(double *out, struct bsim_reader *reader, const char *what, double smallest,
                       double largest);
int bsim_reader_count(int *out, struct bsim_reader *reader, const char *what, int largest);

#endif

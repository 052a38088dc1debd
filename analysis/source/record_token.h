/* SPDX-License-Identifier: Apache-2.0
 *
 * Words, numbers, strings and punctuation of text records, with their places.
 */
#pragma once

#include "base/error.h"
#include "base/str.h"

#include <stdio.h>

enum record_token_type {
    RECORD_END,     /* of the file */
    RECORD_NEWLINE, /* at least one */
    RECORD_WORD,    /* also a number: whatever has no blank and no punctuation in it */
    RECORD_STRING,  /* without its quotes */
    RECORD_MARK,    /* one of { } ; = */
};

struct record_token {
    enum record_token_type type;
    struct str text; /* of a mark: that character */
    size_t line, column;
};

struct record_tokens {
    FILE *stream;
    const char *path;
    unsigned char block[1 << 16];
    size_t at, length;   /* in the block */
    size_t line, column; /* of what is read next, from 1 */
    struct record_token token;
};

void record_tokens_init(struct record_tokens *tokens, FILE *stream, const char *path);
void record_tokens_dispose(struct record_tokens *tokens);

/* Reads the next one into tokens->token. */
int record_tokens_next(struct record_tokens *tokens, struct error *error);

/* Is the token this mark? */
bool record_token_is(const struct record_tokens *tokens, char mark);

/* error_set with the place of the token. */
int record_token_fail(const struct record_tokens *tokens, struct error *error, const char *format,
                      ...) __attribute__((format(printf, 3, 4)));

/* SPDX-License-Identifier: Apache-2.0
 *
 * Words, numbers, strings and punctuation of text records, with their places.
 */
#pragma once

#include "base/error.h"
#include "base/str.h"

#include <stdio.h>

enum source_token_type {
    TOKEN_END,     /* of the file */
    TOKEN_NEWLINE, /* at least one */
    TOKEN_WORD,    /* also a number: whatever has no blank and no punctuation in it */
    TOKEN_STRING,  /* without its quotes */
    TOKEN_MARK,    /* one of { } ; = */
};

struct source_token {
    enum source_token_type type;
    struct str text; /* of a mark: that character */
    size_t line, column;
};

struct source_tokens {
    FILE *stream;
    const char *path;
    unsigned char block[1 << 16];
    size_t at, length;   /* in the block */
    size_t line, column; /* of what is read next, from 1 */
    struct source_token token;
};

void source_tokens_init(struct source_tokens *tokens, FILE *stream, const char *path);
void source_tokens_dispose(struct source_tokens *tokens);

/* Reads the next one into tokens->token. */
int source_tokens_next(struct source_tokens *tokens, struct error *error);

/* Is the token this mark? */
bool source_token_is(const struct source_tokens *tokens, char mark);

/* error_set with the place of the token. */
int source_token_fail(const struct source_tokens *tokens, struct error *error, const char *format,
                      ...) __attribute__((format(printf, 3, 4)));

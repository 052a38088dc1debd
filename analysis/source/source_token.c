/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads a stream block by block, character by character. A word may have MOST_BYTES: a file without
 * blanks must not take all memory.
 */
#include "analysis/source/source_token.h"

#include <stdarg.h>
#include <string.h>

#define MOST_BYTES 65536

void source_tokens_init(struct source_tokens *tokens, FILE *stream, const char *path) {
    tokens->stream = stream;
    tokens->path = path;
    tokens->at = tokens->length = 0;
    tokens->line = tokens->column = 1;
    tokens->token = (struct source_token){.line = 1, .column = 1};
}

void source_tokens_dispose(struct source_tokens *tokens) {
    str_dispose(&tokens->token.text);
    fclose(tokens->stream);
}

/* EOF at the end. */
static int peek(struct source_tokens *tokens) {
    if (tokens->at == tokens->length) {
        tokens->length = fread(tokens->block, 1, sizeof tokens->block, tokens->stream);
        tokens->at = 0;
    }
    return tokens->length == 0 ? EOF : tokens->block[tokens->at];
}

static void skip(struct source_tokens *tokens) {
    bool ends_line = tokens->block[tokens->at++] == '\n';
    tokens->line += ends_line;
    tokens->column = ends_line ? 1 : tokens->column + 1;
}

bool source_token_is(const struct source_tokens *tokens, char mark) {
    return tokens->token.type == TOKEN_MARK && tokens->token.text.text[0] == mark;
}

int source_token_fail(const struct source_tokens *tokens, struct error *error, const char *format,
                      ...) {
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return error_set(error, "%s:%zu:%zu: error: %s", tokens->path, tokens->token.line,
                     tokens->token.column, text);
}

static void begin(struct source_tokens *tokens, enum source_token_type type) {
    tokens->token.type = type;
    tokens->token.text.length = 0;
    if (tokens->token.text.text != NULL)
        tokens->token.text.text[0] = '\0';
    tokens->token.line = tokens->line;
    tokens->token.column = tokens->column;
}

static void take(struct source_tokens *tokens) {
    str_addc(&tokens->token.text, (char)tokens->block[tokens->at]);
    skip(tokens);
}

static int skip_comment(struct source_tokens *tokens, struct error *error) {
    int before = 0, c;
    if (peek(tokens) == '/') {
        while ((c = peek(tokens)) != EOF && c != '\n')
            skip(tokens);
        return 0;
    }
    skip(tokens);
    for (; (c = peek(tokens)) != EOF; before = c) {
        skip(tokens);
        if (before == '*' && c == '/')
            return 0;
    }
    return source_token_fail(tokens, error, "this comment has no end; add */");
}

static bool ends_word(int c) {
    return c == EOF || c == '\0' || strchr(" \t\r\n\f\v{};=\"", c) != NULL;
}

static int read_string(struct source_tokens *tokens, struct error *error) {
    skip(tokens);
    for (int c; (c = peek(tokens)) != '"'; take(tokens)) {
        if (c == '\\') {
            skip(tokens);
            c = peek(tokens);
        }
        if (c == EOF || c == '\n' || tokens->token.text.length == MOST_BYTES)
            return source_token_fail(tokens, error, "this string has no end on its line; add \"");
    }
    skip(tokens);
    return 0;
}

static int read_word(struct source_tokens *tokens, struct error *error) {
    for (; !ends_word(peek(tokens)); take(tokens))
        if (tokens->token.text.length == MOST_BYTES)
            return source_token_fail(tokens, error,
                                     "this word has more than %d bytes; is the file "
                                     "one of text records?",
                                     MOST_BYTES);
    if (tokens->token.text.length == 0)
        return source_token_fail(tokens, error,
                                 "a byte of zero; the file is not one of text "
                                 "records");
    return 0;
}

static int read_token(struct source_tokens *tokens, int c, struct error *error) {
    if (c == '"') {
        begin(tokens, TOKEN_STRING);
        return read_string(tokens, error);
    }
    if (strchr("{};=", c) != NULL && c != '\0') {
        begin(tokens, TOKEN_MARK);
        take(tokens);
        return 0;
    }
    begin(tokens, TOKEN_WORD);
    return read_word(tokens, error);
}

/* A slash that begins no comment begins a word. */
static int read_slash(struct source_tokens *tokens, bool *out_comment, struct error *error) {
    begin(tokens, TOKEN_WORD);
    take(tokens);
    int c = peek(tokens);
    *out_comment = c == '/' || c == '*';
    return *out_comment ? skip_comment(tokens, error) : read_word(tokens, error);
}

int source_tokens_next(struct source_tokens *tokens, struct error *error) {
    bool is_comment = true;
    for (int c; (c = peek(tokens)) != EOF;) {
        if (c == '\n' && tokens->token.type != TOKEN_NEWLINE) {
            begin(tokens, TOKEN_NEWLINE);
            skip(tokens);
            return 0;
        }
        if (c == '/') {
            enum source_token_type before = tokens->token.type;
            if (read_slash(tokens, &is_comment, error) != 0)
                return -1;
            if (!is_comment)
                return 0;
            tokens->token.type = before;
        } else if (c != '\0' && strchr(" \t\r\n\f\v", c) != NULL) {
            skip(tokens);
        } else {
            return read_token(tokens, c, error);
        }
    }
    begin(tokens, TOKEN_END);
    return ferror(tokens->stream) ? error_set(error, "cannot read %s", tokens->path) : 0;
}
